package movenettest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// Hardware are the providers that only some machines have.
var Hardware = []string{"cuda", "coreml", "directml", "openvino"}

// Estimator is an estimator on ONNX Runtime.
type Estimator interface {
	inference.Estimator
	io.Closer
}

// On opens an estimator on some hardware. It skips the test if the machine lacks it, even with
// MOTION_REQUIRE, because hardware cannot be installed.
func On(t testing.TB, provider string, open func(provider string) (Estimator, error)) Estimator {
	t.Helper()
	e, err := open(provider)
	if errors.Is(err, ort.ErrProvider) {
		testkit.SkipMachine(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	return e
}

// TestProviders checks that missing hardware gives a clear error, and that with it the parts of the
// sample picture are where the processor finds them.
func TestProviders(t *testing.T, open func(provider string) (Estimator, error)) {
	t.Helper()
	if _, err := open("abacus"); !errors.Is(err, ort.ErrProvider) || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("an unknown provider: %v", err)
	}
	find := func(t *testing.T, provider string) keypoint.Frame {
		f, err := On(t, provider, open).Estimate(t.Context(), sample.Image(), inference.Hint{})
		if err != nil {
			t.Fatal(err)
		}
		return f
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
