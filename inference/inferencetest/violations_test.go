package inferencetest_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/keypoint"
)

// violations are drivers that break one promise each, with the error that the suite must report.
var violations = map[string]struct {
	test func(t *testing.T)
	want string
}{
	"an Estimator that changes the picture": {estimates(func(ctx context.Context, img image.Image) error {
		if m, ok := img.(*image.RGBA); ok && !m.Rect.Empty() {
			m.Set(m.Rect.Min.X, m.Rect.Min.Y, color.Gray{1})
		}
		return ctx.Err()
	}), "the picture has changed"},
	"an Estimator that keeps the picture": {estimates(func(ctx context.Context, img image.Image) error {
		kept = img
		return ctx.Err()
	}), "the picture is still referenced"},
	"an Estimator that ignores the context": {func(t *testing.T) {
		inferencetest.TestEstimator(t, deaf{}, inferencetest.Pictures{})
	}, "after cancelling: <nil>"},
	"an Estimator that is not safe for concurrent use": {func(t *testing.T) {
		running := make(chan struct{}, 1)
		estimates(func(ctx context.Context, img image.Image) error {
			select {
			case running <- struct{}{}:
				time.Sleep(5 * time.Millisecond)
				<-running
				return ctx.Err()
			default:
				return errors.New("busy")
			}
		})(t)
	}, "busy"},
	"a Decoder that leaks a goroutine": {decodes(func(f *brokenFrames) {
		go func() { select {} }()
	}), "resources are left over"},
	"a Decoder of five buffers": {func(t *testing.T) {
		inferencetest.TestDecoder(t, inferencetest.Decoder{Buffers: 5}, inferencetest.Media{})
	}, "only 5 pictures are in use"},
	"a Decoder whose times do not increase": {decodes(func(f *brokenFrames) { f.still = true }), "0 s, after 0 s"},
	"a Decoder that ends half a movie like a whole one": {decodes(func(f *brokenFrames) { f.quiet = true }),
		"half a movie ends like a whole one"},
	"an Encoder that leaves half a file": {func(t *testing.T) {
		inferencetest.TestEncoder(t, halfEncoder{}, inferencetest.Decoder{})
	}, `the folder holds ["movie.mp4"], want ""`},
}

// TestViolations runs the suites on broken drivers, each in a process of its own, which must fail.
func TestViolations(t *testing.T) {
	const variable = "MOTION_BROKEN_DRIVER"
	if name := os.Getenv(variable); name != "" {
		inferencetest.SetPatience(200 * time.Millisecond)
		violations[name].test(t)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range violations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestViolations$")
			cmd.Env = append(os.Environ(), variable+"="+name)
			out, err := cmd.CombinedOutput()
			if _, failed := errors.AsType[*exec.ExitError](err); !failed || !strings.Contains(string(out), c.want) {
				t.Errorf("the suite does not say %q: %v\n%s", c.want, err, out)
			}
		})
	}
}

var kept image.Image

func estimates(before func(context.Context, image.Image) error) func(*testing.T) {
	return func(t *testing.T) {
		inferencetest.TestEstimator(t, inferencetest.Estimator{Before: before}, inferencetest.Pictures{})
	}
}

type deaf struct{ inferencetest.Estimator }

func (d deaf) Estimate(_ context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	return d.Estimator.Estimate(context.Background(), img, hint)
}

func decodes(opened func(*brokenFrames)) func(*testing.T) {
	return func(t *testing.T) { inferencetest.TestDecoder(t, brokenDecoder{opened: opened}, inferencetest.Media{}) }
}

// brokenDecoder spoils the Frames of a Decoder.
type brokenDecoder struct {
	inferencetest.Decoder
	opened func(*brokenFrames)
}

func (d brokenDecoder) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	m, err := d.Decoder.Open(ctx, r)
	if err != nil {
		return nil, err
	}
	f := &brokenFrames{Frames: m}
	d.opened(f)
	return f, nil
}

type brokenFrames struct {
	inference.Frames
	still bool // all times are 0
	quiet bool // every error is io.EOF
}

func (f *brokenFrames) Next() (inference.Picture, error) {
	p, err := f.Frames.Next()
	if f.still {
		p.Time = 0
	}
	if f.quiet && errors.Is(err, inference.ErrFormat) {
		err = io.EOF
	}
	return p, err
}

// halfEncoder writes into the file itself and leaves it there when the movie is aborted.
type halfEncoder struct{}

func (halfEncoder) Create(_ context.Context, path string, _ draw.Movie) (draw.MovieWriter, error) {
	f, err := os.Create(path)
	return halfMovie{f}, err
}

type halfMovie struct{ file *os.File }

func (w halfMovie) Write(image.Image, float64) error {
	_, err := w.file.WriteString("frame")
	return err
}

func (w halfMovie) Close() error { return w.file.Close() }
func (w halfMovie) Abort()       { w.file.Close() }
