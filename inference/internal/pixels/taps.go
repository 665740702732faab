package pixels

import "math"

// one is the sum of the weights of a result pixel inside the picture.
const one = 256

// taps holds the samples of which each result pixel is made along one axis, with their weights.
// Samples outside the raster are left out: rest is their weight.
type taps struct {
	start  []int    // first sample of each result pixel
	offset []int    // where its weights begin; one entry more than there are pixels
	weight []uint64 // of the samples from start on
	rest   []uint64
}

// of returns the weights of result pixel i.
func (t *taps) of(i int) []uint64 { return t.weight[t.offset[i]:t.offset[i+1]] }

// span returns the first sample needed and the one after the last.
func (t *taps) span() (first, end int) {
	last := len(t.start) - 1
	return t.start[0], max(t.start[last]+t.offset[last+1]-t.offset[last], t.start[0])
}

// set computes the taps of n result pixels that cover [from, from+length) of size samples.
func (t *taps) set(n int, from, length float64, size int) {
	t.start, t.offset, t.weight, t.rest = t.start[:0], append(t.offset[:0], 0), t.weight[:0], t.rest[:0]
	step := length / float64(n)
	for i := range n {
		lo := from + float64(i)*step
		hi := lo + step
		if step < 1 { // as wide as a sample, around the same middle: linear interpolation
			lo, hi = (lo+hi-1)/2, (lo+hi+1)/2
		}
		first, end := inside(math.Floor(lo), size), inside(math.Ceil(hi), size)
		// The weight of a sample is the share of [lo, hi) that it covers. Rounding the running sum keeps the total.
		perSample := one / (hi - lo)
		sum := func(x float64) uint64 {
			return uint64((math.Min(math.Max(x, lo), hi)-lo)*perSample + 0.5)
		}
		before := sum(float64(first))
		left := one - (sum(float64(end)) - before)
		for j := first; j < end; j++ {
			after := sum(float64(j + 1))
			t.weight = append(t.weight, after-before)
			before = after
		}
		t.start = append(t.start, first)
		t.offset = append(t.offset, len(t.weight))
		t.rest = append(t.rest, left)
	}
}

// inside clamps a position to 0 to size.
func inside(x float64, size int) int { return int(math.Min(math.Max(x, 0), float64(size))) }
