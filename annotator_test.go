package motion_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// The short way out: a picture and its keypoints in, the annotated picture out.
func ExampleAnnotator() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "photos")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	photo, annotated := filepath.Join(dir, "photo.png"), filepath.Join(dir, "annotated.jpg")
	if err := os.WriteFile(photo, host.Picture(200, 100), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	seq, _, err := motion.Extractor{Estimator: host.Estimator{}}.File(ctx, photo)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := motion.Annotator{Rules: []draw.Rule{{Type: "keypoint", Color: "red", Size: 10}}}
	if err := a.File(ctx, photo, annotated, seq); err != nil {
		fmt.Println(err)
		return
	}
	file, err := os.Open(annotated)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	img, err := jpeg.Decode(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, g, _, _ := img.At(100, 10).RGBA() // the nose
	fmt.Println(img.Bounds().Size(), r > 0xc000, g < 0x4000)
	// Output: (200,100) true true
}

// find finds the keypoints of a file with the tests' estimator.
func find(t testing.TB, path string, d inference.Decoder) keypoint.Sequence {
	t.Helper()
	seq, _, err := motion.Extractor{Estimator: host.Estimator{}, Decoder: d}.File(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func readPicture(t testing.TB, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := inference.DecodeImage(t.Context(), nil, f, 0)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// onlyFiles checks that a folder holds nothing but the files that are named.
func onlyFiles(t testing.TB, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the folder holds %v, want %v", got, names)
	}
}

// TestAnnotatePictures: an annotated photograph is upright, in either format, with the
// drawing on the person; a Service draws the same bytes.
func TestAnnotatePictures(t *testing.T) {
	for _, in := range []string{"exif_1.jpg", "exif_6.jpg", "exif_8.jpg", "lossy.webp"} {
		t.Run(in, func(t *testing.T) {
			in := testkit.Data(t, "hostile/image_ok/"+in)
			seq, upright := find(t, in, nil), readPicture(t, in)
			dir := t.TempDir()
			rules := drawRules(t, noseRule)
			var told []int
			a := motion.Annotator{Rules: rules, Progress: func(done, total int) { told = append(told, done, total) }}
			for _, name := range []string{"a.jpg", "a.png"} {
				if err := a.File(t.Context(), in, filepath.Join(dir, name), seq); err != nil {
					t.Fatal(err)
				}
			}
			if fmt.Sprint(told) != "[1 1 1 1]" {
				t.Errorf("progress %v", told)
			}
			onlyFiles(t, dir, "a.jpg", "a.png")
			got := readPicture(t, filepath.Join(dir, "a.png"))
			if got.Bounds().Size() != upright.Bounds().Size() {
				t.Fatalf("%v pixels, want %v", got.Bounds().Size(), upright.Bounds().Size())
			}
			nose, _ := seq.Frames[0].At(keypoint.Nose)
			size := got.Bounds().Size()
			for y := range size.Y {
				for x := range size.X {
					want := color.RGBAModel.Convert(upright.At(x, y)).(color.RGBA)
					away := nose.Sub(keypoint.Point{float64(x) + 0.5, float64(y) + 0.5}).Len()
					reach := max(12*float64(max(size.X, size.Y))/150, 4) / 2
					if away < reach-1 {
						want = color.RGBA{255, 0, 0, 255}
					} else if away < reach+1 {
						continue
					}
					if c := color.RGBAModel.Convert(got.At(x, y)).(color.RGBA); c != want {
						t.Fatalf("pixel (%d, %d) is %v, want %v", x, y, c, want)
					}
				}
			}

			data, err := os.ReadFile(in)
			if err != nil {
				t.Fatal(err)
			}
			s := host.New().Service(t, nil)
			host.Run(t, s)
			e := host.Extract(t, s, host.Upload(t, s, data).ID)
			host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
			theirs, err := os.ReadFile(drawn(t, s, motion.DrawRequest{KeypointID: e.ID, Rules: rules}))
			if err != nil {
				t.Fatal(err)
			}
			ours, err := os.ReadFile(filepath.Join(dir, "a.jpg"))
			if err != nil || !bytes.Equal(ours, theirs) {
				t.Errorf("a Service draws %d other bytes than the %d here (%v)", len(theirs), len(ours), err)
			}
		})
	}
}

// TestAnnotateMovies: an annotated movie has the frames, times and sound of the movie, and
// an odd size is rounded up.
// TestAnnotateItself: the file that is read is not replaced, whatever the name of the output.
func TestAnnotateItself(t *testing.T) {
	dir := t.TempDir()
	in, photo := filepath.Join(dir, "photo.png"), host.Picture(64, 64)
	if err := os.WriteFile(in, photo, 0o644); err != nil {
		t.Fatal(err)
	}
	seq := find(t, in, nil)
	for name, link := range map[string]func(string, string) error{"symbolic.png": os.Symlink, "hard.png": os.Link} {
		if err := link(in, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"photo.png", "symbolic.png", "hard.png", "./nothing/../photo.png"} {
		err := motion.Annotator{}.File(t.Context(), in, filepath.Join(dir, name), seq)
		if !errors.Is(err, motion.ErrInvalid) || !strings.Contains(err.Error(), "it is the file that is read") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b, err := os.ReadFile(in); err != nil || !bytes.Equal(b, photo) {
		t.Errorf("the photo has %d bytes, want %d (%v)", len(b), len(photo), err)
	}
	if err := (motion.Annotator{}).File(t.Context(), in, filepath.Join(dir, "other.png"), seq); err != nil {
		t.Error(err)
	}
}

func TestAnnotateMovies(t *testing.T) {
	withFFmpeg(t)
	in := movie(t, "-f", "lavfi", "-i", "color=0x3060a0:s=98x64:r=25:d=0.8", "-f", "lavfi", "-i", "sine=d=0.8", "-c:a", "aac",
		"-vf", "format=yuv444p,crop=97:63:0:0:exact=1,setpts='(N+0.4*mod(N\\,3))/25/TB'", "-fps_mode", "passthrough",
		"-c:v", "libx264", "-preset", "ultrafast")
	seq := find(t, in, ffmpeg.Decoder{})
	dir := t.TempDir()
	out := filepath.Join(dir, "out.mp4")
	done := 0
	a := motion.Annotator{
		Decoder: ffmpeg.Decoder{}, Encoder: mp4.Encoder{Preset: "ultrafast"}, Rules: drawRules(t, noseRule),
		Progress: func(n, total int) {
			if done++; n != done || total != seq.Len() {
				t.Errorf("progress %d of %d after %d frames", n, total, done)
			}
		},
	}
	if err := a.File(t.Context(), in, out, seq); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, dir, "out.mp4")
	p := probe(t, out)
	if v := p.Streams[0]; image.Pt(v.Width, v.Height) != image.Pt(98, 64) || v.Frames != seq.Len() || len(p.Streams) != 2 || p.Streams[1].Type != "audio" {
		t.Errorf("the streams are %+v", p.Streams)
	}
	for i, f := range p.Frames {
		if d := f.Time - seq.Times[i]; d > 1e-4 || d < -1e-4 {
			t.Errorf("frame %d is at %v s, want %v", i, f.Time, seq.Times[i])
		}
	}
	if got := pixels(t, out, 10, image.Pt(48, 6))[0]; !near(got, color.RGBA{255, 0, 0, 255}, 30) {
		t.Errorf("the nose is %v, want red", got)
	}

	// One that is cancelled leaves nothing.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a.Progress = func(int, int) { cancel() }
	if err := a.File(ctx, in, filepath.Join(dir, "cancelled.mp4"), seq); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	onlyFiles(t, dir, "out.mp4")

	// A compared movie needs nothing but the other recording.
	target := seq.Clone()
	for i := range target.Frames {
		target.Frames[i].Set(keypoint.Nose, keypoint.Point{20, 40}, 1)
	}
	a.Rules, a.Target, a.Progress = nil, &target, nil
	if err := a.File(t.Context(), in, out, seq); err != nil {
		t.Fatal(err)
	}
	if got := pixels(t, out, 10, image.Pt(48, 6))[0]; !near(got, color.RGBA{255, 0, 0, 255}, 90) {
		t.Errorf("a nose that is elsewhere is %v, want red", got)
	}

	// A span is a movie of its own: frames 5 to 12, from 0 s, without sound.
	a.Rules, a.Target, a.Span = drawRules(t, noseRule), nil, keypoint.Span{First: 5, Last: 12}
	if err := a.File(t.Context(), in, out, seq); err != nil {
		t.Fatal(err)
	}
	p = probe(t, out)
	if len(p.Streams) != 1 || p.Streams[0].Frames != 8 || len(p.Frames) != 8 {
		t.Fatalf("the streams are %+v", p.Streams)
	}
	for i, f := range p.Frames {
		if d := f.Time - (seq.Times[5+i] - seq.Times[5]); d > 1e-4 || d < -1e-4 {
			t.Errorf("frame %d of the span is at %v s", i, f.Time)
		}
	}
	for _, span := range []keypoint.Span{{First: -1, Last: 3}, {First: 4, Last: 3}, {First: 3, Last: seq.Len()}} {
		a.Span = span
		if err := a.File(t.Context(), in, filepath.Join(dir, "none.mp4"), seq); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("span %v: %v, want ErrInvalid", span, err)
		}
	}
}

// TestAnnotateErrors: what does not fit is named, and nothing is left behind.
func TestAnnotateErrors(t *testing.T) {
	photo := filepath.Join(t.TempDir(), "photo.png")
	if err := os.WriteFile(photo, host.Picture(60, 40), 0o666); err != nil {
		t.Fatal(err)
	}
	film := filepath.Join(t.TempDir(), "film.mp4")
	if err := os.WriteFile(film, []byte("a movie, says the decoder"), 0o666); err != nil {
		t.Fatal(err)
	}
	still := find(t, photo, nil)
	moving := keypoint.Sequence{Size: still.Size, Frames: make([]keypoint.Frame, 4), Times: []float64{0, 1, 2, 3}}
	larger := still
	larger.Size = image.Pt(61, 40)
	sizeless := moving
	sizeless.Size = image.Point{}
	seven := 7
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	m := frozenMovie{still.Size, 3}
	for name, c := range map[string]struct {
		ctx  context.Context
		a    motion.Annotator
		in   string
		out  string
		seq  keypoint.Sequence
		want string
	}{
		"no file":             {in: photo + "x", out: "a.jpg", seq: still, want: "no such file"},
		"picture as movie":    {in: photo, out: "a.mp4", seq: still, want: "want the extension .jpg or .png"},
		"movie as picture":    {in: film, out: "a.jpg", seq: moving, want: "want the extension .mp4"},
		"keypoints of movies": {in: photo, out: "a.jpg", seq: moving, want: "its keypoints are of 4"},
		"keypoints of others": {in: photo, out: "a.jpg", seq: larger, want: "(60,40) pixels large, its keypoints are of a picture of (61,40)"},
		"keypoints alone":     {in: film, out: "a.mp4", seq: sizeless, want: "keypoints: they have no size"},
		"limit":               {in: photo, out: "a.jpg", seq: still, a: motion.Annotator{Limits: motion.Limits{ImagePixels: 100}}, want: "not fewer than 100 pixels"},
		"limit of nothing": {in: photo, out: "a.jpg", seq: still, want: "not fewer than 100 pixels",
			a: motion.Annotator{Limits: motion.Limits{ImagePixels: 100}, Background: draw.Background{SkeletonOnly: true}}},
		"rules":       {in: photo, out: "a.jpg", seq: still, a: motion.Annotator{Rules: []draw.Rule{{Type: "ring"}}}, want: "/drawingType"},
		"comparisons": {in: photo, out: "a.jpg", seq: still, a: motion.Annotator{Rules: []draw.Rule{{Type: "keypoint", Ghost: "red"}}}, want: "for drawing a comparison only"},
		"values": {in: photo, out: "a.jpg", seq: still, want: "analysis 7, counted from 0, but there are 0",
			a: motion.Annotator{Rules: []draw.Rule{{Type: "label", Analysis: &seven}}}},
		"no encoder":       {in: film, out: "a.mp4", seq: moving, a: motion.Annotator{Decoder: m}, want: "the encoder is missing"},
		"no decoder":       {in: film, out: "a.mp4", seq: moving, a: motion.Annotator{Encoder: m}, want: "the decoder is missing"},
		"fewer frames":     {in: film, out: "a.mp4", seq: moving, a: motion.Annotator{Decoder: m, Encoder: m}, want: "the movie has 3 frames, its keypoints are of 4"},
		"limit of frames":  {in: film, out: "a.mp4", seq: moving, a: motion.Annotator{Decoder: m, Encoder: m, Limits: motion.Limits{Frames: 4}}, want: "4 is not fewer than 4"},
		"cancelled":        {ctx: ended, in: photo, out: "a.jpg", seq: still, want: "context canceled"},
		"cancelled movie":  {ctx: ended, in: film, out: "a.mp4", seq: moving, a: motion.Annotator{Decoder: m, Encoder: m}, want: "context canceled"},
		"no such folder":   {in: photo, out: "b/a.jpg", seq: still, want: "no such file"},
		"keypoints of one": {in: film, out: "a.mp4", seq: still, a: motion.Annotator{Decoder: m, Encoder: m}, want: "1 frames with 0 times"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if c.ctx == nil {
				c.ctx = t.Context()
			}
			err := c.a.File(c.ctx, c.in, filepath.Join(dir, c.out), c.seq)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			onlyFiles(t, dir)
		})
	}
}

// frozenMovie decodes and encodes without a program: frames of one grey.
type frozenMovie struct {
	size   image.Point
	frames int
}

func (m frozenMovie) Probe(context.Context, io.ReadSeeker) (inference.Info, error) {
	return inference.Info{Size: m.size, FrameRate: 1}, nil
}

func (m frozenMovie) Open(ctx context.Context, _ io.ReadSeeker) (inference.Frames, error) {
	return &frozenFrames{frozenMovie: m, ctx: ctx}, nil
}

func (m frozenMovie) Create(_ context.Context, path string, _ draw.Movie) (draw.MovieWriter, error) {
	return frozenWriter{}, os.WriteFile(path+".part", nil, 0o666)
}

type frozenFrames struct {
	frozenMovie
	ctx  context.Context
	next int
}

func (f *frozenFrames) Info() inference.Info { return inference.Info{Size: f.size} }
func (f *frozenFrames) Close() error         { return nil }

func (f *frozenFrames) Next() (inference.Picture, error) {
	if f.next == f.frames {
		return inference.Picture{}, io.EOF
	}
	f.next++
	return inference.Picture{Image: image.NewGray(image.Rectangle{Max: f.size}), Time: float64(f.next - 1)}, f.ctx.Err()
}

type frozenWriter struct{}

func (frozenWriter) Write(image.Image, float64) error { return nil }
func (frozenWriter) Close() error                     { return nil }
func (frozenWriter) Abort()                           {}

// TestAnnotateLabels: labels write the values of analyses, ghosts show the target.
func TestAnnotateLabels(t *testing.T) {
	data := host.Picture(400, 600)
	seq, _, err := motion.Extractor{Estimator: host.Estimator{}}.Read(t.Context(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	analyses, err := analyze.ParseRules([]byte(`{"analysisType":"vectorAngle","points":["leftHip","leftShoulder","nose"]}`))
	if err != nil {
		t.Fatal(err)
	}
	target := seq.Clone()
	target.Frames[0].Set(keypoint.Nose, keypoint.Point{300, 400}, 1)
	ink := func(a motion.Annotator) (n int) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "in.png")
		out := filepath.Join(filepath.Dir(path), "out.png")
		err := os.WriteFile(path, data, 0o666)
		if err == nil {
			err = a.File(t.Context(), path, out, seq)
		}
		if err != nil {
			t.Fatal(err)
		}
		img := readPicture(t, out)
		for y := range 600 {
			for x := range 400 {
				if r, _, _, _ := img.At(x, y).RGBA(); r < 0x9000 {
					n++
				}
			}
		}
		return n
	}
	label := drawRules(t, `{"drawingType":"label","points":["leftHip"],"text":"hips","analysis":0}`)
	plain := drawRules(t, `{"drawingType":"label","points":["leftHip"],"text":"hips"}`)
	if with, without := ink(motion.Annotator{Rules: label, Analyses: analyses}), ink(motion.Annotator{Rules: plain}); with <= without+5 {
		t.Errorf("%d dark pixels with the value, %d without", with, without)
	}
	place, err := analyze.ParseRules([]byte(`{"analysisType":"coordinate","points":["leftHip"]}`))
	if err != nil {
		t.Fatal(err)
	}
	pixels := ink(motion.Annotator{Rules: label, Analyses: place})
	seq.World.MetresPerPixel = 0.001 // "0.20, 0.30 m" is longer than "200, 300"
	if metres := ink(motion.Annotator{Rules: label, Analyses: place}); metres <= pixels+5 {
		t.Errorf("%d dark pixels with metres, %d with pixels", metres, pixels)
	}
	seq.World = keypoint.World{}
	ghost := drawRules(t, `{"drawingType":"keypoint","points":["leftWrist"],"ghost":"black"}`)
	ghost[0].Points = []keypoint.Selector{keypoint.PartSelector(keypoint.Nose)}
	if with, without := ink(motion.Annotator{Rules: ghost, Target: &target}), ink(motion.Annotator{Rules: drawRules(t, `[]`)}); with <= without {
		t.Errorf("%d dark pixels with the ghost, %d without", with, without)
	}
}
