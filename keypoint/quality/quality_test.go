package quality_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

func assess(t *testing.T, in quality.Input) quality.Report {
	t.Helper()
	r, err := quality.Assess(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFeetAreNotJudged: a recording is judged the same with feet, wherever they are and however often
// they are found, and without.
func TestFeetAreNotJudged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := standing(rapid.Float64Range(0, 180).Draw(t, "view"))
		r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
			return at, rapid.IntRange(0, 99).Draw(t, "lost") > 0
		}
		without := r.made()
		with := without.Clone()
		for i := range with.Frames {
			for _, p := range keypoint.Feet.List() {
				if rapid.Bool().Draw(t, "found") {
					with.Frames[i].Set(p, keypoint.Point{rapid.Float64Range(-50, 690).Draw(t, "x"), 640}, rapid.Float64Range(0, 1).Draw(t, "confidence"))
				}
			}
		}
		n := with.Len()
		a, errA := quality.Assess(quality.Input{Sequence: without})
		b, errB := quality.Assess(quality.Input{Sequence: with, Cleaning: exchanged(n, 0, n-1, clean.Swapped, keypoint.LeftHeel)})
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if d := cmp.Diff(a, b, cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
			t.Fatalf("with feet: %s", d)
		}
	})
}

// exchanged is the report of a cleaning of n frames that changed parts in the frames from to to.
func exchanged(n, from, to int, change clean.Change, parts ...keypoint.Part) clean.Report {
	r := clean.Report{Changes: make([][keypoint.NumParts]clean.Change, n)}
	for i := from; i <= to; i++ {
		for _, p := range parts {
			r.Changes[i][p] |= change
		}
	}
	return r
}

// TestWarnings: each code is triggered by the recording made for it, and by no other.
func TestWarnings(t *testing.T) {
	with := func(change func(r *recording)) recording {
		r := standing(0)
		change(&r)
		return r
	}
	noise := rand.New(rand.NewPCG(1, 2))
	// circling turns the left wrist at a rate in hertz on a circle of a radius in torso lengths.
	circling := func(rate, hertz, radius float64) recording {
		return with(func(r *recording) {
			r.rate = rate
			r.pose = func(t float64, p keypoint.Part, at [3]float64) [3]float64 {
				if p == keypoint.LeftWrist {
					sin, cos := math.Sincos(2 * math.Pi * hertz * t)
					at[0], at[1] = at[0]+radius*sin, at[1]+radius*cos
				}
				return at
			}
		})
	}
	// moving moves the left wrist by x(i) torso lengths in frame i.
	moving := func(x func(i int) float64) recording {
		return with(func(r *recording) {
			r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
				if p == keypoint.LeftWrist {
					at[0] += x(i) * r.torso
				}
				return at, true
			}
		})
	}
	for _, c := range []struct {
		name  string
		movie recording
		input quality.Input // besides the sequence
		want  []quality.Code
		parts keypoint.Parts
		span  [2]int
	}{
		{name: "standing", movie: standing(0)},
		{name: "squat", movie: with(func(r *recording) { r.pose = squat })},
		{name: "oblique", movie: standing(45)},
		{
			name: "from the side", movie: standing(90), want: []quality.Code{quality.CodeHiddenSide}, span: [2]int{0, 59},
			parts: keypoint.PartsOf(keypoint.LeftElbow, keypoint.LeftWrist, keypoint.LeftKnee, keypoint.LeftAnkle),
		},
		{
			name: "feet below the picture", movie: with(func(r *recording) { r.hips[1] = 460 }),
			want: []quality.Code{quality.CodeCutOff}, span: [2]int{0, 59}, parts: keypoint.PartsOf(keypoint.LeftAnkle, keypoint.RightAnkle),
		},
		{
			name: "shanks below the picture, not found", movie: with(func(r *recording) {
				r.hips[1] = 480
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
					return at, p != keypoint.LeftAnkle && p != keypoint.RightAnkle
				}
			}),
			want: []quality.Code{quality.CodeCutOff, quality.CodeLowCoverage}, span: [2]int{0, 59},
			parts: keypoint.PartsOf(keypoint.LeftAnkle, keypoint.RightAnkle),
		},
		{name: "small", movie: with(func(r *recording) { r.torso = 30 }), want: []quality.Code{quality.CodeSmall}, span: [2]int{0, 59}},
		{
			name: "fast hand", movie: circling(10, 1, .9),
			want: []quality.Code{quality.CodeLowFrameRate}, parts: keypoint.PartsOf(keypoint.LeftWrist), span: [2]int{2, 59},
		},
		{
			name: "fast hand at 30 frames a second", movie: circling(30, 5, .65),
			want: []quality.Code{quality.CodeLowFrameRate}, parts: keypoint.PartsOf(keypoint.LeftWrist), span: [2]int{2, 59},
		},
		{name: "waving", movie: circling(15, 2, .35)},
		{name: "one quick step", movie: moving(func(i int) float64 { return .5 * float64(min(max(i-20, 0), 2)) })},
		{
			name: "flickering", movie: moving(func(i int) float64 { return .6 * float64(i%2) }),
			want: []quality.Code{quality.CodeJitter}, parts: keypoint.PartsOf(keypoint.LeftWrist), span: [2]int{0, 59},
		},
		{
			name: "shuffling", movie: with(func(r *recording) {
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
					switch p {
					case keypoint.LeftAnkle:
						at[0] += 36 * math.Sin(float64(i)/10)
					case keypoint.RightAnkle:
						at[0] += 26 * math.Sin(float64(i)/10)
					}
					return at, true
				}
			}),
		},
		{
			name: "the tracker knows of another person", movie: with(func(r *recording) {
				r.change = func(s *keypoint.Sequence) { s.PersonChanges = []int{20} }
			}),
			want: []quality.Code{quality.CodePersonChanged}, span: [2]int{20, 59},
		},
		{
			name: "jump to another person", movie: with(func(r *recording) {
				r.torso = 60
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
					if i >= 30 {
						at[0] -= 200
					}
					return at, true
				}
			}),
			want: []quality.Code{quality.CodePersonChanged}, span: [2]int{30, 59},
		},
		{
			name: "far between two frames", movie: with(func(r *recording) {
				r.torso, r.rate = 60, 5
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
					if i >= 30 {
						at[0] -= 200
					}
					return at, true
				}
			}),
		},
		{
			name: "lost", movie: with(func(r *recording) {
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) { return at, i < 20 || i >= 30 }
			}),
			want: []quality.Code{quality.CodeLost}, span: [2]int{20, 29},
		},
		{
			name: "a gap that cleaning fills", movie: with(func(r *recording) {
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) { return at, i < 20 || i >= 23 }
			}),
		},
		{
			name: "exchanged", movie: standing(0),
			input: quality.Input{Cleaning: exchanged(60, 3, 5, clean.Swapped, keypoint.LeftKnee, keypoint.RightKnee)},
			want:  []quality.Code{quality.CodeSwapped}, parts: keypoint.PartsOf(keypoint.LeftKnee, keypoint.RightKnee), span: [2]int{3, 5},
		},
		{
			name: "trembling", movie: with(func(r *recording) {
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
					if p == keypoint.RightKnee {
						at = at.Add(keypoint.Point{noise.NormFloat64(), noise.NormFloat64()}.Mul(.06 * 120))
					}
					return at, true
				}
			}),
			want: []quality.Code{quality.CodeJitter}, parts: keypoint.PartsOf(keypoint.RightKnee), span: [2]int{0, 59},
		},
		{
			name: "camera in the hand", movie: with(func(r *recording) {
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
					return at.Add(keypoint.Point{12 * math.Sin(float64(i)/10), 0}), true
				}
			}),
			want: []quality.Code{quality.CodeCameraMoves}, span: [2]int{0, 44},
		},
		{
			name: "the caller knows of a moving camera", movie: standing(0), input: quality.Input{CameraMoves: []keypoint.Span{{First: 7, Last: 9}}},
			want: []quality.Code{quality.CodeCameraMoves}, span: [2]int{7, 9},
		},
		{
			name: "missing elbow", movie: with(func(r *recording) {
				r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
					return at, p != keypoint.LeftElbow || i%3 > 0
				}
			}),
			want: []quality.Code{quality.CodeLowCoverage}, parts: keypoint.PartsOf(keypoint.LeftElbow), span: [2]int{0, 59},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.input.Sequence = c.movie.made()
			r := assess(t, c.input)
			var got []quality.Code
			for _, w := range r.Warnings {
				got = append(got, w.Code)
			}
			if !slices.Equal(got, c.want) {
				t.Fatalf("%+v, want %v", r.Warnings, c.want)
			}
			for _, w := range r.Warnings {
				if w.Parts != c.parts || [2]int{w.From, w.To} != c.span || w.Detail == "" {
					t.Errorf("%+v: want frames %v and parts %v", w, c.span, c.parts.List())
				}
			}
		})
	}
}

func TestVerdict(t *testing.T) {
	trembling := standing(0)
	noise := rand.New(rand.NewPCG(3, 4))
	trembling.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
		return at.Add(keypoint.Point{noise.NormFloat64(), noise.NormFloat64()}.Mul(.06 * 120)), true
	}
	knee := standing(0)
	knee.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
		if p == keypoint.LeftKnee {
			at = at.Add(keypoint.Point{noise.NormFloat64(), noise.NormFloat64()}.Mul(.06 * 120))
		}
		return at, true
	}
	for _, c := range []struct {
		name  string
		input quality.Input
		want  quality.Verdict
	}{
		{"front", quality.Input{Sequence: standing(0).made()}, quality.Good},
		{"hidden side", quality.Input{Sequence: standing(90).made()}, quality.Good},
		{"a few exchanged frames", quality.Input{Sequence: standing(0).made(), Cleaning: exchanged(60, 3, 5, clean.Swapped, keypoint.LeftHip)}, quality.Usable},
		{"many exchanged frames", quality.Input{Sequence: standing(0).made(), Cleaning: exchanged(60, 0, 19, clean.Ambiguous, keypoint.LeftHip)}, quality.Poor},
		{"moving camera", quality.Input{Sequence: standing(0).made(), CameraMoves: []keypoint.Span{{First: 0, Last: 59}}}, quality.Usable},
		{"trembling", quality.Input{Sequence: trembling.made()}, quality.Poor},
		{"a trembling knee", quality.Input{Sequence: knee.made()}, quality.Usable},
		{"nobody", quality.Input{Sequence: keypoint.Sequence{Frames: make([]keypoint.Frame, 3)}}, quality.Nobody},
	} {
		if r := assess(t, c.input); r.Verdict != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.name, r.Verdict, c.want, r.Warnings)
		}
	}
}

func TestInvalidInput(t *testing.T) {
	s := standing(0).made()
	for _, in := range []quality.Input{
		{Sequence: keypoint.Sequence{Frames: s.Frames, Times: s.Times[1:]}},
		{Sequence: s, Cleaning: exchanged(59, 0, 0, clean.Swapped, keypoint.Nose)},
		{Sequence: s, CameraMoves: []keypoint.Span{{First: -1}}},
		{Sequence: s, CameraMoves: []keypoint.Span{{First: 4, Last: 3}}},
		{Sequence: s, CameraMoves: []keypoint.Span{{Last: 60}}},
	} {
		if _, err := quality.Assess(in); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%v", err)
		}
	}
}

// TestJSON holds the documented form.
func TestJSON(t *testing.T) {
	s := standing(90).made()
	s.Frames[59] = keypoint.Frame{}
	s = s.Slice(57, 59)
	s.Times = nil
	r := assess(t, quality.Input{Sequence: s, Cleaning: exchanged(3, 0, 1, clean.Swapped, keypoint.LeftHip)})
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"verdict":"poor","warnings":[` +
		`{"code":"hiddenSide","detail":"These parts are hidden: angles that need them are not measured.","from":0,"to":1,` +
		`"parts":["leftElbow","leftWrist","leftKnee","leftAnkle"]},` +
		`{"code":"lost","detail":"Nobody is found.","from":2,"to":2,"parts":[]},` +
		`{"code":"swapped","detail":"Left and right of these parts were exchanged or cannot be told apart.","from":0,"to":1,"parts":["leftHip"]},` +
		`{"code":"lowCoverage","detail":"Parts are missing in many frames; found are leftShoulder 66 %, rightShoulder 66 %, leftElbow 66 %, rightElbow 66 %, ` +
		`leftWrist 66 %, rightWrist 66 %, leftHip 66 %, rightHip 66 %, leftKnee 66 %, rightKnee 66 %, leftAnkle 66 %, rightAnkle 66 %.","from":0,"to":2,` +
		`"parts":["leftShoulder","rightShoulder","leftElbow","rightElbow","leftWrist","rightWrist","leftHip","rightHip","leftKnee","rightKnee","leftAnkle","rightAnkle"]}],` +
		`"view":[94,94,null]}`
	if string(b) != want {
		t.Errorf("%s\nwant\n%s", b, want)
	}
	var back quality.Report
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r.Warnings, back.Warnings); d != "" || back.Verdict != r.Verdict {
		t.Error(d)
	}
	for i := range 4 {
		v, ok := r.View(i)
		if w, known := back.View(i); w != v || known != ok {
			t.Errorf("view of frame %d: %v, %v, want %v, %v", i, w, known, v, ok)
		}
	}
	if err := json.Unmarshal([]byte(`{"warnings":[{"parts":["tail"]}]}`), &back); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("%v", err)
	}
}

// TestAnyInput: whatever the recording, the report is made of finite numbers, and nothing panics.
func TestAnyInput(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-500, 500), rapid.SampledFrom([]float64{0, math.MaxFloat64, -math.MaxFloat64, 5e-324}))
	rapid.Check(t, func(t *rapid.T) {
		var s keypoint.Sequence
		at := 0.0
		timed := rapid.Bool().Draw(t, "timed")
		for range rapid.IntRange(0, 30).Draw(t, "frames") {
			var f keypoint.Frame
			for p := range keypoint.Part(keypoint.NumBody) {
				if rapid.IntRange(0, 4).Draw(t, "present") > 0 {
					f.Set(p, keypoint.Point{number.Draw(t, "x"), number.Draw(t, "y")}, 1)
				}
			}
			s.Frames = append(s.Frames, f)
			if timed {
				s.Times = append(s.Times, at)
			}
			at += rapid.SampledFrom([]float64{1e-9, 0.01, 1.0 / 30, 1.0 / 30, 5}).Draw(t, "step")
		}
		s.Size.X = rapid.IntRange(0, 700).Draw(t, "width")
		s.Size.Y = s.Size.X
		r, err := quality.Assess(quality.Input{Sequence: s})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		for _, w := range r.Warnings {
			if w.From < 0 || w.To < w.From || w.To >= s.Len() {
				t.Fatalf("%+v of %d frames", w, s.Len())
			}
		}
		u := quality.NewUncertainty(s)
		p := keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
		for i := range s.Frames {
			if v, _, ok := u.Angle(i, quality.Sagittal, p[0], p[1], p[2]); ok && !(v > 0 && v <= 60) {
				t.Fatalf("uncertainty of an angle %v", v)
			}
			if v, ok := u.Distance(i, p[0], p[1]); ok && !(v > 0 && v < 1e10) {
				t.Fatalf("uncertainty of a distance %v", v)
			}
		}
	})
}

// BenchmarkAssess judges recordings of 1 to 1,800 frames at 60 frames a second.
func BenchmarkAssess(b *testing.B) {
	for _, n := range []int{1, 100, 1800} {
		r := standing(60)
		r.frames, r.rate, r.pose = n, 60, squat
		s := r.made()
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := quality.Assess(quality.Input{Sequence: s}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestNobody: where nobody was found the verdict says so and nothing else, and what is wrong with the movie is told.
func TestNobody(t *testing.T) {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 3), Times: []float64{0, 0.1, 0.2}}
	r, err := quality.Assess(quality.Input{Sequence: s})
	if err != nil || r.Verdict != quality.Nobody || len(r.Warnings) != 1 || r.Warnings[0].Code != quality.CodeLost || r.Warnings[0].To != 2 {
		t.Errorf("%s %+v (%v)", r.Verdict, r.Warnings, err)
	}
	damaged := standing(0).made()
	damaged.Damage = "The movie is cut off."
	r, err = quality.Assess(quality.Input{Sequence: damaged})
	if n := len(r.Warnings); err != nil || r.Verdict != quality.Usable || n == 0 || r.Warnings[n-1].Code != quality.CodeDamaged || r.Warnings[n-1].Detail != damaged.Damage {
		t.Errorf("%s %+v (%v)", r.Verdict, r.Warnings, err)
	}
}
