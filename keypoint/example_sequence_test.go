package keypoint_test

import (
	"fmt"
	"image"

	"github.com/bodymotion/motion/keypoint"
)

// Seconds 0.1 to 0.2 of a recording. Mask keeps the numbers of the frames, Cut does not.
func ExampleSequence_Between() {
	seq := squatting()
	span, err := seq.Between(0.1, 0.2)
	if err != nil {
		fmt.Println(err)
		return
	}
	part, err := seq.Cut(span)
	fmt.Println(span, span.Len(), part.Len(), seq.Mask(span).Len(), err)
	_, err = seq.Between(5, 6)
	fmt.Println(err)
	// Output:
	// {1 2} 2 2 3 <nil>
	// invalid part of the recording: no frame is between 5 s and 6 s, and the last one is at 0.2 s
}

// Somebody walked in front of the person who was filmed, and was followed for the last frame.
func ExampleSequence_MainPerson() {
	seq := squatting()
	seq.PersonChanges = []int{2}
	fmt.Println(seq.People(), seq.MainPerson())
	// Output: [{0 1} {2 2}] {0 1}
}

// Every other frame was looked at, which is enough to count repetitions.
func ExampleSequence_LookedAt() {
	seq := squatting()
	seq.Looks = []int{0, 2}
	fmt.Println(seq.LookedAt().Times)
	// Output: [0 0.2]
}

// A selfie camera films a mirror image, in which a network takes left for right.
func ExampleSequence_Unmirrored() {
	seq := squatting()
	seen := seq.Unmirrored()
	fmt.Println(seq.Frames[2].At(keypoint.LeftKnee))
	fmt.Println(seen.Frames[2].At(keypoint.RightKnee))
	// Output:
	// [380 300] true
	// [260 300] true
}

// No function changes a sequence that it is given. A program that changes one copies it first.
func ExampleSequence_Clone() {
	seq := squatting()
	changed := seq.Clone()
	changed.Frames[0].Unset(keypoint.LeftKnee)
	fmt.Println(seq.Frames[0].Len(), changed.Frames[0].Len())
	// Output: 4 3
}

// Check what was put together by hand.
func ExampleSequence_Validate() {
	seq := squatting()
	fmt.Println(seq.Validate(), seq.Empty())
	seq.Times[2] = seq.Times[1]
	fmt.Println(seq.Validate())
	// Output:
	// <nil> false
	// invalid sequence: time of frame 2 is 0.1 s, not after the 0.1 s of the frame before
}

// A camera 4 m in front of somebody, 1 m above the floor, which looks straight on.
func ExampleCamera_Project() {
	camera := keypoint.Camera{
		Focal: 1000, Size: image.Pt(1280, 720),
		Rotation:    [9]float64{1, 0, 0, 0, -1, 0, 0, 0, -1},
		Translation: keypoint.Position{0, 1, 4},
	}
	fmt.Println(camera.Eye()[1], "m high,", camera.Eye()[2], "m in front")
	fmt.Println(camera.Project(keypoint.Position{0, 1, 0}))
	fmt.Println(camera.Project(keypoint.Position{0, 1, 9})) // behind the camera
	// Output:
	// 1 m high, 4 m in front
	// [640 360] true
	// [0 0] false
}

// Two cameras have seen the positions of a recording, in metres.
func ExampleSpace_Seen() {
	var guessed *keypoint.Space
	seen := &keypoint.Space{Unit: "m", Cameras: []keypoint.Camera{}}
	fmt.Println(guessed.Seen(), seen.Seen(), seen.Validate(), seen.ViewPixels())
	fmt.Println((&keypoint.Space{Unit: "inch"}).Validate())
	// Output:
	// false true <nil> 500
	// invalid space: unit "inch", want "m" or "torso"
}
