package fftest_test

import (
	"errors"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fftest"
)

func installed(t testing.TB) program.Runner {
	t.Helper()
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
	return program.Installed{}
}

func TestRoundTrip(t *testing.T) { fftest.RoundTrip(t, installed(t)) }
func TestEndings(t *testing.T)   { fftest.Endings(t, installed(t)) }
func TestAudio(t *testing.T)     { fftest.Audio(t, installed(t)) }
func TestPlaylists(t *testing.T) { fftest.Playlists(t, installed(t)) }

// TestBombs decodes files made to use up memory.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg: not run with -short")
	}
	fftest.Bombs(t, installed(t))
}

// TestHostile reads the odd and damaged files of the test data.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg: not run with -short")
	}
	fftest.Hostile(t, installed(t))
}

func TestMissingProgram(t *testing.T) {
	d := ffmpeg.Decoder{Runner: program.Installed{FFmpeg: "/nowhere/ffmpeg", FFprobe: "/nowhere/ffprobe"}}
	f, err := os.Open(filepath.Join(testkit.Root(t), "internal", "testkit", "sample", "body.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := d.Probe(t.Context(), f); err == nil || errors.Is(err, program.ErrNotFound) {
		t.Errorf("a picture is refused before the program is looked for: %v", err)
	}
	movie := filepath.Join(t.TempDir(), "movie.mp4")
	if err := os.WriteFile(movie, []byte("\x00\x00\x00\x18ftypisom"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := os.Open(movie)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := d.Probe(t.Context(), m); !errors.Is(err, program.ErrNotFound) || !strings.Contains(err.Error(), "install FFmpeg") {
		t.Errorf("without the program: %v", err)
	}
}

// clip makes a movie with the installed program; the size is such as 1280x720.
func clip(t testing.TB, size, frames, preset string) string {
	t.Helper()
	installed(t)
	path := filepath.Join(t.TempDir(), "clip.mp4")
	out, err := exec.Command("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size="+size+":rate=30",
		"-frames:v", frames, "-c:v", "libx264", "-preset", preset, "-pix_fmt", "yuv420p", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestBuffers counts the buffers of a long movie: they are reused.
func TestBuffers(t *testing.T) {
	path := clip(t, "1280x720", "100", "ultrafast")
	for _, buffers := range []int{6, 64} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		d, err := ffmpeg.Decoder{Buffers: buffers}.Open(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[image.Image]bool{}
		var held []func()
		n := 0
		for {
			p, err := d.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			n++
			seen[p.Image] = true
			if held = append(held, p.Release); len(held) == buffers {
				for _, release := range held {
					release()
				}
				held = held[:0]
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if n != 100 || len(seen) > buffers {
			t.Errorf("%d frames in %d buffers, want 100 in at most %d", n, len(seen), buffers)
		}
	}
}
