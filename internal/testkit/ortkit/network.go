package ortkit

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// Estimator is an estimator on ONNX Runtime.
type Estimator interface {
	inference.Estimator
	inference.Finder
	io.Closer
}

// Network is a pose network that TestNetwork tests.
type Network struct {
	// Open opens an estimator with a Finder, or alone.
	Open func(opt onnxruntime.Options, alone bool) (Estimator, error)
	// Parts are those that it finds in the sample picture and whose truth is known.
	Parts keypoint.Parts
}

// New opens an estimator, which is closed at the end of the test.
func (n Network) New(t testing.TB, alone bool) Estimator {
	t.Helper()
	e, err := n.Open(onnxruntime.Options{Library: Library(t)}, alone)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	return e
}

// Estimate looks for the person where expected, if there is somebody in the previous frame, or else
// anywhere.
func Estimate(t testing.TB, e inference.Estimator, img image.Image, previous keypoint.Frame) (f keypoint.Frame) {
	t.Helper()
	var err error
	if !previous.Empty() {
		f, err = e.Estimate(t.Context(), img, inference.Hint{Region: inference.Expected(previous)})
	}
	if f.Empty() && err == nil {
		f, err = e.Estimate(t.Context(), img, inference.Hint{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Distance returns the mean and the largest distance of the found parts from the truth, in pixels,
// and the number of missing parts.
func Distance(f, truth *keypoint.Frame) (mean, largest float64, missing int) {
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

// mapped returns a frame whose parts are moved, of confidence 1.
func mapped(f keypoint.Frame, to func(keypoint.Point) keypoint.Point) keypoint.Frame {
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		f.Set(p, to(at), 1)
	}
	return f
}

// TestNetwork tests what the networks of movenet and blazepose have in common, on the sample picture.
func TestNetwork(t *testing.T, n Network) {
	e := n.New(t, false)
	resting := Estimate(t, e, sample.Image(), keypoint.Frame{})
	truth := resting.Only(n.Parts)
	t.Run("sample", func(t *testing.T) { testSample(t, resting) })
	t.Run("follow", func(t *testing.T) { testFollow(t, e, truth) })
	t.Run("lost", func(t *testing.T) { testLost(t, e, resting) })
	t.Run("gone", func(t *testing.T) { testGone(t, []Estimator{e, n.New(t, true)}, resting) })
	t.Run("lying", func(t *testing.T) { testLying(t, e, truth) })
	t.Run("types of pictures", func(t *testing.T) { testTypes(t, e, resting) })
	t.Run("people", func(t *testing.T) { testPeople(t, e, truth) })
	t.Run("many at once", func(t *testing.T) { testMany(t, e) })
	t.Run("errors", func(t *testing.T) { testErrors(t, n) })
	t.Run("ends", func(t *testing.T) { testEnds(t, n.New(t, false)) })
}

// testSample compares the estimate for the sample picture with labels made by hand.
func testSample(t *testing.T, f keypoint.Frame) {
	truth := sample.Visible()
	for _, p := range truth.Present().List() {
		want, _ := truth.At(p)
		got, ok := f.At(p)
		if d := got.Sub(want).Len(); !ok || d > 0.03*1200 {
			t.Errorf("%v is at %.0f (found: %v), %.0f pixels from %v", p, got, ok, d, want)
		} else {
			t.Logf("%v: %.1f pixels, confidence %.2f", p, d, f.Confidence(p))
		}
	}
}

// testFollow follows the sample person through a known movement: the truth is the parts found in
// the resting picture, moved with the picture. The hints have the body's 17 parts only.
func testFollow(t *testing.T, e Estimator, resting keypoint.Frame) {
	if testing.Short() {
		t.Skip("takes long under the race detector, not run with -short")
	}
	mover := sample.NewMover()
	var f keypoint.Frame
	sum, n := 0.0, 0
	for i := range 2 * sample.FrameRate {
		now := float64(i) / sample.FrameRate
		truth := mapped(resting, func(p keypoint.Point) keypoint.Point { return sample.Moved(p, now) })
		f = Estimate(t, e, mover.Frame(now), f.Only(keypoint.Body))
		mean, largest, missing := Distance(&f, &truth)
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
}

// scattered is a frame of all 17 parts.
func scattered(x, y, size float64) (f keypoint.Frame) {
	for p := range keypoint.Part(keypoint.NumBody) {
		f.Set(p, keypoint.Point{x + size*float64(p%4)/3, y + size*float64(p)/16}, 0.9)
	}
	return f
}

// testLost: the person is found although somebody is expected elsewhere.
func testLost(t *testing.T, e Estimator, want keypoint.Frame) {
	for name, previous := range map[string]keypoint.Frame{
		"in the corner":      scattered(10, 10, 100),
		"much too small":     scattered(600, 600, 2),
		"much too large":     scattered(-4000, -4000, 9000),
		"outside":            scattered(5000, 5000, 300),
		"out of all numbers": scattered(1e300, 1e300, 1e300),
		"below the feet":     scattered(500, 1100, 90),
	} {
		got := Estimate(t, e, sample.Image(), previous)
		mean, largest, missing := Distance(&got, &want)
		if missing > 1 || mean > 15 {
			t.Errorf("%s: %d parts missing, %.0f pixels off in the mean, %.0f at most", name, missing, mean, largest)
		}
	}
}

// testGone: nobody is found in plain pictures, where the person was before.
func testGone(t *testing.T, estimators []Estimator, before keypoint.Frame) {
	pictures := []image.Image{}
	for _, c := range []color.Color{color.Black, color.White, color.Gray{128}} {
		img := image.NewRGBA(image.Rect(0, 0, 1200, 1200))
		draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
		pictures = append(pictures, img)
	}
	for _, size := range []image.Point{{}, {X: 1, Y: 1}, {X: 12000, Y: 8}, {X: 8, Y: 12000}} {
		pictures = append(pictures, image.NewRGBA(image.Rectangle{Max: size}))
	}
	for _, img := range pictures {
		for _, previous := range []keypoint.Frame{before, {}} {
			for _, e := range estimators {
				if f := Estimate(t, e, img, previous); !f.Empty() {
					t.Errorf("%d parts are found in a plain picture of %v, %v", f.Len(), img.Bounds().Size(), img.At(0, 0))
				}
			}
		}
	}
}

// testLying: a person who is not upright is found where the picture was turned to, as found upright and
// as labelled.
func testLying(t *testing.T, e Estimator, resting keypoint.Frame) {
	src := sample.Image()
	for name, m := range map[string][4]float64{
		"head to the left":      {0, 1, -1, 0},
		"head to the right":     {0, -1, 1, 0},
		"leaning by 45 degrees": {.7071, -.7071, .7071, .7071},
	} {
		img := image.NewRGBA(src.Bounds())
		draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{238, 238, 238, 255}), image.Point{}, draw.Src)
		a := f64.Aff3{m[0], m[1], 600 - 600*m[0] - 600*m[1], m[2], m[3], 600 - 600*m[2] - 600*m[3]}
		xdraw.BiLinear.Transform(img, a, src, src.Bounds(), xdraw.Over, nil)
		turn := func(p keypoint.Point) keypoint.Point {
			x, y := p[0]-600, p[1]-600
			return keypoint.Point{600 + m[0]*x + m[1]*y, 600 + m[2]*x + m[3]*y}
		}
		first := Estimate(t, e, img, keypoint.Frame{})
		followed := Estimate(t, e, img, first)
		for when, f := range map[string]keypoint.Frame{"first": first, "followed": followed} {
			for of, truth := range map[string]keypoint.Frame{"found upright": mapped(resting, turn), "labelled": mapped(sample.Visible(), turn)} {
				limit := 0.02 * 1200
				if of == "labelled" {
					limit = 0.03 * 1200
				}
				mean, largest, missing := Distance(&f, &truth)
				t.Logf("%s, %s, %s: %d missing, %.1f pixels off in the mean, %.1f at most", name, when, of, missing, mean, largest)
				if missing > 1 || mean > limit {
					t.Errorf("%s, %s, %s: %d parts missing, %.1f pixels off in the mean", name, when, of, missing, mean)
				}
			}
		}
	}
}

// testTypes: the result does not depend on the type and the bounds of the picture, and the
// picture is not changed.
func testTypes(t *testing.T, e Estimator, want keypoint.Frame) {
	src := sample.Image()
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
		"RGBA": {rgba, keypoint.Point{}}, "yuv": {movie, keypoint.Point{}}, "elsewhere": {far, keypoint.Point{-300, 5000}},
	} {
		truth := mapped(want, c.corner.Add)
		got := Estimate(t, e, c.img, keypoint.Frame{})
		followed := Estimate(t, e, c.img, got)
		for when, f := range map[string]keypoint.Frame{"first": got, "followed": followed} {
			if mean, largest, missing := Distance(&f, &truth); missing > 0 || mean > 8 || largest > 30 {
				t.Errorf("%s, %s: %d parts missing, %.1f pixels off in the mean, %.1f at most", name, when, missing, mean, largest)
			}
		}
	}
	if !slices.Equal(before, rgba.Pix) {
		t.Error("the picture was changed")
	}
}

// Apart is how far to the right Couple shows the person again, pixels.
const Apart = 900

// Couple is a picture that shows the sample person twice. Its bounds begin at corner.
func Couple() (img *image.RGBA, corner keypoint.Point) {
	one := sample.Image()
	const at = 70
	img = image.NewRGBA(image.Rect(at, at, at+1200+Apart, at+1200))
	draw.Draw(img, one.Bounds().Add(image.Pt(at, at)), one, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(at+Apart+150, at, at+Apart+1200, at+1200), one, image.Pt(150, 0), draw.Src)
	return img, keypoint.Point{at, at}
}

// testPeople: the person of the hint is estimated, beside somebody else.
func testPeople(t *testing.T, e Estimator, resting keypoint.Frame) {
	img, corner := Couple()
	found, err := e.Find(t.Context(), img)
	if err != nil || len(found) < 2 {
		t.Fatalf("%d people (%v)", len(found), err)
	}
	check := func(name string, h inference.Hint, truth keypoint.Frame) {
		f, err := e.Estimate(t.Context(), img, h)
		if mean, _, missing := Distance(&f, &truth); err != nil || missing > 2 || mean > 20 {
			t.Errorf("%s: %.0f pixels off, %d parts missing (%v)", name, mean, missing, err)
		}
	}
	var everybody []keypoint.Frame
	for _, x := range []float64{0, Apart} {
		truth := mapped(resting, corner.Add(keypoint.Point{x, 0}).Add)
		everybody = append(everybody, truth)
		near := inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{x + 400, 600}}
		i := near.Choose(img.Rect, found)
		check("chosen", inference.Hint{Choose: near}, truth)
		check("named", inference.Hint{Region: found[i].Region()}, truth)
		check("followed", inference.Hint{Region: inference.Expected(truth)}, truth)
	}
	if f, err := e.Estimate(t.Context(), img, inference.Hint{Region: inference.Expected(scattered(80, 80, 16))}); err != nil || !f.Empty() {
		t.Errorf("somebody else is taken for the one who is followed: %d parts (%v)", f.Len(), err)
	}
	people, err := inference.ExtractAllImage(t.Context(), img, e, inference.ExtractOptions{Feet: true})
	if err != nil || len(people.All) != 2 {
		t.Fatalf("%d people (%v)", len(people.All), err)
	}
	near := map[int]bool{}
	for _, p := range people.All {
		for i := range everybody {
			if mean, _, missing := Distance(&p.Sequence.Frames[0], &everybody[i]); missing <= 2 && mean < 30 {
				near[i] = true
			}
		}
	}
	if len(near) != 2 {
		t.Errorf("of the two people %v are found", near)
	}
}

// testMany: concurrent estimates give the same results as sequential ones.
func testMany(t *testing.T, e Estimator) {
	mover := sample.NewMover()
	var pictures []*image.RGBA
	var want []keypoint.Frame
	for i := range 4 {
		m := *mover.Frame(float64(i) / 7)
		m.Pix = slices.Clone(m.Pix)
		pictures = append(pictures, &m)
		want = append(want, Estimate(t, e, &m, keypoint.Frame{}))
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 4 {
				k := (g + i) % len(pictures)
				f, err := e.Estimate(t.Context(), pictures[k], inference.Hint{})
				if err != nil || !same(f, want[k]) {
					t.Errorf("goroutine %d, picture %d: another answer than alone (error %v)", g, k, err)
				}
			}
		})
	}
	wg.Wait()
}

// testErrors: what is missing, and an ended context, are errors.
func testErrors(t *testing.T, n Network) {
	e, alone := n.New(t, false), n.New(t, true)
	if _, err := e.Estimate(t.Context(), nil, inference.Hint{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("Estimate of no picture: %v", err)
	}
	if _, err := e.Find(t.Context(), nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("Find in no picture: %v", err)
	}
	if _, err := alone.Find(t.Context(), sample.Image()); !errors.Is(err, inference.ErrNoFinder) {
		t.Errorf("without a Finder: %v", err)
	}
	if _, err := n.Open(onnxruntime.Options{Library: "none.so"}, true); !errors.Is(err, onnxruntime.ErrLibrary) || !strings.Contains(err.Error(), "none.so") {
		t.Errorf("without a library: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Estimate(ctx, sample.Image(), inference.Hint{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

// testEnds: Close waits for running estimates; later ones give an error.
func testEnds(t *testing.T, e Estimator) {
	img := sample.Image()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				f, err := e.Estimate(t.Context(), img, inference.Hint{})
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

// same reports whether two frames hold the same.
func same(a, b keypoint.Frame) bool {
	p, q := a.Positions(), b.Positions()
	if (p == nil) != (q == nil) || p != nil && *p != *q {
		return false
	}
	a.SetPositions(nil)
	b.SetPositions(nil)
	return a == b
}
