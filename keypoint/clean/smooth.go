package clean

import (
	"cmp"
	"math"
	"slices"
)

// Smooth smooths each run of points.
//
// Butterworth is applied twice, so the amplitude at Cutoff is 1/2, not 1/√2. It needs even time steps: a run whose steps
// differ by more than a tenth is resampled to even steps along a cubic spline and back. It needs a frame rate of more
// than twice Cutoff: slower recordings are not smoothed, and the Report says so.
//
// Without a Cutoff it is 6 Hz, and more if the movement is so fast that 6 Hz would take away more than noise: up to 12 Hz
// or 0.4 of the frame rate, one for each person, by analysis of the residuals (Winter). The Report has it. It takes a frame
// rate of about 60 to tell movement from noise there: at 30 and fewer it is 6 Hz.
//
// OneEuro follows Casiez, Roussel and Vogel, "1€ Filter" (CHI 2012), with a cut-off of 1 Hz for the speed.
//
// Median takes the Window frames around each frame; near the ends of a run fewer, the same number on both sides.
//
// SavitzkyGolay fits a polynomial of degree Order to the Window frames around each frame, by their times; the first and
// last half window lie on the polynomial of the first and last window.
type Smooth struct {
	Method Method  `json:"method,omitempty"` // "" means butterworth
	Order  int     `json:"order,omitempty"`  // of Butterworth, 1 to 8, 0 means 4; degree of SavitzkyGolay, 1 to 5, 0 means 3
	Cutoff float64 `json:"cutoff,omitempty"` // Hz; of Butterworth, 0 means by the movement; of OneEuro at rest, 0 means 1
	Beta   float64 `json:"beta,omitempty"`   // of OneEuro: how the cut-off rises, Hz per pixel/s; 0 means 0.007
	Window int     `json:"window,omitempty"` // frames, odd; of Median, 0 means 5; of SavitzkyGolay, 0 means 9
}

// filter is a smoothing method with its parameters.
type filter struct {
	need   int                      // the least number of points in a run
	cutoff float64                  // of Butterworth, Hz; the rate of the points has to be more than twice as high
	run    func(times, x []float64) // smooths one coordinate of a run in place
}

func (s Smooth) filter() filter {
	switch s.Method {
	case byOneEuro:
		return filter{2, 0, func(times, x []float64) {
			f := euro{x: x[0], seconds: times[0]}
			for i := 1; i < len(x); i++ {
				x[i] = f.next(times[i], x[i], s)
			}
		}}
	case byMedian:
		return filter{3, 0, func(_, x []float64) { runningMedian(x, cmp.Or(s.Window, 5)) }}
	case bySavitzkyGolay:
		window := cmp.Or(s.Window, savitzkyGolayWindow)
		return filter{window, 0, func(times, x []float64) { savitzkyGolay(times, x, window, cmp.Or(s.Order, 3)) }}
	}
	b := butterworth{order: cmp.Or(s.Order, 4), cutoff: cmp.Or(s.Cutoff, leastCutoff)}
	return filter{3*(b.order+1) + 1, b.cutoff, b.run}
}

// smooth smooths each run that is long and fast enough.
func (t *track) smooth(f filter) {
	t.runs(func(first, end int) {
		skip := Skip{Part: t.part, First: first, Last: end - 1}
		if skip.Need, skip.Rate = f.lacks(t.times[first:end]); skip.Need > 0 || skip.Rate > 0 {
			t.report.Skips = append(t.report.Skips, skip)
			return
		}
		for _, axis := range t.axis {
			f.run(t.times[first:end], axis[first:end])
		}
		t.report.Cutoff = f.cutoff
		for i := first; i < end; i++ {
			t.note(i, Smoothed)
		}
	})
}

// lacks returns the number of points, or else the rate, that the filter needs and a run at these times has not.
func (f filter) lacks(times []float64) (need int, rate float64) {
	if len(times) < f.need {
		return f.need, 0
	}
	if least := 2 * f.cutoff; meanRate(times) <= least {
		return 0, least
	}
	return 0, 0
}

// meanRate returns the mean rate of two or more times, Hz, rounded so that runs whose steps differ only by rounding have the same.
func meanRate(times []float64) float64 {
	n := len(times)
	return math.Round(1e9*float64(n-1)/(times[n-1]-times[0])) / 1e9
}

// even returns the mean step of times, and whether all steps differ from it by at most the given share.
func even(times []float64, share float64) (step float64, ok bool) {
	n := len(times)
	step = (times[n-1] - times[0]) / float64(n-1)
	for i := 1; i < n; i++ {
		if math.Abs(times[i]-times[i-1]-step) > share*step {
			return step, false
		}
	}
	return step, true
}

// euro is the state of a 1€ filter: the filtered coordinate and its speed.
type euro struct{ x, speed, seconds float64 }

// next returns the filtered coordinate of the next point.
func (f *euro) next(seconds, x float64, s Smooth) float64 {
	const speedCutoff = 1
	dt := seconds - f.seconds
	alpha := func(cutoff float64) float64 {
		tau := 1 / (2 * math.Pi * cutoff)
		return 1 / (1 + tau/dt)
	}
	a := alpha(speedCutoff)
	f.speed = a*(x-f.x)/dt + (1-a)*f.speed
	a = alpha(cmp.Or(s.Cutoff, 1) + cmp.Or(s.Beta, 0.007)*math.Abs(f.speed))
	f.x, f.seconds = a*x+(1-a)*f.x, seconds
	return f.x
}

// runningMedian sets each x to the median of the window around it.
func runningMedian(x []float64, window int) {
	raw := slices.Clone(x)
	for i := range x {
		half := min(window/2, i, len(x)-1-i)
		sorted := slices.Sorted(slices.Values(raw[i-half : i+half+1]))
		x[i] = sorted[half]
	}
}
