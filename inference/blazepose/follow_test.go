package blazepose_test

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"testing"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/blazepose/lite"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// TestFollow follows the sample person through a known movement: the truth is the parts found in
// the resting picture, moved with the picture. The hints have the body's 17 parts only.
func TestFollow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, not run with -short")
	}
	for _, m := range []blazepose.Model{lite.Model(), full.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			e := newEstimator(t, blazepose.Options{Model: m, Finder: newFinder(t)})
			resting := estimate(t, e, sample.Image(), keypoint.Frame{})
			mover := sample.NewMover()
			var f keypoint.Frame
			sum, n := 0.0, 0
			for i := range 2 * sample.FrameRate {
				now := float64(i) / sample.FrameRate
				var truth keypoint.Frame
				for _, p := range resting.Present().List() {
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
				for p := keypoint.Part(keypoint.NumBody); p < keypoint.NumParts; p++ {
					f.Unset(p)
				}
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
	e := newEstimator(t, blazepose.Options{Model: full.Model(), Finder: newFinder(t)})
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
	e := newEstimator(t, blazepose.Options{Model: full.Model(), Finder: newFinder(t)})
	alone := newEstimator(t, blazepose.Options{Model: full.Model()})
	before := estimate(t, e, sample.Image(), keypoint.Frame{})
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
			for _, e := range []*blazepose.Estimator{e, alone} {
				if f := estimate(t, e, img, previous); !f.Empty() {
					t.Errorf("%d parts are found in a plain picture of %v, %v", f.Len(), img.Bounds().Size(), img.At(0, 0))
				}
			}
		}
	}
}

// turned returns the sample picture under a linear map around its centre.
func turned(m [4]float64) image.Image {
	src := sample.Image()
	dst := image.NewRGBA(src.Bounds())
	draw.Draw(dst, dst.Rect, image.NewUniform(color.RGBA{238, 238, 238, 255}), image.Point{}, draw.Src)
	a := f64.Aff3{m[0], m[1], 600 - 600*m[0] - 600*m[1], m[2], m[3], 600 - 600*m[2] - 600*m[3]}
	xdraw.BiLinear.Transform(dst, a, src, src.Bounds(), xdraw.Over, nil)
	return dst
}

// TestLying: the square is turned for a person who is not upright.
func TestLying(t *testing.T) {
	e := newEstimator(t, blazepose.Options{Model: full.Model(), Finder: newFinder(t)})
	resting := estimate(t, e, sample.Image(), keypoint.Frame{})
	for name, m := range map[string][4]float64{
		"head to the left":      {0, 1, -1, 0},
		"head to the right":     {0, -1, 1, 0},
		"leaning by 45 degrees": {.7071, -.7071, .7071, .7071},
	} {
		t.Run(name, func(t *testing.T) {
			var truth keypoint.Frame
			for _, p := range resting.Present().List() {
				pt, _ := resting.At(p)
				x, y := pt[0]-600, pt[1]-600
				truth.Set(p, keypoint.Point{600 + m[0]*x + m[1]*y, 600 + m[2]*x + m[3]*y}, 1)
			}
			img := turned(m)
			first := estimate(t, e, img, keypoint.Frame{})
			followed := estimate(t, e, img, first)
			for when, f := range map[string]keypoint.Frame{"first": first, "followed": followed} {
				mean, largest, missing := distance(&f, &truth)
				t.Logf("%s: %d missing, %.1f pixels off in the mean, %.1f at most", when, missing, mean, largest)
				if missing > 1 || mean > 0.02*1200 {
					t.Errorf("%s: %d parts missing, %.1f pixels off in the mean", when, missing, mean)
				}
			}
		})
	}
}

// TestPeople: the person of the hint is estimated, beside somebody else.
func TestPeople(t *testing.T) {
	e := newEstimator(t, blazepose.Options{Model: full.Model(), Finder: newFinder(t)})
	one := sample.Image()
	resting := estimate(t, e, one, keypoint.Frame{})
	const at, apart = 70, 900
	img := image.NewRGBA(image.Rect(at, at, at+1200+apart, at+1200))
	draw.Draw(img, one.Bounds().Add(image.Pt(at, at)), one, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(at+apart+150, at, at+apart+1200, at+1200), one, image.Pt(150, 0), draw.Src)
	found, err := e.Find(t.Context(), img)
	if err != nil || len(found) < 2 {
		t.Fatalf("%d people (%v)", len(found), err)
	}
	for _, x := range []float64{0, apart} {
		var truth keypoint.Frame
		for _, p := range resting.Present().List() {
			pt, _ := resting.At(p)
			truth.Set(p, pt.Add(keypoint.Point{at + x, at}), 1)
		}
		near := inference.Nearest{Point: keypoint.Point{x + 600, 600}}
		i := inference.Nearest{Point: near.Point.Add(keypoint.Point{at, at})}.Choose(img.Rect.Size(), found)
		for name, h := range map[string]inference.Hint{
			"chosen": {Choose: near}, "named": {Person: &found[i]}, "followed": {Previous: truth}, "only": {Previous: truth, Only: true},
		} {
			f, err := e.Estimate(t.Context(), img, h)
			if mean, _, missing := distance(&f, &truth); err != nil || missing > 1 || mean > 20 {
				t.Errorf("%s at %v: %.0f pixels off, %d parts missing (%v)", name, x, mean, missing, err)
			}
		}
	}
	var nowhere keypoint.Frame
	for p := range keypoint.Part(keypoint.NumBody) {
		nowhere.Set(p, keypoint.Point{80 + float64(p), 80 + float64(p%4)}, 0.9)
	}
	if f, err := e.Estimate(t.Context(), img, inference.Hint{Previous: nowhere, Only: true}); err != nil || !f.Empty() {
		t.Errorf("somebody else is taken for the one who is followed: %d parts (%v)", f.Len(), err)
	}
	alone := newEstimator(t, blazepose.Options{Model: lite.Model()})
	if _, err := alone.Find(t.Context(), img); !errors.Is(err, inference.ErrNoFinder) {
		t.Errorf("without a Finder: %v", err)
	}
}

// TestNil: a nil picture or function is an error, not a panic.
func TestNil(t *testing.T) {
	e := newEstimator(t, blazepose.Options{Model: lite.Model(), Finder: newFinder(t)})
	if _, err := e.Estimate(t.Context(), nil, inference.Hint{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("Estimate: %v", err)
	}
	if _, err := e.Find(t.Context(), nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("Find: %v", err)
	}
	s, err := blazepose.NewSession(lite.Model(), blazepose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, s)
	for _, err := range []error{s.Run(nil, func(blazepose.Output) {}), s.Run(func([]byte) {}, nil)} {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("Session.Run: %v", err)
		}
	}
}
