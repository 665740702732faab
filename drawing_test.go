package motion_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// drawn makes a drawing and returns its file.
func drawn(t *testing.T, s *motion.Service, req motion.DrawRequest) string {
	t.Helper()
	d, err := s.DrawKeypoints(t.Context(), host.Owner, req)
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Drawings, d.ID, storage.Success)
	if d, err = s.GetDrawing(t.Context(), host.Owner, d.ID); err != nil {
		t.Fatal(err)
	}
	blob, err := s.OpenDrawing(t.Context(), host.Owner, d.ID)
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

// drawRules reads drawing rules.
func drawRules(t testing.TB, json string) []draw.Rule {
	t.Helper()
	rules, err := draw.ParseRules([]byte(json))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestLabelsWriteAnalyses: a label writes the value of an analysis of the same keypoints,
// which may be unfinished and is not needed any more when the drawing was asked for.
func TestLabelsWriteAnalyses(t *testing.T) {
	s := host.New().Service(t, nil)
	host.Run(t, s)
	data := host.Picture(400, 600)
	m := host.Upload(t, s, data)
	e, other := host.Extract(t, s, m.ID), host.Extract(t, s, m.ID)
	a, err := s.AnalyzeKeypoints(t.Context(), host.Owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: host.Rules(t,
		`[{"analysisType":"euclideanDistance","points":["leftHip","rightHip"]},{"analysisType":"vectorAngle","points":["leftHip","leftShoulder","nose"]}]`)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.CompareKeypoints(t.Context(), host.Owner, motion.CompareRequest{SourceID: e.ID, TargetID: other.ID})
	if err != nil {
		t.Fatal(err)
	}
	const label = `{"drawingType":"label","points":["leftHip"],"text":"hips","analysis":1}`
	dark := func(path string) (n int) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := jpeg.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		for y := range 600 {
			for x := range 400 {
				if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
					n++
				}
			}
		}
		return n
	}
	plain := dark(drawn(t, s, motion.DrawRequest{KeypointID: e.ID, Rules: drawRules(t, `{"drawingType":"label","points":["leftHip"],"text":"hips"}`)}))
	for name, req := range map[string]motion.DrawRequest{
		"keypoints":  {KeypointID: e.ID, AnalysisID: a.ID, Rules: drawRules(t, label)},
		"comparison": {ComparisonID: c.ID, AnalysisID: a.ID, Rules: drawRules(t, label)},
	} {
		if with := dark(drawn(t, s, req)); with <= plain+5 {
			t.Errorf("%s: %d dark pixels with the value, %d without", name, with, plain)
		}
	}
	list, _, err := s.ListDrawings(t.Context(), host.Owner, motion.Page{})
	if err != nil || list[0].AnalysisID != a.ID {
		t.Errorf("the newest drawing is of the analysis %d (%v), want %d", list[0].AnalysisID, err, a.ID)
	}

	far := `{"drawingType":"label","points":["leftHip"],"analysis":2}`
	for name, c := range map[string]struct {
		req   motion.DrawRequest
		field string
	}{
		"no analysis":                {motion.DrawRequest{KeypointID: e.ID, Rules: drawRules(t, label)}, "analysisId"},
		"an analysis of others":      {motion.DrawRequest{KeypointID: other.ID, AnalysisID: a.ID, Rules: drawRules(t, label)}, "analysisId"},
		"an analysis that is not":    {motion.DrawRequest{KeypointID: e.ID, AnalysisID: 999, Rules: drawRules(t, label)}, ""},
		"a number beyond its values": {motion.DrawRequest{KeypointID: e.ID, AnalysisID: a.ID, Rules: drawRules(t, far)}, "rule"},
	} {
		_, err := s.DrawKeypoints(t.Context(), host.Owner, c.req)
		var wrong *motion.RequestError
		switch {
		case c.field == "" && errors.Is(err, motion.ErrNotFound):
		case errors.As(err, &wrong) && wrong.Field == c.field:
		default:
			t.Errorf("%s: %v, want a mistake at %q", name, err, c.field)
		}
	}
	host.Wait(t, s, storage.Analyses, a.ID, storage.Success)
}

// exif returns a JPEG with an orientation, a place and a comment in its metadata.
func exif(t *testing.T, m image.Image, orientation uint16) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	entry := func(tag, typ uint16, count, value uint32) []byte {
		return le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(nil, tag), typ), count), value)
	}
	tiff := []byte("II*\x00\x08\x00\x00\x00\x02\x00")
	tiff = append(tiff, entry(0x0112, 3, 1, uint32(orientation))...)
	tiff = append(tiff, entry(0x8825, 4, 1, 38)...) // GPS
	tiff = append(tiff, 0, 0, 0, 0, 1, 0)
	tiff = append(tiff, entry(0x0001, 2, 2, 'N')...)
	tiff = append(tiff, "\x00\x00\x00\x00secret place"...)
	var app []byte
	for _, s := range []struct {
		marker  byte
		content string
	}{{0xe1, "Exif\x00\x00" + string(tiff)}, {0xfe, "secret comment"}} {
		app = append(app, 0xff, s.marker)
		app = append(binary.BigEndian.AppendUint16(app, uint16(len(s.content)+2)), s.content...)
	}
	return append(append(bytes.Clone(b.Bytes()[:2]), app...), b.Bytes()[2:]...)
}

// TestDrawnPictures: the drawing of a picture is an upright JPEG of quality 90, and says
// nothing but what is to be seen.
func TestDrawnPictures(t *testing.T) {
	s := host.New().Service(t, nil)
	host.Run(t, s)
	stored := image.NewRGBA(image.Rect(0, 0, 120, 80)) // its right half is blue
	for y := range 80 {
		for x := range 120 {
			c := color.RGBA{230, 230, 230, 255}
			if x >= 60 {
				c = color.RGBA{40, 60, 220, 255}
			}
			stored.SetRGBA(x, y, c)
		}
	}
	for orientation, c := range map[uint16]struct {
		size image.Point
		blue image.Point // a place that is blue when the picture is upright
	}{
		1: {image.Pt(120, 80), image.Pt(100, 60)},
		3: {image.Pt(120, 80), image.Pt(20, 60)},
		6: {image.Pt(80, 120), image.Pt(20, 110)},
		8: {image.Pt(80, 120), image.Pt(20, 30)},
	} {
		m := host.Upload(t, s, exif(t, stored, orientation))
		if m.Size != c.size {
			t.Errorf("orientation %d: registered as %v, want %v", orientation, m.Size, c.size)
		}
		e := host.Extract(t, s, m.ID)
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		b, err := os.ReadFile(drawn(t, s, motion.DrawRequest{KeypointID: e.ID, Rules: drawRules(t, noseRule)}))
		if err != nil {
			t.Fatal(err)
		}
		img, err := jpeg.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if img.Bounds().Size() != c.size {
			t.Errorf("orientation %d: %v, want %v", orientation, img.Bounds().Size(), c.size)
		}
		if got := color.RGBAModel.Convert(img.At(c.blue.X, c.blue.Y)).(color.RGBA); !near(got, color.RGBA{40, 60, 220, 255}, 20) {
			t.Errorf("orientation %d: %v at %v, want blue", orientation, got, c.blue)
		}
		if got := color.RGBAModel.Convert(img.At(c.size.X/2, c.size.Y/10)).(color.RGBA); !near(got, color.RGBA{255, 0, 0, 255}, 60) {
			t.Errorf("orientation %d: the nose is %v, want red", orientation, got)
		}
		if bytes.Contains(b, []byte("secret")) || bytes.Contains(b, []byte("Exif")) {
			t.Errorf("orientation %d: private metadata was carried over", orientation)
		}
		var again bytes.Buffer // the tables of quantisation tell the quality
		if err := jpeg.Encode(&again, img, &jpeg.Options{Quality: 90}); err != nil {
			t.Fatal(err)
		}
		if table := func(b []byte) []byte { i := bytes.Index(b, []byte{0xff, 0xdb}); return b[i : i+134] }; !bytes.Equal(table(b), table(again.Bytes())) {
			t.Errorf("orientation %d: the quality is not 90", orientation)
		}
	}
}

const noseRule = `{"drawingType":"keypoint","points":["nose"],"color":"red","size":12}`

// TestDrawnMovies: whatever the movie is like, the drawn one has its frames, times and
// sound, is upright and of even size, can be played everywhere, and says nothing of where
// and when it was recorded.
func TestDrawnMovies(t *testing.T) {
	if testing.Short() {
		t.Skip("the time goes into ffmpeg, not run with -short")
	}
	s := host.New().Service(t, withFFmpeg(t))
	host.Run(t, s)
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
			for _, background := range []*draw.Background{nil, {SkeletonOnly: true, Color: "limeGreen"}} {
				req := motion.DrawRequest{KeypointID: e.ID, Rules: drawRules(t, noseRule)}
				back := color.RGBA{0x30, 0x60, 0xa0, 255}
				if background != nil {
					req.Background, back = background, color.RGBA{0x32, 0xcd, 0x32, 255}
				}
				path := drawn(t, s, req)
				p := probe(t, path)
				v := p.Streams[0]
				if v.Codec != "h264" || v.Format != "yuv420p" || v.Range != "tv" || image.Pt(v.Width, v.Height) != c.size || len(v.Sides) > 0 {
					t.Errorf("the stream is %+v, want H.264 yuv420p of %v", v, c.size)
				}
				matrix := "smpte170m"
				if name == "BT.709" && background == nil {
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
				got := pixels(t, path, 10, image.Pt(size.X/2, size.Y/10), c.size.Sub(image.Pt(1, 1)))
				if !near(got[0], color.RGBA{255, 0, 0, 255}, 30) {
					t.Errorf("the nose is %v, want red", got[0])
				}
				if !near(got[1], back, 6) {
					t.Errorf("the background is %v, want %v", got[1], back)
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

// diver moves the nose of an estimator's person down and up again, once in ten frames.
type diver struct{ frame *atomic.Int64 }

func (d diver) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	f, err := host.Estimator{}.Estimate(ctx, img, hint)
	nose, _ := f.At(keypoint.Nose)
	phase := 2 * math.Pi * float64(d.frame.Add(1)-1) / 10
	f.Set(keypoint.Nose, nose.Add(keypoint.Point{0, 0.1 * float64(img.Bounds().Dy()) * (1 - math.Cos(phase))}), 0.9)
	return f, err
}

// TestDrawOptions: a movie is trimmed to seconds or to a repetition, its faces are blurred, and a part
// that it does not have is a failure that says so.
func TestDrawOptions(t *testing.T) {
	s := host.New().Service(t, func(c *motion.Config) {
		withFFmpeg(t)(c)
		c.Estimator = diver{new(atomic.Int64)}
	})
	host.Run(t, s)
	data, err := os.ReadFile(movie(t, "-f", "lavfi", "-i", "testsrc=s=128x96:r=10:d=3,noise=alls=90", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "5", "-pix_fmt", "yuv420p"))
	if err != nil {
		t.Fatal(err)
	}
	e := extractMovie(t, s, data)
	dive := host.Rules(t, `{"analysisType":"verticalDifference","points":["nose","leftHip"]}`)
	deep := dive[0]
	deep.Repetitions = &analyze.RepetitionOptions{Prominence: 10} // some frames are estimated before those that come first
	trimmed := func(o motion.DrawOptions) (path string, times []float64) {
		path = drawn(t, s, motion.DrawRequest{KeypointID: e.ID, DrawOptions: o, Rules: drawRules(t, `{"drawingType":"keypoint","points":["leftHip"]}`)})
		for _, f := range probe(t, path).Frames {
			times = append(times, f.Time)
		}
		return path, times
	}
	plain, got := trimmed(motion.DrawOptions{To: 0.1})
	if len(got) != 2 || got[0] != 0 {
		t.Errorf("up to 0.1 s: frames at %v", got)
	}
	blurred, got := trimmed(motion.DrawOptions{From: 1, To: 1.5, BlurFaces: true, Values: dive})
	if len(got) != 6 || got[0] != 0 || math.Abs(got[5]-0.5) > 1e-4 {
		t.Errorf("from 1 s to 1.5 s: frames at %v", got)
	}
	// Of the noise at the nose, nothing is left.
	contrast := func(path string) (sum int) {
		for p := range pictures(t, path) {
			for x := 56; x < 72; x++ {
				a, b := color.GrayModel.Convert(p.Image.At(x, 9)).(color.Gray), color.GrayModel.Convert(p.Image.At(x+1, 9)).(color.Gray)
				sum += max(int(a.Y)-int(b.Y), int(b.Y)-int(a.Y))
			}
			break
		}
		return sum
	}
	if before, after := contrast(plain), contrast(blurred); after > before/3 {
		t.Errorf("the contrast at the nose is %d, and %d without blur", after, before)
	}
	for want, o := range map[string]motion.DrawOptions{
		"no frame is between 7 s and 8 s, and the last one is": {From: 7, To: 8},
	} {
		d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID, DrawOptions: o})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Drawings, d.ID, storage.Failure)
		if d, err = s.GetDrawing(t.Context(), host.Owner, d.ID); err != nil || !strings.Contains(d.Failure, want) {
			t.Errorf("failed with %q (%v), want %q", d.Failure, err, want)
		}
	}
}

// TestFacesOfEverybody: in a record of everybody all faces are blurred, else only that of the person.
func TestFacesOfEverybody(t *testing.T) {
	s := host.New().Service(t, func(c *motion.Config) { c.Estimator = pairOf{} })
	host.Run(t, s)
	stripes := image.NewGray(image.Rect(0, 0, 100, 100))
	for i := range stripes.Pix {
		stripes.Pix[i] = uint8(i / 2 % 2 * 255)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, stripes); err != nil {
		t.Fatal(err)
	}
	m := host.Upload(t, s, b.Bytes())
	for _, everybody := range []bool{false, true} {
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(m.ID), FindOptions: motion.FindOptions{Everybody: everybody, Choose: inference.Choice{Policy: inference.PolicyHighestScore}}})
		if err != nil {
			t.Fatal(err)
		}
		path := drawn(t, s, motion.DrawRequest{KeypointID: e.ID, Rules: drawRules(t, `{"drawingType":"keypoint","points":["leftHip"]}`), DrawOptions: motion.DrawOptions{BlurFaces: true}})
		img := readPicture(t, path)
		contrast := func(from int) (most int) { // of ten pixels beside the nose
			for x := from; x < from+10; x++ {
				g, _ := color.GrayModel.Convert(img.At(x, 40)).(color.Gray)
				most = max(most, int(g.Y)-128, 128-int(g.Y))
			}
			return most
		}
		if left := contrast(22); left > 64 {
			t.Errorf("everybody %v: the contrast of the person's face is %d", everybody, left)
		}
		if right := contrast(88); (right < 64) != everybody {
			t.Errorf("everybody %v: the contrast of the other face is %d", everybody, right)
		}
	}
}
