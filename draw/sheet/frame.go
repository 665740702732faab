package sheet

import (
	"fmt"
	"image"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// Frame draws one frame as a small picture for a glance, such as in a notebook: 240 pixels
// on its longer side, of a plain ground just large enough for the keypoints. nil rules
// mean the default drawing.
//
// A frame without keypoints, or with some as far apart as Draw refuses, is a
// keypoint.ErrInvalid; what is wrong with the rules comes back as draw.Errors.
func Frame(f keypoint.Frame, rules []draw.Rule) (*image.RGBA, error) {
	v, ok := around(keypoint.Sequence{Frames: []keypoint.Frame{f}}, []int{0})
	if !ok {
		return nil, fmt.Errorf("%w frame: no keypoint to draw", keypoint.ErrInvalid)
	}
	if reach := max(v.size[0], v.size[1]); reach > maxReach {
		return nil, fmt.Errorf("%w frame: the keypoints are %g pixels apart, want at most %d", keypoint.ErrInvalid, reach, maxReach)
	}
	const side = 240
	size := scaled(v.size[0], v.size[1], image.Pt(side, side))
	m := image.NewRGBA(image.Rectangle{Max: image.Pt(max(size.X, minCell/2), max(size.Y, minCell/2))})
	_, ground := (&sheet{}).grounds()
	fill(m, m.Rect, ground)
	at := v.frame(&f, m.Rect.Size())
	if err := draw.Render(m, &at, rules, draw.Background{}); err != nil {
		return nil, err
	}
	return m, nil
}
