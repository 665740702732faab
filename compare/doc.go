// Package compare measures the difference between two recordings of a person, part by part and
// frame by frame.
//
//	result, err := compare.Diff(source, target, compare.Options{Alignment: compare.DTW})
//	if err != nil {
//		return err
//	}
//	fmt.Println("score", result.Score.Overall)
//	if d, ok := result.Frames[0].At(keypoint.LeftWrist); ok {
//		fmt.Println(d.Distance, d.Direction)
//	}
//
// # Time
//
// Frame i of the Ns frames of the source is compared with the target at
//
//	u = i · (Nt − 1) / (Ns − 1)
//
// linear between the two neighbouring frames of the target, by the timestamps where
// both recordings have them. A source image takes the target's first frame; a target
// image is taken for every frame of the source.
//
// That is the linear alignment. DTW instead warps time so that the sum of the pose distances
// (the mean distance of the parts that two frames share) is smallest. Offset shifts time by
// the one amount at which the movements correlate best, and refuses recordings that do not
// correlate. What lies between two frames of the target that are more than half a second apart, where frames of a movie
// are lost, has no counterpart.
//
// # Body
//
// In each frame both persons are moved so that their centres coincide: the mean
// of the detected hips, else of the shoulders, else of all parts that both have. Each
// recording has one scale, the torso length L: the median over its frames of the
// distance from mid-shoulder to mid-hip, or the median of the bounding-box diagonal ×
// 0.45 if no frame shows a torso.
//
// Feet are compared where both recordings have them. Alignment, centre, scale and the overall score
// are those of the other 17 parts.
//
// # Difference
//
// With s and t the places of a part in source and target, relative to the
// centres,
//
//	d = t / L_target − s / L_source      (torso lengths)
//	distance  = min(1, |d| / 2.5)        0 to 1
//	direction = atan2(d_x, −d_y)         degrees, 0 ≤ v < 360
//
//	                 0
//	                 |
//	         270 ----+---- 90            up is 0, clockwise on screen
//	                 |
//	                180
//
// With Options.Angles, the result also has the differences of the named angles of package analyze in
// degrees.
//
// With Options.Repetitions, it also has the scores of the repetitions of the target against those of
// the source, each against its twin.
//
// # Score
//
// With s and t as above, in torso lengths, d = t − s, means and variances over the frames, and
// both added up over shoulders, elbows, wrists, knees and ankles,
//
//	score = 1 − (variance of d + |mean of d|² / 5) / (variance of s + variance of t + 0.12²)
//
// and at least 0. It is the concordance correlation coefficient of Lin (A Concordance Correlation
// Coefficient to Evaluate Reproducibility, Biometrics 45, 1989), which would count the mean in
// full and in the denominator too. Here another posture counts less than another movement,
// because camera, clothes and proportions change it; and a person who stands still is measured
// against 0.12 torso lengths. Parts count by the number of frames that show them. The score of a
// part is the same of that part alone. Where neither shoulders nor limbs are seen, all parts
// count.
//
// Repetitions of one person score 0.9 or more, unrelated movements 0.5 or less, seen from the same
// side; docs/numbers.md has the measurements.
//
// The package is pure: no I/O, no clock, no goroutine, and no function changes its
// arguments.
package compare
