package live_test

import (
	"context"
	"fmt"
	"image"
	"io"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// A session over a camera. Package inferencetest has the fake Estimator for tests of yours.
func Example() {
	s, err := live.New(fakes.Estimator{}, live.Options{})
	if err != nil {
		panic(err)
	}
	// A camera; here somebody in a picture of 160×120 pixels.
	img := fakes.Picture(image.Pt(160, 120), image.Rect(60, 10, 100, 110))
	for i := range 3 {
		u, err := s.Next(context.Background(), img, float64(i)/30)
		if err != nil {
			panic(err)
		}
		nose, _ := u.Keypoints.At(keypoint.Nose)
		fmt.Printf("%.3f s: the nose is at %.0f\n", u.Time, nose)
	}
	// Output:
	// 0.000 s: the nose is at [80 15]
	// 0.033 s: the nose is at [80 15]
	// 0.067 s: the nose is at [80 15]
}

func ExampleSession_Watch() {
	s, err := live.New(fakes.Estimator{}, live.Options{Keep: 1000})
	if err != nil {
		panic(err)
	}
	img := fakes.Picture(image.Pt(160, 120), image.Rect(60, 10, 100, 110))
	n := 0
	camera := func(context.Context) (inference.Picture, error) {
		if n++; n > 5 {
			return inference.Picture{}, io.EOF
		}
		return inference.Picture{Image: img, Time: float64(n) / 30}, nil
	}
	pictures := 0
	for u, err := range s.Watch(context.Background(), live.Pictures(camera)) {
		if err != nil {
			panic(err)
		}
		pictures += 1 + u.Dropped
	}
	fmt.Println(pictures, "pictures were looked at or dropped, all looks are kept:", s.Sequence().Len() > 0)
	// Output: 5 pictures were looked at or dropped, all looks are kept: true
}

// What a page or another program gets of a session: each update as JSON, and what was seen in all.
func ExampleUpdate_Message() {
	knee := []analyze.Rule{{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Repetitions: &analyze.RepetitionOptions{}}}
	s, err := live.New(fakes.Estimator{}, live.Options{Rules: knee})
	if err != nil {
		panic(err)
	}
	size := image.Pt(160, 120)
	u, err := s.Next(context.Background(), fakes.Picture(size, image.Rect(60, 10, 100, 110)), 0)
	if err != nil {
		panic(err)
	}
	v, why := u.Shown(knee[0], 0)
	fmt.Println(v.Present, why)
	m := u.Message(size, knee)
	fmt.Println(m.Type, m.Number, m.Size, *m.Why[0])
	end := live.EndOf(1, 0, s.Counts(), knee)
	fmt.Println(end.Type, end.Pictures, end.Dropped)
	// Output:
	// false outOfPlane
	// update 0 [160 120] outOfPlane
	// end 1 0
}
