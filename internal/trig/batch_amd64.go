//go:build !purego

package trig

import "math"

// atan2AVX2 sets dst to the angles, four at a time, until one of the four is beyond the
// range of the formula or fewer are left, and returns how many it has set.
func atan2AVX2(dst, y, x []float64) int {
	return atan2Fours(&dst[0], &y[0], &x[0], len(dst)/4, &arc, &constants) * 4
}

//go:noescape
func atan2Fours(dst, y, x *float64, fours int, arc *[128]float64, c *[constantCount][4]float64) int

const constantCount = 14

// constants are what atan2Fours computes with, four of each, in the order of its offsets.
var constants = func() (c [constantCount][4]float64) {
	for i, v := range [constantCount]float64{
		math.Copysign(0, -1), 1e-280, 1e300, steps, 0.5, 1.0 / steps,
		1.0 / 7, 1.0 / 5, 1.0 / 3, 1, 180 / math.Pi, 180, 90, math.Float64frombits(^uint64(0)),
	} {
		c[i] = [4]float64{v, v, v, v}
	}
	return c
}()
