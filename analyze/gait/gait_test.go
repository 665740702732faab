package gait_test

import (
	"errors"
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

func analyzeGait(t testing.TB, seq keypoint.Sequence, opt gait.Options) gait.Gait {
	t.Helper()
	g, err := gait.Analyze(seq, opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// withoutFeet removes heels and toes.
func withoutFeet(seq keypoint.Sequence) keypoint.Sequence {
	seq = seq.Clone()
	for i := range seq.Frames {
		for p := keypoint.Part(keypoint.NumBody); p < keypoint.NumParts; p++ {
			seq.Frames[i].Unset(p)
		}
	}
	return seq
}

// walks are the rendered movies of people who walk or run.
var walks = map[string]struct {
	mode    gait.Mode
	surface string
	unseen  int // events at the edge of the picture or of the recording
	flight  bool
}{
	"walk_across_90":    {"walking", "overground", 2, false},
	"walk_treadmill_90": {"walking", "treadmill", 1, false},
	"walk_leave_return": {"walking", "overground", 7, false},
	"run_treadmill_90":  {"running", "treadmill", 2, true},
}

// TestRendered: on exact keypoints, with and without feet, and on exact places in space, events are within one frame, the
// cadence within 0.5 %, and metres within 1 %.
func TestRendered(t *testing.T) {
	for name, want := range walks {
		for _, of := range []string{"feet", "no feet", "space"} {
			t.Run(fmt.Sprintf("%s/%v", name, of), func(t *testing.T) {
				m := testkit.Rendered(t, name)
				seq := m.Seq
				switch of {
				case "no feet":
					seq = withoutFeet(seq)
				case "space":
					seq = m.InSpace()
				}
				seq.World.MetresPerPixel = m.AtFeet
				g := analyzeGait(t, seq, gait.Options{})
				if g.Mode != want.mode || g.Surface != want.surface || g.Unit != "m" {
					t.Errorf("%s on %s in %s", g.Mode, g.Surface, g.Unit)
				}
				fps, _ := seq.FrameRate()
				matched, rolling := 0, 0.0 // of the stride: rendered ankles leave as late as the toes, those of people earlier
				if of == "no feet" && want.mode == "walking" {
					rolling = 0.05
				}
				for _, e := range m.Events {
					if e.What == "toe off" {
						e.Time += rolling * 120 / m.Motion.Cadence
					}
					kind := map[string]gait.EventKind{"heel strike": gait.HeelStrike, "toe off": gait.ToeOff}[e.What]
					off := math.Inf(1)
					for _, x := range g.Events {
						if x.Kind == kind && string(x.Side) == e.Side && math.Abs(x.Time-e.Time) < math.Abs(off) {
							off = x.Time - e.Time
						}
					}
					if math.Abs(off) > 0.2 {
						continue
					}
					matched++
					if math.Abs(off)*fps > 1 {
						t.Errorf("%s %s at %.3f s is off by %.2f frames", e.Side, e.What, e.Time, off*fps)
					}
				}
				jumped := 0 // who turns round within a frame in this movie; in space there is no way to be out of the picture then
				if of == "space" && name == "walk_leave_return" {
					jumped = 1
				}
				if matched < len(m.Events)-want.unseen || matched+jumped != len(g.Events) {
					t.Errorf("%d events, %d of the %d known ones", len(g.Events), matched, len(m.Events))
				}
				for what, x := range map[string][3]float64{
					"cadence": {g.Cadence.X, m.Motion.Cadence, 0.005}, "speed": {g.Speed.X, m.Motion.Speed, 0.01},
					"stride length": {g.StrideLength.Both.Mean, m.Motion.Stride, 0.01}, "step length": {g.StepLength.Both.Mean, m.Motion.Step, 0.01},
					"stride time": {g.StrideTime.Both.Mean, 120 / m.Motion.Cadence, 0.01}, "step time": {g.StepTime.Both.Mean, 60 / m.Motion.Cadence, 0.02},
					"stance share": {g.StanceShare.Both.Mean, m.Motion.Stance + rolling, 0.08}, "stance + swing": {g.StanceTime.Both.Mean + g.SwingTime.Both.Mean, 120 / m.Motion.Cadence, 0.01},
				} {
					if math.Abs(x[0]/x[1]-1) > x[2] {
						t.Errorf("%s %.4f, want %.4f", what, x[0], x[1])
					}
				}
				if want.flight != (g.FlightTime.Count > 0) || want.flight && math.Abs(g.FlightTime.Mean-m.Motion.Flight) > 0.02 || want.flight == (g.DoubleSupport.Count > 0) {
					t.Errorf("flight time %+v, double support %+v", g.FlightTime, g.DoubleSupport)
				}
				if s := g.StepTime.Symmetry; !s.Present || math.Abs(s.X) > 2 {
					t.Errorf("symmetry of the step times %+v", s)
				}
			})
		}
	}
}

// TestNoSteps: exercises in place have no steps, nor do steps to the side, seen from the front.
func TestNoSteps(t *testing.T) {
	for _, name := range []string{"squat_60", "squat_90_slow", "lunge_90", "jump_90_120fps", "stand_180", "push_up_90", "curl_60", "sit_to_stand_90", "hinge_90", "side_step_0"} {
		g := analyzeGait(t, testkit.Rendered(t, name).Seq, gait.Options{})
		if len(g.Events) > 0 || g.Mode != "" || g.Surface != "" || g.Cadence.Present {
			t.Errorf("%s: %d events, %s %s, %.0f steps per minute", name, len(g.Events), g.Mode, g.Surface, g.Cadence.X)
		}
	}
	if g := analyzeGait(t, keypoint.Sequence{Frames: make([]keypoint.Frame, 1)}, gait.Options{}); len(g.Events) > 0 {
		t.Error("steps in a picture")
	}
	if g := analyzeGait(t, keypoint.Sequence{}, gait.Options{}); len(g.Events) > 0 {
		t.Error("steps in nothing")
	}
}

// TestChosen: mode and surface can be chosen.
func TestChosen(t *testing.T) {
	walk := testkit.Rendered(t, "walk_across_90").Seq
	if g := analyzeGait(t, walk, gait.Options{Mode: "running"}); g.Mode != "running" || g.FlightTime.Count > 0 && g.FlightTime.Mean > 0.1 {
		t.Errorf("%s, flight time %v", g.Mode, g.FlightTime)
	}
	if g := analyzeGait(t, walk, gait.Options{Surface: "overground"}); g.Surface != "overground" || g.Passes[0].Direction != analyze.RightSide {
		t.Errorf("%s, %+v", g.Surface, g.Passes)
	}
	tread := testkit.Rendered(t, "walk_treadmill_90").Seq
	if g := analyzeGait(t, tread, gait.Options{Surface: "treadmill"}); g.Surface != "treadmill" || g.Passes[0].Direction != analyze.LeftSide {
		t.Errorf("%s, %+v", g.Surface, g.Passes)
	}
	if g := analyzeGait(t, tread, gait.Options{Surface: "overground"}); len(g.Events) > 0 {
		t.Errorf("%d events of a person in place, overground", len(g.Events))
	}
}

func TestErrors(t *testing.T) {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 1}}
	for name, x := range map[string]struct {
		seq keypoint.Sequence
		opt gait.Options
	}{
		"mode":     {seq, gait.Options{Mode: "crawling"}},
		"surface":  {seq, gait.Options{Surface: "sand"}},
		"scale":    {keypoint.Sequence{Frames: seq.Frames, Times: seq.Times, World: keypoint.World{MetresPerPixel: -1}}, gait.Options{}},
		"no times": {keypoint.Sequence{Frames: seq.Frames}, gait.Options{}},
		"times":    {keypoint.Sequence{Frames: seq.Frames, Times: []float64{1, 0}}, gait.Options{}},
	} {
		if _, err := gait.Analyze(x.seq, x.opt); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBand: the flexion of a knee over the stride is largest in the swing.
func TestBand(t *testing.T) {
	m := testkit.Rendered(t, "walk_treadmill_90")
	g := analyzeGait(t, m.Seq, gait.Options{})
	rule := analyze.Rule{Type: analyze.JointFlexion, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)}
	results, err := analyze.Run(m.Seq, []analyze.Rule{rule})
	if err != nil {
		t.Fatal(err)
	}
	band := gait.Band(&g, analyze.LeftSide, m.Seq.Times, results[0].Values)
	top := 0
	for p, v := range band.Mean {
		if v.X > band.Mean[top].X {
			top = p
		}
	}
	if band.Count < 2 || top < 65 || top > 80 || band.Mean[top].X < 50 || band.StandardDeviation[top].X > 3 {
		t.Errorf("%d strides, %v ± %v at %d %%", band.Count, band.Mean[top], band.StandardDeviation[top], top)
	}
}

// change returns the recording moved, scaled, turned, at other times and, if asked, mirrored with sides
// exchanged.
func change(seq keypoint.Sequence, scale, dx, dy, floor, dt float64, mirrored bool) keypoint.Sequence {
	out := keypoint.Sequence{World: keypoint.World{Floor: floor}}
	turn := mgl64.Rotate2D(-floor * math.Pi / 180)
	for i := range seq.Frames {
		var f keypoint.Frame
		for _, p := range seq.Frames[i].Present().List() {
			at, _ := seq.Frames[i].At(p)
			if mirrored {
				at[0], p = -at[0], p.Mirror()
			}
			f.Set(p, turn.Mul2x1(at).Mul(scale).Add(keypoint.Point{dx, dy}), 1)
		}
		out.Frames, out.Times = append(out.Frames, f), append(out.Times, seq.Times[i]+dt)
	}
	return out
}

// TestProperties: the results do not change when the recording is mirrored with sides exchanged, scaled,
// moved, turned with its floor, or played from another start time.
func TestProperties(t *testing.T) {
	for name := range walks {
		seq := testkit.Rendered(t, name).Seq
		seq.Size = image.Point{} // moved in the picture, a person is seen from another direction
		whole, bare := analyzeGait(t, seq, gait.Options{}), analyzeGait(t, withoutFeet(seq), gait.Options{})
		rapid.Check(t, func(t *rapid.T) {
			scale, dt := rapid.Float64Range(0.3, 4).Draw(t, "scale"), rapid.Float64Range(0, 50).Draw(t, "dt")
			mirrored, feet := rapid.Bool().Draw(t, "mirrored"), rapid.Bool().Draw(t, "feet")
			moved := change(seq, scale, rapid.Float64Range(-500, 500).Draw(t, "dx"), rapid.Float64Range(-500, 500).Draw(t, "dy"),
				rapid.Float64Range(-30, 30).Draw(t, "floor"), dt, mirrored)
			want := whole
			if !feet {
				moved, want = withoutFeet(moved), bare
			}
			got, err := gait.Analyze(moved, gait.Options{})
			if err != nil || got.Mode != want.Mode || got.Surface != want.Surface || len(got.Events) != len(want.Events) || len(got.Cycles) != len(want.Cycles) {
				t.Fatalf("%s: %s %s, %d events (%v)", name, got.Mode, got.Surface, len(got.Events), err)
			}
			for k, e := range want.Events {
				x := got.Events[k]
				if x.Kind != e.Kind || (x.Side == e.Side) == mirrored || math.Abs(x.Time-dt-e.Time) > 1e-6 {
					t.Fatalf("%s: event %d is %+v, want %+v", name, k, x, e)
				}
			}
			for k, p := range want.Passes {
				if q := got.Passes[k]; q.First != p.First || q.Last != p.Last || (q.Direction == p.Direction) == mirrored {
					t.Fatalf("%s: pass %d is %+v, want %+v", name, k, q, p)
				}
			}
			left, right := got.StepLength.Left, got.StepLength.Right
			if mirrored {
				left, right = right, left
			}
			for _, x := range [][2]float64{{got.Cadence.X, want.Cadence.X}, {got.Speed.X, scale * want.Speed.X}, {left.Mean, scale * want.StepLength.Left.Mean}, {right.Mean, scale * want.StepLength.Right.Mean}} {
				if math.Abs(x[0]/x[1]-1) > 1e-6 {
					t.Fatalf("%s: %v, want %v", name, x[0], x[1])
				}
			}
		})
	}
}

// TestPeople: steps are those of the person who is seen in the most frames.
func TestPeople(t *testing.T) {
	seq := testkit.Rendered(t, "walk_across_90").Seq
	want := analyzeGait(t, seq.Slice(60, seq.Len()-1), gait.Options{})
	seq.PersonChanges = []int{60}
	got := analyzeGait(t, seq, gait.Options{})
	if len(got.Events) != len(want.Events) || got.Events[0].Frame != want.Events[0].Frame+60 || got.Passes[0].First != 60 {
		t.Errorf("%+v, want %+v", got.Events, want.Events)
	}
}

// TestAnything: any keypoints have a gait whose events are in order and in the recording; a clear walk has some.
func TestAnything(t *testing.T) {
	parts := []keypoint.Part{keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftAnkle, keypoint.LeftHeel, keypoint.LeftBigToe}
	rapid.Check(t, func(t *rapid.T) {
		var seq keypoint.Sequence
		at, noise, frames := 0.0, rapid.Float64Range(0, 60).Draw(t, "noise"), rapid.IntRange(0, 90).Draw(t, "frames")
		speed, missing := rapid.Float64Range(-200, 200).Draw(t, "speed"), rapid.IntRange(0, 10).Draw(t, "missing")
		calm := rapid.Bool().Draw(t, "calm")
		if calm {
			speed, noise, missing, frames = math.Copysign(max(math.Abs(speed), 100), speed), 0, 0, 90
		}
		jitter := rapid.Float64Range(-noise, noise)
		forward := [...]float64{3: -math.Copysign(10, speed), 4: math.Copysign(15, speed)} // heel and toe
		for i := range frames {
			at += rapid.Float64Range(0.02, 0.06).Draw(t, "step")
			var f keypoint.Frame
			for k, p := range parts {
				for side, q := range []keypoint.Part{p, p.Mirror()} {
					if missing > 0 && rapid.IntRange(0, 20).Draw(t, "absent") < missing {
						continue
					}
					swing := 60 * math.Sin(6*at+math.Pi*float64(side))
					if k < 2 {
						swing = 0
					}
					f.Set(q, keypoint.Point{speed*at + swing + forward[k] + jitter.Draw(t, "x"), 100*float64(min(k, 2)) + jitter.Draw(t, "y")}, 1)
				}
			}
			seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, at)
			if i == 40 && !calm && rapid.Bool().Draw(t, "two") {
				seq.PersonChanges = []int{20}
			}
		}
		g, err := gait.Analyze(seq, gait.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if calm && len(g.Events) == 0 {
			t.Fatal("no event was seen")
		}
		for k, e := range g.Events {
			if e.Time < seq.Times[0] || e.Time > seq.Times[len(seq.Times)-1] || e.Frame < 0 || e.Frame >= seq.Len() || k > 0 && e.Pass == g.Events[k-1].Pass && e.Time < g.Events[k-1].Time {
				t.Fatalf("event %d: %+v", k, e)
			}
		}
		for _, v := range []float64{g.Cadence.X, g.Speed.X, g.StepLength.Both.Mean, g.StanceShare.Both.Mean, g.FlightTime.Mean, g.DoubleSupport.Mean} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%+v", g)
			}
		}
	})
}

// TestTorsoLengths: in space without a height of the body, lengths are torso lengths, whatever scale the first picture has.
func TestTorsoLengths(t *testing.T) {
	m := testkit.Rendered(t, "walk_across_90")
	seq := m.InSpace()
	seq.Space.Unit, seq.World.MetresPerPixel = keypoint.Torso, 0.01
	g := analyzeGait(t, seq, gait.Options{})
	if g.Unit != keypoint.Torso || math.Abs(g.StrideLength.Both.Mean/m.Motion.Stride-1) > 0.01 {
		t.Errorf("a stride of %.3f %s, want %.3f", g.StrideLength.Both.Mean, g.Unit, m.Motion.Stride)
	}
}
