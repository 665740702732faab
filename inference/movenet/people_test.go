package movenet_test

import (
	"errors"
	"image"
	"image/color"
	"testing"

	"golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// couple is a picture that shows the sample person twice, the second time 900 pixels to the right.
// Its bounds do not begin at 0.
func couple() (img *image.RGBA, corner keypoint.Point, apart float64) {
	one := sample.Image()
	const at, step = 70, 900
	img = image.NewRGBA(image.Rect(at, at, at+1200+step, at+1200))
	draw.Draw(img, one.Bounds().Add(image.Pt(at, at)), one, one.Bounds().Min, draw.Src)
	right := image.Rect(at+step+150, at, at+step+1200, at+1200)
	draw.Draw(img, right, one, one.Bounds().Min.Add(image.Pt(150, 0)), draw.Src)
	return img, keypoint.Point{at, at}, step
}

// shifted returns the mean distance of a frame from the resting sample person moved by d.
func shifted(t *testing.T, f *keypoint.Frame, d keypoint.Point) float64 {
	t.Helper()
	truth := sample.Visible()
	for _, p := range truth.Present().List() {
		pt, _ := truth.At(p)
		truth.Set(p, pt.Add(d), 1)
	}
	mean, _, missing := distance(f, &truth)
	if missing > 2 {
		return 1e9
	}
	return mean
}

func TestPeople(t *testing.T) {
	e := newEstimator(t, movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
	img, corner, apart := couple()
	left, right := corner, corner.Add(keypoint.Point{apart, 0})
	found, err := e.Find(t.Context(), img)
	if err != nil || len(found) < 2 {
		t.Fatalf("%d people (%v)", len(found), err)
	}
	people, err := inference.ExtractAllImage(t.Context(), img, e, inference.AllOptions{})
	all := people.All
	if err != nil || len(all) != 2 {
		t.Fatalf("%d people (%v)", len(all), err)
	}
	if a, b := &all[0].Sequence.Frames[0], &all[1].Sequence.Frames[0]; min(shifted(t, a, left), shifted(t, a, right)) > 30 || shifted(t, a, left) < 100 == (shifted(t, b, left) < 100) {
		t.Errorf("the people are %.0f and %.0f pixels from the left one", shifted(t, a, left), shifted(t, b, left))
	}
	estimate := func(h inference.Hint) keypoint.Frame {
		f, err := e.Estimate(t.Context(), img, h)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for want, x := range map[keypoint.Point]float64{left: 400, right: 400 + apart} {
		near := inference.Nearest{Point: keypoint.Point{x, 600}}
		f := estimate(inference.Hint{Choose: near})
		if d := shifted(t, &f, want); d > 30 {
			t.Errorf("the one near %v is %.0f pixels off", near.Point, d)
		}
		i := inference.Nearest{Point: near.Point.Add(corner)}.Choose(img.Bounds().Size(), found)
		f = estimate(inference.Hint{Person: &found[i]})
		if d := shifted(t, &f, want); d > 30 {
			t.Errorf("the one who is named is %.0f pixels off", d)
		}
		if f = estimate(inference.Hint{Previous: f, Only: true}); shifted(t, &f, want) > 30 {
			t.Error("the one who is followed is lost")
		}
	}
	var nowhere keypoint.Frame
	for p := range keypoint.Part(keypoint.NumBody) {
		nowhere.Set(p, keypoint.Point{80 + float64(p), 80 + float64(p%4)}, 0.9)
	}
	if f := estimate(inference.Hint{Previous: nowhere, Only: true}); !f.Empty() {
		t.Errorf("somebody else is taken for the one who is followed: %d parts", f.Len())
	}
	alone := newEstimator(t, movenet.Options{Pose: lightning.Model()})
	if _, err := alone.Find(t.Context(), img); !errors.Is(err, inference.ErrNoFinder) {
		t.Errorf("without People: %v", err)
	}
	other := newEstimator(t, movenet.Options{Pose: lightning.Model(), Finder: e})
	if f, err := other.Estimate(t.Context(), img, inference.Hint{Choose: inference.Nearest{Point: keypoint.Point{apart + 600, 600}}}); err != nil || shifted(t, &f, right) > 60 {
		t.Errorf("with a finder of one's own: %.0f pixels off (%v)", shifted(t, &f, right), err)
	}
}

// TestNil: a nil picture or function is an error, not a panic.
func TestNil(t *testing.T) {
	e := newEstimator(t, movenet.Options{Pose: lightning.Model(), People: multipose.Model()})
	if _, err := e.Estimate(t.Context(), nil, inference.Hint{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("Estimate: %v", err)
	}
	if _, err := e.Find(t.Context(), nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("Find: %v", err)
	}
	s, err := movenet.NewSession(lightning.Model(), movenet.Options{Library: movenettest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, s)
	for _, err := range []error{
		s.Run(192, 192, nil, func([]float32) {}), s.Run(192, 192, func([]byte) {}, nil),
	} {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("Session.Run: %v", err)
		}
	}
}

// TestPersonThreshold: by default, a score below 0.10 is not a person. The sample person is drawn
// smaller and smaller until the score is just below.
func TestPersonThreshold(t *testing.T) {
	find := func(threshold float64) func(image.Image) []inference.Candidate {
		e := newEstimator(t, movenet.Options{Pose: lightning.Model(), People: multipose.Model(), PersonThreshold: threshold})
		return func(img image.Image) []inference.Candidate {
			people, err := e.Find(t.Context(), img)
			if err != nil {
				t.Fatal(err)
			}
			return people
		}
	}
	byDefault, from7 := find(0), find(0.07)
	one := sample.Image()
	for side := 24; side > 16; side-- {
		for at := 100; at < 112; at += 4 {
			img := image.NewRGBA(image.Rect(0, 0, 256, 256))
			draw.Draw(img, img.Bounds(), image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
			draw.BiLinear.Scale(img, image.Rect(at, at, at+side, at+side), one, one.Bounds(), draw.Src, nil)
			people := from7(img)
			if len(people) == 0 || people[0].Score >= 0.10 {
				continue
			}
			if got := byDefault(img); len(got) > 0 {
				t.Errorf("somebody with the score %v is a person by default", got[0].Score)
			}
			return
		}
	}
	t.Fatal("no size gives a score of 0.07 to 0.10")
}
