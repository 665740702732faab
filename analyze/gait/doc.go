// Package gait measures walking and running from the keypoints of a recording: when the feet strike and
// leave the ground, and what follows from that, such as cadence, stance and step length.
//
//	cleaned, _, err := clean.Run(seq, clean.Default())
//	if err != nil {
//		return err
//	}
//	height := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: 1.78}}
//	if cleaned.World, err = cleaned.Calibrate(height); err != nil {
//		return err
//	}
//	g, err := gait.Analyze(cleaned, gait.Options{})
//	if err != nil {
//		return err
//	}
//	fmt.Printf("%s: %.0f steps a minute, %.2f %s/s\n", g.Mode, g.Cadence.X, g.Speed.X, g.Unit)
//	fmt.Printf("stance left %.0f %%, right %.0f %%\n", 100*g.StanceShare.Left.Mean, 100*g.StanceShare.Right.Mean)
//
// The person must be seen from the side and be cleaned: events come from speeds.
//
// # Passes
//
// A pass is a stretch in which the person goes one way: across the picture, or in place, as on a treadmill or
// before a camera that follows. Forward is where the hips go, and in place where the foot comes
// from while it is low: x below is positive forward, and f and h are a foot and the middle of the hips.
//
// # Events
//
// The candidates are those of Zeni, Richards and Higginson, "Two simple methods for determining gait events
// during treadmill and overground walking using kinematic data" (Gait Posture 27:710, 2008,
// doi:10.1016/j.gaitpost.2007.07.007):
//
//	heel strike: x_f − x_h is largest        toe off: x_f − x_h is smallest
//
// There the foot moves as fast as the hips, so the first comes before the contact and the second after it,
// in running by 0.05 s and more. The event itself is when the speed of the foot over the ground falls below
// a share of the speed of the person, or rises above it, as Bruening and Ridge, "Automated event
// detection algorithms in pathological gait" (Gait Posture 39:472, 2014,
// doi:10.1016/j.gaitpost.2013.08.023) do after Ghoussayni and others (Gait Posture 20:266, 2004,
// doi:10.1016/j.gaitpost.2003.10.001):
//
//	|v_f − v_ground| = c · |v_h − v_ground|
//
//	point and event               c walking   c running
//	heel, heel strike                0.4         0.3
//	big toe, toe off                 0.6         0.25
//	ankle, heel strike               0.5         0.5
//	ankle, toe off             1.3 L / d   0.95 L / d
//
// A foot touches the ground with the heel or with the toes, whichever stops first. In walking a foot that lands flat may
// slide on: it has touched when its toes have come down by 0.35 of their way while the heel is within 0.03 torso
// lengths of the ground.
//
// Heels and toes are taken where the keypoints have them (package keypoint, the parts of the feet), else the
// ankles. At toe off the ankle turns about the toes: its speed over the ground, as a share of that of the person, is
// the greater the shorter the distance d is by which the person goes during a stance. L is the torso
// length, and the share is at most 1, which is the candidate. The numbers were chosen on rendered
// movies of known events, see docs/accuracy.md. The time is interpolated between frames. v_ground is 0
// across the picture, and in place the speed of the lower foot, then that of the feet while they rest on it: the big toes
// from 15 to 85 % of their stance, else the ankles from 15 to 55 %, or of a runner from 15 to 40 %, since
// networks mistake one ankle for the other where the legs cross.
//
// Left and right must move against each other, so that squats have no steps.
//
// # Numbers
//
//	stride time   from a heel strike to the next one of the same foot
//	step time     from the heel strike of the other foot to that of the side
//	stance time   from heel strike to toe off: in running, the contact time
//	swing time    from toe off to heel strike
//	stance share  stance time / stride time
//	flight time   running: from toe off to the heel strike of the other foot
//	double support  walking: from a heel strike to the toe off of the other foot
//	cadence       120 / T steps a minute; T is the slope of the times of all events against the number
//	              of their stride, by least squares, with an intercept for each side, event and pass;
//	              events that are off by more than a tenth of a stride are then left out
//	footfall      the median place of the foot while it rests on the ground, which may move
//	stride length from a footfall to the next one of the same foot
//	step length   from the footfall of the other foot to that of the side; the mean of both sides is half
//	              of the mean stride length, since one foot is nearer to the camera than the other
//	speed         mean stride length / mean stride time
//
// Gait.Warnings say what is left out: where left and right are exchanged (Options.Quality), and what no body does.
//
// Walking has a stance share of half or more, running less. Lengths are pixels without a scale
// (keypoint.World), and those in the plane of the picture: a person who walks at an angle v to the camera
// (90 from the side) shows sin v of them. A camera that looks down sees the feet up to 1 % smaller than the body.
//
// The package is pure: no I/O, no clock, no goroutine, and no function changes its arguments.
package gait
