// Package settings holds three ready compositions of MoveNet. Each is a movenet.Options of
// which every field can be changed before it is given to movenet.New:
//
//	opt := settings.Balanced()
//	opt.PartThreshold = 0.3
//	est, err := movenet.New(opt)
//
// A program carries only the networks of the settings that it names.
//
//	              find    →  choose        →  crop and turn upright  →  estimate
//	Fast          MultiPose  CentreFront¹     once, by the torso        Lightning
//	Balanced      MultiPose  CentreFront¹     once, by the torso        Thunder
//	Accurate      MultiPose  CentreFront¹     four turns, three sizes   Thunder, the mean of
//	                                          where the first look is   the looks that agree
//	                                          not sure
//
// ¹ or whom inference.Hint.Choose wants. In a movie the person is followed with one look a
// frame, whatever the setting; README.md of the module has their accuracy and speed.
package settings

import (
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
)

// Fast is more than twice as fast as Balanced, and less exact: for live pictures and slow
// machines.
func Fast() movenet.Options {
	return movenet.Options{Pose: lightning.Model(), People: multipose.Model()}
}

// Balanced is the default of the examples.
func Balanced() movenet.Options {
	return movenet.Options{Pose: thunder.Model(), People: multipose.Model()}
}

// Accurate takes up to 14 looks at a person who is not followed, for pictures of acrobats
// and of people who lie.
func Accurate() movenet.Options {
	opt := Balanced()
	opt.Thorough = true
	return opt
}
