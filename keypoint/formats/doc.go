// Package formats reads and writes keypoints, and the results of analyses, in the files of
// other tools:
//
//	CSV        keypoints, a row a part or a row a frame     ReadCSV, WriteLongCSV, WriteWideCSV
//	           results of analyses                          WriteColumnsCSV
//	COCO       keypoint annotations in JSON                 ReadCOCO, WriteCOCO
//	OpenPose   a folder of JSON, a file a frame             ReadOpenPose, WriteOpenPose
//	MediaPipe  33 landmarks a frame in JSON                 ReadMediaPipe
//	TRC        markers of OpenSim, Sports2D and Pose2Sim    ReadTRC, WriteTRC
//	MOT        angles of OpenSim and Sports2D               ReadMOT, WriteMOT
//
// What is read becomes a [keypoint.Sequence]: pixels with the origin at the top left, x to
// the right and y down, and seconds. Numbers are written in the shortest form that reads
// back as the same float64, so that what a format has a place for comes back exactly. What
// it has no place for stands in the comment of the function that writes it.
//
// A part that was not found is absent: an empty cell, a NaN, a null, or whatever the format
// has for it. Confidences beyond 0 to 1 are clamped; a part without one gets 1.
//
// What is wrong with an input is an [*Error], which names the place and is a
// [keypoint.ErrInvalid]. Errors of the reader or writer come back as they are.
//
// The package is pure: it reads from an io.Reader or fs.FS and writes to an io.Writer, and
// knows no files, no clock and no network.
package formats
