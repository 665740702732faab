package evalpose

import (
	"math"
	"sort"

	"github.com/bodymotion/motion/keypoint"
)

// Pair is a frame of a reference and the frame of the result at the same time.
type Pair struct {
	Reference int // index into the reference's frames
	Result    int // index into the result's frames
}

// Match pairs each frame of the reference with the frame of the result whose time is
// nearest, if that is at most tolerance seconds away; of two equally near ones, the earlier. Frames
// of the reference without such a frame are omitted. A frame of the result may be in several pairs if
// the reference has more frames.
//
// A tolerance of 0 or less selects half of the median time between the result's frames, which omits
// gaps in the movie; with fewer than two frames, a millisecond.
//
// Sequences that are invalid or have no times are keypoint.ErrInvalid.
func Match(reference, result keypoint.Sequence, tolerance float64) ([]Pair, error) {
	if err := timed("the reference", reference); err != nil {
		return nil, err
	}
	if err := timed("the result", result); err != nil {
		return nil, err
	}
	if tolerance <= 0 {
		tolerance = 0.001
		if fps, ok := result.FrameRate(); ok {
			tolerance = 0.5 / fps
		}
	}
	var pairs []Pair
	for i, t := range reference.Times {
		j := sort.SearchFloat64s(result.Times, t)
		if j == len(result.Times) || j > 0 && t-result.Times[j-1] <= result.Times[j]-t {
			j--
		}
		if j >= 0 && math.Abs(result.Times[j]-t) <= tolerance {
			pairs = append(pairs, Pair{i, j})
		}
	}
	return pairs, nil
}

// timed reports a sequence without times as an error.
func timed(what string, s keypoint.Sequence) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if len(s.Times) != s.Len() {
		return invalid("%s has no times", what)
	}
	return nil
}

// Agreement returns the share of the reference's parts in the paired frames that the result has
// within the given number of torso lengths. It is the sum of PCK over the pairs, with the torso of
// the reference's frame; frames of the reference without a torso are omitted. The reference is often
// the result of another program instead of the truth, so do not expect 1.
func Agreement(reference, result keypoint.Sequence, pairs []Pair, within float64) (s Share) {
	for _, p := range pairs {
		s = s.Plus(PCK(&reference.Frames[p.Reference], &result.Frames[p.Result], within))
	}
	return s
}

// Lost returns the share of the paired frames with a person in the reference in which the result has
// none.
func Lost(reference, result keypoint.Sequence, pairs []Pair) (s Share) {
	for _, p := range pairs {
		if !reference.Frames[p.Reference].Empty() {
			s = s.with(result.Frames[p.Result].Empty())
		}
	}
	return s
}

// Invented returns the share of the paired frames without a person in the reference in which the
// result has one.
func Invented(reference, result keypoint.Sequence, pairs []Pair) (s Share) {
	for _, p := range pairs {
		if reference.Frames[p.Reference].Empty() {
			s = s.with(!result.Frames[p.Result].Empty())
		}
	}
	return s
}

// Swaps returns the share of the paired frames in which left and right are swapped: with the result's
// left and right parts exchanged, the arms (shoulders, elbows, wrists) or the legs (hips, knees,
// ankles) fit the reference better by more than margin torso lengths,
//
//	mean |found_mirror(p) − reference_p| + margin · torso < mean |found_p − reference_p|
//
// over the parts p whose left and right are present in both frames. Frames are omitted if neither the
// arms nor the legs have such a pair, or the reference has no torso. The margin, usually 0.1, prevents
// random swaps of people seen from the side, whose left and right coincide.
func Swaps(reference, result keypoint.Sequence, pairs []Pair, margin float64) (s Share) {
	arms := []keypoint.Part{keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist}
	legs := []keypoint.Part{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle}
	for _, p := range pairs {
		want, got := &reference.Frames[p.Reference], &result.Frames[p.Result]
		torso, ok := Torso(want)
		if !ok {
			continue
		}
		a, okA := crossed(want, got, arms)
		l, okL := crossed(want, got, legs)
		if okA || okL {
			s = s.with(okA && a > margin*torso || okL && l > margin*torso)
		}
	}
	return s
}

// crossed returns by how many pixels per part an exchange of left and right fits better.
func crossed(want, got *keypoint.Frame, left []keypoint.Part) (gain float64, ok bool) {
	n := 0
	for _, l := range left {
		if g, _, ok := exchange(want, got, l); ok {
			gain += g
			n += 2
		}
	}
	if n == 0 {
		return 0, false
	}
	return gain / float64(n), true
}
