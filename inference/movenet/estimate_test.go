package movenet_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"sync"
	"testing"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

func fast() movenet.Options {
	return movenet.Options{Pose: lightning.Model(), People: multipose.Model()}
}

func exact() movenet.Options {
	return movenet.Options{Pose: thunder.Model(), People: multipose.Model()}
}

func estimate(t testing.TB, e *movenet.Estimator, img image.Image, previous keypoint.Frame) keypoint.Frame {
	t.Helper()
	f, err := e.Estimate(context.Background(), img, inference.Hint{Previous: previous})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// distance returns the mean and the largest distance of the found parts from the truth, in pixels,
// and the number of missing parts.
func distance(f, truth *keypoint.Frame) (mean, largest float64, missing int) {
	parts := truth.Present().List()
	for _, p := range parts {
		want, _ := truth.At(p)
		got, ok := f.At(p)
		if !ok {
			missing++
			continue
		}
		d := got.Sub(want).Len()
		mean += d
		largest = max(largest, d)
	}
	return mean / float64(max(len(parts)-missing, 1)), largest, missing
}

// TestFollow follows the sample person through a known movement: the truth is the parts found in
// the resting picture, moved with the picture.
func TestFollow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, not run with -short")
	}
	for _, opt := range []movenet.Options{fast(), exact()} {
		t.Run(opt.Pose.Name, func(t *testing.T) {
			e := newEstimator(t, opt)
			resting := estimate(t, e, sample.Image(), keypoint.Frame{})
			mover := sample.NewMover()
			var f keypoint.Frame
			sum, n := 0.0, 0
			visible := sample.Visible()
			for i := range 2 * sample.FrameRate {
				now := float64(i) / sample.FrameRate
				var truth keypoint.Frame
				for _, p := range visible.Present().List() {
					pt, _ := resting.At(p)
					truth.Set(p, sample.Moved(pt, now), 1)
				}
				f = estimate(t, e, mover.Frame(now), f)
				mean, largest, missing := distance(&f, &truth)
				if missing > 2 || largest > 0.1*sample.MovieSize {
					t.Errorf("frame %d: %d parts missing, one %.0f pixels off", i, missing, largest)
				}
				sum += mean
				n++
			}
			const height = 0.85 * sample.MovieSize // of the person, about
			t.Logf("mean error %.2f pixels, %.2f %% of the person's height", sum/float64(n), 100*sum/float64(n)/height)
			if sum/float64(n) > 0.01*height {
				t.Errorf("mean error %.1f pixels, want under 1 %% of the person's height", sum/float64(n))
			}
		})
	}
}

// TestLost: the person is found although the hint is wrong.
func TestLost(t *testing.T) {
	e := newEstimator(t, exact())
	img := sample.Image()
	want := estimate(t, e, img, keypoint.Frame{})
	at := func(x, y, size float64) (f keypoint.Frame) {
		for p := range keypoint.Part(keypoint.NumBody) {
			f.Set(p, keypoint.Point{x + size*float64(p%4)/3, y + size*float64(p)/16}, 0.9)
		}
		return f
	}
	for name, previous := range map[string]keypoint.Frame{
		"in the corner":      at(10, 10, 100),
		"much too small":     at(600, 600, 2),
		"much too large":     at(-4000, -4000, 9000),
		"outside":            at(5000, 5000, 300),
		"out of all numbers": at(1e300, 1e300, 1e300),
		"below the feet":     at(500, 1100, 90),
	} {
		t.Run(name, func(t *testing.T) {
			got := estimate(t, e, img, previous)
			mean, largest, missing := distance(&got, &want)
			if missing > 1 || mean > 15 {
				t.Errorf("%d parts missing, %.0f pixels off in the mean, %.0f at most", missing, mean, largest)
			}
		})
	}
}

// TestGone: nobody is found where the person was before.
func TestGone(t *testing.T) {
	e := newEstimator(t, exact())
	before := estimate(t, e, sample.Image(), keypoint.Frame{})
	for _, c := range []color.Color{color.Black, color.White, color.Gray{128}} {
		img := image.NewRGBA(image.Rect(0, 0, 1200, 1200))
		draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
		for _, previous := range []keypoint.Frame{before, {}} {
			if f := estimate(t, e, img, previous); !f.Empty() {
				t.Errorf("%d parts are found in a plain picture of %v", f.Len(), c)
			}
		}
	}
	for _, size := range []image.Point{{}, {1, 1}, {12000, 8}, {8, 12000}} {
		if f := estimate(t, e, image.NewRGBA(image.Rectangle{Max: size}), before); !f.Empty() {
			t.Errorf("%d parts are found in a black picture of %v", f.Len(), size)
		}
	}
}

// turned returns the sample picture under a linear map around its centre.
func turned(a, b, c, d float64) image.Image {
	src := sample.Image()
	dst := image.NewRGBA(src.Bounds())
	draw.Draw(dst, dst.Rect, image.NewUniform(color.RGBA{238, 238, 238, 255}), image.Point{}, draw.Src)
	m := f64.Aff3{a, b, 600 - 600*a - 600*b, c, d, 600 - 600*c - 600*d}
	xdraw.BiLinear.Transform(dst, m, src, src.Bounds(), xdraw.Over, nil)
	return dst
}

// TestLying: for a person who is not upright the crop is rotated.
func TestLying(t *testing.T) {
	e := newEstimator(t, exact())
	upright := sample.Visible()
	for name, m := range map[string][4]float64{
		"head to the left":      {0, 1, -1, 0},
		"head to the right":     {0, -1, 1, 0},
		"leaning by 45 degrees": {.7071, -.7071, .7071, .7071},
	} {
		t.Run(name, func(t *testing.T) {
			var truth keypoint.Frame
			for _, p := range upright.Present().List() {
				pt, _ := upright.At(p)
				x, y := pt[0]-600, pt[1]-600
				truth.Set(p, keypoint.Point{600 + m[0]*x + m[1]*y, 600 + m[2]*x + m[3]*y}, 1)
			}
			img := turned(m[0], m[1], m[2], m[3])
			first := estimate(t, e, img, keypoint.Frame{})
			followed := estimate(t, e, img, first)
			for when, f := range map[string]keypoint.Frame{"first": first, "followed": followed} {
				mean, largest, missing := distance(&f, &truth)
				t.Logf("%s: %d missing, %.1f pixels off in the mean, %.1f at most", when, missing, mean, largest)
				if missing > 1 || mean > 0.03*1200 {
					t.Errorf("%s: %d parts missing, %.1f pixels off in the mean", when, missing, mean)
				}
			}
		})
	}
}

// TestPictureTypes: the result does not depend on the type and the bounds of the picture, and the
// picture is not changed.
func TestPictureTypes(t *testing.T) {
	e := newEstimator(t, exact())
	src := sample.Image()
	want := estimate(t, e, src, keypoint.Frame{})
	rgba := image.NewRGBA(src.Bounds())
	draw.Draw(rgba, rgba.Rect, src, image.Point{}, draw.Src)
	movie := yuv.New(rgba.Rect.Size())
	movie.FromRGBA(rgba)
	far := &image.RGBA{Pix: rgba.Pix, Stride: rgba.Stride, Rect: rgba.Rect.Add(image.Pt(-300, 5000))}
	before := slices.Clone(rgba.Pix)
	for name, c := range map[string]struct {
		img    image.Image
		corner keypoint.Point
	}{
		"RGBA": {rgba, keypoint.Point{}}, "yuv": {movie, keypoint.Point{}},
		"elsewhere": {far, keypoint.Point{-300, 5000}},
	} {
		t.Run(name, func(t *testing.T) {
			var moved keypoint.Frame
			for _, p := range want.Present().List() {
				pt, _ := want.At(p)
				moved.Set(p, pt.Add(c.corner), 1)
			}
			got := estimate(t, e, c.img, keypoint.Frame{})
			followed := estimate(t, e, c.img, got)
			for when, f := range map[string]keypoint.Frame{"first": got, "followed": followed} {
				if mean, largest, missing := distance(&f, &moved); missing > 0 || mean > 8 || largest > 30 {
					t.Errorf("%s: %d parts missing, %.1f pixels off in the mean, %.1f at most", when, missing, mean, largest)
				}
			}
		})
	}
	if !slices.Equal(before, rgba.Pix) {
		t.Error("the picture was changed")
	}
}

// TestManyAtOnce: concurrent estimates give the same results as sequential ones.
func TestManyAtOnce(t *testing.T) {
	opt := fast()
	opt.Threads = 1
	e := newEstimator(t, opt)
	mover := sample.NewMover()
	var pictures []*image.RGBA
	var want []keypoint.Frame
	for i := range 4 {
		m := *mover.Frame(float64(i) / 7)
		m.Pix = slices.Clone(m.Pix)
		pictures = append(pictures, &m)
		want = append(want, estimate(t, e, &m, keypoint.Frame{}))
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 10 {
				k := (g + i) % len(pictures)
				f, err := e.Estimate(context.Background(), pictures[k], inference.Hint{})
				if err != nil || f != want[k] {
					t.Errorf("goroutine %d, picture %d: another answer than alone (error %v)", g, k, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestNewRefuses(t *testing.T) {
	library := movenettest.Library(t)
	damaged := lightning.Model()
	damaged.ONNX = append(slices.Clone(damaged.ONNX), 0)
	for name, c := range map[string]struct {
		opt  movenet.Options
		want string
	}{
		"no pose network":     {movenet.Options{}, "Options.Pose is missing"},
		"people for a pose":   {movenet.Options{Pose: multipose.Model()}, "Options.Pose is missing"},
		"a pose for people":   {movenet.Options{Pose: lightning.Model(), People: thunder.Model()}, "use multipose.Model()"},
		"a damaged network":   {movenet.Options{Pose: damaged}, "is damaged"},
		"a library not there": {movenet.Options{Pose: lightning.Model(), Library: "none.so"}, "none.so"},
		"damaged for people":  {movenet.Options{Library: library, Pose: lightning.Model(), People: movenet.Model{Name: "x", ONNX: []byte("no model"), SHA256: "0"}}, "x is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := movenet.New(c.opt)
			if err == nil {
				e.Close()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %q", err, c.want)
			}
			if name == "a library not there" && !errors.Is(err, movenet.ErrLibrary) {
				t.Errorf("error %v is no ErrLibrary", err)
			}
		})
	}
}

func TestEnds(t *testing.T) {
	e := newEstimator(t, fast())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Estimate(ctx, sample.Image(), inference.Hint{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	// Close waits for running estimates; later ones give an error.
	img := sample.Image()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				f, err := e.Estimate(context.Background(), img, inference.Hint{})
				if err != nil {
					if !strings.Contains(err.Error(), "closed") {
						t.Error(err)
					}
					return
				}
				if f.Empty() {
					t.Error("nobody is found")
				}
			}
		})
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if err := e.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
}

// movieFrame is a 720p frame of a movie, with the sample person in it.
func movieFrame() image.Image {
	src := sample.Image()
	rgba := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	xdraw.BiLinear.Scale(rgba, image.Rect(280, 0, 1000, 720), src, src.Bounds(), xdraw.Src, nil)
	frame := yuv.New(rgba.Rect.Size())
	frame.FromRGBA(rgba)
	return frame
}

// BenchmarkEstimate estimates one 720p frame of a movie, without a hint and following the person of
// the frame before.
func BenchmarkEstimate(b *testing.B) {
	frame := movieFrame()
	for _, opt := range []movenet.Options{fast(), exact()} {
		opt.Threads = 1
		e := newEstimator(b, opt)
		person := estimate(b, e, frame, keypoint.Frame{})
		for _, c := range []struct {
			name string
			hint inference.Hint
		}{{"found", inference.Hint{}}, {"followed", inference.Hint{Previous: person}}} {
			b.Run(opt.Pose.Name+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := e.Estimate(context.Background(), frame, c.hint); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
