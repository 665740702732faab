package score

import (
	"math"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

const (
	peakAngle  = 20.0 // degrees by which a peak stands out
	peakSpeed  = 1.0  // torso lengths per second by which a peak stands out
	peakWithin = 0.1  // seconds around the truth's peak in which the peak of the result is looked for
)

// PeakAngleErrors returns the errors of the peaks of all Angles in degrees: of each maximum and minimum
// that stands out of the truth by 20 degrees, the extreme of the result within 0.1 s of it, minus the truth.
// matched are the paired frames, which have to follow each other.
func PeakAngleErrors(t *truth.Truth, found keypoint.Sequence, matched []Pair) (errors Values) {
	times := matchedTimes(t.Parts, matched)
	for _, a := range Angles() {
		series := t.Angles2D[a.Name]
		if series == nil {
			continue
		}
		want, got := blank(len(matched)), blank(len(matched))
		for i, m := range matched {
			if t.Inside[m.Reference] > 0 {
				want[i] = series[m.Reference]
			}
			if v, ok := found.Frames[m.Result].Angle(a.From, a.At, a.To); ok {
				got[i] = v
			}
		}
		errors = append(errors, peakErrors(times, want, got, peakAngle, 1)...)
		errors = append(errors, peakErrors(times, want, got, peakAngle, -1)...)
	}
	return errors
}

// PeakSpeedErrors returns the errors of the peak speeds of elbows, wrists, knees and ankles in torso lengths
// per second, by central differences: of each maximum that stands out of the truth by 1 torso length per
// second, the highest speed of the result within 0.1 s of it, minus the truth.
func PeakSpeedErrors(t *truth.Truth, found keypoint.Sequence, matched []Pair) (errors Values) {
	torso, ok := medianTorso(t.Parts)
	if !ok {
		return nil
	}
	times := matchedTimes(t.Parts, matched)
	for _, left := range []keypoint.Part{keypoint.LeftElbow, keypoint.LeftWrist, keypoint.LeftKnee, keypoint.LeftAnkle} {
		for _, p := range []keypoint.Part{left, left.Mirror()} {
			want, got := blank(len(matched)), blank(len(matched))
			for i := 1; i+1 < len(matched); i++ {
				a, b := matched[i-1], matched[i+1]
				dt := times[i+1] - times[i-1]
				want[i] = speed(&t.Parts.Frames[a.Reference], &t.Parts.Frames[b.Reference], p, dt) / torso
				got[i] = speed(&found.Frames[a.Result], &found.Frames[b.Result], p, dt) / torso
			}
			errors = append(errors, peakErrors(times, want, got, peakSpeed, 1)...)
		}
	}
	return errors
}

func matchedTimes(s keypoint.Sequence, matched []Pair) (times []float64) {
	for _, m := range matched {
		times = append(times, s.Times[m.Reference])
	}
	return times
}

// blank returns n absent values.
func blank(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}

// speed returns pixels per second, or NaN where the part is missing.
func speed(a, b *keypoint.Frame, p keypoint.Part, dt float64) float64 {
	from, okA := a.At(p)
	to, okB := b.At(p)
	if !okA || !okB {
		return math.NaN()
	}
	return to.Sub(from).Len() / dt
}

// peakErrors returns got − want at the maxima of sign · want that stand out by least.
func peakErrors(times, want, got []float64, least, sign float64) (errors Values) {
	for i := range want {
		if !peak(want, i, least, sign) {
			continue
		}
		best := math.Inf(-1)
		for k := range got {
			if math.Abs(times[k]-times[i]) > peakWithin {
				continue
			}
			if math.IsNaN(got[k]) {
				best = math.NaN() // a peak in a gap cannot be compared
				break
			}
			best = max(best, sign*got[k])
		}
		errors = errors.add(sign*best - want[i])
	}
	return errors
}

// peak reports whether want[i] is a maximum of sign · want that stands out by least on both sides: before
// any value as high, there is one that is lower by least.
func peak(want []float64, i int, least, sign float64) bool {
	if math.IsNaN(want[i]) {
		return false
	}
	for _, step := range []int{-1, 1} {
		out := false
		for k := i + step; k >= 0 && k < len(want) && !out; k += step {
			d := sign * (want[i] - want[k])
			if math.IsNaN(d) || d < 0 || d == 0 && step < 0 {
				return false
			}
			out = d >= least
		}
		if !out {
			return false
		}
	}
	return true
}
