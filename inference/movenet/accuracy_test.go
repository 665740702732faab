package movenet_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/sample"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

func newEstimator(t testing.TB, opt movenet.Options) *movenet.Estimator {
	t.Helper()
	opt.Library = movenettest.Library(t)
	e, err := movenet.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// labelled is a picture with people whose keypoints are labelled.
type labelled struct {
	Image          string
	DominantPerson bool
	DominantIndex  int
	Persons        []struct {
		Area       float64
		AreaSource string
		Keypoints  map[keypoint.Part][3]float64
	}
}

func readSet(t *testing.T, set string) (dir string, pictures []labelled) {
	t.Helper()
	dir = testkit.Data(t, "images_gt/"+set)
	b, err := os.ReadFile(filepath.Join(dir, "annotations.json"))
	if err == nil {
		err = json.Unmarshal(b, &pictures)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, pictures
}

// falloff holds the constants of the object keypoint similarity (OKS) of COCO.
var falloff = [keypoint.NumParts]float64{
	.026, .025, .025, .035, .035, .079, .079, .072, .072, .062, .062, .107, .107, .087, .087, .089, .089,
}

// similarity returns the OKS of a frame, 0 to 1.
func similarity(f *keypoint.Frame, truth map[keypoint.Part][3]float64, area float64) float64 {
	sum, n := 0.0, 0
	for p, k := range truth {
		if k[2] == 0 {
			continue
		}
		n++
		if pt, ok := f.At(p); ok {
			d := pt.Sub(keypoint.Point{k[0], k[1]}).Len()
			s := 2 * falloff[p]
			sum += math.Exp(-d * d / (2 * area * s * s))
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// correct counts the parts that lie within 0.2 torso lengths (the longer of the two
// diagonals from shoulder to hip) of the truth, and those that can be judged.
func correct(f *keypoint.Frame, truth map[keypoint.Part][3]float64) (right, n int) {
	torso := 0.0
	for _, d := range [][2]keypoint.Part{{keypoint.LeftShoulder, keypoint.RightHip}, {keypoint.RightShoulder, keypoint.LeftHip}} {
		a, b := truth[d[0]], truth[d[1]]
		if a[2] > 0 && b[2] > 0 {
			torso = max(torso, math.Hypot(a[0]-b[0], a[1]-b[1]))
		}
	}
	if torso == 0 {
		return 0, 0
	}
	for p, k := range truth {
		if k[2] == 0 {
			continue
		}
		n++
		if pt, ok := f.At(p); ok && pt.Sub(keypoint.Point{k[0], k[1]}).Len() <= 0.2*torso {
			right++
		}
	}
	return right, n
}

func estimateFile(t *testing.T, e inference.Estimator, path string) keypoint.Frame {
	t.Helper()
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	img, err := inference.DecodeImage(r, 0)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Estimate(context.Background(), img, inference.Hint{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestAccuracy measures the average precision over the labelled pictures with a
// dominant person, and the share of correct parts. The floors lie a little below what was measured.
func TestAccuracy(t *testing.T) {
	if testing.Short() {
		t.Skip("a measurement, not run with -short")
	}
	for _, c := range []struct {
		name  string
		opt   movenet.Options
		floor map[string]float64
	}{
		{"thunder", movenet.Options{Pose: thunder.Model(), People: multipose.Model()}, map[string]float64{"lspet": .56, "coco": .59, "pfg": .88}},
		{"lightning", movenet.Options{Pose: lightning.Model(), People: multipose.Model()}, map[string]float64{"lspet": .49, "coco": .46, "pfg": .82}},
		{"thunder alone", movenet.Options{Pose: thunder.Model()}, map[string]float64{"coco": .52, "pfg": .81}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opt.PartThreshold = -1 // every part counts, as in published figures
			e := newEstimator(t, c.opt)
			for set, floor := range c.floor {
				dir, pictures := readSet(t, set)
				passed, n, right, parts := 0, 0, 0, 0
				for _, p := range pictures {
					if !p.DominantPerson {
						continue
					}
					n++
					who := p.Persons[p.DominantIndex]
					area := who.Area
					if who.AreaSource == "bbox" {
						area *= 0.53
					}
					f := estimateFile(t, e, filepath.Join(dir, p.Image))
					r, k := correct(&f, who.Keypoints)
					right, parts = right+r, parts+k
					oks := similarity(&f, who.Keypoints, area)
					for threshold := 50; threshold < 100; threshold += 5 {
						if oks >= float64(threshold)/100 {
							passed++
						}
					}
				}
				ap := float64(passed) / float64(10*n)
				t.Logf("%s: AP %.3f, PCK %.3f of %d pictures", set, ap, float64(right)/float64(parts), n)
				if ap < floor {
					t.Errorf("%s: AP %.3f, want at least %.2f", set, ap, floor)
				}
			}
		})
	}
}

// TestPresence holds, with the default thresholds, that nobody is found in the pictures
// without people, and somebody in nearly all of those with a dominant person.
func TestPresence(t *testing.T) {
	e := newEstimator(t, exact())
	for _, c := range []struct {
		set      string
		min, max int // pictures in which somebody is found
	}{{"coco_noperson", 0, 0}, {"coco", 19, 21}, {"pfg", 22, 22}} {
		t.Run(c.set, func(t *testing.T) {
			dir, pictures := readSet(t, c.set)
			found, n := 0, 0
			for _, p := range pictures {
				if len(p.Persons) > 0 && !p.DominantPerson {
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

// TestSample holds the sample picture against what a human sees.
func TestSample(t *testing.T) {
	truth := sample.Visible()
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			e := newEstimator(t, movenet.Options{Pose: m, People: multipose.Model()})
			f, err := e.Estimate(context.Background(), sample.Image(), inference.Hint{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range truth.Present().List() {
				want, _ := truth.At(p)
				got, ok := f.At(p)
				if d := got.Sub(want).Len(); !ok || d > 0.03*1200 {
					t.Errorf("%v is at %.0f (found: %v), %.0f pixels from %v", p, got, ok, d, want)
				} else {
					t.Logf("%v: %.1f pixels, confidence %.2f", p, d, f.Confidence(p))
				}
			}
		})
	}
}
