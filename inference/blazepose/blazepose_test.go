package blazepose_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/blazepose/lite"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

func newFinder(t testing.TB) inference.Finder {
	t.Helper()
	f, err := movenet.NewFinder(movenet.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}, People: multipose.Model()})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, f)
	return f
}

func network(t testing.TB, m blazepose.Model) ortkit.Network {
	finder := newFinder(t)
	return ortkit.Network{Parts: keypoint.All, Open: func(opt onnxruntime.Options, alone bool) (ortkit.Estimator, error) {
		if alone {
			return blazepose.New(blazepose.Options{Options: opt, Model: m})
		}
		return blazepose.New(blazepose.Options{Options: opt, Model: m, Finder: finder})
	}}
}

func TestNetworks(t *testing.T) {
	for _, m := range []blazepose.Model{lite.Model(), full.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			ortkit.TestNetwork(t, network(t, m))
			testFeet(t, m)
		})
	}
}

func TestProvider(t *testing.T) { ortkit.TestProviders(t, network(t, full.Model())) }

// testFeet: heels and big toes are near the ankles, and the toes below them.
func testFeet(t *testing.T, m blazepose.Model) {
	f := ortkit.Estimate(t, network(t, m).New(t, false), sample.Image(), keypoint.Frame{})
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
}

// TestEmbedded compares the embedded networks with their checksums.
func TestEmbedded(t *testing.T) {
	for _, m := range []blazepose.Model{lite.Model(), full.Model()} {
		if sum := sha256.Sum256(m.ONNX); hex.EncodeToString(sum[:]) != m.SHA256 {
			t.Errorf("%s: the SHA-256 is %x, want %s", m.Name, sum, m.SHA256)
		}
	}
}
