package accuracy_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint/clean"
)

// TestHidden: of people seen from the side, the far elbow and knee have no value where what the networks invent is off by
// more than 30 degrees, such as the knee of a hip hinge with the ankle at the hand; the near ones always have one.
func TestHidden(t *testing.T) {
	folder := testkit.Data(t, "rendered")
	off, withheld := 0, 0
	for name, near := range map[string]analyze.Side{"hinge_90": analyze.LeftSide, "sit_to_stand_90": analyze.RightSide, "squat_90_slow": analyze.LeftSide} {
		path := filepath.Join(folder, name+".mp4")
		truth, err := truth.Of(path)
		if err != nil {
			t.Fatal(err)
		}
		seq, _, err := clean.Run(found(t, path), clean.Default())
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []analyze.Type{analyze.ElbowFlexion, analyze.KneeFlexion} {
			for _, side := range []analyze.Side{analyze.LeftSide, analyze.RightSide} {
				results, err := analyze.Run(seq, []analyze.Rule{{Type: kind, Side: side}, {Type: kind, Side: side, Hidden: true}})
				if err != nil {
					t.Fatal(err)
				}
				shown, all := results[0], results[1]
				if side == near {
					if shown.Coverage != all.Coverage {
						t.Errorf("%s: %.2f of the values of the near %s are shown, of %.2f", name, shown.Coverage, kind, all.Coverage)
					}
					continue
				}
				space := truth.Angles3D[string(side)+"_"+map[analyze.Type]string{analyze.ElbowFlexion: "elbow", analyze.KneeFlexion: "knee"}[kind]]
				for i, v := range all.Values {
					if v.Present && i < len(space) && math.Abs(v.X-space[i]) > 30 {
						off++
						if !shown.Values[i].Present {
							withheld++
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d withheld", withheld, off)
	if off < 50 || float64(withheld) < 0.95*float64(off) {
		t.Errorf("%d of %d wrong values are withheld, want 95 %%", withheld, off)
	}
}
