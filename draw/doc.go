// Package draw draws keypoints, skeletons, lines and the differences of a comparison onto pictures, by rules.
//
//	knee := keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
//	rules := []draw.Rule{draw.StickPicture().In(draw.Blue, 1), draw.Angle(knee...)}
//	err := draw.Render(picture, &frame, rules, draw.Background{})
//
// ParseRules reads the same as JSON. Compile prepares rules once for many frames. The types of rules, for a frame in pixels:
//
//	keypoint        a dot at each point
//	stickPicture    a line through the points in order; without points, the edges of the
//	                skeleton between parts of the pattern
//	horizontalLine  a line across the whole picture through each point
//	verticalLine    a line from top to bottom through each point
//	angle           an arc at the second of three points, between the rays to the others,
//	                and its degrees beside it: 0 to 180, or with rotation the
//	                counter-clockwise turn of 0 to 360
//	trace           the path of each point over the last seconds, thinner where it is older
//	label           a text close to each point, or with beside clear of the skeleton, and the
//	                value of an analysis
//	body            the person as the page shows it: left blue and right orange with a dark rim,
//	                unsure parts dotted, nothing of the face and of hidden parts
//
// The last four types, and the properties ghost, arrows and legend of rules for a comparison, go beyond the specification of the
// service. The feet belong to the pattern all and to no other, and are drawn where a frame has them. In a drawing of a comparison,
// a part takes the highest band of its rule whose threshold its distance reaches, and a line the stronger band of its two ends.
//
// Sizes are relative to the longer side L of the picture in pixels: a line is size × L/400 wide, at least 2 pixels; a
// dot is size × L/150 in diameter, at least 4 pixels; text is size × L/45 high, at least 12 pixels, or L/10 in
// pictures of less than 120. Edges are anti-aliased and positions sub-pixel. Text is outlined in black or white, and
// moved into the picture if its point is in it. Rules are drawn in order, later ones over earlier ones.
//
// The package is pure: no I/O, no clock, no goroutine. Rendering writes to its destination and changes nothing else;
// the same arguments give the same bytes.
package draw
