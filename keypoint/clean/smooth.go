package clean

import (
	"math"
	"slices"
)

// The ways to smooth.
const (
	Butterworth   Method = "butterworth"   // zero-phase low-pass, forwards and backwards
	OneEuro       Method = "oneEuro"       // low-pass whose cut-off rises with the speed; causal, so it lags a little
	Median        Method = "median"        // median of the neighbours
	SavitzkyGolay Method = "savitzkyGolay" // least-squares polynomial through the neighbours
)

// Smooth smooths each run of points.
//
// Butterworth is applied twice, so that at Cutoff the amplitude is a half and not
// 1/√2. It needs even steps of time: a run whose steps differ by more than a tenth is
// resampled to even steps along a cubic spline, filtered and sampled at its own times
// again.
//
// OneEuro follows Casiez, Roussel and Vogel, "1€ Filter" (CHI 2012), with a cut-off of 1
// Hz for the speed.
//
// Median takes Window frames around each; near the ends of a run fewer, the same number
// on both sides.
//
// SavitzkyGolay fits a polynomial of degree Order to Window frames around each, by their
// times; the first and last half window lie on the polynomial of the first and last
// window.
type Smooth struct {
	Method Method  `json:"method,omitempty"` // "" means Butterworth
	Order  int     `json:"order,omitempty"`  // of Butterworth, 1 to 8, 0 means 4; degree of SavitzkyGolay, 1 to 5, 0 means 3
	Cutoff float64 `json:"cutoff,omitempty"` // Hz; of Butterworth, 0 means 6; of OneEuro at rest, 0 means 1
	Beta   float64 `json:"beta,omitempty"`   // of OneEuro: how the cut-off rises, Hz per pixel/s; 0 means 0.007
	Window int     `json:"window,omitempty"` // frames, odd; of Median, 0 means 5; of SavitzkyGolay, 0 means 9
}

func (s Smooth) window() int {
	switch {
	case s.Window > 0:
		return s.Window
	case s.Method == SavitzkyGolay:
		return 9
	}
	return 5
}

func (s Smooth) order() int {
	switch {
	case s.Order > 0:
		return s.Order
	case s.Method == SavitzkyGolay:
		return 3
	}
	return 4
}

func orElse(v, def float64) float64 {
	if v == 0 {
		return def
	}
	return v
}

// need returns how many points a run must have.
func (s Smooth) need() int {
	switch s.Method {
	case OneEuro:
		return 2
	case Median:
		return 3
	case SavitzkyGolay:
		return s.window()
	}
	return 3*(s.order()+1) + 1
}

// filter smooths one coordinate of need or more points in place.
type filter struct {
	need int
	run  func(times, x []float64)
}

// filter returns the filter of the options; nil for none.
func (s *Smooth) filter() *filter {
	if s == nil {
		return nil
	}
	f := &filter{need: s.need()}
	switch s.Method {
	case OneEuro:
		f.run = func(times, x []float64) { oneEuro(times, x, orElse(s.Cutoff, 1), orElse(s.Beta, 0.007)) }
	case Median:
		f.run = func(_, x []float64) { runningMedian(x, s.window()) }
	case SavitzkyGolay:
		f.run = func(times, x []float64) { savitzkyGolay(times, x, s.window(), s.order()) }
	default:
		b := butterworth{order: s.order(), cutoff: orElse(s.Cutoff, 6)}
		f.run = b.run
	}
	return f
}

func (t *track) smooth(f *filter) {
	t.runs(func(first, end int) {
		if end-first < f.need {
			t.report.Skips = append(t.report.Skips, Skip{t.part, first, end - 1, f.need})
			return
		}
		for _, axis := range t.axis {
			f.run(t.times[first:end], axis[first:end])
		}
		for i := first; i < end; i++ {
			t.note(i, Smoothed)
		}
	})
}

// even returns the mean step of times, and whether all steps differ from it by at most the
// given share.
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

// oneEuro is the 1€ filter.
func oneEuro(times, x []float64, minCutoff, beta float64) {
	const speedCutoff = 1
	alpha := func(cutoff, dt float64) float64 {
		tau := 1 / (2 * math.Pi * cutoff)
		return 1 / (1 + tau/dt)
	}
	speed := 0.0
	for i := 1; i < len(x); i++ {
		dt := times[i] - times[i-1]
		a := alpha(speedCutoff, dt)
		speed = a*(x[i]-x[i-1])/dt + (1-a)*speed // x[i-1] is filtered already
		a = alpha(minCutoff+beta*math.Abs(speed), dt)
		x[i] = a*x[i] + (1-a)*x[i-1]
	}
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
