package motion_test

import (
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
)

// withFFmpeg gives a service the installed ffmpeg.
func withFFmpeg(t testing.TB) func(*motion.Config) {
	t.Helper()
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
	return func(c *motion.Config) { c.Decoder, c.Encoder = ffmpeg.Decoder{}, mp4.Encoder{Preset: "ultrafast"} }
}

// movie makes a movie by ffmpeg's arguments.
func movie(t testing.TB, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.mp4")
	args = append(append([]string{"-loglevel", "error"}, args...), path)
	if out, err := exec.Command("ffmpeg", args...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg %v: %v\n%s", args, err, out)
	}
	return path
}

// extractMovie uploads a movie and finds its keypoints.
func extractMovie(t testing.TB, s *motion.Service, data []byte) motion.Extraction {
	t.Helper()
	e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: uploadMovie(t, s, data).ID})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil {
		t.Fatal(err)
	}
	return e
}

// drawn makes a drawing and returns its file.
func drawn(t *testing.T, s *motion.Service, req motion.DrawRequest) string {
	t.Helper()
	d, err := s.Draw(t.Context(), owner, req)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Drawings, d.ID, storage.Success)
	if d, err = s.Drawing(t.Context(), owner, d.ID); err != nil {
		t.Fatal(err)
	}
	blob, err := s.OpenDrawing(t.Context(), owner, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	path := filepath.Join(t.TempDir(), d.File)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, blob); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// textLog is a logger that writes to w.
func textLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }
