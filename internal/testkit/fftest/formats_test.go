package fftest_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fftest"
)

// pattern is a movie of 96×64 pixels, red at the top left, green at the top right, blue at
// the bottom left, white elsewhere.
const pattern = "color=c=white:s=96x64:r=10,drawbox=x=0:y=0:w=32:h=32:color=red:t=fill," +
	"drawbox=x=64:y=0:w=32:h=32:color=lime:t=fill,drawbox=x=0:y=32:w=32:h=32:color=blue:t=fill"

// patches are the colours of the pattern and their positions relative to the centre.
var patches = []struct {
	at image.Point
	is color.RGBA
}{
	{image.Pt(-32, -16), color.RGBA{255, 0, 0, 255}},
	{image.Pt(32, -16), color.RGBA{0, 255, 0, 255}},
	{image.Pt(-32, 16), color.RGBA{0, 0, 255, 255}},
	{image.Pt(32, 16), color.RGBA{255, 255, 255, 255}},
}

// movie makes a movie with the installed ffmpeg; a coder that it lacks skips the test.
func movie(t *testing.T, name string, args ...string) string {
	t.Helper()
	installed(t)
	path := filepath.Join(t.TempDir(), name)
	out, err := exec.Command("ffmpeg", append(append([]string{"-loglevel", "error"}, args...), path)...).CombinedOutput()
	if strings.Contains(string(out), "Unknown encoder") {
		testkit.Skip(t, "an ffmpeg that encodes "+name)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func TestFormats(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		args string
	}{
		"H.264":               {"a.mp4", "-c:v libx264 -pix_fmt yuv420p"},
		"H.264 full range":    {"a.mp4", "-c:v libx264 -pix_fmt yuvj420p"},
		"H.264 4:2:2":         {"a.mp4", "-c:v libx264 -pix_fmt yuv422p"},
		"H.264 of BT.709":     {"a.mp4", "-vf scale=out_color_matrix=bt709 -colorspace bt709 -c:v libx264 -pix_fmt yuv420p"},
		"H.264 in M4V":        {"a.m4v", "-c:v libx264 -pix_fmt yuv420p"},
		"H.264 late index":    {"a.mov", "-c:v libx264 -pix_fmt yuv420p"},
		"H.264 index first":   {"a.mp4", "-c:v libx264 -pix_fmt yuv420p -movflags +faststart"},
		"HEVC":                {"a.mp4", "-c:v libx265 -pix_fmt yuv420p -x265-params log-level=none"},
		"HEVC 10 bit":         {"a.mov", "-c:v libx265 -pix_fmt yuv420p10le -x265-params log-level=none -tag:v hvc1"},
		"VP8":                 {"a.webm", "-c:v libvpx -b:v 1M"},
		"VP9":                 {"a.webm", "-c:v libvpx-vp9"},
		"VP9 in Matroska":     {"a.mkv", "-c:v libvpx-vp9"},
		"AV1":                 {"a.mp4", "-c:v libaom-av1 -cpu-used 8"},
		"MPEG-4":              {"a.avi", "-c:v mpeg4 -q:v 2"},
		"Motion JPEG":         {"a.avi", "-c:v mjpeg -q:v 2 -pix_fmt yuvj420p"},
		"Motion JPEG in MOV":  {"a.mov", "-c:v mjpeg -q:v 2 -pix_fmt yuvj444p"},
		"MPEG-2":              {"a.mpg", "-c:v mpeg2video -q:v 2 -r 25"},
		"ProRes":              {"a.mov", "-c:v prores_ks"},
		"GIF":                 {"a.gif", ""},
		"second stream shown": {"a.mp4", "-f lavfi -i color=c=black:s=32x32:r=10 -map 1:v -map 0:v -c:v libx264 -pix_fmt yuv420p -disposition:v:0 0 -disposition:v:1 default"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"-f", "lavfi", "-i", pattern}, strings.Fields(c.args)...)
			path := movie(t, c.file, append(args, "-t", "1")...)
			n := shown(t, path, image.Pt(96, 64), [4]int{1, 0, 0, 1})
			if name != "MPEG-2" && n != 10 {
				t.Errorf("%d frames, want 10", n)
			}
		})
	}
}

// shown decodes a movie of the pattern with a display matrix, and returns the number of frames.
func shown(t *testing.T, path string, size image.Point, matrix [4]int) (frames int) {
	t.Helper()
	last := -1.0
	for p := range fftest.Pictures(t, ffmpeg.Decoder{}, path) {
		frames++
		if p.Image.Bounds().Size() != size {
			t.Fatalf("%v pixels, want %v", p.Image.Bounds().Size(), size)
		}
		if p.Time <= last {
			t.Errorf("a frame at %v s after one at %v s", p.Time, last)
		}
		last = p.Time
		for _, patch := range patches {
			x := matrix[0]*patch.at.X + matrix[2]*patch.at.Y
			y := matrix[1]*patch.at.X + matrix[3]*patch.at.Y
			// Pixels may not be square: the same share of the distance to the edge.
			wide, high := 96, 64
			if matrix[0] == 0 {
				wide, high = high, wide
			}
			got := color.RGBAModel.Convert(p.Image.At(size.X/2+x*size.X/wide, size.Y/2+y*size.Y/high)).(color.RGBA)
			far := func(a, b uint8) bool { return math.Abs(float64(a)-float64(b)) > 30 }
			if far(got.R, patch.is.R) || far(got.G, patch.is.G) || far(got.B, patch.is.B) {
				t.Fatalf("frame %d is %v at (%d, %d) from the middle, want %v", frames-1, got, x, y, patch.is)
			}
		}
	}
	return frames
}

// TestDisplayMatrix rotates and mirrors a movie by its track header in all eight ways.
func TestDisplayMatrix(t *testing.T) {
	plain := movie(t, "plain.mp4", "-f", "lavfi", "-i", pattern, "-t", "1", "-c:v", "libx264", "-pix_fmt", "yuv420p")
	content, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	const toMatrix = 4 + 40 // from the name of the track header box
	at := bytes.Index(content, []byte("tkhd")) + toMatrix
	for name, m := range map[string][4]int{
		"upright": {1, 0, 0, 1}, "mirrored": {-1, 0, 0, 1}, "half turn": {-1, 0, 0, -1}, "upside down": {1, 0, 0, -1},
		"along the diagonal": {0, 1, 1, 0}, "clockwise": {0, 1, -1, 0}, "along the other diagonal": {0, -1, -1, 0}, "counter-clockwise": {0, -1, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := bytes.Clone(content)
			for i, v := range []int{m[0], m[1], 0, m[2], m[3], 0} {
				binary.BigEndian.PutUint32(b[at+4*i:], uint32(v<<16))
			}
			path := filepath.Join(t.TempDir(), "turned.mp4")
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			size := image.Pt(96, 64)
			if m[0] == 0 {
				size = image.Pt(64, 96)
			}
			shown(t, path, size, m)
		})
	}
}

// TestSampleAspect tests that pixels become square.
func TestSampleAspect(t *testing.T) {
	for aspect, size := range map[string]image.Point{"2:1": {192, 64}, "1:2": {48, 64}, "1:1": {96, 64}} {
		path := movie(t, "wide.mp4", "-f", "lavfi", "-i", pattern+",setsar="+strings.Replace(aspect, ":", "/", 1), "-t", "1", "-c:v", "libx264", "-pix_fmt", "yuv420p")
		shown(t, path, size, [4]int{1, 0, 0, 1})
	}
}

// TestEditList tests that only the frames that an edit list shows are decoded.
func TestEditList(t *testing.T) {
	whole := movie(t, "whole.mp4", "-f", "lavfi", "-i", pattern, "-t", "3", "-c:v", "libx264", "-g", "10", "-bf", "2", "-pix_fmt", "yuv420p")
	cut := movie(t, "cut.mp4", "-ss", "0.55", "-i", whole, "-c", "copy")
	n := shown(t, cut, image.Pt(96, 64), [4]int{1, 0, 0, 1})
	if n < 20 || n > 25 {
		t.Errorf("%d frames are shown, want about 24 of 30", n)
	}
}

// TestSizeChange tests that a movie whose pictures change their size, as in video calls, is decoded in
// the size of the first. FFmpeg then restarts its frame numbers.
func TestSizeChange(t *testing.T) {
	coded := []string{"-t", "3", "-c:v", "libx264", "-g", "10", "-bf", "0", "-pix_fmt", "yuv420p"}
	small := movie(t, "small.h264", append([]string{"-f", "lavfi", "-i", pattern}, coded...)...)
	large := movie(t, "large.h264", append([]string{"-f", "lavfi", "-i", pattern + ",scale=192:128"}, coded...)...)
	var both []byte
	for _, path := range []string{small, large, small} {
		part, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, part...)
	}
	raw := filepath.Join(t.TempDir(), "both.h264")
	if err := os.WriteFile(raw, both, 0o600); err != nil {
		t.Fatal(err)
	}
	path := movie(t, "both.mp4", "-r", "10", "-i", raw, "-c", "copy")
	if n := shown(t, path, image.Pt(96, 64), [4]int{1, 0, 0, 1}); n < 86 || n > 90 {
		t.Errorf("%d frames are shown, want about 90", n)
	}
}
