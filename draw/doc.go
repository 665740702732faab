// Package draw paints keypoints, skeletons, lines and the differences of a comparison
// onto pictures, by rules.
//
// Sizes go with the picture: with L the longer side in pixels, a line is size × L/400
// wide, at least 2 pixels, and a dot size × L/150 in diameter, at least 4 pixels.
// Edges are anti-aliased, ends are round, positions are sub-pixel. What is not there
// is not drawn; what lies outside the picture is clipped. Rules are painted in order,
// later ones over earlier ones.
//
// The package is pure: no I/O, no clock, no goroutine. Render writes to its
// destination and changes nothing else.
package draw
