package formats

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"

	"github.com/bodymotion/motion/keypoint"
)

// WriteOpenPose writes the file of one frame as OpenPose does with --write_json, in pixels, with one person, or none if
// the frame is empty, in the points of the model BODY_25. Neck and MidHip are halfway between the shoulders and between
// the hips, with the lower confidence of the two; other points that are no parts are absent. OpenPose marks absent
// points with a confidence of 0, so parts of this confidence are lost, as are times and the picture size.
func WriteOpenPose(w io.Writer, f *keypoint.Frame) error {
	if f == nil {
		return fmt.Errorf("%w frame: it is nil", keypoint.ErrInvalid)
	}
	people := ""
	if !f.Empty() {
		points, err := json.Marshal(openPoseNumbers(f))
		if err != nil {
			return err
		}
		people = `{"person_id":[-1],"pose_keypoints_2d":` + string(points) +
			`,"face_keypoints_2d":[],"hand_left_keypoints_2d":[],"hand_right_keypoints_2d":[]` +
			`,"pose_keypoints_3d":[],"face_keypoints_3d":[],"hand_left_keypoints_3d":[],"hand_right_keypoints_3d":[]}`
	}
	_, err := io.WriteString(w, `{"version":1.3,"people":[`+people+"]}\n")
	return err
}

// writeOpenPoseZip writes a ZIP archive with a file per frame as WriteOpenPose writes it, named as OpenPose does for a movie called
// keypoints: "keypoints_", the number of the frame from 0 in twelve digits, and "_keypoints.json". ReadOpenPose reads a zip.Reader of it.
func writeOpenPoseZip(w io.Writer, seq keypoint.Sequence) error {
	out := zip.NewWriter(w)
	for i := range seq.Frames {
		file, err := out.Create(fmt.Sprintf("keypoints_%012d_keypoints.json", i))
		if err == nil {
			err = WriteOpenPose(file, &seq.Frames[i])
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// openPoseNumbers returns x, y and confidence of the points of BODY_25.
func openPoseNumbers(f *keypoint.Frame) []float64 {
	numbers := make([]float64, 3*25)
	put := func(i int, at keypoint.Point, confidence float64) {
		if confidence > 0 {
			copy(numbers[3*i:], []float64{at[0], at[1], confidence})
		}
	}
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		put(body25[p], at, f.Confidence(p))
	}
	between := func(i int, a, b keypoint.Part) {
		if at, ok := keypoint.MidpointSelector(a, b).At(f); ok && finite(at[0]) && finite(at[1]) {
			put(i, at, min(f.Confidence(a), f.Confidence(b)))
		}
	}
	between(1, keypoint.LeftShoulder, keypoint.RightShoulder)
	between(8, keypoint.LeftHip, keypoint.RightHip)
	return numbers
}
