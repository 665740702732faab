package ortkit

import (
	"errors"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// Hardware are the providers that only some machines have.
var Hardware = []string{"cuda", "coreml", "directml", "openvino"}

// On opens an estimator on some hardware. It skips the test if the machine lacks it, even with
// MOTION_REQUIRE, because hardware cannot be installed.
func On(t testing.TB, n Network, opt onnxruntime.Options) Estimator {
	t.Helper()
	opt.Library = Library(t)
	e, err := n.Open(opt, false)
	if errors.Is(err, onnxruntime.ErrProvider) {
		testkit.SkipMachine(t, testkit.Provider, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	return e
}

// TestProviders checks that missing hardware gives a clear error, and that with it the parts of the
// sample picture are where the processor finds them.
func TestProviders(t *testing.T, n Network) {
	_, err := n.Open(onnxruntime.Options{Library: Library(t), Provider: "abacus"}, true)
	if !errors.Is(err, onnxruntime.ErrProvider) || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("an unknown provider: %v", err)
	}
	find := func(t *testing.T, provider string) keypoint.Frame {
		return Estimate(t, On(t, n, onnxruntime.Options{Provider: provider}), sample.Image(), keypoint.Frame{})
	}
	want := find(t, "cpu")
	for _, provider := range Hardware {
		t.Run(provider, func(t *testing.T) {
			got := find(t, provider)
			for _, p := range want.Present().List() {
				a, _ := want.At(p)
				b, ok := got.At(p)
				if d := a.Sub(b).Len(); !ok || d > 2 {
					t.Errorf("%v is %v pixels off (found: %v)", p, d, ok)
				}
			}
		})
	}
}
