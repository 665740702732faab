package sheet

import (
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// view is the rectangle of a recording that a cell shows, in pixels.
type view struct{ origin, size keypoint.Point }

// frame converts a frame to pixels of a picture that shows the view at another size.
func (v view) frame(f *keypoint.Frame, size image.Point) keypoint.Frame {
	var out keypoint.Frame
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		at = at.Sub(v.origin)
		at[0] *= float64(size.X) / v.size[0]
		at[1] *= float64(size.Y) / v.size[1]
		out.Set(p, at, f.Confidence(p))
	}
	return out
}

// whole returns the view of an entire picture.
func whole(size image.Point) view {
	return view{size: keypoint.Point{float64(size.X), float64(size.Y)}}
}

// around returns the view of all keypoints of some frames and a margin; a keypoint.ErrInvalid with the text none
// if there are no keypoints, or if they are too far apart.
func around(seq keypoint.Sequence, frames []int, none string) (v view, err error) {
	low := keypoint.Point{math.Inf(1), math.Inf(1)}
	high := low.Mul(-1)
	for _, i := range frames {
		if from, to, found := seq.Frames[i].Bounds(); found {
			low = keypoint.Point{min(low[0], from[0]), min(low[1], from[1])}
			high = keypoint.Point{max(high[0], to[0]), max(high[1], to[1])}
		}
	}
	if low[0] > high[0] {
		return view{}, fmt.Errorf("%w %s", keypoint.ErrInvalid, none)
	}
	size := high.Sub(low)
	margin := max(size[0]*0.1, size[1]*0.1, 10)
	border := keypoint.Point{margin, margin}
	v = view{low.Sub(border), size.Add(border.Mul(2))}
	if reach := max(v.size[0], v.size[1]); reach > maxReach {
		return view{}, fmt.Errorf("%w sheet: the keypoints are %g pixels apart, want at most %d", keypoint.ErrInvalid, reach, maxReach)
	}
	return v, nil
}

// box returns the size of a picture that shows the view, with a longer side in pixels; the other is at least 24.
func (v view) box(side int) image.Point {
	size := scaled(v.size[0], v.size[1], image.Pt(side, side))
	return image.Pt(max(size.X, minCell/2), max(size.Y, minCell/2))
}

// scaled returns the largest size with the aspect ratio width:height that fits in a box.
func scaled(width, height float64, box image.Point) image.Point {
	s := min(float64(box.X)/width, float64(box.Y)/height)
	side := func(v float64, most int) int { return min(max(int(math.Round(v*s)), 1), most) }
	return image.Pt(side(width, box.X), side(height, box.Y))
}
