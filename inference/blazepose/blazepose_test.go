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
			if m.Name == full.Model().Name {
				testkit.Thorough(t, "the larger network")
			}
			ortkit.TestNetwork(t, network(t, m))
			testFeet(t, m)
			testDepth(t, m)
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

// testDepth: positions in space turn with the picture, and lie where the parts are seen.
func testDepth(t *testing.T, m blazepose.Model) {
	upright := sample.Image()
	size := upright.Bounds().Dx()
	lying := image.NewRGBA(upright.Bounds())
	for y := range size {
		for x := range size {
			lying.Set(size-1-y, x, upright.At(x, y))
		}
	}
	e := network(t, m).New(t, false)
	guess := func(img image.Image) (f keypoint.Frame) {
		if f = ortkit.Estimate(t, e, img, keypoint.Frame{}); f.Positions() == nil {
			t.Fatal("there are no positions")
		}
		return f
	}
	a, b := guess(upright), guess(lying)
	for p := keypoint.LeftShoulder; p <= keypoint.RightAnkle; p++ {
		v, w := place(&a, p), place(&b, p)
		if d := (keypoint.Position{v[1], -v[0], v[2]}).Sub(w); d.Len() > 0.2 {
			t.Errorf("%v is at %.2f in space, and at %.2f when the picture is turned", p, v, w)
		}
	}
	for _, f := range []keypoint.Frame{a, b} {
		for _, pair := range [][2]keypoint.Part{{keypoint.LeftAnkle, keypoint.LeftShoulder}, {keypoint.RightHip, keypoint.LeftHip}} {
			seen := at(f.At(pair[1])).Sub(at(f.At(pair[0])))
			d := place(&f, pair[1]).Sub(place(&f, pair[0]))
			if cos := (seen[0]*d[0] - seen[1]*d[1]) / seen.Len() / d.Vec2().Len(); cos < 0.95 {
				t.Errorf("from %v to %v: %.0f in the picture, %.2f in space", pair[0], pair[1], seen, d)
			}
		}
	}
}

func at(p keypoint.Point, _ bool) keypoint.Point { return p }

func place(f *keypoint.Frame, p keypoint.Part) keypoint.Position {
	at, _ := f.Positions().At(p)
	return at
}

// TestEmbedded compares the embedded networks with their checksums.
func TestEmbedded(t *testing.T) {
	for _, m := range []blazepose.Model{lite.Model(), full.Model()} {
		if sum := sha256.Sum256(m.ONNX); hex.EncodeToString(sum[:]) != m.SHA256 {
			t.Errorf("%s: the SHA-256 is %x, want %s", m.Name, sum, m.SHA256)
		}
	}
}
