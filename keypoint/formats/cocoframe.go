package formats

import (
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// frame returns the keypoints of an annotation.
func (c *cocoReader) frame(a *cocoAnnotation) (f keypoint.Frame, err error) {
	parts, ok := c.categories[a.CategoryID]
	if c.categories == nil {
		parts, ok = keypoint.Body.List(), true
	}
	switch n := len(parts); {
	case !ok:
		return f, c.in.wrong(a.pointer+"/category_id", "is %d, want the id of one of the categories", a.CategoryID)
	case len(a.Keypoints) != 3*n:
		return f, c.in.wrong(a.pointer+"/keypoints", "has %d numbers, want %d: x, y and v of the %d keypoints of the category",
			len(a.Keypoints), 3*n, n)
	case a.Scores != nil && len(a.Scores) != n:
		return f, c.in.wrong(a.pointer+"/keypoint_scores", "has %d numbers, want %d, one a keypoint", len(a.Scores), n)
	case a.Feet != nil && len(a.Feet) != 3*len(wholeBodyFeet):
		return f, c.in.wrong(a.pointer+"/foot_kpts", "has %d numbers, want 18: x, y and v of the 6 points of the feet", len(a.Feet))
	}
	for i, p := range wholeBodyFeet {
		if a.Feet != nil {
			triple(&f, p, a.Feet, i)
		}
	}
	for i, p := range parts {
		if p == keypoint.NumParts {
			continue
		}
		triple(&f, p, a.Keypoints, i)
		if at, ok := f.At(p); ok && a.Scores != nil && a.Scores[i] != nil {
			f.Set(p, at, *a.Scores[i])
		}
	}
	return f, nil
}

// head gives a sequence the size and the times of the images.
func (c *cocoReader) head(s *keypoint.Sequence) error {
	last := math.Inf(-1)
	for i, m := range c.images {
		if size := image.Pt(int(m.Width), int(m.Height)); i == 0 {
			s.Size = size
		} else if size != s.Size {
			s.Size = image.Point{} // of no image but one without a size
		}
		if (m.Time != nil) != (c.images[0].Time != nil) {
			return c.in.wrong(fmt.Sprintf("/images/%d/time", i), "is there on some images and not on others, want it on all or on none")
		}
		if m.Time == nil {
			continue
		}
		if *m.Time <= last {
			return c.in.wrong(fmt.Sprintf("/images/%d/time", i), "is %v s, want more than the %v s of the image before", *m.Time, last)
		}
		last = *m.Time
		s.Times = append(s.Times, last)
	}
	return nil
}
