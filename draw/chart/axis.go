package chart

import "math"

// stepOf returns the smallest step between marks that is not less than least: one of degrees, which ascend, if least is more than
// 10 and not more than the last of them; else 1, 2 or 5 times a power of ten. It is 1 if least is not positive.
func stepOf(least float64, degrees ...float64) float64 {
	if !(least > 0) {
		return 1
	}
	if least > 10 {
		for _, s := range degrees {
			if s >= least {
				return s
			}
		}
	}
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, s := range []float64{1, 2, 5} {
		if s*power >= least*(1-1e-9) {
			return s * power
		}
	}
	return 10 * power
}

// decimals returns the number of decimal places that distinguish multiples of a step.
func decimals(step float64) int { return max(0, int(math.Ceil(-math.Log10(step)-1e-9))) }
