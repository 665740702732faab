package clean

import "github.com/bodymotion/motion/keypoint"

// limbs are the parts, by their left ones, that a pose network exchanges together.
var limbs = [...][]keypoint.Part{
	{keypoint.LeftEye, keypoint.LeftEar},
	{keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist},
	{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle},
}

// repairSwaps exchanges left and right of a limb in the frames where that makes the paths of
// its parts shortest over the whole recording: the cheapest path through the two states of
// every frame (Viterbi). The state of most frames stays as it is.
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
	old := *f
	for _, p := range [2]keypoint.Part{left, left.Mirror()} {
		f.Unset(p)
		if at, ok := old.At(p.Mirror()); ok {
			f.Set(p, at, old.Confidence(p.Mirror()))
		}
	}
}

// shortest reports for each frame whether to exchange the limb.
func shortest(frames []keypoint.Frame, limb []keypoint.Part) []bool {
	n := len(frames)
	swapped := make([]bool, n)
	from := make([][2]int, n)      // the previous state on the cheapest path to each state
	last := make([]int, len(limb)) // the last frame with both sides of each part; −1 for none
	for k := range last {
		last[k] = -1
	}
	var cost [2]float64
	for i := range frames {
		// Keeping the state costs the same in both states, and so does changing it.
		same, other, known := 0.0, 0.0, false
		for k, left := range limb {
			both := 0
			for _, part := range [2]keypoint.Part{left, left.Mirror()} {
				pt, ok := frames[i].At(part)
				if !ok {
					continue
				}
				both++
				if last[k] >= 0 {
					before, _ := frames[last[k]].At(part)
					twin, _ := frames[last[k]].At(part.Mirror())
					same += pt.Sub(before).Len()
					other += pt.Sub(twin).Len()
					known = true
				}
			}
			if both == 2 {
				last[k] = i
			}
		}
		from[i] = [2]int{0, 1}
		if !known {
			continue
		}
		before := cost
		for state := range 2 {
			cost[state] = before[state] + same
			if change := before[1-state] + other; change < cost[state] {
				cost[state], from[i][state] = change, 1-state
			}
		}
	}
	state, count := 0, 0
	if cost[1] < cost[0] {
		state = 1
	}
	for i := n - 1; i >= 0; i-- {
		swapped[i] = state == 1
		count += state
		state = from[i][state]
	}
	if 2*count > n {
		for i := range swapped {
			swapped[i] = !swapped[i]
		}
	}
	return swapped
}
