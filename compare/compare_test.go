package compare_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// standing is a person with a torso of 100 pixels, moved by (dx, dy).
func standing(dx, dy float64) keypoint.Frame {
	var f keypoint.Frame
	for p, pt := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose:         {0, -150},
		keypoint.LeftShoulder: {30, -100}, keypoint.RightShoulder: {-30, -100},
		keypoint.LeftHip: {20, 0}, keypoint.RightHip: {-20, 0},
		keypoint.LeftWrist: {60, 20}, keypoint.RightWrist: {-60, 20},
	} {
		f.Set(p, keypoint.Point{pt[0] + dx, pt[1] + dy}, 1)
	}
	return f
}

func move(f keypoint.Frame, p keypoint.Part, dx, dy float64) keypoint.Frame {
	pt, _ := f.At(p)
	f.Set(p, pt.Add(keypoint.Point{dx, dy}), 1)
	return f
}

func seq(frames ...keypoint.Frame) keypoint.Sequence { return keypoint.Sequence{Frames: frames} }

func diff(t testing.TB, source, target keypoint.Sequence, opt compare.Options) compare.Result {
	t.Helper()
	r, err := compare.Diff(source, target, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDirectionAndDistance(t *testing.T) {
	for _, c := range []struct{ dx, dy, distance, direction float64 }{
		{0, 0, 0, 0},
		{0, -50, 0.2, 0},
		{50, 0, 0.2, 90},
		{0, 50, 0.2, 180},
		{-50, 0, 0.2, 270},
		{30, -30, 30 * math.Sqrt2 / 250, 45},
		{1000, 0, 1, 90},
	} {
		r := diff(t, seq(standing(0, 0)), seq(move(standing(300, 40), keypoint.LeftWrist, c.dx, c.dy)), compare.Options{})
		d, ok := r.Frames[0].At(keypoint.LeftWrist)
		if !ok || math.Abs(d.Distance-c.distance) > 1e-9 || math.Abs(d.Direction-c.direction) > 1e-9 {
			t.Errorf("moved by (%v, %v): %+v, want distance %v, direction %v", c.dx, c.dy, d, c.distance, c.direction)
		}
		if d, _ := r.Frames[0].At(keypoint.Nose); d.Distance > 1e-9 {
			t.Errorf("the nose, which did not move, is off by %v", d.Distance)
		}
	}
}

func TestAlignment(t *testing.T) {
	// The wrist rises by 25 pixels, 0.1 of the full distance, a frame.
	rising := func(n int, times bool, step float64) keypoint.Sequence {
		var s keypoint.Sequence
		for i := range n {
			s.Frames = append(s.Frames, move(standing(0, 0), keypoint.LeftWrist, 0, -25*step*float64(i)))
			if times {
				s.Times = append(s.Times, float64(i))
			}
		}
		return s
	}
	worst := func(r compare.Result) (worst float64) {
		for i := range r.Frames {
			d, ok := r.Frames[i].At(keypoint.LeftWrist)
			if !ok {
				return math.Inf(1)
			}
			worst = max(worst, d.Distance)
		}
		return worst
	}
	for name, c := range map[string][2]keypoint.Sequence{
		"same":                 {rising(5, false, 1), rising(5, false, 1)},
		"target twice as long": {rising(5, false, 1), rising(9, false, 0.5)},
		"source twice as long": {rising(9, false, 0.5), rising(5, false, 1)},
		"with times":           {rising(9, true, 0.5), rising(5, true, 1)},
	} {
		r := diff(t, c[0], c[1], compare.Options{})
		if len(r.Frames) != c[0].Len() || worst(r) > 1e-9 {
			t.Errorf("%s: %d frames, worst distance %v", name, len(r.Frames), worst(r))
		}
	}

	image, movie := seq(standing(0, 0)), rising(4, true, 1)
	if r := diff(t, image, movie, compare.Options{}); len(r.Frames) != 1 || worst(r) > 1e-9 {
		t.Errorf("a source image is compared with the first frame: %v", worst(r))
	}
	if r := diff(t, movie, image, compare.Options{}); len(r.Frames) != 4 || math.Abs(worst(r)-0.3) > 1e-9 {
		t.Errorf("a target image serves every frame: %d frames, worst %v", len(r.Frames), worst(r))
	}

	// Between two frames a part must be in both; on a frame, in that one.
	gap := rising(3, false, 1)
	gap.Frames[1].Unset(keypoint.LeftWrist)
	r := diff(t, rising(5, false, 0.5), gap, compare.Options{})
	for i, want := range []bool{true, false, false, false, true} {
		if _, ok := r.Frames[i].At(keypoint.LeftWrist); ok != want {
			t.Errorf("frame %d has the part: %v, want %v", i, ok, want)
		}
	}
}

func TestVariableFrameRate(t *testing.T) {
	// The same even movement, sampled at uneven times.
	at := func(times ...float64) keypoint.Sequence {
		s := keypoint.Sequence{Times: times}
		for _, t := range times {
			s.Frames = append(s.Frames, move(standing(0, 0), keypoint.LeftWrist, 0, -25*t))
		}
		return s
	}
	r := diff(t, at(0, 1, 2, 3, 4), at(0, 0.5, 3, 3.25, 4), compare.Options{})
	for i := range r.Frames {
		if d, _ := r.Frames[i].At(keypoint.LeftWrist); d.Distance > 1e-9 {
			t.Errorf("frame %d is off by %v", i, d.Distance)
		}
	}
}

func TestMirror(t *testing.T) {
	raised := move(standing(0, 0), keypoint.LeftWrist, 0, -80)
	other := move(standing(0, 0), keypoint.RightWrist, 0, -80)
	r := diff(t, seq(raised), seq(other), compare.Options{Mirror: true})
	if math.Abs(r.Score.Overall-1) > 1e-9 {
		t.Errorf("mirrored twins score %v", r.Score.Overall)
	}
	if r := diff(t, seq(raised), seq(other), compare.Options{}); r.Score.Overall > 0.95 {
		t.Errorf("without the mirror they score %v", r.Score.Overall)
	}
}

// TestOverlay: the overlay shows the differences that Diff measures.
func TestOverlay(t *testing.T) {
	source := seq(standing(100, 200))
	var target keypoint.Frame
	turned := move(standing(0, 0), keypoint.LeftWrist, 0, -50)
	for p := range keypoint.Part(keypoint.NumParts) {
		if pt, ok := turned.At(p); ok {
			target.Set(p, pt.Mul(3).Add(keypoint.Point{7, 9}), 1)
		}
	}
	frames, err := compare.Overlay(source, seq(target), compare.Options{})
	if err != nil || len(frames) != 1 {
		t.Fatalf("%d frames (%v)", len(frames), err)
	}
	want := move(standing(100, 200), keypoint.LeftWrist, 0, -50)
	for p := range keypoint.Part(keypoint.NumParts) {
		a, okA := frames[0].At(p)
		b, okB := want.At(p)
		if okA != okB || a.Sub(b).Len() > 1e-9 {
			t.Errorf("%v lies at %v, want %v", p, a, b)
		}
	}
	if _, err := compare.Overlay(source, seq(), compare.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("an empty target: %v", err)
	}
}

func TestErrors(t *testing.T) {
	ok := seq(standing(0, 0))
	for name, c := range map[string]struct {
		source, target keypoint.Sequence
		opt            compare.Options
	}{
		"empty source": {seq(), ok, compare.Options{}},
		"empty target": {ok, seq(), compare.Options{}},
		"nobody":       {ok, seq(keypoint.Frame{}), compare.Options{}},
		"alignment":    {ok, ok, compare.Options{Alignment: "best"}},
	} {
		if _, err := compare.Diff(c.source, c.target, c.opt); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	var face keypoint.Frame
	face.Set(keypoint.LeftEye, keypoint.Point{0, 0}, 1)
	face.Set(keypoint.RightEye, keypoint.Point{30, 40}, 1)
	if r := diff(t, seq(face), seq(face), compare.Options{}); r.Frames[0].Present().Len() != 2 {
		t.Errorf("without a torso the bounding box serves: %v", r.Frames[0].Present().List())
	}
}

// TestInvariance: moving and scaling the target changes nothing.
func TestInvariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(-200, 200)
		source, target := standing(0, 0), standing(0, 0)
		for p := range keypoint.Part(keypoint.NumParts) {
			target = move(target, p, coord.Draw(t, "x"), coord.Draw(t, "y"))
		}
		scale := rapid.Float64Range(0.1, 10).Draw(t, "scale")
		dx, dy := coord.Draw(t, "dx"), coord.Draw(t, "dy")
		var other keypoint.Frame
		for p := range keypoint.Part(keypoint.NumParts) {
			pt, _ := target.At(p)
			other.Set(p, keypoint.Point{scale*pt[0] + dx, scale*pt[1] + dy}, 1)
		}
		a, errA := compare.Diff(seq(source), seq(target), compare.Options{})
		b, errB := compare.Diff(seq(source), seq(other), compare.Options{})
		if errA != nil || errB != nil {
			t.Skip("no torso")
		}
		for p := range keypoint.Part(keypoint.NumParts) {
			x, okX := a.Frames[0].At(p)
			y, okY := b.Frames[0].At(p)
			if okX != okY || math.Abs(x.Distance-y.Distance) > 1e-6 {
				t.Fatalf("%v: %+v and %+v", p, x, y)
			}
		}
	})
}

func TestJSON(t *testing.T) {
	r := diff(t, seq(standing(0, 0)), seq(move(standing(0, 0), keypoint.LeftWrist, 50, 0)), compare.Options{})
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back compare.Result
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, back, cmp.AllowUnexported(compare.Frame{}), cmpopts.EquateApprox(0, 1e-4)); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{`{"difference":[{"knee":{}}]}`, `{"difference":[{"nose":{"distance":2}}]}`, `[]`} {
		if err := json.Unmarshal([]byte(bad), &back); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func FuzzResult(f *testing.F) {
	f.Add([]byte(`{"difference":[{"nose":{"distance":0.2,"direction":90}}],"score":{"overall":0.8,"parts":{"nose":0.8}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r compare.Result
		if json.Unmarshal(data, &r) != nil {
			return
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkResultJSON(b *testing.B) {
	s := wave(every(1800, 1.0/30), circling)
	r := diff(b, s, wave(every(1700, 1.0/30), circling), compare.Options{})
	data, err := json.Marshal(r)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := r.MarshalJSON(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var back compare.Result
			if err := back.UnmarshalJSON(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func ExampleDiff() {
	person := func(wrist keypoint.Point) keypoint.Sequence {
		var f keypoint.Frame
		f.Set(keypoint.LeftShoulder, keypoint.Point{100, 100}, 1)
		f.Set(keypoint.LeftHip, keypoint.Point{100, 200}, 1)
		f.Set(keypoint.LeftWrist, wrist, 1)
		return keypoint.Sequence{Frames: []keypoint.Frame{f}}
	}
	r, err := compare.Diff(person(keypoint.Point{150, 200}), person(keypoint.Point{150, 150}), compare.Options{})
	if err != nil {
		panic(err)
	}
	d, _ := r.Frames[0].At(keypoint.LeftWrist)
	fmt.Printf("distance %.1f, direction %.0f\n", d.Distance, d.Direction)
	// Output: distance 0.2, direction 0
}

func BenchmarkDiff(b *testing.B) {
	for _, n := range []int{1, 100, 1800, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := keypoint.Sequence{Frames: make([]keypoint.Frame, n)}
			for i := range s.Frames {
				s.Frames[i] = move(standing(float64(i%50), 0), keypoint.LeftWrist, float64(i%31), 0)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := compare.Diff(s, s, compare.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Which picture of the target belongs beside each picture of the source.
func ExampleCounterparts() {
	arm := func(degrees ...float64) (seq keypoint.Sequence) {
		for k, d := range degrees {
			sin, cos := math.Sincos(d * math.Pi / 180)
			var f keypoint.Frame
			f.Set(keypoint.LeftShoulder, keypoint.Point{100, 100}, 1)
			f.Set(keypoint.LeftHip, keypoint.Point{100, 200}, 1)
			f.Set(keypoint.LeftWrist, keypoint.Point{100 + 80*sin, 100 + 80*cos}, 1)
			seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(k)/10)
		}
		return seq
	}
	frames, err := compare.Counterparts(arm(0, 30, 60, 90), arm(0, 0, 0, 30, 60, 90), compare.Options{Alignment: compare.DTW})
	fmt.Println(frames, err)
	// Output: [0 3 4 5] <nil>
}

func ExampleWriteCSV() {
	person := func(x float64) keypoint.Sequence {
		var f keypoint.Frame
		f.Set(keypoint.LeftShoulder, keypoint.Point{100, 100}, 1)
		f.Set(keypoint.LeftHip, keypoint.Point{100, 200}, 1)
		f.Set(keypoint.LeftWrist, keypoint.Point{x, 200}, 1)
		return keypoint.Sequence{Frames: []keypoint.Frame{f}}
	}
	r, err := compare.Diff(person(150), person(162.5), compare.Options{})
	if err == nil {
		err = compare.WriteCSV(os.Stdout, nil, r)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// frame,time [s],left shoulder distance,left shoulder direction [deg],left wrist distance,left wrist direction [deg],left hip distance,left hip direction [deg]
	// 0,,0,0,0.05,90,0,0
}
