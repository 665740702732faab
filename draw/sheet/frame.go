package sheet

import (
	"image"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// Frame draws one frame as a thumbnail, such as for a notebook: the keypoints and a small
// margin on a plain background, 240 pixels on the longer side. Nil rules select the
// default drawing.
//
// It returns a keypoint.ErrInvalid if the frame has no keypoints or they are too far apart
// (see Draw), and keypoint.FieldErrors if the rules are invalid.
func Frame(f keypoint.Frame, rules []draw.Rule) (*image.RGBA, error) {
	v, err := around(keypoint.Sequence{Frames: []keypoint.Frame{f}}, []int{0}, "frame: no keypoint to draw")
	if err != nil {
		return nil, err
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
