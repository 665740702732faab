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
//	bvh        a skeleton in motion, of keypoints in space; it is only written
//
// A [keypoint.Sequence] that was read is in pixels with the origin at the top left, x to the right and y down, and in
// seconds. Confidences outside 0 to 1 are clamped; a part without one gets 1. Tables and COCO leave the six parts of
// the feet out if no frame has one. Numbers are written in the shortest form that reads back as the same float64.
//
// Invalid input is an [*Error], which names the place and is a [keypoint.ErrInvalid]. Errors of the reader or writer
// are returned unchanged. The package is pure: it uses no files, clock or network.
//
// https://github.com/bodymotion/motion/blob/main/docs/use/files.md has what each file contains and lacks, and what is read of it.
// Of several people in a frame, the one with the largest product of box and sum of confidences is kept.
package formats
