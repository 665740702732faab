// Package keypoint holds what every other package speaks: the 17 body parts, the
// keypoints of one person in one picture (Frame), and those of a recording
// (Sequence).
//
// Units are the same everywhere: pixels with the origin at the top left, x to the
// right and y down; degrees; seconds. What is absent is spelled one way: a part
// that was not found returns ok == false, and is a missing member in JSON. No NaN
// and no (0, 0) stands for it.
//
// The package is pure: no I/O, no clock, no goroutine, and no function changes its
// arguments.
package keypoint
