package inference_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// TestFollower: a Follower sees in pictures that come one at a time what Extract sees in the movie. In movies of more
// than a second, everybody is slow, in the picture, and visible for five frames or more: Extract may miss others while it is deserted.
func TestFollower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "frames")
		long, margin, fastest := n > 10, 0.0, 60.0
		if long {
			margin, fastest = 240, 3.9
		}
		var actors []actor
		for i := range rapid.IntRange(1, 3).Draw(t, "actors") {
			a := actor{walking(n, rapid.Float64Range(margin, 640-margin).Draw(t, "x"), rapid.Float64Range(-fastest, fastest).Draw(t, "step")), rapid.Float64Range(40, 300).Draw(t, "size")}
			from := rapid.IntRange(0, n).Draw(t, "gone from")
			to := rapid.IntRange(from, n).Draw(t, "gone to")
			switch {
			case long && i > 0:
				from, to = 0, 0
			case long && from < 5:
				from = 0
			}
			if long && to > n-5 {
				to = n
			}
			a.at = gone(a.at, from, to)
			actors = append(actors, a)
		}
		followsLike(t, actors, n, rapid.IntRange(1, 60).Draw(t, "cut"), rapid.Bool().Draw(t, "stay"), rapid.Bool().Draw(t, "watch"))
	})
	t.Run("a cut while the chooser watches", func(t *testing.T) {
		followsLike(t, []actor{{walking(12, 1, 1), 82.5}, {walking(12, 0.5, 1), 40}, {walking(12, 1, 2.875), 80}}, 12, 1, true, true)
	})
}

// followsLike checks a Follower against Extract on n frames with a cut. If the chooser watches, it does for a second.
func followsLike(t rapid.TB, actors []actor, n, cut int, stay, watches bool) {
	t.Helper()
	cuts := map[int]bool{cut: true}
	opt := inference.ExtractOptions{}
	watch := 0.0
	if watches {
		opt.Choose, watch = inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 1}, 1
	}
	opt.Choose.Stay = stay
	e := &eyes{actors: actors}
	want, err := inference.Extract(context.Background(), &film{n: n, cuts: cuts}, e, inference.ExtractOptions{InFlight: 1, Choose: opt.Choose})
	if err != nil {
		t.Fatal(err)
	}
	f, err := inference.NewFollower(e, opt)
	if err != nil {
		t.Fatal(err)
	}
	movie := &film{n: n, cuts: cuts}
	for i := 0; ; i++ {
		pic, err := movie.Next()
		if err == io.EOF {
			break
		}
		got, err := f.Next(context.Background(), pic.Image, pic.Time)
		if err != nil {
			t.Fatal(err)
		}
		if pic.Time < watch {
			if !got.Frame.Empty() || got.Changed {
				t.Fatalf("picture %d while the chooser watches: %+v", i, got)
			}
			continue
		}
		if got.Frame != want.Frames[i] || got.Changed != slices.Contains(want.PersonChanges, i) {
			t.Fatalf("picture %d: %+v, want %+v, changes %v", i, got, want.Frames[i], want.PersonChanges)
		}
	}
}

func TestFollowerErrors(t *testing.T) {
	if _, err := inference.NewFollower(nil, inference.ExtractOptions{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no estimator: %v", err)
	}
	e := &eyes{actors: []actor{{stand(4, 320), 200}}}
	if _, err := inference.NewFollower(onlyOne{e}, inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement}}); !errors.Is(err, inference.ErrNoFinder) {
		t.Errorf("a watcher without a finder: %v", err)
	}
	f, err := inference.NewFollower(e, inference.ExtractOptions{})
	if err != nil {
		t.Fatal(err)
	}
	at := func(size image.Point) image.Image { return still{&plain{image.Rectangle{Max: size}, color.Black}, 0} }
	size := image.Pt(640, 480)
	if got, err := f.Next(t.Context(), at(size), 1); err != nil || got.Frame.Empty() {
		t.Fatalf("the first picture: %+v, %v", got, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx     context.Context
		img     image.Image
		seconds float64
		want    error
	}{
		"no picture":    {t.Context(), nil, 2, keypoint.ErrInvalid},
		"no pixels":     {t.Context(), at(image.Point{}), 2, keypoint.ErrInvalid},
		"the same time": {t.Context(), at(size), 1, keypoint.ErrInvalid},
		"no time":       {t.Context(), at(size), math.NaN(), keypoint.ErrInvalid},
		"another size":  {t.Context(), at(image.Pt(480, 640)), 2, inference.ErrFormat},
		"the end":       {ended, at(size), 2, context.Canceled},
	} {
		if _, err := f.Next(c.ctx, c.img, c.seconds); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if got, err := f.Next(t.Context(), at(size), 2); err != nil || got.Frame.Empty() || got.Changed {
		t.Errorf("after errors: %+v, %v", got, err)
	}
}
