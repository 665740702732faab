package jump_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// thin returns every nth frame, without heels and toes if they are not wanted.
func thin(seq keypoint.Sequence, n int, feet bool) (out keypoint.Sequence) {
	for i := 0; i < seq.Len(); i += n {
		f := seq.Frames[i]
		for p := keypoint.Part(keypoint.NumBody); p < keypoint.NumParts && !feet; p++ {
			f.Unset(p)
		}
		out.Frames, out.Times = append(out.Frames, f), append(out.Times, seq.Times[i])
	}
	return out
}

// TestRendered: on exact keypoints, with and without feet and at 120 to 24 frames a second, the height is within
// 1.5 cm by the hips, and within that of one frame of 120 a second by the flight time.
func TestRendered(t *testing.T) {
	m := testkit.Rendered(t, "jump_90_120fps")
	for _, n := range []int{1, 2, 4, 5} {
		for _, feet := range []bool{true, false} {
			seq := thin(m.Seq, n, feet)
			seq.World.MetresPerPixel = m.AtHips
			jumps, err := jump.Analyze(seq)
			if err != nil || len(jumps) != 1 {
				t.Fatalf("every %d frames: %d jumps (%v)", n, len(jumps), err)
			}
			j := jumps[0]
			for what, x := range map[string][3]float64{
				"take-off": {j.TakeOff.Time, m.Events[0].Time, 1.0 / 120}, "landing": {j.Landing.Time, m.Events[1].Time, 1.0 / 120},
				"take-off frame": {float64(j.TakeOff.Frame * n), m.Events[0].Time * 120, float64(n)},
				"landing frame":  {float64(j.Landing.Frame * n), m.Events[1].Time * 120, float64(n)},
				"flight time":    {j.FlightTime, m.Motion.Flight, 1.0 / 120},
				"height":         {j.Height, m.Motion.Height, 9.81 * m.Motion.Flight / 4 / 120}, "rise": {j.Rise.X, m.Motion.Height, 0.015}, "drop": {j.Drop.X, 0, 0.03},
			} {
				if math.Abs(x[0]-x[1]) > x[2] {
					t.Errorf("every %d frames, feet %v: %s %.4f, want %.4f", n, feet, what, x[0], x[1])
				}
			}
		}
	}
}

// TestJSON: what is written is read back, and is as documented.
func TestJSON(t *testing.T) {
	want := jump.Jump{
		TakeOff: jump.Contact{Frame: 61, Time: 1.0162}, Landing: jump.Contact{Frame: 91, Time: 1.5214}, FlightTime: 0.5052, Height: 0.3129,
		Rise: analyze.Value{X: 0.3084, Present: true}, FlightTimeUncertainty: 0.0217, HeightUncertainty: 0.0269, RiseUncertainty: analyze.Value{X: 0.02, Present: true},
	}
	text := `{"takeOff":{"frame":61,"time":1.0162},"landing":{"frame":91,"time":1.5214},"flightTime":0.5052,"height":0.3129,"rise":0.3084,"drop":null,` +
		`"flightTimeUncertainty":0.0217,"heightUncertainty":0.0269,"riseUncertainty":0.02}`
	var back jump.Jump
	if b, err := json.Marshal(want); err != nil || string(b) != text {
		t.Errorf("%s (%v), want %s", b, err, text)
	}
	if err := json.Unmarshal([]byte(text), &back); err != nil || back != want {
		t.Errorf("%+v (%v), want %+v", back, err, want)
	}
}

// TestNoJumps: other movements are no jumps, and neither are feet that rise without the hips, and steps that land on the other foot.
func TestNoJumps(t *testing.T) {
	for _, name := range []string{"squat_60", "lunge_90", "walk_across_90", "run_treadmill_90", "side_step_0", "push_up_90", "walk_leave_return", "hinge_90", "sit_to_stand_90", "stand_180"} {
		if jumps, err := jump.Analyze(testkit.Rendered(t, name).Seq); err != nil || len(jumps) > 0 {
			t.Errorf("%s: %d jumps (%v)", name, len(jumps), err)
		}
	}
	seq := leaps(30, 0.4)
	for i := range seq.Frames {
		for _, p := range []keypoint.Part{keypoint.LeftHip, keypoint.RightHip, keypoint.LeftShoulder, keypoint.RightShoulder} {
			at, _ := seq.Frames[0].At(p)
			seq.Frames[i].Set(p, at, 1)
		}
	}
	if jumps, err := jump.Analyze(seq); err != nil || len(jumps) > 0 {
		t.Errorf("feet alone: %d jumps (%v)", len(jumps), err)
	}
	seq = leaps(30, 0.4)
	for i, at := range seq.Times {
		lifted := keypoint.Point{0, -45 * (min(max((at-1.01)/0.4, 0), 1) - min(max((at-2.7)/0.4, 0), 1))}
		for _, p := range []keypoint.Part{keypoint.LeftKnee, keypoint.LeftAnkle, keypoint.LeftBigToe} {
			at, _ := seq.Frames[i].At(p)
			seq.Frames[i].Set(p, at.Add(lifted), 1)
		}
	}
	if jumps, err := jump.Analyze(seq); err != nil || len(jumps) > 0 {
		t.Errorf("running steps: %d jumps (%v)", len(jumps), err)
	}
	for _, seq := range []keypoint.Sequence{{}, {Frames: make([]keypoint.Frame, 1)}, {Frames: make([]keypoint.Frame, 3), Times: []float64{0, 1, 2}}} {
		if jumps, err := jump.Analyze(seq); err != nil || len(jumps) > 0 {
			t.Errorf("%d empty frames: %v, %v", seq.Len(), jumps, err)
		}
	}
}

func TestErrors(t *testing.T) {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 1}}
	for name, x := range map[string]keypoint.Sequence{
		"scale":    {Frames: seq.Frames, Times: seq.Times, World: keypoint.World{MetresPerPixel: -1}},
		"no times": {Frames: seq.Frames},
		"times":    {Frames: seq.Frames, Times: []float64{1, 0}},
	} {
		if _, err := jump.Analyze(x); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// leaps returns somebody 180 pixels tall with toes, who leaps twice with a flight time in seconds at 100
// pixels a metre.
func leaps(fps, flight float64) (seq keypoint.Sequence) {
	for i := range int(4 * fps) {
		t := float64(i) / fps
		up := 0.0
		for _, off := range []float64{1.01, 2.7} {
			if x := t - off; x > 0 && x < flight {
				up = 100 * 9.80665 / 2 * x * (flight - x)
			}
		}
		var f keypoint.Frame
		for p, y := range map[keypoint.Part]float64{
			keypoint.LeftShoulder: 147, keypoint.LeftHip: 95, keypoint.LeftKnee: 51, keypoint.LeftAnkle: 10, keypoint.LeftBigToe: 2,
		} {
			f.Set(p, keypoint.Point{100, 300 - y - up}, 1)
			f.Set(p.Mirror(), keypoint.Point{103, 300 - y - up}, 1)
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, t)
	}
	return seq
}

// TestProperties: jumps do not change when the recording is mirrored with sides exchanged, scaled, moved,
// turned with its floor, or played from another start time.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fps, flight := rapid.Float64Range(24, 240).Draw(t, "fps"), rapid.Float64Range(0.35, 0.7).Draw(t, "flight")
		scale, dt := rapid.Float64Range(0.3, 4).Draw(t, "scale"), rapid.Float64Range(0, 50).Draw(t, "dt")
		dx, dy := rapid.Float64Range(-500, 500).Draw(t, "dx"), rapid.Float64Range(-500, 500).Draw(t, "dy")
		floor := rapid.Float64Range(-30, 30).Draw(t, "floor")
		seq := leaps(fps, flight)
		seq.World.MetresPerPixel = 0.01
		want, err := jump.Analyze(seq)
		if err != nil || len(want) != 2 {
			t.Fatalf("%d jumps (%v)", len(want), err)
		}
		for _, j := range want {
			if math.Abs(j.FlightTime-flight) > 0.001 || math.Abs(j.Rise.X-9.80665*flight*flight/8) > 0.04 {
				t.Fatalf("%+v, flight time %v", j, flight)
			}
		}
		seq.World = keypoint.World{MetresPerPixel: 0.01 / scale, Floor: floor}
		turn := mgl64.Rotate2D(-floor * math.Pi / 180)
		for i := range seq.Frames {
			var f keypoint.Frame
			for _, p := range seq.Frames[i].Present().List() {
				at, _ := seq.Frames[i].At(p)
				f.Set(p.Mirror(), turn.Mul2x1(keypoint.Point{-at[0], at[1]}).Mul(scale).Add(keypoint.Point{dx, dy}), 1)
			}
			seq.Frames[i] = f
			seq.Times[i] += dt
		}
		got, err := jump.Analyze(seq)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d jumps (%v)", len(got), err)
		}
		for k, j := range got {
			w := want[k]
			if max(math.Abs(j.TakeOff.Time-dt-w.TakeOff.Time), math.Abs(j.Height-w.Height), math.Abs(j.Rise.X-w.Rise.X), math.Abs(j.Drop.X-w.Drop.X)) > 1e-6 {
				t.Fatalf("%+v, want %+v", j, w)
			}
		}
	})
}

func ExampleAnalyze() {
	seq := leaps(30, 0.5)
	seq.World.MetresPerPixel = 0.01
	jumps, err := jump.Analyze(seq)
	if err != nil {
		panic(err)
	}
	for _, j := range jumps {
		fmt.Printf("%.2f s in the air: %.1f cm; the hips rose by %.1f cm\n", j.FlightTime, 100*j.Height, 100*j.Rise.X)
	}
	// Output:
	// 0.50 s in the air: 30.6 cm; the hips rose by 29.0 cm
	// 0.50 s in the air: 30.6 cm; the hips rose by 30.6 cm
}

// TestAnything: any keypoints have jumps that are in the recording and of finite height; clear ones are seen.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fps, flight := rapid.Float64Range(8, 40).Draw(t, "fps"), rapid.Float64Range(0.2, 0.7).Draw(t, "flight")
		noise, missing := rapid.Float64Range(0, 40).Draw(t, "noise"), rapid.IntRange(0, 10).Draw(t, "missing")
		calm := rapid.Bool().Draw(t, "calm")
		if calm {
			fps, flight, noise, missing = max(fps, 24), max(flight, 0.35), 0, 0
		}
		seq := leaps(fps, flight)
		seq.World.MetresPerPixel = 0.01
		jitter := rapid.Float64Range(-noise, noise)
		for i := range seq.Frames {
			for _, p := range seq.Frames[i].Present().List() {
				at, _ := seq.Frames[i].At(p)
				if seq.Frames[i].Set(p, keypoint.Point{at[0], at[1] + jitter.Draw(t, "y")}, 1); rapid.IntRange(0, 20).Draw(t, "absent") < missing {
					seq.Frames[i].Unset(p)
				}
			}
		}
		jumps, err := jump.Analyze(seq)
		if err != nil {
			t.Fatal(err)
		}
		if calm && len(jumps) != 2 {
			t.Fatalf("%d jumps", len(jumps))
		}
		for _, j := range jumps {
			if !(j.TakeOff.Time < j.Landing.Time) || !(j.Height > 0) || math.IsInf(j.Height, 0) || j.TakeOff.Frame < 0 || j.Landing.Frame >= seq.Len() || math.IsNaN(j.Rise.X) || math.IsNaN(j.Drop.X) {
				t.Fatalf("%+v", j)
			}
		}
	})
}
