// Package movenettest makes sure that onnxruntime is there for tests.
package movenettest

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/bodymotion/motion/inference/movenet/onnxruntime"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
)

// Library returns the path of onnxruntime, which is installed into the user cache
// where it is nowhere else. The test is skipped where that is not possible.
func Library(t testing.TB) string {
	t.Helper()
	if paths, err := ort.Find(""); err == nil {
		return paths[0]
	}
	path, err := onnxruntime.Install(context.Background(), func(line string) { fmt.Fprintln(os.Stderr, line) })
	if err != nil {
		testkit.Skip(t, "onnxruntime: "+err.Error())
	}
	return path
}
