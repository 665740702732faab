// Package formats reads and writes keypoints in the file formats of other tools.
//
//	seq, err := formats.Read(file, "", formats.Options{Rate: 30, Size: image.Pt(1280, 720)})
//	if err != nil {
//		return err
//	}
//	return formats.Write(os.Stdout, "csv", seq)
//
// [Read] tells a format without a name from the beginning of the input. These are known:
//
//	json       the JSON of a keypoint.Sequence
//	jsonl      JSON Lines: a header, then a line a frame
//	csv        a row a frame
//	coco       annotations or results in JSON
//	openpose   a folder of JSON, a file a frame, as a ZIP archive, or see ReadOpenPose
//	mediapipe  33 landmarks a frame in JSON
//	trc        markers of OpenSim, Sports2D and Pose2Sim
//	c3d        points of laboratories
//
// A [keypoint.Sequence] that was read is in pixels with the origin at the top left, x to the right and y down, and in
// seconds. Confidences outside 0 to 1 are clamped; a part without one gets 1. Tables and COCO leave the six parts of
// the feet out if no frame has one. Numbers are written in the shortest form that reads back as the same float64.
//
// Invalid input is an [*Error], which names the place and is a [keypoint.ErrInvalid]. Errors of the reader or writer
// are returned unchanged. The package is pure: it uses no files, clock or network.
//
// https://github.com/bodymotion/motion/blob/main/docs/files.md has what each file contains and lacks. Of several people in
// a frame, the one with the largest product of box and sum of confidences is kept.
//
// # Text and JSON
//
//	{"width":640,"height":480,"timed":true}                                       JSON Lines: a header, then a line a frame
//	{"time":0,"keypoint":{"nose":[317.4,88.12]},"scores":{"nose":0.91}}
//
//	frame,time [s],nose_x [px],nose_y [px],nose_confidence,leftEye_x [px],…      CSV
//	0,0,317.4,88.12,0.91,,,,…
//
// Columns of CSV are in any order; those of times and confidences, and the units, may be missing. Parts may be spelled
// leftEye, left_eye or LEye. Empty cells and NaN make a part absent. Frame numbers are consecutive, from any number; times
// are all there or none, and increase.
//
// # COCO, OpenPose and MediaPipe
//
// Every image of COCO becomes a frame, in the order of the array; result files of detectors have the number of the frame as
// image_id, and frames without anybody are empty. A v of 0 is absent, of 1 or 2 sure; a number between, as detectors write
// it, is the confidence, but for the member keypoint_scores. keypoint_scores, time and foot_kpts are written, too.
//
// OpenPose has 25 points of BODY_25 or 18 of COCO, in pixels (--keypoint_scale 0): a ZIP archive, the JSON of a frame, or an
// array of those. The landmarks of MediaPipe are [x, y, z, visibility] or objects, in arrays or as JSON Lines, with a time in
// milliseconds in all frames or in none. They are normalised, for which the Size is needed, unless most are too far from the
// corner for that: then they are pixels. Those in metres (world), and those of a Size whose width and height must have been
// exchanged, are an Error. Written are normalised ones.
//
// # TRC and C3D
//
// RShoulder, rightShoulder and right_shoulder are the same marker, in C3D also behind a name and a colon; others than the
// parts are ignored. Where a third coordinate is not 0, they are in space, measured by a laboratory ([keypoint.Space]): in
// metres, or torso lengths, Y up, in C3D as POINT:X_SCREEN and Y_SCREEN say, else Z up. Files of lengths are put into the
// plane at 1000 pixels a unit, have no size of a picture, and keep their scale; Sports2D writes m for pixels too, which the
// height of the person tells. A C3D file is one of a PC; its residual is one standard deviation of the place, −1 for an
// absent point. A marker at (0, 0, 0) is absent. Neither has confidences and a picture.
//
// Written are the names of Sports2D and Pose2Sim, with the feet of HALPE_26 only if a frame has one: positions in space in
// their unit; else with a third coordinate of 0, for a World with a scale metres along its floor, Y up, from its origin, else
// pixels, Y down. An absent part is NaN. There must be times; DataRate is [keypoint.Sequence.FrameRate]. C3D has a rate
// alone: where frames are lost, 1 over the mean difference of the other times. Frames of a movie whose rate varies are put
// between those that are there, in a straight line, and are empty between two more than half a second apart; more than
// 65,535 frames are refused.
package formats
