package compare_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// person is a standing person of 17 parts with a torso of 100 pixels.
func person() (f keypoint.Frame) {
	for p, pt := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose: {0, -140}, keypoint.LeftEye: {5, -146}, keypoint.LeftEar: {10, -143},
		keypoint.LeftShoulder: {32, -100}, keypoint.LeftElbow: {40, -40}, keypoint.LeftWrist: {42, 15},
		keypoint.LeftHip: {20, 0}, keypoint.LeftKnee: {20, 80}, keypoint.LeftAnkle: {20, 160},
	} {
		f.Set(p, pt, 1)
		f.Set(p.Mirror(), keypoint.Point{-pt[0], pt[1]}, 1)
	}
	return f
}

// moving is two seconds of a person, 30 frames a second, whose parts move as at says.
func moving(at func(phase float64, f *keypoint.Frame)) keypoint.Sequence {
	s := keypoint.Sequence{Times: every(61, 1.0/30)}
	for i := range s.Times {
		f := person()
		at(float64(i)/60, &f)
		s.Frames = append(s.Frames, f)
	}
	return s
}

func shift(f *keypoint.Frame, dx, dy float64, parts ...keypoint.Part) {
	for _, p := range parts {
		*f = move(*f, p, dx, dy)
	}
}

// still, squat and raise are movements in front of the camera.
func still(float64, *keypoint.Frame) {}

func squat(phase float64, f *keypoint.Frame) {
	depth := (1 - math.Cos(2*math.Pi*phase)) / 2
	shift(f, 0, -70*depth, keypoint.LeftKnee, keypoint.RightKnee)
	shift(f, 0, -80*depth, keypoint.LeftAnkle, keypoint.RightAnkle)
}

func raise(phase float64, f *keypoint.Frame) {
	up := (1 - math.Cos(2*math.Pi*phase)) / 2
	shift(f, 60*up, -110*up, keypoint.LeftWrist)
	shift(f, 30*up, -50*up, keypoint.LeftElbow)
	shift(f, -60*up, -110*up, keypoint.RightWrist)
	shift(f, -30*up, -50*up, keypoint.RightElbow)
}

func overall(t testing.TB, source, target keypoint.Sequence, opt compare.Options) float64 {
	t.Helper()
	return diff(t, source, target, opt).Score.Overall
}

// TestScoreFormula: of ten parts in two frames, a wrist that is 0.4 torso lengths higher in the second
// frame moves by a variance of 0.04, and by 0.2 on average.
func TestScoreFormula(t *testing.T) {
	raised := person()
	shift(&raised, 0, -40, keypoint.LeftWrist)
	r := diff(t, seq(person(), person()), seq(person(), raised), compare.Options{})
	part := 1 - (0.04+0.2*0.04)/(0.04+0.0144)
	if got := r.Score.Parts[keypoint.LeftWrist]; math.Abs(got-part) > 1e-9 {
		t.Errorf("the wrist scores %v, want %v", got, part)
	}
	if want := 1 - (0.04+0.2*0.04)/(0.04+10*0.0144); math.Abs(r.Score.Overall-want) > 1e-9 {
		t.Errorf("the recording scores %v, want %v", r.Score.Overall, want)
	}
	if len(r.Score.Parts) != 17 || r.Score.Parts[keypoint.RightWrist] != 1 {
		t.Errorf("%v", r.Score.Parts)
	}
}

// TestScoreParts: hips, head and feet do not count, alone they do.
func TestScoreParts(t *testing.T) {
	other := person()
	shift(&other, 40, 0, keypoint.Nose, keypoint.LeftEye, keypoint.RightEye, keypoint.LeftEar, keypoint.RightEar)
	shift(&other, 10, 0, keypoint.LeftHip) // and the other one back, so that the centre stays
	shift(&other, -10, 0, keypoint.RightHip)
	source := person()
	for _, p := range keypoint.Feet.List() {
		source.Set(p, keypoint.Point{20, 170}, 1)
		other.Set(p, keypoint.Point{80, 170}, 1)
	}
	r := diff(t, seq(source), seq(other), compare.Options{})
	if r.Score.Overall != 1 || r.Score.Parts[keypoint.Nose] > 0.5 || r.Score.Parts[keypoint.LeftHeel] > 0.5 {
		t.Errorf("%+v", r.Score)
	}
	var face, turned keypoint.Frame
	for _, p := range []keypoint.Part{keypoint.Nose, keypoint.LeftEye, keypoint.RightEye} {
		at, _ := source.At(p)
		face.Set(p, at, 1)
		turned.Set(p, at, 1)
	}
	shift(&turned, 1, 0, keypoint.Nose)
	if s := overall(t, seq(face), seq(turned), compare.Options{}); s <= 0 || s >= 1 {
		t.Errorf("two faces score %v", s)
	}
}

// TestScoreOfMovements: what is the same movement scores high, what is another one low.
func TestScoreOfMovements(t *testing.T) {
	small := func(s keypoint.Sequence, legs float64) keypoint.Sequence { // of other proportions
		s = s.Clone()
		for i := range s.Frames {
			f := &s.Frames[i]
			for _, p := range f.Present().List() {
				at, _ := f.At(p)
				if at[1] > 0 {
					at[1] *= legs
				}
				f.Set(p, at.Mul(0.6).Add(keypoint.Point{300, 200}), 1)
			}
		}
		return s
	}
	uneven := func(phase float64) float64 { return phase + 0.12*math.Sin(2*math.Pi*phase) }
	late := moving(func(phase float64, f *keypoint.Frame) { squat(uneven(phase), f) })
	deep, high, rest := moving(squat), moving(raise), moving(still)
	for name, c := range map[string]struct {
		source, target keypoint.Sequence
		alignment      compare.Alignment
		low, high      float64
	}{
		"twice":                {deep, deep, "", 1, 1},
		"shorter legs":         {deep, small(deep, 0.9), "", 0.9, 1},
		"uneven tempo":         {deep, late, "", 0.5, 0.95},
		"uneven tempo, warped": {deep, late, compare.DTW, 0.99, 1},
		"other movement":       {deep, high, "", 0, 0.3},
		"and warped":           {deep, high, compare.DTW, 0, 0.5},
		"against rest":         {rest, high, "", 0, 0.5},
		"rest":                 {rest, rest, "", 1, 1},
	} {
		if s := overall(t, c.source, c.target, compare.Options{Alignment: c.alignment}); s < c.low || s > c.high {
			t.Errorf("%s: %.3f, want %v to %v", name, s, c.low, c.high)
		}
	}
}

// TestScoreProperties: the score is 1 for the same movement, and does not change when a recording is moved
// or scaled, nor, of recordings of equal length, when they are exchanged.
func TestScoreProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Float64Range(0, 1.5)
		a, b := amount.Draw(t, "squat"), amount.Draw(t, "raise")
		source := moving(squat)
		target := moving(func(phase float64, f *keypoint.Frame) {
			g := *f
			squat(phase, &g)
			raise(phase, f)
			for _, p := range f.Present().List() {
				standing := person()
				from, _ := standing.At(p)
				x, _ := f.At(p)
				y, _ := g.At(p)
				f.Set(p, from.Add(y.Sub(from).Mul(a)).Add(x.Sub(from).Mul(b)), 1)
			}
		})
		moved := target.Clone()
		scale, dx := rapid.Float64Range(0.1, 10).Draw(t, "scale"), rapid.Float64Range(-500, 500).Draw(t, "dx")
		for i := range moved.Frames {
			for _, p := range moved.Frames[i].Present().List() {
				at, _ := moved.Frames[i].At(p)
				moved.Frames[i].Set(p, at.Mul(scale).Add(keypoint.Point{dx + float64(i), -dx}), 1)
			}
		}
		get := func(s, u keypoint.Sequence) float64 {
			r, err := compare.Diff(s, u, compare.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for p, v := range r.Score.Parts {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("%v scores %v", p, v)
				}
			}
			return r.Score.Overall
		}
		if s := get(target, moved); math.Abs(s-1) > 1e-6 {
			t.Fatalf("the same, moved and scaled, scores %v", s)
		}
		s := get(source, target)
		if back := get(target, source); math.Abs(s-back) > 1e-9 {
			t.Fatalf("%v, and exchanged %v", s, back)
		}
		if other := get(source, moved); math.Abs(s-other) > 1e-6 {
			t.Fatalf("%v, and moved and scaled %v", s, other)
		}
	})
}
