package clean

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// limbs are the parts, by their left ones, that a pose network exchanges together.
var limbs = [...][]keypoint.Part{
	{keypoint.LeftEye, keypoint.LeftEar},
	{keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist},
	{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle},
}

// repairSwaps exchanges left and right of a limb in the frames where that makes the
// paths of its parts shortest, over the whole recording: the cheapest way through the two
// states of every frame (Viterbi). What most frames say stays as it is.
func repairSwaps(seq keypoint.Sequence, report *Report) {
	for _, limb := range limbs {
		swapped := shortest(seq.Frames, limb)
		for i, s := range swapped {
			if !s {
				continue
			}
			for _, left := range limb {
				if !seq.Frames[i].Has(left) && !seq.Frames[i].Has(left.Mirror()) {
					continue
				}
				exchange(&seq.Frames[i], left)
				report.Changes[i][left] |= Swapped
				report.Changes[i][left.Mirror()] |= Swapped
			}
		}
	}
}

// exchange exchanges a left part with its right twin.
func exchange(f *keypoint.Frame, left keypoint.Part) {
	right := left.Mirror()
	a, okA := f.At(left)
	b, okB := f.At(right)
	ca, cb := f.Confidence(left), f.Confidence(right)
	set := func(p keypoint.Part, at keypoint.Point, ok bool, c float64) {
		if ok {
			f.Set(p, at, c)
		} else {
			f.Unset(p)
		}
	}
	set(left, b, okB, cb)
	set(right, a, okA, ca)
}

// shortest tells for each frame whether the limb is to be exchanged.
func shortest(frames []keypoint.Frame, limb []keypoint.Part) []bool {
	n := len(frames)
	swapped := make([]bool, n)
	from := make([][2]int8, n) // the state before, of the cheapest way to each state
	cost := [2]float64{}
	last := make([]int, 2*len(limb)) // the frame that had each part last; −1 for none
	for k := range last {
		last[k] = -1
	}
	for i := range frames {
		// The way from one state to another costs the same when both change.
		same, other, known := 0.0, 0.0, false
		for k, left := range limb {
			for side, part := range [2]keypoint.Part{left, left.Mirror()} {
				pt, ok := frames[i].At(part)
				if !ok {
					continue
				}
				if j := last[2*k+side]; j >= 0 {
					before, _ := frames[j].At(part)
					twin, okTwin := frames[j].At(part.Mirror())
					if okTwin {
						same += pt.Sub(before).Len()
						other += pt.Sub(twin).Len()
						known = true
					}
				}
			}
		}
		for k, left := range limb {
			for side, part := range [2]keypoint.Part{left, left.Mirror()} {
				if frames[i].Has(part) && frames[i].Has(part.Mirror()) {
					last[2*k+side] = i
				}
			}
		}
		if !known {
			from[i] = [2]int8{0, 1}
			continue
		}
		next := [2]float64{}
		for state := range 2 {
			stay, change := cost[state]+same, cost[1-state]+other
			if stay <= change {
				next[state], from[i][state] = stay, int8(state)
			} else {
				next[state], from[i][state] = change, int8(1-state)
			}
		}
		cost = next
	}
	state := int8(0)
	if cost[1] < cost[0] && !math.IsInf(cost[1], 0) {
		state = 1
	}
	count := 0
	for i := n - 1; i >= 0; i-- {
		swapped[i] = state == 1
		if swapped[i] {
			count++
		}
		state = from[i][state]
	}
	if 2*count > n {
		for i := range swapped {
			swapped[i] = !swapped[i]
		}
	}
	return swapped
}
