package blazepose_test

import (
	"crypto/sha256"
	"encoding/hex"
	"image"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/blazepose/lite"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

func newFinder(t testing.TB) inference.Finder {
	t.Helper()
	f, err := movenet.NewFinder(movenet.Options{People: multipose.Model(), Library: movenettest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, f)
	return f
}

func newEstimator(t testing.TB, opt blazepose.Options) *blazepose.Estimator {
	t.Helper()
	opt.Library = movenettest.Library(t)
	e, err := blazepose.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	return e
}

func estimate(t testing.TB, e *blazepose.Estimator, img image.Image, previous keypoint.Frame) keypoint.Frame {
	t.Helper()
	f, err := e.Estimate(t.Context(), img, inference.Hint{Previous: previous})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// distance returns the mean and the largest distance of the found parts from the truth, in pixels,
// and the number of missing parts.
func distance(f, truth *keypoint.Frame) (mean, largest float64, missing int) {
	parts := truth.Present().List()
	for _, p := range parts {
		want, _ := truth.At(p)
		got, ok := f.At(p)
		if !ok {
			missing++
			continue
		}
		d := got.Sub(want).Len()
		mean += d
		largest = max(largest, d)
	}
	return mean / float64(max(len(parts)-missing, 1)), largest, missing
}

// TestSample compares the estimate for the sample picture with labels made by hand. Heels and big toes
// are near the ankles, and the toes to the outside of the heels, as the person faces the camera.
func TestSample(t *testing.T) {
	truth := sample.Visible()
	for _, m := range []blazepose.Model{lite.Model(), full.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			f := estimate(t, newEstimator(t, blazepose.Options{Model: m, Finder: newFinder(t)}), sample.Image(), keypoint.Frame{})
			for _, p := range truth.Present().List() {
				want, _ := truth.At(p)
				got, ok := f.At(p)
				if d := got.Sub(want).Len(); !ok || d > 0.03*1200 {
					t.Errorf("%v is at %.0f (found: %v), %.0f pixels from %v", p, got, ok, d, want)
				} else {
					t.Logf("%v: %.1f pixels, confidence %.2f", p, d, f.Confidence(p))
				}
			}
			for p, ankle := range map[keypoint.Part]keypoint.Part{
				keypoint.LeftHeel: keypoint.LeftAnkle, keypoint.LeftBigToe: keypoint.LeftAnkle,
				keypoint.RightHeel: keypoint.RightAnkle, keypoint.RightBigToe: keypoint.RightAnkle,
			} {
				at, ok := f.At(p)
				from, _ := f.At(ankle)
				t.Logf("%v: at %.0f, the ankle at %.0f, confidence %.2f", p, at, from, f.Confidence(p))
				if d := at.Sub(from); !ok || d.Len() > 120 || d[1] < 0 {
					t.Errorf("%v is at %.0f (found: %v), the ankle at %.0f", p, at, ok, from)
				}
			}
		})
	}
}

// TestEmbedded compares the embedded networks with their checksums.
func TestEmbedded(t *testing.T) {
	for _, m := range []blazepose.Model{lite.Model(), full.Model()} {
		if sum := sha256.Sum256(m.ONNX); hex.EncodeToString(sum[:]) != m.SHA256 {
			t.Errorf("%s: the SHA-256 is %x, want %s", m.Name, sum, m.SHA256)
		}
	}
}
