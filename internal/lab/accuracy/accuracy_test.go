package accuracy_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
)

func newEstimator(t testing.TB, opt movenet.Options) *movenet.Estimator {
	t.Helper()
	opt.Library = ortkit.Library(t)
	e, err := movenet.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	return e
}

func readSet(t *testing.T, set string) (dir string, pictures []truth.Picture) {
	t.Helper()
	dir = testkit.Data(t, "images_gt/"+set)
	data, err := os.ReadFile(filepath.Join(dir, "annotations.json"))
	if err == nil {
		pictures, err = truth.Pictures(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, pictures
}

func estimateFile(t *testing.T, e inference.Estimator, path string) keypoint.Frame {
	t.Helper()
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	img, err := inference.DecodeImage(t.Context(), nil, r, 0)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Estimate(context.Background(), img, inference.Hint{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestAccuracy measures the labelled pictures with a dominant person: the average recall (with one
// result per picture, the share of people found, averaged over COCO's thresholds), the average
// precision, and the share of correct parts. The limits are a little below the measured values.
func TestAccuracy(t *testing.T) {
	testkit.Thorough(t, "measures")
	for _, c := range []struct {
		name  string
		opt   movenet.Options
		floor map[string]float64
	}{
		{"thunder", movenet.Options{Pose: thunder.Model(), People: multipose.Model()}, map[string]float64{"lspet": .56, "coco": .58, "pfg": .88}},
		{"lightning", movenet.Options{Pose: lightning.Model(), People: multipose.Model()}, map[string]float64{"lspet": .49, "coco": .46, "pfg": .82}},
		{"thunder alone", movenet.Options{Pose: thunder.Model()}, map[string]float64{"coco": .52, "pfg": .81}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opt.PartThreshold = -1 // every part counts, as in published figures
			e := newEstimator(t, c.opt)
			for set, floor := range c.floor {
				dir, pictures := readSet(t, set)
				var judged []score.Picture
				var pck score.Share
				for _, p := range pictures {
					if p.Dominant < 0 {
						continue
					}
					who := p.People[p.Dominant]
					f := estimateFile(t, e, filepath.Join(dir, p.Image))
					pck = pck.Plus(score.PCK(&who.Parts, &f, 0.2))
					judged = append(judged, score.Picture{
						People: []truth.Person{who},
						Found:  []score.Detection{{Parts: f, Score: score.Confidence(&f)}},
					})
				}
				got, ok := score.AveragePrecision(judged)
				correct, _ := pck.Value()
				t.Logf("%s: AR %.3f, AP %.3f, PCK %.3f of %d pictures", set, got.AR, got.AP, correct, len(judged))
				if !ok || got.AR < floor {
					t.Errorf("%s: AR %.3f, want at least %.2f", set, got.AR, floor)
				}
			}
		})
	}
}

// TestPresence checks, with the default thresholds, that nobody is found in pictures without people,
// and somebody in nearly all pictures with a dominant person.
func TestPresence(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, not run with -short")
	}
	e := newEstimator(t, movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
	for _, c := range []struct {
		set      string
		min, max int // pictures in which somebody is found
	}{{"coco_noperson", 0, 0}, {"coco", 19, 21}, {"pfg", 22, 22}} {
		t.Run(c.set, func(t *testing.T) {
			dir, pictures := readSet(t, c.set)
			found, n := 0, 0
			for _, p := range pictures {
				if len(p.People) > 0 && p.Dominant < 0 {
					continue
				}
				n++
				if f := estimateFile(t, e, filepath.Join(dir, p.Image)); !f.Empty() {
					found++
				}
			}
			t.Logf("somebody is found in %d of %d pictures", found, n)
			if found < c.min || found > c.max {
				t.Errorf("somebody is found in %d of %d pictures, want %d to %d", found, n, c.min, c.max)
			}
		})
	}
}
