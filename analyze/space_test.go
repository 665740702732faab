package analyze_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"gonum.org/v1/gonum/stat"
)

// inTruth are the names of the angles in the truth files; those of a side begin with it.
var inTruth = map[analyze.Type]string{
	analyze.KneeFlexion: "knee", analyze.HipFlexion: "hip", analyze.HipAbduction: "hip_abduction", analyze.ElbowFlexion: "elbow",
	analyze.ShoulderFlexion: "shoulder", analyze.ShoulderAbduction: "shoulder_abduction", analyze.AnkleDorsiflexion: "ankle",
	analyze.TrunkLean: "trunk_forward", analyze.TrunkSideLean: "trunk_side",
}

// TestAnglesInSpace compares named angles of exact places with those of the renderer, whatever the view. The places are
// rounded to a millimetre, which is 0.1 degrees of a forearm.
func TestAnglesInSpace(t *testing.T) {
	for _, name := range testkit.RenderedNames(t) {
		compareAngles(t, name, testkit.Rendered(t, name))
	}
}

func compareAngles(t *testing.T, name string, m testkit.Movie) {
	t.Helper()
	var rules []analyze.Rule
	var want [][]float64
	for kind, of := range inTruth {
		if !kind.Sided() {
			rules, want = append(rules, analyze.Rule{Type: kind}), append(want, m.Angles[of])
			continue
		}
		for _, side := range []analyze.Side{analyze.LeftSide, analyze.RightSide} {
			rules, want = append(rules, analyze.Rule{Type: kind, Side: side}), append(want, m.Angles[string(side)+"_"+of])
		}
	}
	results, err := analyze.Run(m.InSpace(), rules)
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range results {
		sum, most, n := 0.0, 0.0, 0
		for i, v := range r.Values {
			if d := math.Abs(math.Remainder(v.X-want[k][i], 360)); v.Present {
				sum, most, n = sum+d*d, max(most, d), n+1
			}
		}
		rms := math.Sqrt(sum / float64(max(n, 1)))
		all := r.Type == analyze.KneeFlexion || r.Type == analyze.AnkleDorsiflexion || r.Type == analyze.ElbowFlexion || r.Type == analyze.TrunkLean
		if rms > 0.25 || most > 0.6 || all && n < len(r.Values) || len(r.Warnings) > 0 {
			t.Errorf("%s, %s: %.2f degrees off, at most %.2f, in %d of %d frames, with %v", name, r.Name, rms, most, n, len(r.Values), r.Warnings)
		}
	}
}

// TestErrorsInSpace: the uncertainty of an angle is how much it varies where the places do by half of their errors, and that of a
// length by all; a part that no camera sees leaves no value.
func TestErrorsInSpace(t *testing.T) {
	const sigma, frames = 0.01, 600
	var rules []analyze.Rule
	for _, kind := range append(analyze.Angles(), analyze.StepWidth, analyze.HipHeight) {
		rule := analyze.Rule{Type: kind}
		if kind.Sided() {
			rule.Side = analyze.RightSide
		}
		rules = append(rules, rule)
	}
	one := testkit.Rendered(t, "walk_across_90").InSpace()
	places := one.Frames[30].Positions()
	random := rand.New(rand.NewPCG(1, 2))
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, frames), Space: one.Space}
	for i := range seq.Frames {
		moved := *places
		for _, p := range places.Present().List() {
			at, _ := places.At(p)
			for k := range at {
				at[k] += sigma * random.NormFloat64()
			}
			moved.Set(p, at, 2*sigma)
		}
		if i == 0 {
			moved.Set(keypoint.RightKnee, keypoint.Position{math.NaN()}, 0) // unknown
		}
		seq.Frames[i].SetPositions(&moved)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range results {
		if needs := rules[k].Parts().Has(keypoint.RightKnee); needs == r.Values[0].Present || needs && (len(r.Warnings) != 1 || r.Warnings[0].Code != quality.CodeHiddenSide) {
			t.Errorf("%s without the knee: %v %v", r.Name, r.Values[0], r.Warnings)
		}
		var x, told []float64
		for i := 1; i < frames; i++ {
			x, told = append(x, r.Values[i].X), append(told, r.Uncertainty[i].X)
		}
		floor := 1 + math.Pow(0.02*stat.Mean(x, nil), 2)
		varies, says := stat.StdDev(x, nil), stat.Mean(told, nil)
		if r.Unit == "°" {
			varies = math.Sqrt(varies*varies + floor + r.Constant*r.Constant)
		}
		if says < 0.85*varies || r.Unit == "°" && says > 1.3*varies {
			t.Errorf("%s varies by %.3g %s, and says %.3g", r.Name, varies, r.Unit, says)
		}
	}
}

// TestHeightsInSpace: the hips are as high over the floor as they are, within 1 %, whatever scale the first picture has.
func TestHeightsInSpace(t *testing.T) {
	for _, name := range []string{"squat_0_shift", "stand_180", "walk_across_90", "hinge_90"} {
		seq := testkit.Rendered(t, name).InSpace()
		seq.World.MetresPerPixel = 0.01
		results, err := analyze.Run(seq, []analyze.Rule{{Type: analyze.HipHeight}})
		if err != nil {
			t.Fatal(err)
		}
		var off []float64
		for i, v := range results[0].Values {
			l, _ := seq.Frames[i].Positions().At(keypoint.LeftHip)
			r, _ := seq.Frames[i].Positions().At(keypoint.RightHip)
			off = append(off, v.X/((l[1]+r[1])/2)-1)
		}
		if mean := stat.Mean(off, nil); results[0].Unit != "m" || math.Abs(mean) > 0.01 {
			t.Errorf("%s: off by %.1f %% in %s", name, 100*mean, results[0].Unit)
		}
	}
}
