package compare_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// squatting is a person seen from the side who faces the right of the picture and bends the knees to depth
// degrees in n frames of seconds, with the trunk leant forward by lean degrees.
func squatting(n int, seconds, depth, lean float64) keypoint.Sequence {
	s := keypoint.Sequence{}
	at := func(from keypoint.Point, degrees, length float64) keypoint.Point { // 0 is up, positive forwards
		r := degrees * math.Pi / 180
		return from.Add(keypoint.Point{length * math.Sin(r), -length * math.Cos(r)})
	}
	for i := range n {
		phase := float64(i) / float64(n-1)
		bend := depth * (1 - math.Cos(2*math.Pi*phase)) / 2
		ankle := keypoint.Point{300, 600}
		knee := at(ankle, bend/2, 80)
		hip := at(knee, -bend/2, 80)
		shoulder := at(hip, lean, 100)
		ear := at(shoulder, lean, 35)
		var f keypoint.Frame
		for p, pt := range map[keypoint.Part]keypoint.Point{
			keypoint.LeftAnkle: ankle, keypoint.LeftKnee: knee, keypoint.LeftHip: hip, keypoint.LeftShoulder: shoulder,
			keypoint.LeftElbow: at(shoulder, lean+180, 55), keypoint.LeftWrist: at(shoulder, lean+180, 105), keypoint.LeftEar: ear,
			keypoint.LeftEye: ear.Add(keypoint.Point{15, -4}), keypoint.LeftHeel: ankle.Add(keypoint.Point{-10, 12}),
			keypoint.LeftBigToe: ankle.Add(keypoint.Point{35, 12}), keypoint.LeftSmallToe: ankle.Add(keypoint.Point{32, 12}),
		} {
			f.Set(p, pt.Add(keypoint.Point{0, -2}), 0.9)
			f.Set(p.Mirror(), pt, 0.9)
		}
		f.Set(keypoint.Nose, ear.Add(keypoint.Point{25, 3}), 0.9)
		s.Frames, s.Times = append(s.Frames, f), append(s.Times, seconds*phase)
	}
	return s
}

// angleOf returns the values of an angle of a result by its name; all are absent if it is missing.
func angleOf(r compare.Result, name string) []analyze.Value {
	for _, a := range r.Angles {
		if a.Name() == name {
			return a.Values
		}
	}
	return make([]analyze.Value, len(r.Frames))
}

// TestAngles: the target bends the knee less by 20 degrees of 100, and leans forward by 15 more.
func TestAngles(t *testing.T) {
	source, target := squatting(61, 2, 100, 20), squatting(121, 3, 80, 35) // another rate, another tempo
	if r := diff(t, source, target, compare.Options{}); r.Angles != nil {
		t.Errorf("%d angles that nobody asked for", len(r.Angles))
	}
	r := diff(t, source, target, compare.Options{Angles: true})
	for i := range source.Frames {
		bend := (1 - math.Cos(2*math.Pi*float64(i)/60)) / 2
		for name, want := range map[string]float64{"leftKneeFlexion": -20 * bend, "rightKneeFlexion": -20 * bend, "trunkLean": 15, "leftElbowFlexion": 0} {
			if v := angleOf(r, name)[i]; !v.Present || math.Abs(v.X-want) > 0.5 {
				t.Errorf("%s of frame %d differs by %+v, want %.1f", name, i, v, want)
			}
		}
	}
	if most := r.Largest[0]; !strings.HasSuffix(most.Angle, "KneeFlexion") || most.Frame != 30 || math.Abs(most.Difference+20) > 0.5 ||
		math.Abs(most.Source-100) > 0.5 || math.Abs(most.Target-80) > 0.5 {
		t.Errorf("the largest difference is %+v, want a knee's of -20 at frame 30", most)
	}
	// From the other side, mirrored, the angles are the same, also on a floor that is not level.
	tilt := func(s keypoint.Sequence, degrees float64) keypoint.Sequence {
		s = s.Clone()
		s.World.Floor = degrees
		return s
	}
	if level := diff(t, source, tilt(target, 5), compare.Options{Angles: true}); math.Abs(angleOf(level, "trunkLean")[30].X-angleOf(r, "trunkLean")[30].X) < 4 {
		t.Error("the floor of the target does not matter")
	}
	r = diff(t, source, tilt(target, 5), compare.Options{Angles: true})
	turned := tilt(target, -5)
	for i := range turned.Frames {
		var f keypoint.Frame
		for _, p := range target.Frames[i].Present().List() {
			at, _ := target.Frames[i].At(p)
			f.Set(p.Mirror(), keypoint.Point{1000 - at[0], at[1]}, 0.9)
		}
		turned.Frames[i] = f
	}
	m := diff(t, source, turned, compare.Options{Angles: true, Mirror: true})
	if d := cmp.Diff(r.Angles, m.Angles, cmpopts.EquateApprox(0, 1e-6)); d != "" {
		t.Error(d)
	}
}

// TestAnglesAbsent: what either recording lacks is absent, and there may be none at all.
func TestAnglesAbsent(t *testing.T) {
	source, target := squatting(31, 1, 90, 10), squatting(31, 1, 90, 10)
	for i := range target.Frames {
		for _, p := range []keypoint.Part{keypoint.LeftWrist, keypoint.RightWrist} {
			target.Frames[i].Unset(p)
		}
	}
	source.Frames[7].Unset(keypoint.LeftKnee)
	r := diff(t, source, target, compare.Options{Angles: true})
	for _, a := range r.Angles {
		if a.Type == analyze.ElbowFlexion {
			t.Errorf("%s without wrists", a.Name())
		}
	}
	knee := angleOf(r, "leftKneeFlexion")
	if knee[7].Present || !knee[8].Present {
		t.Errorf("frame 7 %+v, frame 8 %+v", knee[7], knee[8])
	}
	still := seq(standing(0, 0))
	r = diff(t, still, still, compare.Options{Angles: true})
	b, err := json.Marshal(r)
	var back compare.Result
	if err != nil || json.Unmarshal(b, &back) != nil || back.Angles == nil {
		t.Errorf("%s (%v)", b, err)
	}
}

func TestAnglesJSON(t *testing.T) {
	r := diff(t, squatting(31, 1, 100, 20), squatting(31, 1, 70, 10), compare.Options{Angles: true})
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back compare.Result
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r.Angles, back.Angles, cmpopts.EquateApprox(0, 0.006)); d != "" || len(r.Angles) < 5 {
		t.Errorf("%d angles: %s", len(r.Angles), d)
	}
	if d := cmp.Diff(r.Largest, back.Largest, cmpopts.EquateApprox(0, 0.006)); d != "" || len(r.Largest) != len(r.Angles) {
		t.Errorf("%d of %d largest differences: %s", len(r.Largest), len(r.Angles), d)
	}
	for _, bad := range []string{
		`{"difference":[{}],"angles":[]}`, `{"difference":[{}],"angles":[{"leftToeFlexion":1}]}`, `{"difference":[{}],"angles":[{"trunkLean":200}]}`,
	} {
		if err := json.Unmarshal([]byte(bad), &back); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func ExampleDiff_angles() {
	trainer, pupil := squatting(61, 2, 100, 20), squatting(91, 3, 80, 20)
	r, err := compare.Diff(trainer, pupil, compare.Options{Angles: true})
	if err != nil {
		panic(err)
	}
	for _, a := range r.Angles {
		if a.Type == analyze.KneeFlexion {
			fmt.Printf("%s at the deepest point: %.0f degrees\n", a.Name(), a.Values[30].X)
		}
	}
	// Output:
	// leftKneeFlexion at the deepest point: -20 degrees
	// rightKneeFlexion at the deepest point: -20 degrees
}

func BenchmarkDiffAngles(b *testing.B) {
	s := squatting(1800, 60, 100, 20)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compare.Diff(s, s, compare.Options{Angles: true}); err != nil {
			b.Fatal(err)
		}
	}
}
