package pose_test

import (
	"errors"
	"image"
	"image/draw"
	"testing"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// ready are the estimators of the package. The heavy network is a module of its own: full stands in
// for it.
var ready = map[string]func(pose.Options) (*pose.Estimator, error){
	"Fast": pose.Fast, "Balanced": pose.Balanced,
	"Accurate": func(opt pose.Options) (*pose.Estimator, error) { return pose.Accurate(opt, full.Model()) },
}

// each runs a test with each of them.
func each(t *testing.T, test func(t *testing.T, e *pose.Estimator)) {
	library := ortkit.Library(t)
	for name, open := range ready {
		t.Run(name, func(t *testing.T) {
			e, err := open(pose.Options{Options: onnxruntime.Options{Library: library}})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, e)
			test(t, e)
		})
	}
}

// TestSample compares the estimate for the sample picture with labels made by hand, upright, lying
// and upside down, and follows the person from there: with feet.
func TestSample(t *testing.T) {
	one := sample.Image()
	side := one.Bounds().Dx()
	each(t, func(t *testing.T, e *pose.Estimator) {
		for name, turn := range map[string]func(x, y int) (int, int){
			"upright":     func(x, y int) (int, int) { return x, y },
			"lying":       func(x, y int) (int, int) { return y, side - 1 - x },
			"upside down": func(x, y int) (int, int) { return side - 1 - x, side - 1 - y },
		} {
			img := image.NewRGBA(one.Bounds())
			for y := range side {
				for x := range side {
					tx, ty := turn(x, y)
					img.Set(tx, ty, one.At(x, y))
				}
			}
			f, err := e.Estimate(t.Context(), img, inference.Hint{})
			if err != nil {
				t.Fatal(err)
			}
			followed, err := e.Estimate(t.Context(), img, inference.Hint{Region: inference.Expected(f)})
			if err != nil {
				t.Fatal(err)
			}
			truth := sample.Visible()
			for _, p := range truth.Present().List() {
				at, _ := truth.At(p)
				x, y := turn(int(at[0]), int(at[1]))
				want := keypoint.Point{float64(x), float64(y)}
				for what, f := range map[string]*keypoint.Frame{"found": &f, "followed": &followed} {
					if got, ok := f.At(p); !ok || got.Sub(want).Len() > 0.05*float64(side) {
						t.Errorf("%s, %s: %v at %.0f (%v), want %.0f", name, what, p, got, ok, want)
					}
				}
			}
			if feet := followed.Present() & keypoint.Feet; name == "upright" && feet.Len() != 4 {
				t.Errorf("feet %v, want heels and big toes", feet.List())
			}
		}
	})
}

// TestOptions: thresholds reach the networks, and errors name what is missing.
func TestOptions(t *testing.T) {
	library := ortkit.Library(t)
	img := image.NewRGBA(image.Rect(0, 0, 300, 300))
	xdraw.ApproxBiLinear.Scale(img, img.Rect, sample.Image(), sample.Image().Bounds(), xdraw.Src, nil)
	draw.Draw(img, image.Rect(0, 150, 300, 300), image.Black, image.Point{}, draw.Src) // no legs
	count := func(opt pose.Options) int {
		opt.Library = library
		e, err := pose.Fast(opt)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, e)
		f, err := e.Estimate(t.Context(), img, inference.Hint{})
		if err != nil {
			t.Fatal(err)
		}
		body := f.Only(keypoint.Body)
		return body.Len()
	}
	if all, some := count(pose.Options{PartThreshold: -1}), count(pose.Options{}); all != keypoint.NumBody || some == 0 || some >= all {
		t.Errorf("%d parts without a threshold, %d with it", all, some)
	}
	if n := count(pose.Options{PersonThreshold: 0.99}); n != 0 {
		t.Errorf("%d parts of a person whose score is too low", n)
	}
	if _, err := pose.Balanced(pose.Options{Options: onnxruntime.Options{Library: "/nowhere"}}); !errors.Is(err, onnxruntime.ErrLibrary) {
		t.Errorf("a missing library: %v", err)
	}
	if _, err := pose.Accurate(pose.Options{Options: onnxruntime.Options{Library: library}}, blazepose.Model{}); err == nil {
		t.Error("Accurate without a network: no error")
	}
}
