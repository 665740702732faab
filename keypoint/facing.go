package keypoint

import "math"

// Facing is the direction in which a person faces.
type Facing uint8

// The directions, as seen on screen.
const (
	FacingUnknown Facing = iota
	FacingLeft           // to the left edge of the picture
	FacingRight          // to the right edge of the picture
)

// String returns "left", "right" or "unknown".
func (f Facing) String() string { return [...]string{"unknown", "left", "right"}[min(f, 2)] }

const (
	// What shows that a person faces sideways, in torso lengths: how far the nose is before the ears, the
	// big toes before the heels (or the ankles), and the knees before the lines from hip to ankle. From the
	// side these are about 0.27, 0.47 and, walking, 0.2. More than this does not count more.
	faceCue, footCue, kneeCue = 0.1, 0.2, 0.15
	// leastCue is the mean of the cues over a stretch from which its direction is known.
	leastCue = 0.5
	// turnCost is how long, in seconds, a full cue must last to count as a turn of the body.
	turnCost = 0.6
)

// Sideways returns the side of the picture to which the person faces in each frame: FacingLeft, FacingRight, or
// FacingUnknown, as from the front. Somebody who lies or bends counts as if turned upright.
//
// The sum of three cues decides: the nose is before the ears (or, without these, the shoulders), the toes are before
// the heels, and the knees are before the line from hip to ankle. A recording is cut into the stretches between turns of
// the body, for which this sum is largest if each turn costs as much as 0.6 s of one full cue, so that a face turned to
// the camera does not matter. A stretch whose mean is less than half a cue is unknown.
func (s Sequence) Sideways() []Facing {
	out := make([]Facing, s.Len())
	cues := make([]float64, s.Len())
	for i := range s.Frames {
		cues[i] = s.Frames[i].sidewaysCue()
	}
	cost := turnCost
	if fps, ok := s.FrameRate(); ok {
		cost *= fps
	}
	for _, span := range s.People() {
		stretches(cues[span.First:span.Last+1], cost, out[span.First:span.Last+1])
	}
	return out
}

// stretches puts the direction of each frame of one person into out: the path of two states, right and
// left, whose sum of cues, less cost for each change, is largest (Viterbi's algorithm).
func stretches(cues []float64, cost float64, out []Facing) {
	n := len(cues)
	turned := make([][2]bool, n) // whether the best path to a state comes from the other one
	var best [2]float64          // of the states right and left
	for i, c := range cues {
		from := best
		for k := range best {
			if i > 0 && from[1-k]-cost > from[k] {
				best[k], turned[i][k] = from[1-k]-cost, true
			}
		}
		best[0], best[1] = best[0]+c, best[1]-c
	}
	state := 0
	if best[1] > best[0] {
		state = 1
	}
	for last := n - 1; last >= 0; {
		sum, seen, first := 0.0, 0, last
		for ; ; first-- {
			sum += cues[first]
			if cues[first] != 0 {
				seen++
			}
			if first == 0 || turned[first][state] {
				break
			}
		}
		if math.Abs(sum) >= leastCue*float64(max(seen, 1)) {
			for i := first; i <= last; i++ {
				out[i] = [2]Facing{FacingRight, FacingLeft}[state]
			}
		}
		state, last = 1-state, first-1
	}
}

// sidewaysCue returns the sum of the cues, −3 to 3, positive to the right.
func (f *Frame) sidewaysCue() float64 {
	across, ok := f.Across()
	torso, okT := f.TorsoLength()
	if !ok || !okT || torso == 0 {
		return 0
	}
	sum := 0.0
	add := func(v Point, full float64) { // full is in torso lengths
		if c := v.Dot(across) / (torso * full); finite(c) {
			sum += min(max(c, -1), 1)
		}
	}
	head, okH := f.Centroid(PartsOf(LeftEar, RightEar))
	if !okH {
		head, okH = f.Centroid(PartsOf(LeftShoulder, RightShoulder))
	}
	if nose, okN := f.At(Nose); okN && okH {
		add(nose.Sub(head), faceCue)
	}
	var knees, feet Point
	n := 0
	for _, leg := range legs {
		hip, okH := f.At(leg.hip)
		knee, okK := f.At(leg.knee)
		ankle, okA := f.At(leg.ankle)
		if up := hip.Sub(ankle); okH && okK && okA && up.Len() > 0 {
			before := Point{-up[1], up[0]}.Mul(1 / up.Len()) // of the leg, as across is of the body
			knees = knees.Add(across.Mul(knee.Sub(ankle).Dot(before) / 2))
		}
		toe, okT := f.At(leg.toe)
		heel, okE := f.At(leg.heel)
		if !okE {
			heel, okE = ankle, okA
		}
		if okT && okE {
			feet, n = feet.Add(toe.Sub(heel)), n+1
		}
	}
	add(knees, kneeCue)
	if n > 0 {
		add(feet.Mul(1/float64(n)), footCue)
	}
	return sum
}

// legs are the parts of both legs.
var legs = [2]struct{ hip, knee, ankle, heel, toe Part }{
	{LeftHip, LeftKnee, LeftAnkle, LeftHeel, LeftBigToe}, {RightHip, RightKnee, RightAnkle, RightHeel, RightBigToe},
}

// Across returns the unit vector in the picture that points to the right of a person who is seen upright: perpendicular
// to the line from the ankles to the shoulders, or from what there is of the legs, which bending turns less than the
// torso. ok is false without shoulders, or without legs and hips.
func (f *Frame) Across() (right Point, ok bool) {
	top, ok := f.Centroid(PartsOf(LeftShoulder, RightShoulder))
	if !ok {
		return right, false
	}
	for _, left := range [...]Part{LeftAnkle, LeftKnee, LeftHip} {
		bottom, ok := f.Centroid(PartsOf(left, left.Mirror()))
		if up := top.Sub(bottom); ok && up != (Point{}) {
			up = up.Mul(1 / up.Len())
			if !finite(up[0]) || !finite(up[1]) {
				return right, false
			}
			return Point{-up[1], up[0]}, true
		}
	}
	return right, false
}
