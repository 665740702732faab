package analyze

import (
	"cmp"
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

const (
	leastDegrees  = 10.0 // the least depth of angles
	leastTorsos   = 0.1  // and of lengths, in torso lengths
	leastShare    = 0.15 // and by the deepest one
	leastDuration = 0.25 // seconds
	completeness  = 2.0 / 3
	comesBack     = 1.0 / 3 // of the shallower one of two repetitions, between them
	halfMedian    = 0.05    // seconds: half the width of the running median
	restSeconds   = 0.2     // at the start and at the end
	settleSeconds = 0.25    // at rest, until a repetition can no longer change
)

// series is a result by frames that have a value.
type series struct {
	seq    keypoint.Sequence
	result Result
	torso  float64   // median in pixels, 0 if unknown
	apart  float64   // how far the feet are apart, nearly at most, in pixels
	people [][]int   // the frames of each person that have a value
	x      []float64 // per frame, smoothed

	goesOn  bool    // the last frame is not where the recording ends
	deepest float64 // the farthest value from rest so far
	settled bool    // the newest repetition can no longer change
}

func newSeries(seq keypoint.Sequence, r Result) *series {
	s := &series{seq: seq, result: r, x: make([]float64, seq.Len())}
	if len(seq.Times) != seq.Len() {
		return s
	}
	s.torso = rank.Median(rank.Known(seq.Len(), func(i int) (float64, bool) { return seq.Frames[i].TorsoLength() }))
	s.apart = rank.Percentile(rank.Known(seq.Len(), func(i int) (float64, bool) {
		l, okL := seq.Frames[i].At(keypoint.LeftAnkle)
		r, okR := seq.Frames[i].At(keypoint.RightAnkle)
		return math.Abs(l[0] - r[0]), okL && okR
	}), 0.95)
	if r.Type.Cyclic() {
		s.result.Values = slices.Clone(r.Values)
	}
	for _, span := range seq.People() {
		if r.Type.Cyclic() {
			unwrap(s.result.Values[span.First:span.Last+1], seq.Slice(span.First, span.Last).Times, r.Type.definition().middle)
		}
		frames := rank.Where(span.First, span.Last+1, func(i int) bool { return s.result.Values[i].Present })
		s.people = append(s.people, frames)
		s.smooth(frames)
	}
	return s
}

// smooth fills x at the frames: a running median, over fewer frames at the ends.
func (s *series) smooth(frames []int) {
	var window []float64 // sorted
	first, end := 0, 0
	value := func(k int) float64 { return s.result.Values[frames[k]].X }
	for k, i := range frames {
		half := min(halfMedian, s.seq.Times[i]-s.seq.Times[frames[0]], s.seq.Times[frames[len(frames)-1]]-s.seq.Times[i]) + 1e-6
		for ; end < len(frames) && s.seq.Times[frames[end]]-s.seq.Times[i] <= half; end++ {
			at, _ := slices.BinarySearch(window, value(end))
			window = slices.Insert(window, at, value(end))
		}
		for ; first < k && s.seq.Times[i]-s.seq.Times[frames[first]] > half; first++ {
			at, _ := slices.BinarySearch(window, value(first))
			window = slices.Delete(window, at, at+1)
		}
		s.x[i] = rank.Median(window)
	}
}

// least returns the least depth of a repetition.
func (s *series) least(opt RepetitionOptions) float64 {
	least := opt.Prominence
	switch unit := cmp.Or(s.result.Unit, s.result.Type.Unit()); {
	case least > 0:
	case unit == "°":
		least = leastDegrees
	case unit == torsos:
		least = leastTorsos
	case unit == "px":
		least = leastTorsos * s.torso
	case unit == "m":
		least = leastTorsos * s.torso * s.seq.World.MetresPerPixel
	}
	if least > 0 {
		return least
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, frames := range s.people {
		for _, i := range frames {
			low, high = min(low, s.x[i]), max(high, s.x[i])
		}
	}
	return max(0, (high-low)/3)
}
