package ffmpeg_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// fake is a Runner that plays both programs: ffprobe announces frames of 4×2 pixels,
// ffmpeg writes what it is told to.
type fake struct {
	announced int
	decode    func(ctx context.Context, pictures, messages io.Writer) error
}

func (f fake) Run(ctx context.Context, c program.Command) error {
	if c.Program == "ffprobe" {
		if slices.Contains(c.Args, "packet=pts_time,dts_time,duration_time,flags") {
			for i := range f.announced {
				fmt.Fprintf(c.Stdout, "%g,N/A,0.1,K_\n", float64(i)/10)
			}
			return nil
		}
		_, err := fmt.Fprintf(c.Stdout, `{"streams":[{"codec_type":"video","width":4,"height":2,"pix_fmt":"yuv420p","avg_frame_rate":"10/1","nb_frames":"%d"}]}`, f.announced)
		return err
	}
	return f.decode(ctx, c.Stdout, c.Stderr)
}

const pictureHeader = "YUV4MPEG2 W4 H2 F10:1 Ip A1:1 C420mpeg2\n"

// frame is the picture number n as FFmpeg writes it, after its time.
func frame(pictures, messages io.Writer, n int) error {
	fmt.Fprintf(messages, "frame:%-4d pts:%-7d pts_time:%g\nm=1\n", n, n*100_000, float64(n)/10)
	_, err := io.WriteString(pictures, "FRAME\n"+strings.Repeat(string(rune('a'+n%26)), yuv.Bytes(image.Pt(4, 2))))
	return err
}

func pictures(n int) func(context.Context, io.Writer, io.Writer) error {
	return func(_ context.Context, out, messages io.Writer) error {
		io.WriteString(out, pictureHeader)
		for i := range n {
			if err := frame(out, messages, i); err != nil {
				return err
			}
		}
		return nil
	}
}

// all decodes what a fake delivers.
func all(t *testing.T, d ffmpeg.Decoder) (times []float64, damage string, err error) {
	t.Helper()
	d.TempDir = t.TempDir()
	m, err := d.Open(t.Context(), strings.NewReader("\x00\x00\x00\x18ftypisom"))
	if err != nil {
		return nil, "", err
	}
	defer m.Close()
	for {
		p, err := m.Next()
		if err == io.EOF {
			return times, m.Info().Damage, nil
		}
		if err != nil {
			return times, m.Info().Damage, err
		}
		want := byte('a' + len(times)%26)
		if y := p.Image.(*yuv.Image); y.Y[0] != want || y.Cr[1] != want {
			t.Errorf("frame %d holds %q and %q", len(times), y.Y[0], y.Cr[1])
		}
		times = append(times, p.Time)
		p.Release()
	}
}

func TestFrames(t *testing.T) {
	exit := errors.New("exit status 1")
	for name, c := range map[string]struct {
		runner fake
		frames int
		kind   error  // nil for a whole movie
		says   string // part of the error, or of the damage
	}{
		"whole":            {fake{10, pictures(10)}, 10, nil, ""},
		"more than said":   {fake{5, pictures(10)}, 10, nil, ""},
		"a few fewer":      {fake{10, pictures(8)}, 8, nil, ""},
		"half":             {fake{10, pictures(5)}, 5, nil, "5 of its 10 frames can be decoded"},
		"none":             {fake{10, pictures(0)}, 0, inference.ErrFormat, "no picture can be decoded"},
		"nothing":          {fake{10, func(context.Context, io.Writer, io.Writer) error { return nil }}, 0, inference.ErrFormat, "0 of 10"},
		"the limit":        {fake{19, pictures(20)}, 19, inference.ErrTooManyFrames, "not fewer than 20"},
		"announced limit":  {fake{20, pictures(1)}, 0, inference.ErrTooManyFrames, "20 is not fewer than 20"},
		"the limit, lying": {fake{1, pictures(500)}, 19, inference.ErrTooManyFrames, "not fewer than 20"},
		"below the limit":  {fake{19, pictures(19)}, 19, nil, ""},
		"of another size": {fake{1, func(_ context.Context, out, _ io.Writer) error {
			_, err := io.WriteString(out, "YUV4MPEG2 W8 H2 C420\n")
			return err
		}}, 0, inference.ErrFormat, "not of the format"},
		"garbage": {fake{1, func(_ context.Context, out, _ io.Writer) error { _, err := out.Write(make([]byte, 1000)); return err }}, 0, inference.ErrFormat, "not of the format"},
		"a picture cut off": {fake{2, func(_ context.Context, out, _ io.Writer) error {
			_, err := io.WriteString(out, pictureHeader+"FRAME\nabc")
			return err
		}}, 0, inference.ErrFormat, "cut off after 9 of 18 bytes"},
		"an error at last": {fake{3, func(ctx context.Context, out, messages io.Writer) error {
			pictures(3)(ctx, out, messages)
			io.WriteString(messages, "something is wrong\n")
			return exit
		}}, 3, inference.ErrFormat, "FFmpeg says: something is wrong"},
		"without its index": {fake{1, func(_ context.Context, _, messages io.Writer) error {
			io.WriteString(messages, "[mov @ 0x55] moov atom not found\nfile:a.mp4: Invalid data found when processing input\n")
			return exit
		}}, 0, inference.ErrFormat, "the index at its end is missing"},
		"damaged": {fake{10, func(ctx context.Context, out, messages io.Writer) error {
			io.WriteString(messages, strings.Repeat("a.mp4: corrupt decoded frame in stream 0\n", 4))
			return pictures(10)(ctx, out, messages)
		}}, 10, nil, "4 of its 10 frames"},
		"a little damaged": {fake{10, func(ctx context.Context, out, messages io.Writer) error {
			io.WriteString(messages, "a.mp4: corrupt decoded frame in stream 0\n")
			return pictures(10)(ctx, out, messages)
		}}, 10, nil, "1 of its 10 frames"},
		"many messages": {fake{10, func(ctx context.Context, out, messages io.Writer) error {
			for range 1000 {
				io.WriteString(messages, strings.Repeat("x", 10_000))
			}
			io.WriteString(messages, "\n")
			return pictures(10)(ctx, out, messages)
		}}, 10, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			times, damage, err := all(t, ffmpeg.Decoder{Runner: c.runner, Buffers: 2, MaxFrames: 20})
			if len(times) != c.frames {
				t.Errorf("%d frames, want %d", len(times), c.frames)
			}
			for i, at := range times {
				if want := float64(i) / 10; at < want-1e-9 || at > want+1e-9 {
					t.Errorf("frame %d is at %v s, want %v", i, at, want)
				}
			}
			said := damage
			if err != nil {
				said = err.Error()
			}
			if !errors.Is(err, c.kind) || !strings.Contains(said, c.says) || c.says == "" && said != "" {
				t.Errorf("the error is %v and the damage %q, want one of %v with %q", err, damage, c.kind, c.says)
			}
		})
	}
}

// TestStall ends an FFmpeg that delivers nothing more, after the time that was set.
func TestStall(t *testing.T) {
	runner := fake{10, func(ctx context.Context, out, messages io.Writer) error {
		if err := pictures(3)(ctx, out, messages); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}}
	times, _, err := all(t, ffmpeg.Decoder{Runner: runner, Timeout: 50 * time.Millisecond})
	if len(times) != 3 || !errors.Is(err, inference.ErrFormat) || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("%d frames (%v)", len(times), err)
	}
}

// TestFirstFrame holds that a frame is there as soon as FFmpeg has written it, however
// long the next one takes.
func TestFirstFrame(t *testing.T) {
	goOn := make(chan struct{})
	runner := fake{2, func(ctx context.Context, out, messages io.Writer) error {
		io.WriteString(out, pictureHeader)
		if err := frame(out, messages, 0); err != nil {
			return err
		}
		select {
		case <-goOn:
		case <-ctx.Done():
			return ctx.Err()
		}
		return frame(out, messages, 1)
	}}
	m, err := ffmpeg.Decoder{Runner: runner, TempDir: t.TempDir()}.Open(t.Context(), strings.NewReader("\x00\x00\x00\x18ftypisom"))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Next(); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	if _, err := m.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestNilReader: a nil reader is an error, not a panic.
func TestNilReader(t *testing.T) {
	d, ctx := ffmpeg.Decoder{Runner: fake{}}, t.Context()
	of := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Probe":       of(d.Probe(ctx, nil)),
		"Open":        of(d.Open(ctx, nil)),
		"ProbeImage":  of(d.ProbeImage(ctx, nil)),
		"DecodeImage": of(d.DecodeImage(ctx, nil, 0)),
	} {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWithin: the frames of a movie of too many pixels are smaller, and the others as they are.
func TestWithin(t *testing.T) {
	d := ffmpeg.Decoder{Runner: fake{3, func(_ context.Context, out, messages io.Writer) error {
		io.WriteString(out, strings.Replace(pictureHeader, "W4", "W2", 1))
		for n := range 3 {
			fmt.Fprintf(messages, "frame:%-4d pts:%-7d pts_time:%g\nm=1\n", n, n*100_000, float64(n)/10)
			if _, err := io.WriteString(out, "FRAME\n"+strings.Repeat("x", yuv.Bytes(image.Pt(2, 2)))); err != nil {
				return err
			}
		}
		return nil
	}}}
	movie := strings.NewReader("RIFF\x00\x00\x00\x00AVI LIST")
	for pixels, want := range map[int][2]image.Point{8: {{2, 2}, {4, 2}}, 9: {{4, 2}, {}}, 0: {{4, 2}, {}}} {
		info, err := d.Within(pixels).Probe(t.Context(), movie)
		if err != nil || info.Size != want[0] || info.Stored != want[1] {
			t.Errorf("within %d: %v of %v, want %v (%v)", pixels, info.Size, info.Stored, want, err)
		}
	}
	frames, err := d.Within(8).Open(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	defer frames.Close()
	if pic, err := frames.Next(); err != nil || pic.Image.Bounds().Size() != image.Pt(2, 2) {
		t.Errorf("a frame is %v (%v)", pic, err)
	}
}
