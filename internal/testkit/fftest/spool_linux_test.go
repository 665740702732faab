package fftest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestSpool tests that the copy of a movie that is not a local file has no name, so that not even a
// crash leaves it behind.
func TestSpool(t *testing.T) {
	content, err := os.ReadFile(testkit.Data(t, "hostile/video_ok/base.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := ffmpeg.Decoder{Runner: installed(t), TempDir: dir}.Open(t.Context(), strings.NewReader(string(content)))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Next(); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("in the folder: %v (%v)", entries, err)
	}
}
