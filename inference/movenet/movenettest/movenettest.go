// Package movenettest provides ONNX Runtime to tests.
package movenettest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/bodymotion/motion/inference/movenet/onnxruntime"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
)

// Library returns the path of an ONNX Runtime that can be loaded. If there is none, it installs one
// into the user cache, or else skips the test.
func Library(t testing.TB) string {
	t.Helper()
	path, err := ort.Check("")
	if err == nil {
		return path
	}
	if errors.Is(err, ort.ErrNoCgo) {
		testkit.Skip(t, "cgo")
	}
	path, err = onnxruntime.Install(context.Background(), func(line string) { fmt.Fprintln(os.Stderr, line) })
	if err == nil {
		_, err = ort.Check(path)
	}
	if err != nil {
		testkit.Skip(t, "onnxruntime: "+err.Error())
	}
	return path
}
