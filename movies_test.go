package motion_test

import (
	"encoding/json"
	"image"
	"image/color"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
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
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(host.UploadMovie(t, s, data).ID)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil {
		t.Fatal(err)
	}
	return e
}

// probed is what ffprobe says of a movie.
type probed struct {
	Streams []struct {
		Type   string            `json:"codec_type"`
		Codec  string            `json:"codec_name"`
		Format string            `json:"pix_fmt"`
		Range  string            `json:"color_range"`
		Matrix string            `json:"color_space"`
		Light  string            `json:"color_transfer"`
		Primes string            `json:"color_primaries"`
		Tags   map[string]string `json:"tags"`
		Frames int               `json:"nb_read_frames,string"`
		Width  int
		Height int
		Sides  []map[string]any `json:"side_data_list"`
	}
	Format struct{ Tags map[string]string }
	Frames []probedFrame // of pictures
}

type probedFrame struct {
	Type string  `json:"media_type"`
	Time float64 `json:"best_effort_timestamp_time,string"`
}

func probe(t *testing.T, path string) probed {
	t.Helper()
	out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format",
		"-show_entries", "frame=media_type,best_effort_timestamp_time", "-of", "json", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	var p probed
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatal(err)
	}
	p.Frames = slices.DeleteFunc(p.Frames, func(f probedFrame) bool { return f.Type != "video" })
	return p
}

// pictures decodes a movie and yields each picture, which is valid until the loop goes on.
func pictures(t testing.TB, path string) iter.Seq[inference.Picture] {
	return func(yield func(inference.Picture) bool) {
		t.Helper()
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		frames, err := ffmpeg.Decoder{}.Open(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		defer frames.Close()
		for {
			p, err := frames.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			more := yield(p)
			p.Release()
			if !more {
				return
			}
		}
	}
}

// pixels decodes frame i of a movie and returns the colours of some of its pixels.
func pixels(t *testing.T, path string, i int, at ...image.Point) (colors []color.RGBA) {
	t.Helper()
	for p := range pictures(t, path) {
		if i == 0 {
			for _, a := range at {
				colors = append(colors, color.RGBAModel.Convert(p.Image.At(a.X, a.Y)).(color.RGBA))
			}
			return colors
		}
		i--
	}
	t.Fatalf("%s ends %d frames too early", path, i+1)
	return nil
}

func near(a, b color.RGBA, by int) bool {
	for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
		if d < -by || d > by {
			return false
		}
	}
	return true
}
