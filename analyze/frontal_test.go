package analyze_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
)

// frontalRules are the measures that show from the front.
func frontalRules() (rules []analyze.Rule) {
	for _, t := range []analyze.Type{analyze.KneeValgus, analyze.HipAbduction, analyze.HandHeight} {
		rules = append(rules, analyze.Rule{Type: t, Side: analyze.LeftSide}, analyze.Rule{Type: t, Side: analyze.RightSide})
	}
	for _, t := range []analyze.Type{analyze.TrunkSideLean, analyze.ShoulderLevel, analyze.StepWidth, analyze.KneeSeparation, analyze.HipHeight} {
		rules = append(rules, analyze.Rule{Type: t})
	}
	return rules
}

// truth is where the parts of a rendered person are, in metres: x, y up, z.
type truth struct {
	mirrored bool
	parts    map[string]int
	world    [][][3]float64
	torso    float64
}

func truthOf(t *testing.T, name string) (w truth) {
	t.Helper()
	var d struct {
		Movie  struct{ Mirrored bool }
		Parts  []string
		Frames struct{ World [][][3]float64 }
	}
	if err := json.Unmarshal(testkit.Truth(t, name), &d); err != nil {
		t.Fatal(err)
	}
	w = truth{mirrored: d.Movie.Mirrored, parts: map[string]int{}, world: d.Frames.World}
	for k, part := range d.Parts {
		w.parts[part] = k
	}
	for i := range w.world {
		s, h := w.middle(i, "shoulder"), w.middle(i, "hip")
		w.torso = max(w.torso, math.Hypot(math.Hypot(s[0]-h[0], s[1]-h[1]), s[2]-h[2]))
	}
	return w
}

func (w *truth) middle(i int, joint string) (m [3]float64) {
	l, r := w.world[i][w.parts["left_"+joint]], w.world[i][w.parts["right_"+joint]]
	for k := range m {
		m[k] = (l[k] + r[k]) / 2
	}
	return m
}

// value returns what a rule measures, in the plane through both hips and the vertical: to the person's left, and up.
func (w *truth) value(r analyze.Result, i int) float64 {
	l, h := w.world[i][w.parts["left_hip"]], w.world[i][w.parts["right_hip"]]
	left := [2]float64{l[0] - h[0], l[2] - h[2]}
	breadth := math.Hypot(left[0], left[1])
	flat := func(p [3]float64) [2]float64 { return [2]float64{(p[0]*left[0] + p[2]*left[1]) / breadth, p[1]} }
	side, sign, mirror := string(r.Side), 1.0, 1.0
	if w.mirrored {
		side, mirror = map[string]string{"left": "right", "right": "left"}[side], -1
	}
	if side == "right" {
		sign = -1
	}
	of := func(joint string) [2]float64 { return flat(w.world[i][w.parts[side+"_"+joint]]) }
	apart := func(joint string) [2]float64 {
		return sub(flat(w.world[i][w.parts["left_"+joint]]), flat(w.world[i][w.parts["right_"+joint]]))
	}
	shoulders, hips := flat(w.middle(i, "shoulder")), flat(w.middle(i, "hip"))
	switch r.Type {
	case analyze.KneeValgus:
		return sign * turned(sub(of("knee"), of("hip")), sub(of("ankle"), of("knee")))
	case analyze.HipAbduction:
		return sign * turned(sub(hips, shoulders), sub(of("knee"), of("hip")))
	case analyze.TrunkSideLean:
		return mirror * turned([2]float64{0, 1}, sub(shoulders, hips))
	case analyze.ShoulderLevel:
		return mirror * turned([2]float64{1, 0}, apart("shoulder"))
	case analyze.StepWidth:
		return apart("ankle")[0] / w.torso
	case analyze.KneeSeparation:
		return apart("knee")[0] / w.torso
	case analyze.HandHeight:
		return of("wrist")[1] / w.torso
	}
	return hips[1] / w.torso
}

func sub(a, b [2]float64) [2]float64 { return [2]float64{a[0] - b[0], a[1] - b[1]} }

// turned returns the turn from a to b in degrees, anticlockwise for somebody who looks at the person's back.
func turned(a, b [2]float64) float64 {
	return math.Atan2(a[0]*b[1]-a[1]*b[0], a[0]*b[0]+a[1]*b[1]) * 180 / math.Pi
}

// TestFrontal: from the front and from behind, on exact keypoints, measures of the frontal plane are the truth within
// 7 degrees and 0.1 torso lengths, heights within a sixth, since cameras look down; and within 2.5 times their uncertainty.
func TestFrontal(t *testing.T) {
	for _, name := range []string{"squat_0_shift", "side_step_0", "lateral_raise_0_mirrored", "stand_180"} {
		w := truthOf(t, name)
		results, err := analyze.Run(testkit.Rendered(t, name).Seq, frontalRules())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			worst := 0.0
			for i, v := range r.Values {
				if !v.Present {
					t.Fatalf("%s: %s is absent in frame %d", name, r.Name, i)
				}
				off, limit := math.Abs(v.X-w.value(r, i)), 7.0
				switch {
				case r.Type == analyze.HandHeight || r.Type == analyze.HipHeight:
					limit = w.value(r, i) / 6
				case r.Unit != "°":
					limit = 0.1
				}
				if off > limit || off > 2.5*r.Uncertainty[i].X {
					worst = max(worst, off)
				}
			}
			if worst > 0 {
				t.Errorf("%s: %s is off by %.2f%s", name, r.Name, worst, r.Unit)
			}
		}
	}
}

// TestFrontalObliquely: beyond 35 degrees a knee that bends looks like one that falls in, so that there is no value but a
// reason; heights stay.
func TestFrontalObliquely(t *testing.T) {
	for _, name := range []string{"squat_60", "squat_90_slow"} {
		results, err := analyze.Run(testkit.Rendered(t, name).Seq, frontalRules())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			height := r.Type == analyze.HandHeight || r.Type == analyze.HipHeight
			if height != (r.Coverage > 0.9) || height == (len(r.Warnings) > 0) {
				t.Errorf("%s: %s in %.0f %% of the frames, %v", name, r.Name, 100*r.Coverage, r.Warnings)
			}
		}
	}
}

// TestLengthsInMetres: with a scale lengths are metres.
func TestLengthsInMetres(t *testing.T) {
	m := testkit.Rendered(t, "squat_0_shift")
	w := truthOf(t, "squat_0_shift")
	m.Seq.World.MetresPerPixel = m.AtHips
	results, err := analyze.Run(m.Seq, frontalRules())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if want := w.torso * w.value(r, 0); r.Unit == "m" && math.Abs(r.Values[0].X-want) > 0.02+0.08*want {
			t.Errorf("%s %.3f m, want %.3f", r.Name, r.Values[0].X, want)
		}
	}
}
