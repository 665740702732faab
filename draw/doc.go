// Package draw paints keypoints, skeletons, lines and the differences of a comparison
// onto pictures, by rules.
//
// What each type of rule draws, of a frame in pixels:
//
//	keypoint        a dot at each point
//	stickPicture    a line through the points in order; without points, the edges of
//	                the skeleton both of whose ends are in the pattern
//	horizontalLine  a line across the whole picture through each point
//	verticalLine    a line from top to bottom through each point
//	angle           an arc at the second of three points, between the rays to the
//	                others, and its degrees beside it: 0 to 180, or with rotation the
//	                counter-clockwise turn of 0 to 360
//	trace           the path of each point over the last seconds, thin where it is old
//	label           a text beside each point, and the value of an analysis
//
// The last three go beyond the specification of the service, and so do the properties
// ghost, arrows and legend of rules for a comparison; nothing of it is drawn unless
// asked for.
//
// Sizes go with the picture: with L the longer side in pixels, a line is size × L/400
// wide, at least 2 pixels, a dot size × L/150 in diameter, at least 4 pixels, and text
// size × L/45 high, at least 12 pixels but for pictures of less than 120. Edges are anti-aliased, ends and joins are
// round, positions are sub-pixel. What is not there is not drawn; what lies outside
// the picture is clipped, and the colour of a rule comes no farther than one pixel
// beyond half its width or diameter. Text is outlined, in black or white, whichever
// its colour stands out from, and is moved into the picture where its point is in it.
// Rules are painted in order, later ones over earlier ones.
//
// In a drawing of a comparison a part takes the highest band of its rule whose
// threshold its distance reaches, and a line the stronger band of its two ends.
//
// The package is pure: no I/O, no clock, no goroutine. Render writes to its
// destination and changes nothing else; the same arguments give the same bytes.
package draw
