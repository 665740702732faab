package fftest_test

import (
	"bytes"
	"encoding/json"
	"image"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fftest"
)

// count returns what "ffprobe -count_frames" says of a movie, with ffprobe's choice of a demuxer. The
// size is the stored one, before rotation; the duration is that of the stream, else of the file.
func count(t *testing.T, runner program.Runner, path string) inference.Info {
	t.Helper()
	var out bytes.Buffer
	err := runner.Run(t.Context(), program.Command{
		Program: "ffprobe", Stdout: &out, ReadFiles: []string{path},
		Args: []string{
			"-v", "quiet", "-count_frames", "-select_streams", "V:0", "-of", "json",
			"-show_entries", "stream=width,height,avg_frame_rate,duration,nb_read_frames:format=duration", "file:" + path,
		},
	})
	var answer struct {
		Streams []struct {
			Width, Height int
			Rate          string `json:"avg_frame_rate"`
			Duration      string
			Frames        int `json:"nb_read_frames,string"`
		}
		Format struct{ Duration string }
	}
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &answer)
	}
	if err != nil || len(answer.Streams) == 0 {
		t.Fatalf("ffprobe: %v: %s", err, out.String())
	}
	s := answer.Streams[0]
	c := inference.Info{Size: image.Pt(s.Width, s.Height), Frames: s.Frames}
	above, below, _ := strings.Cut(s.Rate, "/")
	a, _ := strconv.ParseFloat(above, 64)
	b, _ := strconv.ParseFloat(below, 64)
	c.FrameRate = a / b
	if c.Duration, err = strconv.ParseFloat(s.Duration, 64); err != nil {
		c.Duration, _ = strconv.ParseFloat(answer.Format.Duration, 64)
	}
	return c
}

// TestAgreement compares what the decoder says of every good movie of the test data (frames, their rate,
// duration and size) with what ffprobe counts.
func TestAgreement(t *testing.T) {
	runner := installed(t)
	files, err := filepath.Glob(filepath.Join(testkit.Data(t, "hostile"), "video_ok", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	for _, path := range files {
		if filepath.Base(path) == "4k_short.mp4" && testing.Short() {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			agree(t, runner, path)
		})
	}
}

func agree(t *testing.T, runner program.Runner, path string) {
	t.Helper()
	want := count(t, runner, path)
	d := ffmpeg.Decoder{Runner: runner}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	probed, err := d.Probe(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	info, frames, err := fftest.Decode(t, d, path)
	if err != nil {
		t.Fatal(err)
	}
	if info != probed {
		t.Errorf("Probe says %+v, Open %+v", probed, info)
	}
	if len(frames) != want.Frames || info.Frames != want.Frames {
		t.Errorf("%d frames are decoded and %d announced, ffprobe counts %d", len(frames), info.Frames, want.Frames)
	}
	if math.Abs(info.FrameRate-want.FrameRate) > 1e-9*want.FrameRate {
		t.Errorf("%v frames a second, ffprobe says %v", info.FrameRate, want.FrameRate)
	}
	if info.Duration != want.Duration {
		t.Errorf("%v s, ffprobe says %v", info.Duration, want.Duration)
	}
	if turned := image.Pt(want.Size.Y, want.Size.X); info.Size != want.Size && info.Size != turned {
		t.Errorf("%v pixels, ffprobe says %v", info.Size, want.Size)
	}
}
