// Package keypoint holds what every other package speaks: the 17 body parts, the
// keypoints of one person in one picture (Frame), and those of a recording
// (Sequence), with the geometry and the kinematics of both.
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
// What is absent is spelled one way: a part that was not found returns ok == false, and is
// a missing member in JSON. No NaN and no (0, 0) stands for it.
//
// Velocities are differences over the neighbouring frames by their times,
//
//	v(i) = (p(i+1) − p(i−1)) / (t(i+1) − t(i−1))
//
// and to the one neighbour that has the point at the ends and beside gaps.
//
// JSON comes in two forms: a Sequence as one document, and, for recordings that are too long
// to be held, the lines of Encoder and Decoder.
//
// The package is pure: no clock, no goroutine, no I/O but the caller's reader and writer,
// and no function changes its arguments.
package keypoint
