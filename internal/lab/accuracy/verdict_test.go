package accuracy_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// sets are codes of warnings.
type codes []quality.Code

// rendered says which warnings each movie deserves. Every side view, and an oblique one, hides the far arm, which may be
// lost (lowCoverage, which is exact: it counts what is found); where the legs pass each other they may be mixed
// up (swapped). Nobody is small, fast or changed, and but for squat_30_phone the camera is fixed.
var rendered = map[string]struct{ must, may codes }{
	"curl_60":                  {may: codes{quality.CodeHiddenSide}}, // the far elbow is seen in half of the frames
	"hinge_90":                 {must: codes{quality.CodeHiddenSide}, may: farArm},
	"jump_90_120fps":           {must: codes{quality.CodeHiddenSide}, may: farArm},
	"lateral_raise_0_mirrored": {},
	"lunge_90":                 {must: codes{quality.CodeHiddenSide}, may: legsPass},
	"push_up_90":               {must: codes{quality.CodeHiddenSide}, may: farArm},
	"run_treadmill_90":         {must: codes{quality.CodeHiddenSide}, may: legsPass},
	"side_step_0":              {},
	"sit_to_stand_90":          {must: codes{quality.CodeHiddenSide}, may: farArm},
	"squat_0_shift":            {},
	"squat_30_phone":           {must: codes{quality.CodeCameraMoves}}, // hand-held
	"squat_60":                 {may: codes{quality.CodeHiddenSide}},
	"squat_90_slow":            {must: codes{quality.CodeHiddenSide}, may: farArm},
	"stand_180":                {},
	"walk_across_90":           {must: codes{quality.CodeHiddenSide}, may: legsPass},
	"walk_leave_return":        {must: codes{quality.CodeHiddenSide, quality.CodeCutOff, quality.CodeLost, quality.CodeLowCoverage}, may: codes{quality.CodeSwapped, quality.CodePersonChanged}},
	"walk_treadmill_90":        {must: codes{quality.CodeHiddenSide}, may: legsPass},
}

var (
	farArm   = codes{quality.CodeLowCoverage}
	legsPass = codes{quality.CodeLowCoverage, quality.CodeSwapped}
)

// TestRendered judges the rendered movies: each has the warnings that it deserves, and the view, what is said of the
// planes and the uncertainty are as often right as internal/lab/README.md says.
func TestRendered(t *testing.T) {
	folder := testkit.Data(t, "rendered")
	var all figures
	for name, want := range rendered {
		path := filepath.Join(folder, name+".mp4")
		truth, err := truth.Of(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := judged(truth, found(t, path), clean.Default())
		if err != nil {
			t.Fatal(err)
		}
		t.Log(name, m.report.Verdict, m.codes())
		got := map[quality.Code]bool{}
		for _, w := range m.report.Warnings {
			got[w.Code] = true
		}
		for _, c := range want.must {
			if !got[c] {
				t.Errorf("%s: no %s", name, c)
			}
			delete(got, c)
		}
		for _, c := range want.may {
			delete(got, c)
		}
		for c := range got {
			t.Errorf("%s: %s", name, c)
		}
		all = all.plus(m.figures)
	}
	t.Log(all, all.planes())
	for _, c := range []struct {
		name      string
		share     score.Share
		low, high float64
	}{
		{"view", all.view, .95, 1},
		{"sagittal below 55", all.below55, .95, 1}, {"sagittal beyond 70", all.beyond70, 0, .05},
		{"frontal above 35", all.above35, .95, 1}, {"frontal below 20", all.below20, 0, .05},
		{"coordinates", all.place, .95, .98}, {"heels and toes", all.feet, .95, .99},
	} {
		if v, ok := c.share.Value(); !ok || !(v >= c.low && v <= c.high) {
			t.Errorf("%s: %.3f of %d, want %v to %v", c.name, v, c.share.Of, c.low, c.high)
		}
	}
}

// TestJudged: the truth itself has the right view, and an error of nothing.
func TestJudged(t *testing.T) {
	truth := truthOf(t, "squat_60")
	m, err := judged(truth, truth.Parts, clean.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]score.Share{"coordinates": m.place} {
		if v, ok := s.Value(); !ok || math.Abs(v-1) > 1e-3 {
			t.Errorf("%s: %v", name, s)
		}
	}
	if v, _ := m.below55.Value(); v != 0 || m.below55.Of != 0 || m.beyond70.Of != 0 {
		t.Errorf("%+v is no view of 60 degrees", m.figures)
	}
}
