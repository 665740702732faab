package gait

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
)

// period returns the stride time in seconds by least squares over all events, and then over those that are within stray of the line.
func period(passes []*pass) (seconds float64, ok bool) {
	usual := typical(passes)
	if usual == 0 {
		return 0, false
	}
	var series [][2][]float64 // numbers of strides and times of each kind of event of a side
	for _, p := range passes {
		for side := range p.feet {
			for _, times := range [][]float64{p.feet[side].strikes, p.feet[side].lifts} {
				numbers := make([]float64, len(times))
				for k := 1; k < len(times); k++ {
					numbers[k] = numbers[k-1] + math.Round((times[k]-times[k-1])/usual)
				}
				series = append(series, [2][]float64{numbers, times})
			}
		}
	}
	seconds, ok = fit(series)
	if !ok {
		return 0, false
	}
	near := make([][2][]float64, len(series))
	for k, s := range series {
		offsets := make([]float64, len(s[0]))
		for i := range offsets {
			offsets[i] = s[1][i] - seconds*s[0][i]
		}
		middle := rank.Median(slices.Clone(offsets))
		for i, offset := range offsets {
			if math.Abs(offset-middle) <= stray*usual {
				near[k][0], near[k][1] = append(near[k][0], s[0][i]), append(near[k][1], s[1][i])
			}
		}
	}
	if better, ok := fit(near); ok {
		return better, true
	}
	return seconds, true
}

// stray is how far an event may be from the line, as a share of the stride.
const stray = 0.1

// fit returns the common slope of times against numbers by least squares, with an intercept for each series.
func fit(series [][2][]float64) (slope float64, ok bool) {
	var product, square float64
	for _, s := range series {
		if len(s[0]) < 2 {
			continue
		}
		n, t := rank.Mean(s[0]), rank.Mean(s[1])
		for i := range s[0] {
			product += (s[0][i] - n) * (s[1][i] - t)
			square += (s[0][i] - n) * (s[0][i] - n)
		}
	}
	return product / square, square > 0
}
