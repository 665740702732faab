package decode

import (
	"fmt"
	"math"
)

// SimCC decodes the output of a SimCC network such as RTMPose and appends one Spot per point. x is
// [1, points, width·ratio] and y is [1, points, height·ratio], with the width and height of the input
// in pixels and ratio bins per pixel.
//
// Bin b is at the centre of pixel b/ratio, as the networks are trained: at b/ratio + 0.5. The score
// is the smaller of the two maxima, at least 0. A point without a finite number in a row has score 0.
//
// Source: Li et al., SimCC: a Simple Coordinate Classification Perspective for Human Pose Estimation, ECCV 2022.
func SimCC(spots []Spot, x, y Tensor, width, height int, ratio float64) ([]Spot, error) {
	nx, ny := int(math.Round(float64(width)*ratio)), int(math.Round(float64(height)*ratio))
	const want = "[1, points, %d], the input's %s of %d pixels times the split ratio %g"
	sx, ok := x.unbatched(2)
	if !ok || sx[1] != nx || nx == 0 {
		return spots, x.wrong(want, nx, "width", width, ratio)
	}
	sy, ok := y.unbatched(2)
	if !ok || sy[1] != ny || ny == 0 {
		return spots, y.wrong(want, ny, "height", height, ratio)
	}
	if sx[0] != sy[0] {
		return spots, fmt.Errorf("output %q has %d points but output %q has %d", x.Name, sx[0], y.Name, sy[0])
	}
	for k := range sx[0] {
		bx, vx := largest(x.Data[k*nx : (k+1)*nx])
		by, vy := largest(y.Data[k*ny : (k+1)*ny])
		if bx < 0 || by < 0 {
			spots = append(spots, Spot{})
			continue
		}
		spots = append(spots, Spot{float64(bx)/ratio + 0.5, float64(by)/ratio + 0.5, max(min(vx, vy), 0)})
	}
	return spots, nil
}
