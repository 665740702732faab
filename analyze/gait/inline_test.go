package gait_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// around returns what a camera sees of a rendered movie that stands around the middle of the person's way.
func around(t *testing.T, name string, degrees float64) keypoint.Sequence {
	m := testkit.Rendered(t, name)
	space := m.InSpace()
	hips := func(i int) keypoint.Position {
		at, _ := space.Frames[i].Positions().At(keypoint.LeftHip)
		return at
	}
	camera := recorded.Around(hips(0).Add(hips(space.Len()-1)).Mul(0.5), degrees, 7)
	seq := keypoint.Sequence{Times: space.Times, Size: camera.Size}
	for i := range space.Frames {
		var f keypoint.Frame
		places := space.Frames[i].Positions()
		for _, p := range places.Present().List() {
			place, _ := places.At(p)
			if at, ok := camera.Project(place); ok {
				f.Set(p, at, 1)
			}
		}
		seq.Frames = append(seq.Frames, f)
	}
	return seq
}

// TestInLine: a walk towards the camera or away from it has its cadence and the times of its strides and steps, and neither lengths nor
// stances, of which there is a warning. In place nothing is told from there, nor of who goes to the side.
func TestInLine(t *testing.T) {
	m := testkit.Rendered(t, "walk_across_90")
	for degrees, kind := range map[float64]gait.EventKind{90: gait.HeelStrike, -90: gait.ToeOff} {
		g := analyzeGait(t, around(t, "walk_across_90", degrees), gait.Options{})
		if g.Mode != "walking" || math.Abs(g.Cadence.X/m.Motion.Cadence-1) > 0.03 || math.Abs(g.StrideTime.Both.Mean*m.Motion.Cadence/120-1) > 0.03 {
			t.Errorf("%v: %s, %.1f steps a minute, want %.1f; strides of %.3f s", degrees, g.Mode, g.Cadence.X, m.Motion.Cadence, g.StrideTime.Both.Mean)
		}
		if d := math.Abs(g.StepTime.Left.Mean - g.StepTime.Right.Mean); d > 0.1 || !(g.StepTime.Left.Uncertainty > 0.05*g.StepTime.Left.Mean) {
			t.Errorf("%v: steps of %.3f ± %.3f and %.3f s", degrees, g.StepTime.Left.Mean, g.StepTime.Left.Uncertainty, g.StepTime.Right.Mean)
		}
		if g.StanceShare.Both.Count+g.StrideLength.Both.Count+g.DoubleSupport.Count+len(g.Cycles) > 0 || g.Speed.Present {
			t.Errorf("%v: stances %+v, lengths %+v, speed %v", degrees, g.StanceShare, g.StrideLength, g.Speed)
		}
		if len(g.Warnings) != 1 || g.Warnings[0].Code != quality.CodeOutOfPlane {
			t.Errorf("%v: %+v", degrees, g.Warnings)
		}
		for _, e := range g.Events {
			off := math.Inf(1)
			for _, x := range m.Events {
				if x.Side == string(e.Side) && (x.What == "heel strike") == (kind == gait.HeelStrike) {
					off = min(off, math.Abs(x.Time-e.Time))
				}
			}
			if e.Kind != kind || off > 0.1 {
				t.Errorf("%v: %s %s at %.3f s is off by %.3f s", degrees, e.Side, e.Kind, e.Time, off)
			}
		}
	}
	for _, name := range []string{"walk_treadmill_90", "run_treadmill_90", "side_step_0"} {
		for _, degrees := range []float64{90, -90} {
			if g := analyzeGait(t, around(t, name, degrees), gait.Options{}); len(g.Warnings) > 0 && g.Mode != "" {
				t.Errorf("%s at %v: %s, %.1f steps a minute, %+v", name, degrees, g.Mode, g.Cadence.X, g.Warnings)
			}
		}
	}
}

// TestRound: whoever walks round before a camera that looks down is as far away as the feet tell; the trunk looks shorter towards it.
func TestRound(t *testing.T) {
	const radius, pitch, away = 1.5, 18 * math.Pi / 180, 5.0
	m := testkit.Rendered(t, "walk_treadmill_90")
	space, up := m.InSpace(), keypoint.Position{0, 1, 0}
	camera := recorded.Around(keypoint.Position{}, 0, 0)
	camera.Rotation = mgl64.Rotate3DX(-pitch).Mul3(camera.Rotation)
	camera.Translation = camera.Rotation.Mul3x1(keypoint.Position{0, 1 + away*math.Tan(pitch), away}).Mul(-1)
	seq, depths := keypoint.Sequence{Size: camera.Size}, []float64{}
	for i := range 600 {
		time := float64(i) / 30
		turn := mgl64.HomogRotate3D(-m.Motion.Speed*time/radius, up)
		var f keypoint.Frame
		places := space.Frames[i%104].Positions() // three strides
		for _, p := range places.Present().List() {
			place, _ := places.At(p)
			place = mgl64.TransformCoordinate(place.Add(keypoint.Position{0, 0, radius}), turn)
			if at, ok := camera.Project(place); ok {
				f.Set(p, at, 1)
			}
			if p == keypoint.LeftAnkle {
				depths = append(depths, camera.Rotation.Mul3x1(place).Add(camera.Translation)[2])
			}
		}
		seq.Times, seq.Frames = append(seq.Times, time), append(seq.Frames, f)
	}
	seq.World.MetresPerPixel = rank.Median(depths) / camera.Focal
	g, want := analyzeGait(t, seq, gait.Options{}), 2*radius*math.Sin(m.Motion.Stride/radius/2)
	if s := g.StrideLength.Both; s.Count < 6 || math.Abs(s.Mean/want-1) > 0.01 {
		t.Errorf("strides of %.3f ± %.3f m (%d), want %.3f", s.Mean, s.Uncertainty, s.Count, want)
	}
}
