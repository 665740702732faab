// Package movenettest makes sure that onnxruntime is there for tests.
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

// Library returns the path of an onnxruntime that can be loaded, which is installed
// into the user cache where there is none. The test is skipped where that is not
// possible.
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
