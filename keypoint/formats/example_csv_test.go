package formats_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// raisedWrist is a movie of two frames.
func raisedWrist() keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 0.04}}
	s.Frames[0].Set(keypoint.LeftShoulder, keypoint.Point{340.5, 130}, 0.9)
	s.Frames[0].Set(keypoint.LeftWrist, keypoint.Point{390.5, 250}, 0.75)
	s.Frames[1].Set(keypoint.LeftShoulder, keypoint.Point{340, 131}, 0.9)
	return s
}

func ExampleRead_csv() {
	const file = `frame,time,left_knee_x,left_knee_y
0,0,210.5,330
1,0.04,NaN,NaN
`
	seq, err := formats.Read(strings.NewReader(file), "csv", formats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range seq.Frames {
		at, ok := seq.Frames[i].At(keypoint.LeftKnee)
		fmt.Println(seq.Times[i], at, ok)
	}
	// Output:
	// 0 [210.5 330] true
	// 0.04 [0 0] false
}

func ExampleRead_mistake() {
	_, err := formats.Read(strings.NewReader("frame,nose_x,nose_y\n0,12,left\n"), "csv", formats.Options{})
	fmt.Println(err)
	// Output:
	// CSV: line 2: nose_y: is "left", want a finite number
}

func ExampleWrite_csv() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 1)}
	seq.Frames[0].Set(keypoint.Nose, keypoint.Point{317.4, 88.12}, 0.91)
	if err := formats.Write(os.Stdout, "csv", seq); err != nil {
		fmt.Println(err)
	}
	// Output:
	// frame,time [s],nose_x [px],nose_y [px],nose_confidence,leftEye_x [px],leftEye_y [px],leftEye_confidence,rightEye_x [px],rightEye_y [px],rightEye_confidence,leftEar_x [px],leftEar_y [px],leftEar_confidence,rightEar_x [px],rightEar_y [px],rightEar_confidence,leftShoulder_x [px],leftShoulder_y [px],leftShoulder_confidence,rightShoulder_x [px],rightShoulder_y [px],rightShoulder_confidence,leftElbow_x [px],leftElbow_y [px],leftElbow_confidence,rightElbow_x [px],rightElbow_y [px],rightElbow_confidence,leftWrist_x [px],leftWrist_y [px],leftWrist_confidence,rightWrist_x [px],rightWrist_y [px],rightWrist_confidence,leftHip_x [px],leftHip_y [px],leftHip_confidence,rightHip_x [px],rightHip_y [px],rightHip_confidence,leftKnee_x [px],leftKnee_y [px],leftKnee_confidence,rightKnee_x [px],rightKnee_y [px],rightKnee_confidence,leftAnkle_x [px],leftAnkle_y [px],leftAnkle_confidence,rightAnkle_x [px],rightAnkle_y [px],rightAnkle_confidence
	// 0,,317.4,88.12,0.91,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
}
