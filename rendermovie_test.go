package motion_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/fftest"
)

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
	Frames []struct {
		Time float64 `json:"best_effort_timestamp_time,string"`
	}
}

func probe(t *testing.T, path string) probed {
	t.Helper()
	cmd := exec.Command("ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var p probed
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatal(err)
	}
	out, err = exec.Command("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time", "-of", "json", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// pixel decodes frame i of a movie and returns the colour of a pixel.
func pixel(t *testing.T, path string, i int, at image.Point) color.RGBA {
	t.Helper()
	for p := range fftest.Pictures(t, ffmpeg.Decoder{}, path) {
		if i == 0 {
			return color.RGBAModel.Convert(p.Image.At(at.X, at.Y)).(color.RGBA)
		}
		i--
	}
	t.Fatalf("%s ends %d frames too early", path, i+1)
	return color.RGBA{}
}

func near(a, b color.RGBA, by int) bool {
	for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
		if d < -by || d > by {
			return false
		}
	}
	return true
}

const noseRule = `{"drawingType":"keypoint","points":["nose"],"color":"red","size":12}`

// TestDrawnMovies: whatever the movie is like, the drawn one has its frames, times and
// sound, is upright and of even size, can be played everywhere, and says nothing of where
// and when it was recorded.
func TestDrawnMovies(t *testing.T) {
	s := newParts().service(t, withFFmpeg(t))
	run(t, s)
	const place = "+35.6895+139.6917/"
	private := []string{"-metadata", "location=" + place, "-metadata", "title=at home", "-movflags", "+use_metadata_tags"}
	source := func(size string, more ...string) []string {
		return append([]string{"-f", "lavfi", "-i", "color=0x3060a0:s=" + size + ":r=25:d=0.8"}, more...)
	}
	h264 := []string{"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"}
	for name, c := range map[string]struct {
		args  []string
		size  image.Point // of the drawing
		sound bool
	}{
		"even":       {source("96x64", h264...), image.Pt(96, 64), false},
		"odd":        {source("98x64", "-vf", "format=yuv444p,crop=97:63:0:0:exact=1", "-c:v", "libx264", "-preset", "ultrafast"), image.Pt(98, 64), false},
		"full range": {source("96x64", append(h264, "-vf", "scale=out_range=pc", "-color_range", "pc")...), image.Pt(96, 64), false},
		"BT.709":     {source("96x64", append(h264, "-vf", "scale=out_color_matrix=bt709", "-colorspace", "bt709")...), image.Pt(96, 64), false},
		"uneven times": {source("96x64", append(h264, "-vf", "setpts='(N+0.4*mod(N\\,3))/25/TB'", "-fps_mode", "passthrough")...),
			image.Pt(96, 64), false},
		"on its side": {source("96x64", h264...), image.Pt(64, 96), false},
		"sound and place": {append(append([]string{"-f", "lavfi", "-i", "color=0x3060a0:s=96x64:r=25:d=0.8", "-f", "lavfi", "-i", "sine=d=0.8", "-c:a", "aac"}, h264...), private...),
			image.Pt(96, 64), true},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(movie(t, c.args...))
			if err != nil {
				t.Fatal(err)
			}
			if name == "on its side" {
				data = turn(t, data)
			}
			e := extractMovie(t, s, data)
			seq, err := e.Sequence()
			if err != nil {
				t.Fatal(err)
			}
			for _, background := range []string{"", `{"skeletonOnly":true,"color":"limeGreen"}`} {
				req := motion.DrawRequest{KeypointID: e.ID, Rule: []byte(noseRule)}
				back := color.RGBA{0x30, 0x60, 0xa0, 255}
				if background != "" {
					req.Background, back = []byte(background), color.RGBA{0x32, 0xcd, 0x32, 255}
				}
				path := drawn(t, s, req)
				p := probe(t, path)
				v := p.Streams[0]
				if v.Codec != "h264" || v.Format != "yuv420p" || v.Range != "tv" || image.Pt(v.Width, v.Height) != c.size || len(v.Sides) > 0 {
					t.Errorf("the stream is %+v, want H.264 yuv420p of %v", v, c.size)
				}
				matrix := "smpte170m"
				if name == "BT.709" && background == "" {
					matrix = "bt709"
				}
				if v.Matrix != matrix || v.Light != matrix || v.Primes != matrix {
					t.Errorf("matrix, transfer and primaries are %s, %s and %s, want %s", v.Matrix, v.Light, v.Primes, matrix)
				}
				if v.Frames != seq.Len() || len(p.Frames) != seq.Len() || seq.Len() != 20 {
					t.Fatalf("%d frames, %d with times; the keypoints have %d, want 20", v.Frames, len(p.Frames), seq.Len())
				}
				for i, f := range p.Frames {
					if math.Abs(f.Time-seq.Times[i]) > 1e-4 {
						t.Errorf("frame %d is at %v s, want %v", i, f.Time, seq.Times[i])
					}
				}
				if sound := len(p.Streams) > 1 && p.Streams[1].Type == "audio"; sound != c.sound {
					t.Errorf("sound: %v, want %v", sound, c.sound)
				}
				size := image.Pt(seq.Size.X, seq.Size.Y)
				if got := pixel(t, path, 10, image.Pt(size.X/2, size.Y/10)); !near(got, color.RGBA{255, 0, 0, 255}, 30) {
					t.Errorf("the nose is %v, want red", got)
				}
				if got := pixel(t, path, 10, image.Pt(c.size.X-1, c.size.Y-1)); !near(got, back, 6) {
					t.Errorf("the background is %v, want %v", got, back)
				}
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Contains(b, []byte(place)) || bytes.Contains(b, []byte("at home")) || p.Format.Tags["location"] != "" {
					t.Error("private metadata was carried over")
				}
				if moov, mdat := bytes.Index(b, []byte("moov")), bytes.Index(b, []byte("mdat")); moov < 0 || moov > mdat {
					t.Errorf("moov at %d, mdat at %d: cannot be played while it is loaded", moov, mdat)
				}
			}
		})
	}
}

// turn writes a quarter turn into the header of an MP4 movie: the matrix of its track.
func turn(t *testing.T, data []byte) []byte {
	t.Helper()
	i := bytes.Index(data, []byte("tkhd"))
	if i < 0 {
		t.Fatal("there is no track")
	}
	one, none := []byte{0, 1, 0, 0}, []byte{0, 0, 0, 0}
	matrix := bytes.Join([][]byte{none, one, none, {0xff, 0xff, 0, 0}, none, none, {0, 64, 0, 0}, none, {0x40, 0, 0, 0}}, nil)
	data = bytes.Clone(data)
	copy(data[i+44:], matrix) // after version, flags, times, id, duration, layer, group, volume
	return data
}
