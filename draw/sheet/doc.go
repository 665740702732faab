// Package sheet draws a contact sheet: some frames of a movie with their drawings in
// one picture, each with its time beneath, for reports.
//
//	+-------+ +-------+ +-------+
//	|   o   | |   o   | |  \o/  |
//	|  /|\  | |  -|-  | |   |   |
//	|  / \  | |  / \  | |  / \  |
//	+-------+ +-------+ +-------+
//	 0.00 s    0.50 s    1.00 s
//
// The cells are of one size. A picture is brought to the size of its cell, its aspect
// kept, before the keypoints are drawn onto it, so that lines and dots are as wide as
// package draw makes them on a picture of that size. Without pictures the skeletons
// stand on a plain ground.
//
// The package is pure: no I/O, no clock, no goroutine, and no function changes its
// arguments; the same arguments give the same bytes.
package sheet
