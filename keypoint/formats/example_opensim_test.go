package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

func ExampleReadTRC() {
	const file = "PathFileType\t4\t(X/Y/Z)\tsquat.trc\n" +
		"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n" +
		"60\t60\t1\t2\tm\n" +
		"Frame#\tTime\tRHip\t\t\tRBigToe\t\t\n" +
		"\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n" +
		"1\t0\t0.5\t0.9\t-1.4\t0.7\t0\t-1.5\n"
	seq, err := formats.ReadTRC(strings.NewReader(file), formats.TRCOptions{
		PixelsPerMetre: 200, YUp: true, Origin: keypoint.Point{320, 460}, // the ground is at the bottom of the picture
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, _ := seq.Frames[0].At(keypoint.RightHip)
	fmt.Println(at, seq.Frames[0].Len())
	// Output:
	// [420 280] 2
}

func ExampleWriteTRC() {
	var file bytes.Buffer
	if err := formats.WriteTRC(&file, raisedWrist(), formats.TRCOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Join(strings.SplitN(file.String(), "\n", 4)[:3], "\n"))
	back, err := formats.ReadTRC(&file, formats.TRCOptions{})
	at, _ := back.Frames[0].At(keypoint.LeftWrist)
	fmt.Println(at, back.Times, err)
	// Output:
	// PathFileType	4	(X/Y/Z)	keypoints.trc
	// DataRate	CameraRate	NumFrames	NumMarkers	Units	OrigDataRate	OrigDataStartFrame	OrigNumFrames
	// 25	25	2	17	px	25	0	2
	// [390.5 250] [0 0.04] <nil>
}

func ExampleReadMOT() {
	const file = "Coordinates\nversion=1\nnRows=2\nnColumns=2\ninDegrees=yes\nendheader\n" +
		"time\tknee_angle_r\n0\t12.5\n0.04\t14\n"
	motion, err := formats.ReadMOT(strings.NewReader(file), formats.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range motion.Columns {
		fmt.Println(c.Name, c.Values[1].X, "degrees at", motion.Times[1], "s")
	}
	// Output:
	// knee_angle_r 14 degrees at 0.04 s
}

func ExampleWriteMOT() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 0.04}}
	seq.Frames[0].Set(keypoint.RightHip, keypoint.Point{300, 200}, 1)
	seq.Frames[0].Set(keypoint.RightKnee, keypoint.Point{300, 300}, 1)
	seq.Frames[0].Set(keypoint.RightAnkle, keypoint.Point{200, 300}, 1)
	rules, err := analyze.ParseRules([]byte(`{"analysisType":"jointFlexion","points":["rightHip","rightKnee","rightAnkle"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	columns := formats.Columns(results)
	columns[0].Name = "knee_angle_r" // as the models of OpenSim call it
	if err := formats.WriteMOT(os.Stdout, formats.Motion{Name: "squat", Times: seq.Times, Columns: columns}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// squat
	// version=1
	// nRows=2
	// nColumns=2
	// inDegrees=yes
	// endheader
	// time	knee_angle_r
	// 0	90
	// 0.04	NaN
}
