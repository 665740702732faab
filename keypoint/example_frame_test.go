package keypoint_test

import (
	"errors"
	"fmt"

	"github.com/bodymotion/motion/keypoint"
)

// What a network tells of a part beside its place: how sure it is, and whether it can be seen or is hidden behind the body.
func ExampleFrame_Visibility() {
	var f keypoint.Frame
	f.Set(keypoint.LeftWrist, keypoint.Point{120, 240}, 0.9)
	f.SetVisibility(keypoint.LeftWrist, 0.25)
	visibility, ok := f.Visibility(keypoint.LeftWrist)
	fmt.Println(f.Confidence(keypoint.LeftWrist), visibility, ok)
	// Output: 0.9 0.25 true
}

// A frame without the head, for pictures that must not show who it is.
func ExampleFrame_Only() {
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{300, 80}, 0.9)
	f.Set(keypoint.LeftKnee, keypoint.Point{300, 300}, 0.9)
	f.Set(keypoint.LeftAnkle, keypoint.Point{300, 400}, 0.9)
	body := f.Only(keypoint.Body &^ keypoint.Head())
	fmt.Println(f.Len(), body.Len(), body.Present().List())

	body.Unset(keypoint.LeftKnee)
	fmt.Println(body.Present().Len(), body.Empty())
	// Output:
	// 3 2 [leftKnee leftAnkle]
	// 1 false
}

// Points beyond the picture are moved to its edge.
func ExampleFrame_Clamp() {
	var f keypoint.Frame
	f.Set(keypoint.LeftAnkle, keypoint.Point{310, 490}, 0.4)
	f.Clamp(keypoint.Point{0, 0}, keypoint.Point{640, 480})
	fmt.Println(f.At(keypoint.LeftAnkle))
	// Output: [310 480] true
}

// The network took the left ankle for the right one.
func ExampleFrame_Exchange() {
	f := squatting().Frames[0]
	f.Exchange(keypoint.LeftAnkle)
	fmt.Println(f.Has(keypoint.LeftAnkle))
	fmt.Println(f.At(keypoint.RightAnkle))
	// Output:
	// false
	// [300 400] true
}

// The direction across somebody who leans in a picture: perpendicular to the line from the ankles to the shoulders.
func ExampleFrame_Across() {
	var f keypoint.Frame
	for part, at := range map[keypoint.Part]keypoint.Point{
		keypoint.LeftShoulder: {400, 100}, keypoint.RightShoulder: {400, 100}, keypoint.LeftAnkle: {100, 500}, keypoint.RightAnkle: {100, 500},
	} {
		f.Set(part, at, 0.9)
	}
	across, ok := f.Across()
	fmt.Printf("%.1f %v\n", across, ok)
	// Output: [0.8 0.6] true
}

// Where parts are in space, in metres.
func ExampleFrame_Positions() {
	var p keypoint.Positions
	p.Set(keypoint.LeftHip, keypoint.Position{0.1, 0.9, 0}, 0.01)
	p.Set(keypoint.LeftKnee, keypoint.Position{0.1, 0.5, 0.1}, 0.02)
	var f keypoint.Frame
	f.SetPositions(&p)
	fmt.Println(f.Positions().Present().List())
	fmt.Println(f.Positions().At(keypoint.LeftKnee))
	// Output:
	// [leftHip leftKnee]
	// [0.1 0.5 0.1] true
}

// The middle of the hips is a point of two parts, and the knee one of itself.
func ExamplePartSelector() {
	f := squatting().Frames[2]
	fmt.Println(keypoint.PartSelector(keypoint.LeftKnee).At(&f))

	wrong := keypoint.Selector{Type: keypoint.Midpoint, Parts: []keypoint.Part{keypoint.LeftHip}}
	fmt.Println(wrong.Validate())
	fmt.Println(keypoint.PointTypeNames())
	// Output:
	// [380 300] true
	// invalid point: midpoint takes 2 parts, not 1
	// [single horizontalRight horizontalLeft verticalTop verticalDown midpoint centroid]
}

// What clients send is checked before a recording is calibrated by it.
func ExampleCalibration_Validate() {
	err := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: 178}}.Validate()
	fmt.Println(errors.Is(err, keypoint.ErrInvalid))
	fmt.Println(err)
	// Output:
	// true
	// invalid calibration: /scale: the height is 178, want 0.3 to 3 metres
}

// The floor rises to the right by three degrees: the camera was held so.
func ExampleWorld_Right() {
	w := keypoint.World{MetresPerPixel: 0.0025, Floor: 3, Origin: keypoint.Point{320, 480}}
	fmt.Printf("%t %.3f\n", w.Metric(), w.Right())
	fmt.Printf("%.2f\n", w.Point(keypoint.Point{720, 480})) // metres along the floor, and down
	fmt.Println(keypoint.World{Floor: 270}.Validate())
	// Output:
	// true [0.999 -0.052]
	// [1.00 0.05]
	// invalid world: floor is 270, want −180 to 180 degrees
}

func ExamplePositions_Centroid() {
	var p keypoint.Positions
	p.Set(keypoint.LeftHip, keypoint.Position{0.2, 1, 0}, 0)
	p.Set(keypoint.RightHip, keypoint.Position{-0.2, 1, 0.5}, 0)
	fmt.Println(p.Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip, keypoint.Nose)))
	// Output: [0 1 0.25] true
}
