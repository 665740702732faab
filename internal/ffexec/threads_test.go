package ffexec_test

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/ffexec"
)

// TestThreads: FFmpeg is held to fewer cores than there are, and left alone else.
func TestThreads(t *testing.T) {
	cores := runtime.NumCPU()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	if got := ffexec.Threads(); got != nil {
		t.Errorf("with all cores %q", got)
	}
	if cores == 1 {
		return
	}
	runtime.GOMAXPROCS(1)
	if diff := cmp.Diff([]string{"-threads", "1"}, ffexec.Threads()); diff != "" {
		t.Error(diff)
	}
}
