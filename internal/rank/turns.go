package rank

// Turns returns the indices of the alternating tops and bottoms of x that differ by at least the prominence,
// which must be above 0, with the first and the last extreme. They are those of a line through the numbers
// that reverses only after these have come back by the prominence.
func Turns(x []float64, prominence float64) []int {
	var turns []int
	low, high := 0, 0 // extremes since the last turn
	rising := 0       // 1 after a bottom, −1 after a top, 0 before the first turn
	for i, v := range x {
		if v < x[low] {
			low = i
		}
		if v > x[high] {
			high = i
		}
		switch {
		case rising <= 0 && v >= x[low]+prominence && (rising < 0 || low < i):
			if rising == 0 && high < low {
				turns = append(turns, high)
			}
			turns = append(turns, low)
			rising, high = 1, i
		case rising >= 0 && v <= x[high]-prominence && (rising > 0 || high < i):
			if rising == 0 && low < high {
				turns = append(turns, low)
			}
			turns = append(turns, high)
			rising, low = -1, i
		}
	}
	switch {
	case rising > 0:
		turns = append(turns, high)
	case rising < 0:
		turns = append(turns, low)
	}
	return turns
}
