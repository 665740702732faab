package fftest_test

import (
	"errors"
	"image"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
)

// TestDocumentedFormats: files of all formats in the table of docs/use/files.md are read, but for HEIC, which this FFmpeg does not
// make, and what the page calls refused is.
func TestDocumentedFormats(t *testing.T) {
	text, err := os.ReadFile("../../../docs/use/files.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Pictures and movies\n")
	section, _, _ = strings.Cut(section, "\n## ")
	said := regexp.MustCompile("`(\\.[a-z0-9]+)`").FindAllStringSubmatch(section, -1)
	var names []string
	for _, m := range said {
		names = append(names, m[1])
	}
	const picture, movie = "-frames:v 1", "-t 1 "
	files := map[string][]string{ // how they are made
		".jpg": {picture}, ".jpeg": {picture}, ".png": {picture}, ".bmp": {picture}, ".gif": {picture, movie}, ".webp": {picture + " -c:v libwebp"},
		".tif": {picture + " -compression_algo raw -pix_fmt rgb24", picture + " -compression_algo lzw -pix_fmt pal8"}, ".tiff": {
			picture + " -compression_algo deflate -pix_fmt rgb48le", picture + " -compression_algo packbits -pix_fmt gray",
		},
		".avif": {picture + " -c:v libaom-av1 -cpu-used 8 -still-picture 1"}, ".heic": {},
		".mp4": {movie + "-c:v libx264", movie + "-c:v libaom-av1 -cpu-used 8"}, ".m4v": {movie + "-c:v mpeg4"}, ".mov": {movie + "-c:v prores_ks"},
		".3gp": {movie + "-c:v mpeg4"}, ".mkv": {movie + "-c:v libx265 -x265-params log-level=none"}, ".webm": {movie + "-c:v libvpx", movie + "-c:v libvpx-vp9"},
		".avi": {movie + "-c:v mpeg4", movie + "-c:v mjpeg -pix_fmt yuvj420p"}, ".mts": {movie + "-c:v libx264 -f mpegts"},
		".mpg": {movie + "-c:v mpeg2video -r 25"}, ".mpeg": {movie + "-c:v mpeg2video -r 25"},
		".ogv": {movie + "-c:v libtheora"}, ".wmv": {movie + "-c:v wmv2"},
	}
	slices.Sort(names)
	if names = slices.Compact(names); !slices.Equal(names, slices.Sorted(maps.Keys(files))) {
		t.Errorf("docs/use/files.md has %q, and the test %q", names, slices.Sorted(maps.Keys(files)))
	}
	for name, made := range files {
		for _, args := range made {
			t.Run(name+" "+args, func(t *testing.T) { readAs(t, "a"+name, args, strings.HasPrefix(args, picture)) })
		}
	}
}

// readAs makes a file of the pattern and reads it as a picture or a movie.
func readAs(t *testing.T, name, args string, picture bool) {
	path := movie(t, name, append([]string{"-f", "lavfi", "-i", pattern}, strings.Fields(args)...)...)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, d := image.Point{}, ffmpeg.Decoder{}
	if picture {
		var img image.Image
		if img, err = inference.DecodeImage(t.Context(), d, f, 0); err == nil {
			size = img.Bounds().Size()
		}
	} else {
		var frames inference.Frames
		if frames, err = d.Open(t.Context(), f); err == nil {
			size = frames.Info().Size
			_, err = frames.Next()
			err = errors.Join(err, frames.Close())
		}
	}
	if strings.HasSuffix(name, ".ogv") || strings.HasSuffix(name, ".wmv") {
		if !errors.Is(err, inference.ErrFormat) {
			t.Errorf("%v, and the page says that it is refused", err)
		}
	} else if err != nil || size != image.Pt(96, 64) {
		t.Errorf("%v (%v)", size, err)
	}
}
