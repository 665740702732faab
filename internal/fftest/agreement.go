package fftest

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

	decode "github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
)

// counted is what "ffprobe -count_frames" says of the movie in a file.
type counted struct {
	size      image.Point // as stored
	frames    int
	frameRate float64
	duration  float64 // seconds; of the stream, else of the file
}

// count asks ffprobe, with its own choice of a demuxer.
func count(t *testing.T, runner decode.Runner, path string) counted {
	t.Helper()
	var out bytes.Buffer
	err := runner.Run(t.Context(), decode.Command{
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
	c := counted{size: image.Pt(s.Width, s.Height), frames: s.Frames}
	above, below, _ := strings.Cut(s.Rate, "/")
	a, _ := strconv.ParseFloat(above, 64)
	b, _ := strconv.ParseFloat(below, 64)
	c.frameRate = a / b
	if c.duration, err = strconv.ParseFloat(s.Duration, 64); err != nil {
		c.duration, _ = strconv.ParseFloat(answer.Format.Duration, 64)
	}
	return c
}

// Agreement holds what a record says of a movie (frame, fps, time, width and height)
// against what ffprobe counts, for every good movie of the measuring data.
func Agreement(t *testing.T, runner decode.Runner) {
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

func agree(t *testing.T, runner decode.Runner, path string) {
	t.Helper()
	want := count(t, runner, path)
	d := decode.Decoder{Runner: runner}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	probed, err := d.Probe(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	info, frames, err := Decode(t, d, path)
	if err != nil {
		t.Fatal(err)
	}
	if info != probed {
		t.Errorf("Probe says %+v, Open %+v", probed, info)
	}
	if len(frames) != want.frames || info.Frames != want.frames {
		t.Errorf("%d frames are decoded and %d announced, ffprobe counts %d", len(frames), info.Frames, want.frames)
	}
	if math.Abs(info.FrameRate-want.frameRate) > 1e-9*want.frameRate {
		t.Errorf("%v frames a second, ffprobe says %v", info.FrameRate, want.frameRate)
	}
	if info.Duration != want.duration {
		t.Errorf("%v s, ffprobe says %v", info.Duration, want.duration)
	}
	if turned := image.Pt(want.size.Y, want.size.X); info.Size != want.size && info.Size != turned {
		t.Errorf("%v pixels, ffprobe says %v", info.Size, want.size)
	}
}
