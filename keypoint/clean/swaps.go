package clean

import (
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// repairSwaps exchanges left and right where that costs least over the whole recording, by the costs of
// sides: the cheapest path through both states of every frame (Viterbi), where each state remembers the
// movement that leads to it. Stretches that cannot be told stay as they are, and are marked.
func repairSwaps(seq keypoint.Sequence, report *Report) {
	torso := medianTorso(seq)
	if torso == 0 {
		return
	}
	states := make([][6]bool, seq.Len())
	from := make([][2]int, seq.Len())
	seen := make([]twins, seq.Len())
	exchanged := make([]bool, seq.Len())
	for k := range 6 {
		left := leftOf(k)
		var p pair
		for i := range seq.Frames {
			step := 0.0
			if i > 0 {
				step = seq.Times[i] - seq.Times[i-1]
			}
			seen[i] = sight(&seq.Frames[i], left, torso)
			from[i] = p.next(seen[i], longer(&seq.Frames[i], k, k > 0 && states[i][k-1])/torso, seq.Times[i], step)
		}
		for i, s := seq.Len()-1, state(p.cheapest()); i >= 0; i-- {
			exchanged[i] = s == 1
			s = from[i][s]
		}
		leaveTogether(seen, exchanged)
		settle(seq.Times, seen, exchanged, func(i int) {
			report.Changes[i][left] |= Ambiguous
			report.Changes[i][left.Mirror()] |= Ambiguous
		})
		for i := range states {
			states[i][k] = exchanged[i]
		}
	}
	for i := range seq.Frames {
		exchangeAll(&seq.Frames[i], states[i], &report.Changes[i])
	}
}

// leaveTogether leaves exchanged runs alone in which the twins are together all the time: nothing is told by so little.
func leaveTogether(seen []twins, exchanged []bool) {
	for first, end := range rank.Runs(exchanged) {
		if exchanged[first] && !slices.ContainsFunc(seen[first:end], func(t twins) bool { return !t.together() }) {
			clear(exchanged[first:end])
		}
	}
}

// state is 1 for an exchanged pair.
func state(exchanged bool) int {
	if exchanged {
		return 1
	}
	return 0
}

// medianTorso returns the median torso length in pixels; 0 if there is none.
func medianTorso(seq keypoint.Sequence) float64 {
	return rank.Median(rank.Known(seq.Len(), func(i int) (float64, bool) {
		t := torsoLength(&seq.Frames[i])
		return t, t > 0
	}))
}

// torsoLength returns the torso length in pixels, or what it usually is of the box around the parts if
// shoulders or hips are missing; 0 if there is none.
func torsoLength(f *keypoint.Frame) float64 {
	const ofDiagonal = 0.45
	t, ok := f.TorsoLength()
	body := f.Only(keypoint.Body)
	if low, high, any := body.Bounds(); !ok && any {
		t = ofDiagonal * high.Sub(low).Len()
	}
	return t
}

// exchangeAll exchanges the pairs of a frame, and notes it. Eyes and ears are too near each other to have
// a path of their own: they are exchanged with the shoulders if they were on the shoulders' sides. The
// parts of the feet are exchanged with the ankles, each pair that was at its own ankles.
func exchangeAll(f *keypoint.Frame, states [6]bool, changes *[keypoint.NumParts]Change) {
	raw := *f
	for k, exchanged := range states {
		if exchanged {
			exchange(f, leftOf(k), changes)
		}
	}
	if shoulders, ok := across(&raw, keypoint.LeftShoulder); ok && states[0] {
		for _, left := range [2]keypoint.Part{keypoint.LeftEye, keypoint.LeftEar} {
			if v, ok := across(&raw, left); ok && v.Dot(shoulders) > 0 {
				exchange(f, left, changes)
			}
		}
	}
	if states[len(states)-1] {
		for _, left := range [3]keypoint.Part{keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel} {
			if atOwnAnkles(&raw, left) {
				exchange(f, left, changes)
			}
		}
	}
}

// atOwnAnkles reports whether a left part of the foot and its twin, or the one that was found, are nearer
// to their own ankles than to the other ones. Without both ankles it cannot be told, and they follow.
func atOwnAnkles(f *keypoint.Frame, left keypoint.Part) bool {
	own, other := 0.0, 0.0
	for _, foot := range [2]keypoint.Edge{{left, keypoint.LeftAnkle}, {left.Mirror(), keypoint.RightAnkle}} {
		near, okN := f.Distance(foot[0], foot[1])
		far, okF := f.Distance(foot[0], foot[1].Mirror())
		if okN && okF {
			own, other = own+near, other+far
		}
	}
	return own < other || own == 0 && other == 0
}

// across returns the vector from the right twin to a left part.
func across(f *keypoint.Frame, left keypoint.Part) (v keypoint.Point, ok bool) {
	l, okL := f.At(left)
	r, okR := f.At(left.Mirror())
	return l.Sub(r), okL && okR
}

// exchange exchanges a left part with its right twin.
func exchange(f *keypoint.Frame, left keypoint.Part, changes *[keypoint.NumParts]Change) {
	f.Exchange(left)
	if f.Has(left) || f.Has(left.Mirror()) {
		changes[left] |= Swapped
		changes[left.Mirror()] |= Swapped
	}
}

// A stretch of frames is ambiguous if the network contradicts itself in it for more than ambiguousTime
// seconds and ambiguousShare of the stretch.
const (
	ambiguousTime  = 0.1
	ambiguousShare = 0.1
)

// run is a run of frames in which a pair is exchanged, or is not.
type run struct {
	first, end int // frames
	seconds    float64
	exchanged  bool
}

// settle calls mark for the frames of each ambiguous stretch. A stretch lies between two frames in which the twins meet, so that
// the movement allows either assignment of all its frames. It is ambiguous if the network contradicts itself, and an exchanged run
// is as long as one beside it that is not. Then only shorter runs within the stretch stay exchanged.
func settle(times []float64, seen []twins, exchanged []bool, mark func(frame int)) {
	for first := 0; first < len(seen); first++ {
		var runs []run
		var shares [2]float64 // seconds that are not exchanged, and that are
		end := first
		for ; end < len(seen) && !seen[end].together(); end++ {
			if end == first || exchanged[end] != exchanged[end-1] {
				runs = append(runs, run{first: end, exchanged: exchanged[end]})
			}
			r := &runs[len(runs)-1]
			r.end = end + 1
			if end > 0 {
				step := min(times[end]-times[end-1], pathMemory)
				r.seconds += step
				shares[state(r.exchanged)] += step
			}
		}
		least := min(shares[0], shares[1])
		overlong := false
		for k, r := range runs {
			overlong = overlong || r.exchanged && !shorter(runs, k)
		}
		if overlong && least > ambiguousTime && least > ambiguousShare*(shares[0]+shares[1]) {
			for k, r := range runs {
				for i := r.first; i < r.end; i++ {
					exchanged[i] = r.exchanged && k > 0 && k+1 < len(runs) && shorter(runs, k)
					mark(i)
				}
			}
		}
		first = end
	}
}

// shorter reports whether a run is shorter than those beside it.
func shorter(runs []run, k int) bool {
	return (k == 0 || runs[k].seconds < runs[k-1].seconds) && (k+1 == len(runs) || runs[k].seconds < runs[k+1].seconds)
}
