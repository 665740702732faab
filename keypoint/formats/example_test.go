package formats_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"log"
	"os"
	"strings"
	"testing/fstest"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// Keypoints of another program are refused when they cannot be pixels, as those of MediaPipe, which go from 0 to 1.
func ExampleCheck() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 1), Size: image.Pt(640, 480)}
	for p := range keypoint.Part(keypoint.NumBody) {
		seq.Frames[0].Set(p, keypoint.Point{0.5, float64(p) / 20}, 1)
	}
	fmt.Println(formats.Check(seq))
	fmt.Println(formats.Names())
	// Output:
	// all parts are within 4 pixels of the corner in 1 of 1 frames: they look normalised, want pixels
	// [c3d coco csv json jsonl mediapipe openpose trc]
}

// OpenPose's folder of files, as one archive.
func ExampleWrite_openPose() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 0.04}, Size: image.Pt(640, 480)}
	var file bytes.Buffer
	if err := formats.Write(&file, "openpose", seq); err != nil {
		log.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range archive.File {
		fmt.Println(f.Name)
	}
	// Output:
	// keypoints_000000000000_keypoints.json
	// keypoints_000000000001_keypoints.json
}

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

func ExampleRead_coco() {
	const file = `{
		"images": [{"id": 139, "file_name": "000000000139.jpg", "width": 640, "height": 426}],
		"annotations": [{"id": 1, "image_id": 139, "category_id": 1, "keypoints": [427, 170, 1, 0, 0, 0]}],
		"categories": [{"id": 1, "name": "person", "keypoints": ["nose", "left_eye"]}]
	}`
	seq, err := formats.Read(strings.NewReader(file), "coco", formats.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, ok := seq.Frames[0].At(keypoint.Nose)
	fmt.Println(seq.Size, at, ok, seq.Frames[0].Has(keypoint.LeftEye))
	// Output:
	// (640,426) [427 170] true false
}

func ExampleWrite_coco() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 1), Size: image.Pt(640, 480)}
	seq.Frames[0].Set(keypoint.Nose, keypoint.Point{317.5, 88}, 0.91)
	seq.Frames[0].Set(keypoint.LeftEye, keypoint.Point{327.5, 80}, 0.85)
	if err := formats.Write(os.Stdout, "coco", seq); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"images":[{"id":1,"file_name":"000000.jpg","width":640,"height":480}],"annotations":[{"id":1,"image_id":1,"category_id":1,"iscrowd":0,"num_keypoints":2,"keypoints":[317.5,88,2,327.5,80,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"keypoint_scores":[0.91,0.85,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"bbox":[317.5,80,10,8],"area":80}],"categories":[{"id":1,"name":"person","supercategory":"person","keypoints":["nose","left_eye","right_eye","left_ear","right_ear","left_shoulder","right_shoulder","left_elbow","right_elbow","left_wrist","right_wrist","left_hip","right_hip","left_knee","right_knee","left_ankle","right_ankle"],"skeleton":[[1,2],[1,3],[2,4],[3,5],[6,7],[12,13],[6,8],[8,10],[7,9],[9,11],[12,14],[14,16],[13,15],[15,17],[6,12],[7,13]]}]}
}

func ExampleReadOpenPose() {
	const person = `{"pose_keypoints_2d":[505.2,431.6,0.66` + // the nose; 24 more points follow
		`,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}`
	// In a program: os.DirFS("openpose/output").
	output := fstest.MapFS{
		"squat_000000000000_keypoints.json": {Data: []byte(`{"version":1.3,"people":[` + person + `]}`)},
		"squat_000000000001_keypoints.json": {Data: []byte(`{"version":1.3,"people":[]}`)},
	}
	seq, err := formats.ReadOpenPose(output, formats.Options{Rate: 25})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, _ := seq.Frames[0].At(keypoint.Nose)
	fmt.Println(at, seq.Frames[1].Empty(), seq.Times)
	// Output:
	// [505.2 431.6] true [0 0.04]
}

func ExampleWriteOpenPose() {
	seq := raisedWrist()
	for i := range seq.Frames {
		if err := formats.WriteOpenPose(os.Stdout, &seq.Frames[i]); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// {"version":1.3,"people":[{"person_id":[-1],"pose_keypoints_2d":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,340.5,130,0.9,0,0,0,390.5,250,0.75,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"face_keypoints_2d":[],"hand_left_keypoints_2d":[],"hand_right_keypoints_2d":[],"pose_keypoints_3d":[],"face_keypoints_3d":[],"hand_left_keypoints_3d":[],"hand_right_keypoints_3d":[]}]}
	// {"version":1.3,"people":[{"person_id":[-1],"pose_keypoints_2d":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,340,131,0.9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"face_keypoints_2d":[],"hand_left_keypoints_2d":[],"hand_right_keypoints_2d":[],"pose_keypoints_3d":[],"face_keypoints_3d":[],"hand_left_keypoints_3d":[],"hand_right_keypoints_3d":[]}]}
}

func ExampleRead_mediapipe() {
	landmark := `{"x": 0.5, "y": 0.25, "z": -0.1, "visibility": 0.75}`
	file := "[[" + strings.Repeat(landmark+",", 32) + landmark + "], null]" // a frame with a person, one without
	seq, err := formats.Read(strings.NewReader(file), "mediapipe", formats.Options{Size: image.Pt(640, 480), Rate: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, _ := seq.Frames[0].At(keypoint.LeftKnee)
	fmt.Println(at, seq.Frames[0].Confidence(keypoint.LeftKnee), seq.Frames[1].Empty(), seq.Times)
	// Output:
	// [320 120] 0.75 true [0 0.1]
}

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
