package analyze_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

func TestSymmetryAngle(t *testing.T) {
	for _, x := range []struct{ left, right, want float64 }{
		{1, 1, 0}, {0, 1, 50}, {1, 0, -50}, {10, 11, 3.03}, {11, 10, -3.03}, {-3, -3, 0}, {-1, 1, 100}, {1, -1, 100},
	} {
		got, ok := analyze.SymmetryAngle(x.left, x.right)
		if !ok || math.Abs(math.Abs(got)-math.Abs(x.want)) > 0.01 || math.Abs(x.want) < 100 && got*x.want < 0 {
			t.Errorf("left %v, right %v: %v, %v, want %v", x.left, x.right, got, ok, x.want)
		}
	}
	for _, x := range [][2]float64{{0, 0}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		if got, ok := analyze.SymmetryAngle(x[0], x[1]); ok {
			t.Errorf("%v: %v", x, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		left, right := rapid.Float64Range(0.01, 1000).Draw(t, "left"), rapid.Float64Range(0.01, 1000).Draw(t, "right")
		scale := rapid.Float64Range(0.1, 10).Draw(t, "scale")
		a, _ := analyze.SymmetryAngle(left, right)
		b, _ := analyze.SymmetryAngle(right, left)
		c, _ := analyze.SymmetryAngle(left*scale, right*scale)
		if math.Abs(a+b) > 1e-9 || math.Abs(a-c) > 1e-9 || math.Abs(a) > 50 {
			t.Fatalf("%v, exchanged %v, scaled %v", a, b, c)
		}
	})
}

func TestTwoSided(t *testing.T) {
	s := analyze.TwoSidedOf([]float64{1, 3}, []float64{4})
	if s.Left.Mean != 2 || s.Left.Count != 2 || math.Abs(s.Left.StandardDeviation-math.Sqrt2) > 1e-12 || s.Right.Mean != 4 || s.Both.Mean != 3 || s.Both.Count != 3 {
		t.Errorf("%+v", s)
	}
	if want, _ := analyze.SymmetryAngle(2, 4); s.Symmetry.X != want || !s.Symmetry.Present {
		t.Errorf("symmetry %+v, want %v", s.Symmetry, want)
	}
	if s := analyze.TwoSidedOf(nil, []float64{4}); s.Symmetry.Present || s.Both.Mean != 4 || s.Left != (analyze.Spread{}) {
		t.Errorf("one side: %+v", s)
	}
}

// TestSymmetry: a result has the other side, whichever side the rule names, and keeps its own values.
func TestSymmetry(t *testing.T) {
	m := testkit.Rendered(t, "squat_60")
	left, right := kneeFlexion, rule(analyze.JointFlexion, keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	named := analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.RightSide}
	for name, x := range map[string]struct{ rule, other analyze.Rule }{
		"left": {left, right}, "right": {right, left}, "named": {named, analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.LeftSide}},
	} {
		asked := x.rule
		asked.Symmetry, asked.Repetitions = true, &analyze.RepetitionOptions{}
		got := run(t, m.Seq, asked)
		s := got.Symmetry
		own, other := run(t, m.Seq, x.rule), run(t, m.Seq, x.other)
		if got.Values[40] != own.Values[40] || s.OtherSide.Values[40] != other.Values[40] || got.Side != own.Side || s.OtherSide.Side != other.Side {
			t.Errorf("%s: %v and %v at 40, want %v and %v", name, got.Values[40], s.OtherSide.Values[40], own.Values[40], other.Values[40])
		}
		if s.Statistic != analyze.Range || got.Movie != nil || s.OtherSide.Movie != nil || s.OtherSide.Symmetry != nil {
			t.Errorf("%s: %+v has statistics that were not asked for", name, s)
		}
		own2 := x.rule
		own2.Movie = &analyze.MovieOption{Statistic: analyze.Range}
		side := map[analyze.Side]analyze.Value{analyze.LeftSide: s.Left, analyze.RightSide: s.Right}
		if want := run(t, m.Seq, own2).Movie.Value; side[got.Side] != want {
			t.Errorf("%s: the range of its side is %v, want %v", name, side[got.Side], want)
		}
		if angle, _ := analyze.SymmetryAngle(s.Left.X, s.Right.X); s.Angle.X != angle || !s.Angle.Present || math.Abs(angle) > 6 {
			t.Errorf("%s: symmetry of a squat %v, want %v", name, s.Angle, angle)
		}
		if n := len(got.Repetitions.List); n == 0 || s.Depth.Left.Count+s.Depth.Right.Count != got.Repetitions.Depth.Count+s.OtherSide.Repetitions.Depth.Count {
			t.Errorf("%s: %d repetitions, depth %+v", name, n, s.Depth)
		}
	}
	asked := left
	asked.Symmetry, asked.Movie = true, &analyze.MovieOption{Statistic: analyze.Max}
	if r := run(t, m.Seq, asked); r.Symmetry.Statistic != analyze.Max || r.Movie == nil || r.Symmetry.Left != r.Movie.Value || r.Symmetry.Right != r.Symmetry.OtherSide.Movie.Value {
		t.Errorf("with a statistic: %+v", r.Symmetry)
	}
	if r := run(t, m.Seq, analyze.Rule{Type: analyze.KneeFlexion, Symmetry: true}); r.Side != analyze.LeftSide || r.Name != "left knee flexion" {
		t.Errorf("without a side: %s", r.Name)
	}
	image := keypoint.Sequence{Frames: m.Seq.Frames[40:41]}
	asked.Movie = nil
	if r := run(t, image, asked); r.Symmetry.Left != r.Values[0] || r.Symmetry.Statistic != "" || !r.Symmetry.Angle.Present {
		t.Errorf("an image: %+v", r.Symmetry)
	}
	for _, r := range []analyze.Rule{
		{Type: analyze.TrunkLean},
		rule(analyze.EuclideanDistance, keypoint.LeftAnkle, keypoint.RightAnkle), rule(analyze.SegmentAngle, keypoint.Nose, keypoint.Nose),
		rule(analyze.Coordinate, keypoint.LeftAnkle),
	} {
		var mistakes keypoint.FieldErrors
		r.Symmetry = true
		if _, err := analyze.Run(m.Seq, []analyze.Rule{r}); !errors.As(err, &mistakes) || mistakes[0].Pointer != "/0/symmetry" {
			t.Errorf("%v: %v", r, err)
		}
	}
}

func ExampleSymmetryAngle() {
	// Steps of 62 cm with the left foot and 70 cm with the right one.
	percent, _ := analyze.SymmetryAngle(62, 70)
	fmt.Printf("%.1f %%\n", percent)
	// Output: 3.9 %
}

func ExampleSymmetry() {
	// Somebody bends the left knee to 80 degrees, and the right one to 60.
	var seq keypoint.Sequence
	for i := range 11 {
		var f keypoint.Frame
		share := math.Sin(math.Pi * float64(i) / 10)
		for hip, depth := range map[keypoint.Part]float64{keypoint.LeftHip: 80, keypoint.RightHip: 60} {
			sin, cos := math.Sincos(depth * share * math.Pi / 180)
			f.Set(hip, keypoint.Point{100, 100}, 1)
			f.Set(hip+2, keypoint.Point{100, 200}, 1)                     // the knee
			f.Set(hip+4, keypoint.Point{100 - 100*sin, 200 + 100*cos}, 1) // the ankle
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/10)
	}
	left := keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
	results, err := analyze.Run(seq, []analyze.Rule{{Type: analyze.JointFlexion, Points: left, Symmetry: true}})
	if err != nil {
		panic(err)
	}
	sides := results[0].Symmetry
	fmt.Printf("range of motion: left %.0f°, right %.0f°\n", sides.Left.X, sides.Right.X)
	fmt.Printf("symmetry angle %.0f %%\n", sides.Angle.X)
	// Output:
	// range of motion: left 80°, right 60°
	// symmetry angle -9 %
}
