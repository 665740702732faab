package inference_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
)

// file is a picture's file that calls each on every read.
type file struct {
	*bytes.Reader
	each func()
}

func (f file) Read(p []byte) (int, error) {
	f.each()
	return f.Reader.Read(p)
}

// chunk returns a chunk of a PNG file.
func chunk(kind string, data ...byte) []byte {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), kind...)
	b = append(b, data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// afterPNGHeader puts chunks into a PNG file before all others but the header.
func afterPNGHeader(file, chunks []byte) []byte {
	const header = 8 + 25
	return bytes.Join([][]byte{file[:header], chunks, file[header:]}, nil)
}

// noisyFiles returns a picture of noise in every format.
func noisyFiles(t *testing.T) map[string][]byte {
	m := image.NewPaletted(image.Rect(0, 0, 200, 150), palette.WebSafe)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(random.IntN(len(m.Palette)))
	}
	files := map[string][]byte{}
	for format, encode := range map[string]func(io.Writer) error{
		"jpeg":         func(w io.Writer) error { return jpeg.Encode(w, m, nil) },
		"png":          func(w io.Writer) error { return png.Encode(w, m) },
		"gif":          func(w io.Writer) error { return gif.Encode(w, m, nil) },
		"bmp":          func(w io.Writer) error { return bmp.Encode(w, m) },
		"tiff":         func(w io.Writer) error { return tiff.Encode(w, m, nil) },
		"tiff deflate": func(w io.Writer) error { return tiff.Encode(w, m, &tiff.Options{Compression: tiff.Deflate}) },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		files[format] = b.Bytes()
	}
	files["png of 100,000 texts"] = afterPNGHeader(files["png"], bytes.Repeat(chunk("tEXt"), 100_000))
	files["progressive jpeg"] = testkit.SlowJPEG(image.Pt(800, 600), inference.MaxScans)
	for _, name := range []string{"image_ok/lossless.webp", "image_ok/lossy.webp", "animated/anim.webp"} {
		b, err := os.ReadFile(filepath.Join(testkit.Data(t, "hostile"), name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	return files
}

// TestKindsOfTIFF: CMYK (5), YCbCr (6) and compression with JPEG (7) are refused, and the error says what to do.
func TestKindsOfTIFF(t *testing.T) {
	var b bytes.Buffer
	if err := tiff.Encode(&b, image.NewRGBA(image.Rect(0, 0, 2, 2)), nil); err != nil {
		t.Fatal(err)
	}
	const photometric, compression = 0x06, 0x03
	number := func(tag, value byte) []byte { return []byte{tag, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0} }
	for name, c := range map[string]struct {
		tag, was, is byte
		want         string
	}{
		"RGB":         {photometric, 2, 2, ""},
		"CMYK":        {photometric, 2, 5, "color model): save it as PNG"},
		"YCbCr":       {photometric, 2, 6, "color model): save it as PNG"},
		"JPEG inside": {compression, 1, 7, "compression value 7): save it as PNG"},
	} {
		file := bytes.Replace(b.Bytes(), number(c.tag, c.was), number(c.tag, c.is), 1)
		_, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(file), 0)
		if (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, inference.ErrFormat) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestDecodingEndsWithContext ends the context at each read of the file: decoding stops soon, after
// the search for EXIF data at most, and returns the context's error.
func TestDecodingEndsWithContext(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, not run with -short")
	}
	for format, data := range noisyFiles(t) {
		t.Run(format, func(t *testing.T) {
			reads := 0
			r := file{bytes.NewReader(data), func() { reads++ }}
			if _, err := inference.DecodeImage(t.Context(), nil, r, 0); err != nil {
				t.Fatal(err)
			}
			for last := 0; last <= reads; last++ {
				ctx, cancel := context.WithCancel(t.Context())
				n := 0
				r := file{bytes.NewReader(data), func() {
					if n++; n >= last {
						cancel()
					}
				}}
				if last == 0 {
					cancel()
				}
				if _, err := inference.DecodeImage(ctx, nil, r, 0); !errors.Is(err, context.Canceled) {
					t.Errorf("canceled at read %d of %d: %v", last, reads, err)
				}
				if n > last+2 {
					t.Errorf("canceled at read %d of %d: %d more reads", last, reads, n-last)
				}
				cancel()
			}
		})
	}
}

// TestProbingEndsWithContext: so does reading the headers, however many there are.
func TestProbingEndsWithContext(t *testing.T) {
	texts := afterPNGHeader(noisyFiles(t)["png"], bytes.Repeat(chunk("tEXt"), 100_000))
	comments := append([]byte{0xff, 0xd8}, bytes.Repeat([]byte{0xff, 0xfe, 0, 2}, 100_000)...)
	for format, data := range map[string][]byte{"png": texts, "jpeg": comments} {
		t.Run(format, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			n := 0
			r := file{bytes.NewReader(data), func() {
				if n++; n == 3 {
					cancel()
				}
			}}
			if _, err := inference.ProbeImage(ctx, nil, r); !errors.Is(err, context.Canceled) || n > 4 {
				t.Errorf("%v after %d reads, canceled at the third", err, n)
			}
		})
	}
}

// TestFaultOfTheFile: a file that cannot be read is no picture of a wrong format.
func TestFaultOfTheFile(t *testing.T) {
	fault := errors.New("the disk is gone")
	for format, data := range noisyFiles(t) {
		t.Run(format, func(t *testing.T) {
			r := struct {
				io.Reader
				io.Seeker
			}{iotest.ErrReader(fault), bytes.NewReader(data)}
			if _, err := inference.DecodeImage(t.Context(), nil, r, 0); !errors.Is(err, fault) || errors.Is(err, inference.ErrFormat) {
				t.Errorf("at once: %v", err)
			}
			n, in := 0, bytes.NewReader(data)
			r.Seeker = in
			r.Reader = readerFunc(func(p []byte) (int, error) {
				if n++; n > 2 { // the format and the EXIF data, or the header, are read before
					return 0, fault
				}
				return in.Read(p)
			})
			if _, err := inference.DecodeImage(t.Context(), nil, r, 0); !errors.Is(err, fault) || errors.Is(err, inference.ErrFormat) {
				t.Errorf("later: %v", err)
			}
		})
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestScans: a JPEG picture of too many scans is refused before it is decoded.
func TestScans(t *testing.T) {
	const scans = inference.MaxScans
	small := image.Pt(64, 48)
	good := testkit.SlowJPEG(small, scans)
	var baseline bytes.Buffer
	if err := jpeg.Encode(&baseline, arrow(), nil); err != nil {
		t.Fatal(err)
	}
	end := len(good) - 2
	scan := testkit.SlowJPEG(small, 1)
	scan = scan[bytes.Index(scan, []byte{0xff, 0xda}) : len(scan)-2]
	insert := func(at int, b ...byte) []byte { return bytes.Join([][]byte{good[:at], b, good[at:]}, nil) }
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"the limit":                           {good, nil},
		"one more":                            {testkit.SlowJPEG(small, scans+1), inference.ErrTooManyScans},
		"one more after a space":              {insert(end, append([]byte{0xff, 0xff, 0xff}, scan[1:]...)...), inference.ErrTooManyScans},
		"one more after a restart":            {insert(end, append([]byte{0xff, 0xd3}, scan...)...), inference.ErrTooManyScans},
		"one more after a comment":            {insert(end, append([]byte{0xff, 0xfe, 0, 3, 7}, scan...)...), inference.ErrTooManyScans},
		"others in a comment":                 {insert(2, append([]byte{0xff, 0xfe, 0, 6}, 0xff, 0xda, 0, 2)...), nil},
		"others after the end":                {append(bytes.Clone(good), scan...), nil},
		"568 KB, and 12 megapixels":           {testkit.SlowJPEG(image.Pt(3490, 3490), 20_000), inference.ErrTooManyScans},
		"not progressive":                     {baseline.Bytes(), nil},
		"cut off":                             {good[:len(good)-40], inference.ErrFormat},
		"cut off in a length":                 {good[:len(good)-len(scan)], inference.ErrFormat},
		"too many scans, and too many pixels": {testkit.SlowJPEG(image.Pt(3500, 3500), scans+1), inference.ErrTooManyPixels},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(c.data), 12_200_000); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}
