package keypoint_test

import (
	"encoding/json"
	"fmt"
	"image"

	"github.com/bodymotion/motion/keypoint"
)

// squatting is a leg that bends in three frames, a tenth of a second apart.
func squatting() keypoint.Sequence {
	s := keypoint.Sequence{Times: []float64{0, 0.1, 0.2}, Size: image.Pt(640, 480)}
	for i := range s.Times {
		var f keypoint.Frame
		f.Set(keypoint.LeftShoulder, keypoint.Point{300, 100 + 40*float64(i)}, 0.9)
		f.Set(keypoint.LeftHip, keypoint.Point{300, 200 + 40*float64(i)}, 0.9)
		f.Set(keypoint.LeftKnee, keypoint.Point{300 + 40*float64(i), 300}, 0.9)
		f.Set(keypoint.LeftAnkle, keypoint.Point{300, 400}, 0.9)
		s.Frames = append(s.Frames, f)
	}
	return s
}

func ExampleFrame_Angle() {
	f := squatting().Frames[1]
	knee, ok := f.Angle(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
	fmt.Printf("%.1f %v\n", knee, ok)
	// Output: 124.5 true
}

func ExamplePartSelectors() {
	f := squatting().Frames[1]
	for _, s := range keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee) {
		fmt.Println(s.At(&f))
	}
	// Output:
	// [300 240] true
	// [340 300] true
}

func ExampleFrame_Distance() {
	f := squatting().Frames[0]
	d, ok := f.Distance(keypoint.LeftHip, keypoint.LeftAnkle)
	fmt.Println(d, ok)
	_, ok = f.Distance(keypoint.LeftHip, keypoint.Nose)
	fmt.Println(ok)
	// Output:
	// 200 true
	// false
}

func ExampleFrame_Centroid() {
	f := squatting().Frames[0]
	fmt.Println(f.Centroid(keypoint.PartsOf(keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee)))
	// Output: [300 200] true
}

func ExampleFrame_Bounds() {
	f := squatting().Frames[2]
	low, high, _ := f.Bounds()
	fmt.Println(low, high)
	// Output: [300 180] [380 400]
}

func ExampleFrame_TorsoLength() {
	f := squatting().Frames[0]
	fmt.Println(f.TorsoLength())
	// Output: 100 true
}

func ExampleFrame_BodyHeight() {
	f := squatting().Frames[0]
	height, _ := f.BodyHeight()
	fmt.Printf("%.0f pixels\n", height)
	// Output: 385 pixels
}

func ExampleTurn() {
	up, middle, right := keypoint.Point{0, -1}, keypoint.Point{0, 0}, keypoint.Point{1, 0}
	fmt.Println(keypoint.Turn(right, middle, up)) // counter-clockwise on screen
	fmt.Println(keypoint.Turn(up, middle, right))
	// Output:
	// 90 true
	// -90 true
}

func ExampleSequence_FrameRate() {
	s := squatting()
	fps, _ := s.FrameRate()
	fmt.Printf("%.0f frames per second for %.1f s\n", fps, s.Duration())
	// Output: 10 frames per second for 0.2 s
}

func ExampleSequence_Slice() {
	fmt.Println(squatting().Slice(1, 2).Times)
	// Output: [0.1 0.2]
}

func ExampleSelector_At() {
	f := squatting().Frames[2]
	lowest := keypoint.Selector{Type: keypoint.VerticalDown, Parts: []keypoint.Part{keypoint.LeftKnee, keypoint.LeftAnkle}}
	fmt.Println(lowest.At(&f))
	// Output: [300 400] true
}

func ExampleMidpointSelector() {
	f := squatting().Frames[0]
	fmt.Println(keypoint.MidpointSelector(keypoint.LeftShoulder, keypoint.LeftHip).At(&f))
	// Output: [300 150] true
}

func ExampleGroup() {
	left, _ := keypoint.Group("leftBody")
	fmt.Println(left.Has(keypoint.LeftWrist), left.Has(keypoint.RightWrist))
	fmt.Println(keypoint.LeftWrist.Mirror())
	// Output:
	// true false
	// rightWrist
}

func ExampleSkeleton() {
	edges := keypoint.Skeleton()
	fmt.Println(len(edges), edges[0])
	// Output: 22 [nose leftEye]
}

func ExampleParsePart() {
	p, err := keypoint.ParsePart("leftKnee")
	fmt.Println(p == keypoint.LeftKnee, err)
	_, err = keypoint.ParsePart("knee")
	fmt.Println(err != nil)
	// Output:
	// true <nil>
	// true
}

func ExampleSequence_MarshalJSON() {
	s := squatting().Slice(0, 0)
	b, err := json.Marshal(s)
	fmt.Println(string(b), err)
	var back keypoint.Sequence
	fmt.Println(json.Unmarshal(b, &back), back.Frames[0] == s.Frames[0])
	// Output:
	// {"width":640,"height":480,"timestamps":[0],"keypoint":[{"leftShoulder":[300,100],"leftHip":[300,200],"leftKnee":[300,300],"leftAnkle":[300,400]}],"scores":[{"leftShoulder":0.9,"leftHip":0.9,"leftKnee":0.9,"leftAnkle":0.9}]} <nil>
	// <nil> true
}
