// Package gait measures walking and running from the keypoints of a recording: when the feet strike and
// leave the ground, and what follows from that, such as cadence, stance and step length.
//
//	g, err := gait.Analyze(seq, gait.Options{}) // in metres if keypoint.Sequence.Calibrate has found a scale
//	if err != nil {
//		return err
//	}
//	fmt.Printf("%s: %.0f steps a minute, %.2f %s/s\n", g.Mode, g.Cadence.X, g.Speed.X, g.Unit)
//	fmt.Printf("stance left %.0f %%, right %.0f %%\n", 100*g.StanceShare.Left.Mean, 100*g.StanceShare.Right.Mean)
//
// Keypoints must be cleaned (clean.Run): events come from speeds. A side view gives all numbers; a walk towards the camera or away from it gives the
// cadence and the times of strides and steps.
//
// [Pass], [Event] and [Gait] say how the stretches, the contacts of the feet and the numbers are found.
//
// The package is pure: no I/O, no clock, no goroutine, and no function changes its arguments.
package gait
