package ffexec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/ffexec"
)

// TestThreads: FFmpeg is held to the cores that may be used and to 8, and left alone else.
func TestThreads(t *testing.T) {
	for _, c := range []struct {
		usable, cores int
		want          []string
	}{
		{1, 1, nil},
		{8, 8, nil},
		{2, 4, []string{"-threads", "2", "-filter_threads", "2"}},
		{64, 64, []string{"-threads", "8", "-filter_threads", "8"}},
		{12, 64, []string{"-threads", "8", "-filter_threads", "8"}},
	} {
		if diff := cmp.Diff(c.want, ffexec.ThreadsFor(c.usable, c.cores)); diff != "" {
			t.Errorf("%d of %d cores: %s", c.usable, c.cores, diff)
		}
	}
}
