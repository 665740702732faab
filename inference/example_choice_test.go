package inference_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"log"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// Two people: the one who is nearest to a point, or the one who fills most of the picture. Some policies watch a movie for a while first.
func ExampleChoice_Choose() {
	img := fakes.Picture(image.Pt(100, 80), image.Rect(10, 10, 30, 70), image.Rect(70, 40, 80, 70))
	people, err := fakes.Estimator{}.Find(context.Background(), img)
	if err != nil {
		log.Fatal(err)
	}
	at := inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{75, 50}}
	fmt.Println(at.Choose(img.Bounds(), people), inference.Choice{}.Choose(img.Bounds(), people))

	for _, p := range inference.Policies() {
		seconds, watches := inference.Choice{Policy: p}.Watch()
		fmt.Println(p, seconds, watches)
	}
	fmt.Println(inference.Choice{Policy: "tallest"}.Validate())
	// Output:
	// 1 0
	// centreFront 0 false
	// largest 0 false
	// highestScore 0 false
	// nearest 0 false
	// mostMovement 2 true
	// track 0 true
	// invalid choice: policy "tallest", want centreFront, largest, highestScore, nearest, mostMovement or track
}

// The box around what was found of somebody.
func ExampleBoundsOf() {
	f := fakes.Body(image.Rect(10, 10, 30, 70))
	b, ok := inference.BoundsOf(&f)
	fmt.Println(b.Centre(), b.Width(), b.Height(), b.Extent(), ok)
	other := inference.Box{Min: b.Min, Max: b.Centre()}
	fmt.Println(b.Overlap(other), b.Overlap(b))
	// Output:
	// [20 40] 20 60 60 true
	// 0.25 1
}

// Pictures that come one at a time, as from a camera that a program of yours reads.
func ExampleFollower() {
	follower, err := inference.NewFollower(fakes.Estimator{}, inference.ExtractOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		img := fakes.Picture(image.Pt(100, 80), image.Rect(10+4*i, 10, 30+4*i, 70))
		followed, err := follower.Next(context.Background(), img, float64(i)/25)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(followed.Frame.At(keypoint.Nose))
	}
	// Output:
	// [20 13] true
	// [24 13] true
	// [28 13] true
}

// When each person of a movie is there.
func ExamplePeople_Presence() {
	ctx := context.Background()
	frames, err := fakes.Decoder{}.Open(ctx, bytes.NewReader(walker(image.Rect(70, 10, 90, 70))))
	if err != nil {
		log.Fatal(err)
	}
	defer frames.Close()
	people, err := inference.ExtractAll(ctx, frames, fakes.Estimator{}, inference.ExtractOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range people.Presence() {
		fmt.Printf("%+v\n", p)
	}
	// Output:
	// {Track:1 FirstFrame:0 LastFrame:4 Coverage:1 Chosen:true}
	// {Track:2 FirstFrame:0 LastFrame:4 Coverage:1 Chosen:false}
}

// A network of your own looks at the region where the person is expected, and gives back what it has found of it.
func ExampleRegion_Accept() {
	before := fakes.Body(image.Rect(10, 10, 30, 70))
	region := inference.Expected(before)
	fmt.Println(region.Whole(), region.Sure())

	found := fakes.Body(image.Rect(12, 10, 32, 70)) // by the network, in the picture's pixels
	accepted := region.Accept(found, 0.3, keypoint.NumBody)
	fmt.Println(accepted.Len())

	chosen := inference.Candidate{Keypoints: found}
	r := chosen.Region()
	fmt.Println(r.Whole())
	// Output:
	// false true
	// 17
	// false
}

// centre is a Network that sees a nose in the middle of its region.
type centre struct{}

func (centre) Look(_ context.Context, _ image.Image, r inference.Region) (f keypoint.Frame, err error) {
	f.Set(keypoint.Nose, r.Box.Centre(), 0.9)
	return f, nil
}

// An Estimator of two drivers: one finds people, the other their parts.
func ExampleTopDown() {
	ctx := context.Background()
	est := inference.TopDown{Finder: fakes.Estimator{}, Network: centre{}}
	finder, ok := inference.FinderOf(est)
	fmt.Println(ok)
	img := fakes.Picture(image.Pt(100, 80), image.Rect(10, 10, 30, 70))
	people, err := finder.Find(ctx, img)
	fmt.Println(len(people), err)
	frame, err := est.Estimate(ctx, img, inference.Hint{})
	fmt.Println(frame.At(keypoint.Nose))
	fmt.Println(err)
	// Output:
	// true
	// 1 <nil>
	// [20 40] true
	// <nil>
}
