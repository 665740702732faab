// Package analyze computes values of the keypoints of a recording by rules:
// coordinates, differences, distances and angles of each frame, and statistics over
// the frames.
//
// Coordinates are pixels, x to the right and y down. Angles are degrees:
//
//	vectorAngle at point 2             rotationAngle at point 2
//	0 ≤ v ≤ 180                        0 ≤ v < 360, counter-clockwise on screen
//
//	  1                                       3
//	   \                                      |
//	    \  v                              90° |
//	     2-----3                              2-----1
//
// A straight limb has a vectorAngle of 180. Swapping points 1 and 3 leaves a
// vectorAngle v as it is and makes a rotationAngle v (other than 0) 360 − v.
//
// A frame in which a part that a rule needs was not found has no value: Present is
// false, and JSON has null.
//
// The package is pure: no I/O, no clock, no goroutine, and no function changes its
// arguments.
package analyze
