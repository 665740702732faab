package formats_test

import (
	"fmt"
	"image"
	"os"
	"strings"
	"testing/fstest"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

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
