package formats_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

func ExampleRead_trc() {
	const file = "PathFileType\t4\t(X/Y/Z)\tsquat.trc\n" +
		"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n" +
		"60\t60\t1\t2\tm\n" +
		"Frame#\tTime\tRHip\t\t\tRBigToe\t\t\n" +
		"\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n" +
		"1\t0\t0.5\t0.9\t-1.4\t0.7\t0\t-1.5\n"
	seq, err := formats.Read(strings.NewReader(file), "trc", formats.Options{}) // 1000 pixels a metre
	if err != nil {
		fmt.Println(err)
		return
	}
	at, _ := seq.Frames[0].At(keypoint.RightHip)
	in, _ := seq.Frames[0].Positions().At(keypoint.RightHip)
	fmt.Println(at, in, seq.Space.Unit)
	// Output:
	// [500 -900] [0.5 0.9 -1.4] m
}

func ExampleWrite_trc() {
	var file bytes.Buffer
	if err := formats.Write(&file, "trc", raisedWrist()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Join(strings.SplitN(file.String(), "\n", 4)[:3], "\n"))
	back, err := formats.Read(&file, "trc", formats.Options{})
	at, _ := back.Frames[0].At(keypoint.LeftWrist)
	fmt.Println(at, back.Times, err)
	// Output:
	// PathFileType	4	(X/Y/Z)	keypoints.trc
	// DataRate	CameraRate	NumFrames	NumMarkers	Units	OrigDataRate	OrigDataStartFrame	OrigNumFrames
	// 25	25	2	17	px	25	0	2
	// [390.5 250] [0 0.04] <nil>
}
