package inferencetest

import (
	"context"
	"errors"
	"image"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// patience is how long the suites wait for what must happen soon.
var patience = 30 * time.Second

// TestEstimator tests the promises of inference.Estimator, and of inference.Finder if est is one or wraps one that finds people.
func TestEstimator(t *testing.T, est inference.Estimator, pictures Pictures) {
	pictures = pictures.withDefaults()
	original := fakes.ToRGBA(pictures.Person)
	estimate := func(t *testing.T, img image.Image, hint inference.Hint) keypoint.Frame {
		t.Helper()
		f, err := est.Estimate(t.Context(), img, hint)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	known := estimate(t, pictures.Person, inference.Hint{})
	if known.Empty() {
		t.Fatal("the person is not found")
	}
	t.Run("coordinates", func(t *testing.T) {
		size := pictures.Person.Bounds().Size()
		if err := (keypoint.Sequence{Frames: []keypoint.Frame{known}, Size: size}).Validate(); err != nil {
			t.Error(err)
		}
		want := shifted(known, offset.Sub(pictures.Person.Bounds().Min))
		if f := estimate(t, moved(pictures.Person), inference.Hint{}); !alike(want, f) {
			t.Errorf("in a picture whose corner is %v the person is %v, want %v", offset, f, want)
		}
	})
	t.Run("types of pictures", func(t *testing.T) {
		want := shifted(known, image.Point{}.Sub(pictures.Person.Bounds().Min))
		for name, img := range kinds(pictures.Person) {
			f := estimate(t, img, inference.Hint{})
			if !alike(want, f) {
				t.Errorf("%s: the person is %v, want %v", name, f, want)
			}
		}
	})
	t.Run("nobody", func(t *testing.T) {
		for name, img := range map[string]image.Image{"nobody": pictures.Nobody, "no pixels": image.NewRGBA(image.Rectangle{})} {
			if f := estimate(t, img, inference.Hint{}); f != (keypoint.Frame{}) {
				t.Errorf("%s: found %v, want the zero Frame", name, f)
			}
		}
	})
	t.Run("hint", func(t *testing.T) {
		expected := inference.Hint{Region: inference.Expected(known)}
		if f := estimate(t, pictures.Person, expected); !alike(known, f) {
			t.Errorf("followed: %v, want %v", f, known)
		}
		far := shifted(known, pictures.Person.Bounds().Size().Mul(5))
		if f := estimate(t, pictures.Person, inference.Hint{Region: inference.Expected(far)}); f != (keypoint.Frame{}) {
			t.Errorf("somebody who is lost: %v, want the zero Frame", f)
		}
		if f := estimate(t, pictures.Nobody, expected); f != (keypoint.Frame{}) {
			t.Errorf("followed, in a picture of nobody: %v, want the zero Frame", f)
		}
	})
	keepsPicture(t, func(ctx context.Context, img image.Image) (any, error) {
		return est.Estimate(ctx, img, inference.Hint{})
	}, original)
	t.Run("concurrency", func(t *testing.T) {
		var work sync.WaitGroup
		for i := range 8 {
			work.Go(func() {
				img, want := pictures.Person, known
				if i%2 == 1 {
					img, want = pictures.Nobody, keypoint.Frame{}
				}
				for range 3 {
					if f, err := est.Estimate(t.Context(), img, inference.Hint{}); err != nil || !alike(want, f) {
						t.Errorf("%v (%v), want %v", f, err, want)
					}
				}
			})
		}
		work.Wait()
	})
	finder, ok := inference.FinderOf(est)
	if !ok {
		return
	}
	if _, err := finder.Find(t.Context(), pictures.Person); errors.Is(err, inference.ErrNoFinder) {
		return
	}
	t.Run("people", func(t *testing.T) { people(t, est, finder, pictures) })
	t.Run("Finder", func(t *testing.T) { TestFinder(t, finder, pictures) })
}

// people tests the hints about people who were found.
func people(t *testing.T, est inference.Estimator, finder inference.Finder, pictures Pictures) {
	img := moved(pictures.Person)
	found, err := finder.Find(t.Context(), img)
	if err != nil || len(found) == 0 {
		t.Fatalf("%d people (%v)", len(found), err)
	}
	for i := range found {
		f, err := est.Estimate(t.Context(), img, inference.Hint{Region: found[i].Region()})
		if err != nil {
			t.Fatal(err)
		}
		if box, ok := inference.BoundsOf(&f); ok && box.Overlap(found[i].Box) == 0 {
			t.Errorf("somebody in %v: %v", found[i].Box, box)
		}
	}
	nobody := inference.Choice{Policy: inference.PolicyTrack, Track: 1}
	if f, err := est.Estimate(t.Context(), img, inference.Hint{Choose: nobody}); err != nil || f != (keypoint.Frame{}) {
		t.Errorf("nobody is chosen, Estimate returns %v (%v), want the zero Frame", f, err)
	}
	for i := range found { // by the middle of the box, from the picture's corner
		at := found[i].Box.Centre().Sub(keypoint.Point{float64(offset.X), float64(offset.Y)})
		near := inference.Choice{Policy: inference.PolicyNearest, Point: at}
		chosen := found[near.Choose(img.Rect, found)].Region()
		want, err := est.Estimate(t.Context(), img, inference.Hint{Region: chosen})
		if err != nil {
			t.Fatal(err)
		}
		if f, err := est.Estimate(t.Context(), img, inference.Hint{Choose: near}); err != nil || !alike(want, f) {
			t.Errorf("chosen by %v: %v (%v), want %v", at, f, err, want)
		}
	}
}

// TestFinder tests the promises of inference.Finder.
func TestFinder(t *testing.T, finder inference.Finder, pictures Pictures) {
	pictures = pictures.withDefaults()
	original := fakes.ToRGBA(pictures.Person)
	find := func(t *testing.T, img image.Image) []inference.Candidate {
		t.Helper()
		found, err := finder.Find(t.Context(), img)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	known := find(t, fakes.ToRGBA(pictures.Person))
	if len(known) == 0 {
		t.Fatal("nobody is found")
	}
	t.Run("candidates", func(t *testing.T) {
		size := pictures.Person.Bounds().Size()
		whole := inference.Box{Max: keypoint.Point{float64(size.X), float64(size.Y)}}
		for i, p := range known {
			if !(p.Box.Width() > 0 && p.Box.Height() > 0) || p.Box.Overlap(whole) == 0 {
				t.Errorf("candidate %d: box %v in a picture of %v", i, p.Box, size)
			}
			if !(p.Score >= 0 && p.Score <= 1) || i > 0 && p.Score > known[i-1].Score {
				t.Errorf("candidate %d: score %v, want 0 to 1, the highest first", i, p.Score)
			}
			if p.Track != 0 || p.Travel != 0 {
				t.Errorf("candidate %d: Track %d, Travel %v, want 0", i, p.Track, p.Travel)
			}
		}
	})
	same := func(t *testing.T, found []inference.Candidate, by image.Point) {
		t.Helper()
		if len(found) != len(known) {
			t.Errorf("%d people, want %d", len(found), len(known))
			return
		}
		for i, p := range found {
			d := keypoint.Point{float64(by.X), float64(by.Y)}
			want := inference.Box{Min: known[i].Box.Min.Add(d), Max: known[i].Box.Max.Add(d)}
			if p.Box.Overlap(want) < 0.8 || !alike(shifted(known[i].Keypoints, by), p.Keypoints) {
				t.Errorf("candidate %d: %+v, want box %v", i, p, want)
			}
		}
	}
	t.Run("coordinates", func(t *testing.T) { same(t, find(t, moved(pictures.Person)), offset) })
	t.Run("nobody", func(t *testing.T) {
		for name, img := range map[string]image.Image{"nobody": pictures.Nobody, "no pixels": image.NewRGBA(image.Rectangle{})} {
			if found := find(t, img); len(found) > 0 {
				t.Errorf("%s: found %v", name, found)
			}
		}
	})
	keepsPicture(t, func(ctx context.Context, img image.Image) (any, error) { return finder.Find(ctx, img) }, original)
	t.Run("concurrency", func(t *testing.T) {
		var work sync.WaitGroup
		for range 4 {
			work.Go(func() {
				found, err := finder.Find(t.Context(), fakes.ToRGBA(pictures.Person))
				if err != nil {
					t.Error(err)
				}
				same(t, found, image.Point{})
			})
		}
		work.Wait()
	})
}

// keepsPicture tests what both Estimate and Find promise about their picture and context.
func keepsPicture(t *testing.T, look func(context.Context, image.Image) (any, error), original *image.RGBA) {
	t.Run("the picture is unchanged", func(t *testing.T) {
		img := fakes.ToRGBA(original)
		check := unchanged(t, img)
		if _, err := look(t.Context(), img); err != nil {
			t.Fatal(err)
		}
		check()
	})
	t.Run("no reference is kept", func(t *testing.T) {
		kept := func() weak.Pointer[image.RGBA] {
			img := fakes.ToRGBA(original)
			if _, err := look(t.Context(), img); err != nil {
				t.Fatal(err)
			}
			return weak.Make(img)
		}()
		within(t, "the picture is still referenced", func() bool {
			runtime.GC()
			return kept.Value() == nil
		})
	})
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := look(ctx, original); !errors.Is(err, context.Canceled) {
			t.Errorf("after cancelling: %v", err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		start := time.Now()
		var err error
		for err == nil && time.Since(start) < patience {
			_, err = look(ctx, original)
		}
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > patience {
			t.Errorf("after the deadline: %v, %v late", err, time.Since(start))
		}
	})
}

// within fails the test if something does not come true.
func within(t *testing.T, otherwise string, done func() bool) {
	t.Helper()
	for start := time.Now(); !done(); <-time.After(5 * time.Millisecond) {
		if time.Since(start) > patience {
			t.Error(otherwise)
			return
		}
	}
}
