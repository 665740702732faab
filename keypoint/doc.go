// Package keypoint defines the types that all other packages share: the body parts, the keypoints of one person in
// one picture (Frame) and of a recording (Sequence), with their geometry and kinematics.
//
//	var seq keypoint.Sequence
//	if err := json.Unmarshal(data, &seq); err != nil {
//		return err
//	}
//	for i := range seq.Frames {
//		knee, ok := seq.Frames[i].Angle(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
//		fmt.Println(i, knee, ok)
//	}
//
// Units are the same everywhere: pixels with the origin at the top left, x to the
// right and y down; degrees; seconds. Left and right are the person's own.
//
//	(0,0) ──── x ───▶                 c
//	  │                               │        Turn(a, b, c) = +90: counter-clockwise as
//	  │       rightShoulder           │ 90°    seen on screen, although y points down.
//	  y          ●───● leftShoulder   b────a   Turn(c, b, a) = −90.
//	  │          │   │                         Angle(a, b, c) = Angle(c, b, a) = 90.
//	  ▼     (seen from the front)              Angle of a straight limb = 180.
//
// Calibrate finds the scale, the floor and the origin of a recording, its World; with it, analyses, speeds and exports
// are in metres along the floor, while frames stay in pixels.
//
// Absence has one spelling: ok is false for a part that was not found, and its member is missing in JSON. Neither NaN
// nor (0, 0) means absent.
//
// The package is pure: no clock, no goroutine, no I/O, and no function changes its arguments.
package keypoint
