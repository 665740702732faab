package analyze_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
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
