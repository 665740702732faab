package gait_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestMarkers: the heel strikes of people with markers are within 20 ms of the annotated ones, also of the left foot of a
// person with Parkinson's disease, which slides on after it has touched.
func TestMarkers(t *testing.T) {
	for name, want := range map[string]int{"parkinson": 6, "healthy": 3} {
		seq, strikes := markers(t, name)
		found := 0
		for _, e := range analyzeGait(t, seq, gait.Options{}).Events {
			for _, at := range strikes[string(e.Side)] {
				if off := e.Time - at; e.Kind == gait.HeelStrike && math.Abs(off) < 0.08 {
					found++
					if math.Abs(off) > 0.02 {
						t.Errorf("%s: the %s heel strike at %.3f s is off by %.0f ms", name, e.Side, at, 1000*off)
					}
				}
			}
		}
		if found < want {
			t.Errorf("%s: %d heel strikes, want %d", name, found, want)
		}
	}
}

// markers returns a walk with markers as a side view in millimetres, and its annotated heel strikes in seconds.
// Shoulders that are missing are put above the hips.
func markers(t *testing.T, name string) (seq keypoint.Sequence, strikes map[string][]float64) {
	t.Helper()
	data, err := os.ReadFile(testkit.Data(t, "gait_markers/"+name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		FPS       float64
		Parts     []string
		Positions [][][3]float64
		Strikes   map[string][]int `json:"heel_strikes"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	for i, row := range d.Positions {
		var f keypoint.Frame
		for k, at := range row {
			side, joint, _ := strings.Cut(strings.Replace(d.Parts[k], "toe", "bigToe", 1), "_")
			p, err := keypoint.ParsePart(side + strings.ToUpper(joint[:1]) + joint[1:])
			if err != nil {
				t.Fatal(err)
			}
			if at == [3]float64{} {
				at = row[slices.Index(d.Parts, side+"_hip")]
				at[1] += 500
			}
			f.Set(p, keypoint.Point{at[0], -at[1]}, 1)
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/d.FPS)
	}
	strikes = map[string][]float64{}
	for side, frames := range d.Strikes {
		for k, i := range frames {
			if k == 0 || i-frames[k-1] > 20 { // some are annotated twice
				strikes[side] = append(strikes[side], float64(i)/d.FPS)
			}
		}
	}
	return seq, strikes
}

// TestExchanged: where left and right of the legs are exchanged, nothing that no body does is among the numbers, and
// there is a warning; steps in a stretch that is known to be exchanged do not count.
func TestExchanged(t *testing.T) {
	for _, name := range []string{"walk_treadmill_90", "walk_across_90"} {
		m := testkit.Rendered(t, name)
		whole := analyzeGait(t, m.Seq, gait.Options{})
		first, last := 50, 110
		seq := m.Seq.Clone()
		for i := first; i <= last; i++ {
			f := m.Seq.Frames[i]
			for _, p := range f.Present().List() {
				if at, ok := f.At(p.Mirror()); ok && p >= keypoint.LeftKnee {
					seq.Frames[i].Set(p, at, 1)
				}
			}
		}
		known := quality.Warning{Code: quality.CodeSwapped, From: first, To: last, Parts: keypoint.PartsOf(keypoint.LeftAnkle, keypoint.RightAnkle)}
		for what, opt := range map[string]gait.Options{"unknown": {}, "known": {Quality: quality.Report{Warnings: []quality.Warning{known}}}} {
			g := analyzeGait(t, seq, opt)
			if len(g.Warnings) == 0 {
				t.Errorf("%s, %s: no warning", name, what)
			}
			for _, c := range g.Cycles {
				if share := (c.ToeOff - c.Start) / (c.End - c.Start); g.Mode == "walking" && (share < 0.45 || share > 0.9) {
					t.Errorf("%s, %s: a stance of %.0f %%", name, what, 100*share)
				}
			}
			for _, s := range []float64{g.StepLength.Left.Mean, g.StepLength.Right.Mean} {
				if s < 0 {
					t.Errorf("%s, %s: a step of %.0f px", name, what, s)
				}
			}
			if what == "unknown" {
				continue
			}
			if g.Warnings[0].Code != quality.CodeSwapped || g.Warnings[0].From != first || g.Warnings[0].To != last {
				t.Errorf("%s: %+v", name, g.Warnings)
			}
			for _, e := range g.Events {
				if e.Frame >= first && e.Frame <= last {
					t.Errorf("%s: an event in frame %d counts", name, e.Frame)
				}
			}
			for _, x := range [][2]float64{{g.Cadence.X, whole.Cadence.X}, {g.StrideTime.Both.Mean, whole.StrideTime.Both.Mean}} {
				if g.StrideTime.Both.Count > 0 && math.Abs(x[0]/x[1]-1) > 0.02 {
					t.Errorf("%s: %.3f, without exchange %.3f", name, x[0], x[1])
				}
			}
		}
		known.To = first + 2
		if g := analyzeGait(t, m.Seq, gait.Options{Quality: quality.Report{Warnings: []quality.Warning{known}}}); len(g.Events) != len(whole.Events) || len(g.Warnings) > 0 {
			t.Errorf("%s: %d events beside a repaired frame, want %d; %+v", name, len(g.Events), len(whole.Events), g.Warnings)
		}
	}
}

// TestOblique: in place and seen obliquely, steps and strides have no lengths, and there is a warning.
func TestOblique(t *testing.T) {
	m := testkit.Rendered(t, "walk_treadmill_90")
	seq := m.Seq.Clone()
	for i := range seq.Frames {
		f := &seq.Frames[i]
		torso, _ := f.TorsoLength()
		for _, left := range []keypoint.Part{keypoint.LeftShoulder, keypoint.LeftHip} {
			for p, aside := range map[keypoint.Part]float64{left: 0.22, left.Mirror(): -0.22} {
				at, _ := f.At(p)
				f.Set(p, at.Add(keypoint.Point{aside * torso, 0}), 1)
			}
		}
	}
	g, whole := analyzeGait(t, seq, gait.Options{}), analyzeGait(t, m.Seq, gait.Options{})
	if len(g.Warnings) != 1 || g.Warnings[0].Code != quality.CodeOutOfPlane || g.Warnings[0].To != seq.Len()-1 {
		t.Errorf("%+v", g.Warnings)
	}
	if s := g.StepLength; s.Both.Count+g.StrideLength.Both.Count > 0 || s.Symmetry.Present || g.Speed.Present {
		t.Errorf("steps %+v, from the side %+v", s, whole.StepLength)
	}
	if len(g.Events) != len(whole.Events) || len(whole.Warnings) > 0 {
		t.Errorf("%d events, want %d; %+v", len(g.Events), len(whole.Events), whole.Warnings)
	}
}

// TestTowards: a walk that leads away from the camera has its times, and no lengths, of which there is a warning.
func TestTowards(t *testing.T) {
	seq := testkit.Rendered(t, "walk_across_90").Seq.Clone()
	whole := analyzeGait(t, seq, gait.Options{})
	middle := keypoint.Point{float64(seq.Size.X) / 2, float64(seq.Size.Y) / 2}
	for i := range seq.Frames { // as far away again at the end
		f, nearer := &seq.Frames[i], 1/(1+float64(i)/float64(seq.Len()))
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			f.Set(p, middle.Add(at.Sub(middle).Mul(nearer)), f.Confidence(p))
		}
	}
	g := analyzeGait(t, seq, gait.Options{})
	if g.StrideLength.Both.Count+g.StepLength.Both.Count > 0 || g.Speed.Present {
		t.Errorf("lengths %+v, speed %v", g.StrideLength, g.Speed)
	}
	told := func(w quality.Warning) bool {
		return w.Code == quality.CodeOutOfPlane && strings.Contains(w.Detail, "towards the camera")
	}
	if got, want := g.StepTime.Both, whole.StepTime.Both; got.Count < want.Count-1 || math.Abs(got.Mean-want.Mean) > got.Uncertainty || !slices.ContainsFunc(g.Warnings, told) {
		t.Errorf("steps of %+v, want %+v; %+v", got, want, g.Warnings)
	}
	if whole.StrideLength.Both.Uncertainty == 0 || whole.CadenceUncertainty.X == 0 || !whole.StrideTime.Same {
		t.Errorf("from the side: %+v, cadence ± %v", whole.StrideTime, whole.CadenceUncertainty)
	}
}
