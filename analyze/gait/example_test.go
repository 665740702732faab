package gait_test

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/keypoint"
)

// stroll returns somebody who walks to the right at 100 pixels a second, one step every half second.
func stroll() (seq keypoint.Sequence) {
	for i := range 150 {
		t := float64(i) / 30
		var f keypoint.Frame
		hips := 100 + 100*t
		f.Set(keypoint.Nose, keypoint.Point{hips + 30, 150}, 1) // before the ears: seen from the side
		f.Set(keypoint.LeftEar, keypoint.Point{hips, 150}, 1)
		f.Set(keypoint.RightEar, keypoint.Point{hips, 150}, 1)
		f.Set(keypoint.LeftShoulder, keypoint.Point{hips, 200}, 1)
		f.Set(keypoint.RightShoulder, keypoint.Point{hips, 200}, 1)
		f.Set(keypoint.LeftHip, keypoint.Point{hips, 300}, 1)
		f.Set(keypoint.RightHip, keypoint.Point{hips, 300}, 1)
		for side, ankle := range []keypoint.Part{keypoint.LeftAnkle, keypoint.RightAnkle} {
			// The ankle rests for 0.55 s, then it goes forwards by 100 pixels in 0.45 s.
			stride, phase := math.Modf(t + float64(side)/2)
			x := 100*(stride-float64(side)/2) + 130
			y := 480.0
			if phase > 0.55 {
				swing := (phase - 0.55) / 0.45
				x += 50 * (1 - math.Cos(math.Pi*swing))
				y -= 30 * math.Sin(math.Pi*swing)
			}
			f.Set(ankle, keypoint.Point{x, y}, 1)
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, t)
	}
	return seq
}

func ExampleAnalyze() {
	seq := stroll()
	seq.World.MetresPerPixel = 0.01
	g, err := gait.Analyze(seq, gait.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s, %s: %.0f steps a minute, %.2f %s/s\n", g.Mode, g.Surface, g.Cadence.X, g.Speed.X, g.Unit)
	fmt.Printf("step length %.2f ± %.2f %s, stance %.0f %%\n", g.StepLength.Both.Mean, g.StepLength.Both.StandardDeviation, g.Unit, 100*g.StanceShare.Both.Mean)
	fmt.Printf("symmetry of the step times %.1f %%\n", g.StepTime.Symmetry.X)
	for _, e := range g.Events[:3] {
		fmt.Printf("%.2f s: %s %s\n", e.Time, e.Side, e.Kind)
	}
	// Output:
	// walking, overground: 120 steps a minute, 1.00 m/s
	// step length 0.50 ± 0.00 m, stance 66 %
	// symmetry of the step times -0.0 %
	// 0.14 s: right toeOff
	// 0.48 s: right heelStrike
	// 0.64 s: left toeOff
}

func ExampleOptions() {
	// How far the left ankle is from the hip over the stride, from one heel strike to the next.
	leg := analyze.Rule{Type: analyze.EuclideanDistance, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftAnkle)}
	g, err := gait.Analyze(stroll(), gait.Options{Curves: []analyze.Rule{leg}})
	if err != nil {
		panic(err)
	}
	for _, percent := range []int{10, 40, 80} {
		curve := g.Curves[0]
		fmt.Printf("%d %%: %.0f ± %.0f %s\n", percent, curve.Mean[percent].X, curve.StandardDeviation[percent].X, curve.Unit)
	}
	// Output:
	// 10 %: 181 ± 0 px
	// 40 %: 180 ± 0 px
	// 80 %: 150 ± 0 px
}

// The curves of a stride in percent, and options as a client sends them.
func ExampleParseOptions() {
	opt, err := gait.ParseOptions([]byte(`{"mode": "walking"}`))
	if err != nil {
		panic(err)
	}
	opt.Curves = gait.LegAngles()
	seq := stroll()
	g, err := gait.Analyze(seq.Slice(30, 149), *opt)
	if err != nil {
		panic(err)
	}
	g.Shift(30) // frames of the whole recording
	fmt.Println(g.Mode, g.Events[0].Frame, opt.Curves[0].Type)
	fmt.Println(gait.Options{Surface: "ice"}.Validate())
	// Output:
	// walking 34 hipFlexion
	// invalid surface of gait: "ice", want one of [overground treadmill] or none
}
