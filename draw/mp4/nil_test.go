package mp4_test

import (
	"errors"
	"image"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestNilPicture: a nil picture is an error, and the movie goes on without it.
func TestNilPicture(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	w, err := mp4.Encoder{}.Create(t.Context(), filepath.Join(t.TempDir(), "movie.mp4"), draw.Movie{Size: image.Pt(40, 30), FrameRate: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Write(nil, 0); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("a nil picture: %v", err)
	}
	if err := errors.Join(w.Write(draw.NewYUV(image.Pt(40, 30)), 0), w.Close()); err != nil {
		t.Error(err)
	}
}
