package clean

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// repairSwaps exchanges left and right of the pairs of limb parts in the frames where that is cheapest
// over the whole recording: the cheapest path through both states of every frame (Viterbi), where each
// state remembers the movement that leads to it. See Options.Swaps for the cost.
func repairSwaps(seq keypoint.Sequence, report *Report) {
	torso := medianTorso(seq)
	if torso == 0 {
		return
	}
	states := make([][6]bool, seq.Len())
	for k := range 6 {
		left := leftOf(k)
		var p pair
		from := make([][2]int, seq.Len())
		seen := make([]twins, seq.Len())
		for i := range seq.Frames {
			step := 0.0
			if i > 0 {
				step = seq.Times[i] - seq.Times[i-1]
			}
			seen[i] = sight(&seq.Frames[i], left, torso)
			from[i] = p.next(seen[i], seq.Times[i], step)
		}
		state := 0
		if p.cheapest() {
			state = 1
		}
		for i := seq.Len() - 1; i >= 0; i-- {
			states[i][k] = state == 1
			state = from[i][state]
		}
		untold(seq.Times, seen, func(i int) bool { return states[i][k] }, func(i int) {
			report.Changes[i][left] |= Untold
			report.Changes[i][left.Mirror()] |= Untold
		})
	}
	for i := range seq.Frames {
		exchangeAll(&seq.Frames[i], states[i], &report.Changes[i])
	}
}

// medianTorso returns the median torso length in pixels; 0 if there is none.
func medianTorso(seq keypoint.Sequence) float64 {
	var all []float64
	for i := range seq.Frames {
		if t := torsoLength(&seq.Frames[i]); t > 0 {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// torsoLength returns the torso length in pixels, or what it usually is of the box around the parts if
// shoulders or hips are missing; 0 if there is none.
func torsoLength(f *keypoint.Frame) float64 {
	const ofDiagonal = 0.45
	t, ok := f.TorsoLength()
	if low, high, any := f.Bounds(); !ok && any {
		t = ofDiagonal * high.Sub(low).Len()
	}
	return t
}

// exchangeAll exchanges the pairs of a frame, and notes it. Eyes and ears are too near each other to have
// a path of their own: they are exchanged with the shoulders if they were on the shoulders' sides.
func exchangeAll(f *keypoint.Frame, states [6]bool, changes *[keypoint.NumParts]Change) {
	raw := *f
	for k, exchanged := range states {
		if exchanged {
			exchange(f, leftOf(k), changes)
		}
	}
	shoulders, ok := across(&raw, keypoint.LeftShoulder)
	if !states[0] || !ok {
		return
	}
	for _, left := range [2]keypoint.Part{keypoint.LeftEye, keypoint.LeftEar} {
		if v, ok := across(&raw, left); ok && v.Dot(shoulders) > 0 {
			exchange(f, left, changes)
		}
	}
}

// across returns the vector from the right twin to a left part.
func across(f *keypoint.Frame, left keypoint.Part) (v keypoint.Point, ok bool) {
	l, okL := f.At(left)
	r, okR := f.At(left.Mirror())
	return l.Sub(r), okL && okR
}

// exchange exchanges a left part with its right twin.
func exchange(f *keypoint.Frame, left keypoint.Part, changes *[keypoint.NumParts]Change) {
	old := *f
	for _, p := range [2]keypoint.Part{left, left.Mirror()} {
		f.Unset(p)
		if at, ok := old.At(p.Mirror()); ok {
			f.Set(p, at, old.Confidence(p.Mirror()))
		}
		if changes != nil && (old.Has(left) || old.Has(left.Mirror())) {
			changes[p] |= Swapped
		}
	}
}

// The twins of a stretch of frames cannot be told apart if the network contradicts itself for more than
// untoldTime seconds and untoldShare of the stretch.
const (
	untoldTime  = 0.1
	untoldShare = 0.1
)

// untold calls mark for the frames of each stretch in which the twins cannot be told apart. A stretch is
// between two frames in which the twins meet, so that either assignment of all its frames moves as well.
func untold(times []float64, seen []twins, exchanged func(i int) bool, mark func(i int)) {
	for first := 0; first < len(seen); first++ {
		end, with, all := first, 0.0, 0.0
		for ; end < len(seen); end++ {
			d, ok := seen[end].apart()
			if ok && d < 2*restError {
				break
			}
			step := 0.0
			if end > 0 {
				step = min(times[end]-times[end-1], pathMemory)
			}
			all += step
			if exchanged(end) {
				with += step
			}
		}
		if least := min(with, all-with); least > untoldTime && least > untoldShare*all {
			for i := first; i < end; i++ {
				mark(i)
			}
		}
		first = end
	}
}
