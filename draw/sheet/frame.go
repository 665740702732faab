package sheet

import (
	"image"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// Frame draws one frame as a small picture for a glance, such as in a notebook: a cell of
// a sheet with the default options, 240 pixels on its longer side, of a ground just large
// enough for the keypoints, without a label. nil rules mean the default drawing.
//
// A frame without keypoints is a keypoint.ErrInvalid; what is wrong with the rules comes
// back as draw.Errors.
func Frame(f keypoint.Frame, rules []draw.Rule) (*image.RGBA, error) {
	s := Options{Rules: rules, Label: func(int) string { return "" }}
	return Draw(keypoint.Sequence{Frames: []keypoint.Frame{f}}, nil, s)
}
