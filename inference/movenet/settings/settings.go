// Package settings has three ready compositions of MoveNet:
//
//	opt := settings.Balanced()
//	opt.PartThreshold = 0.3 // every field can be changed
//	est, err := movenet.New(opt)
//
// A program contains only the networks of the settings it names.
//
//	            find       crop                                      estimate
//	Fast        MultiPose  upright by the torso                      Lightning
//	Balanced    MultiPose  upright by the torso                      Thunder
//	Accurate    MultiPose  four orientations and three sizes if      Thunder, mean of the
//	                       the first estimate is uncertain           estimates that agree
//
// In a movie every setting follows the person with one estimate per frame. docs/accuracy.md and
// docs/performance.md compare them.
package settings

import (
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
)

// Fast is faster and less accurate than Balanced: for live pictures and slow machines.
func Fast() movenet.Options {
	return movenet.Options{Pose: lightning.Model(), People: multipose.Model()}
}

// Balanced is a good default, which the examples use.
func Balanced() movenet.Options {
	return movenet.Options{Pose: thunder.Model(), People: multipose.Model()}
}

// Accurate repeats uncertain estimates, for pictures of acrobats and people who are lying.
func Accurate() movenet.Options {
	opt := Balanced()
	opt.Thorough = true
	return opt
}
