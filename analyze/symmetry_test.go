package analyze_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit/rendered"
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

// TestRunSides: both sides stand in one result, whichever side the rule names.
func TestRunSides(t *testing.T) {
	m := rendered.Read(t, "squat_60")
	left := kneeFlexion
	right := rule(analyze.JointFlexion, keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	for name, r := range map[string]analyze.Rule{"left": left, "right": right} {
		s, err := analyze.RunSides(m.Seq, r)
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range map[string]analyze.Rule{"left": left, "right": right} {
			got := map[string]analyze.Result{"left": s.Left, "right": s.Right}[k]
			if w := run(t, m.Seq, want); got.Values[40] != w.Values[40] || got.Movie.Statistic != analyze.Range {
				t.Errorf("rule of the %s knee: %s is %v (%s), want %v", name, k, got.Values[40], got.Description, w.Values[40])
			}
		}
		if !s.Symmetry.Present || math.Abs(s.Symmetry.X) > 6 {
			t.Errorf("symmetry of a squat %v", s.Symmetry)
		}
	}
	named := analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.RightSide}
	s, err := analyze.RunSides(m.Seq, named)
	if err != nil || s.Right.Values[40] != run(t, m.Seq, named).Values[40] || s.Left.Values[40] == s.Right.Values[40] || !s.Symmetry.Present {
		t.Errorf("named angle: %v, left %v, right %v", err, s.Left.Values[40], s.Right.Values[40])
	}
	for _, r := range []analyze.Rule{
		{Type: analyze.TrunkLean},
		rule(analyze.EuclideanDistance, keypoint.LeftAnkle, keypoint.RightAnkle), rule(analyze.SegmentAngle, keypoint.Nose, keypoint.Nose),
		rule(analyze.Coordinate, keypoint.LeftAnkle),
	} {
		var mistakes keypoint.FieldErrors
		if _, err := analyze.RunSides(m.Seq, r); !errors.As(err, &mistakes) {
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

func ExampleRunSides() {
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
	sides, err := analyze.RunSides(seq, analyze.Rule{Type: analyze.JointFlexion, Points: left})
	if err != nil {
		panic(err)
	}
	fmt.Printf("range of motion: left %.0f°, right %.0f°\n", sides.Left.Movie.Value.X, sides.Right.Movie.Value.X)
	fmt.Printf("symmetry angle %.0f %%\n", sides.Symmetry.X)
	// Output:
	// range of motion: left 80°, right 60°
	// symmetry angle -9 %
}
