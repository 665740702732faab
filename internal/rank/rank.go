// Package rank has the medians, percentiles and moments of everything that is measured. Its functions sort their numbers.
package rank

import "slices"

// Median returns the median, of an even number of them the mean of the two in the middle; 0 of none.
func Median(v []float64) float64 { return Percentile(v, 0.5) }

// Upper returns the median, of an even number of them the larger one in the middle; 0 of none.
func Upper(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// Percentile returns the number below which a share of the numbers lies, 0 to 1, between two of them in proportion; 0 of none.
func Percentile(v []float64, share float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	at := share * float64(len(v)-1)
	k := int(at)
	part := at - float64(k)
	if part == 0 {
		return v[k]
	}
	return v[k]*(1-part) + v[k+1]*part
}

// Known returns those of n numbers that are known.
func Known(n int, at func(i int) (v float64, known bool)) []float64 {
	list := make([]float64, 0, max(n, 0))
	for i := range n {
		if v, known := at(i); known {
			list = append(list, v)
		}
	}
	return list
}

// Where returns the indexes from first to before end for which is reports true.
func Where(first, end int, is func(i int) bool) []int {
	list := make([]int, 0, max(end-first, 0))
	for i := first; i < end; i++ {
		if is(i) {
			list = append(list, i)
		}
	}
	return list
}

// Nearest returns the index of the number nearest to v in one or more sorted numbers, of two as near the later one.
func Nearest(sorted []float64, v float64) int {
	k, _ := slices.BinarySearch(sorted, v)
	if k == len(sorted) || k > 0 && v-sorted[k-1] < sorted[k]-v {
		return k - 1
	}
	return k
}
