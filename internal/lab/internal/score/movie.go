package score

import (
	"fmt"
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
	if err := s.Validate(); err != nil || len(s.Times) == s.Len() {
		return err
	}
	return fmt.Errorf("%w: %s has no times", keypoint.ErrInvalid, what)
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
