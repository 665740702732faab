// Package formats reads and writes keypoints in the file formats of other tools.
//
//	seq, err := formats.ReadOpenPose(os.DirFS("squat_json"), formats.OpenPoseOptions{FrameRate: 30})
//	if err != nil {
//		return err
//	}
//	return formats.WriteCSV(os.Stdout, seq)
//
// [Read] reads each of them, and tells which it is:
//
//	seq, err := formats.Read(file, "", formats.Options{Rate: 30, Size: image.Pt(1280, 720)})
//
//	CSV        a row a frame                                ReadCSV, WriteCSV
//	JSONL      JSON Lines: a header, then a line a frame    ReadJSONL, WriteJSONL
//	COCO       annotations or results in JSON               ReadCOCO, WriteCOCO
//	OpenPose   a folder of JSON, a file a frame             ReadOpenPose, WriteOpenPose, WriteOpenPoseZip
//	MediaPipe  33 landmarks a frame in JSON                 ReadMediaPipe, WriteMediaPipe
//	TRC        markers of OpenSim, Sports2D and Pose2Sim    ReadTRC, WriteTRC
//	C3D        points of laboratories                       WriteC3D
//
// Readers return a [keypoint.Sequence]: pixels with the origin at the top left, x to the right and y down, and seconds.
// Confidences outside 0 to 1 are clamped; a part without one gets 1. Writers of tables and COCO leave the six parts of
// the feet out if no frame has one. Numbers are written in the shortest form that reads back as the same float64.
//
// Invalid input is an [*Error], which names the place and is a [keypoint.ErrInvalid]. Errors of the reader or writer
// are returned unchanged. The package is pure: it uses no files, clock or network.
package formats
