package clean

import (
	"cmp"
	"fmt"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Causal returns the steps of a Stream, with gaps of at most 0.1 s and a One-Euro filter.
func Causal() Options {
	return Options{Swaps: true, Gaps: &Gaps{Max: 0.1}, Smooth: &Smooth{Method: byOneEuro, Cutoff: 4, Beta: 0.1}, Coincident: true}
}

// Stream cleans the keypoints of one person while frames arrive, without looking ahead, with the same
// memory however many come. Run cleans a whole recording better. It is not safe for concurrent use.
//
// Swaps exchanges the left and right part of a pair to explain a movement that a part cannot make; below 15 frames per second it
// changes nothing. Smooth with OneEuro and Coincident are as in Run. Gaps bridges a gap until it is longer than Max: the part goes
// on from its last place with its speed, which becomes 1/e every 0.05 s, and its confidence falls to 0 over Max. Gaps that begin
// with a confidence below 0.3 are not bridged. Outliers, and the other methods of smoothing and of filling, need what comes after.
type Stream struct {
	opt     Options
	sides   sides
	parts   [keypoint.NumParts]follow
	seconds float64
	any     bool // a frame has been seen
}

// follow is the path of a part so far.
type follow struct {
	axis       [2]euro
	confidence float64 // of the latest point that was seen
	seen       float64 // when, seconds
	velocity   keypoint.Point
	filtered   bool // axis has a point; false after a gap
}

// fade is the time in which the speed of a part that is not seen becomes 1/e of it, seconds.
const fade = 0.05

// NewStream returns a Stream. Options out of range, and steps that need what comes after, are a keypoint.ErrInvalid.
func NewStream(opt Options) (*Stream, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	what := ""
	switch {
	case opt.Outliers != nil:
		what = "outliers"
	case opt.Gaps != nil && opt.Gaps.Method != "":
		what = "gaps method " + string(opt.Gaps.Method)
	case opt.Smooth != nil && opt.Smooth.Method != byOneEuro:
		what = "smoothing method " + string(cmp.Or(opt.Smooth.Method, byButterworth))
	default:
		return &Stream{opt: opt}, nil
	}
	return nil, fmt.Errorf("%w cleaning option %s: it needs the frames that follow, want those of clean.Causal", keypoint.ErrInvalid, what)
}

// Next returns the cleaned frame and its changes. seconds is the time of the frame; it must be finite and
// after that of the frame before, else the error is a keypoint.ErrInvalid.
func (s *Stream) Next(f keypoint.Frame, seconds float64) (keypoint.Frame, [keypoint.NumParts]Change, error) {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) || s.any && seconds <= s.seconds {
		return keypoint.Frame{}, [keypoint.NumParts]Change{}, fmt.Errorf("%w time: %v s, want a finite time after that of the frame before, %v s", keypoint.ErrInvalid, seconds, s.seconds)
	}
	s.any, s.seconds = true, seconds
	report := Report{Changes: make([][keypoint.NumParts]Change, 1)}
	changes := &report.Changes[0]
	if s.opt.Swaps {
		f = s.sides.next(f, seconds, changes)
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		at, ok := f.At(p)
		switch t := &s.parts[p]; {
		case ok:
			at = t.see(at, f.Confidence(p), seconds, s.opt.Smooth, &changes[p])
			f.Set(p, at, f.Confidence(p))
		case s.opt.Gaps != nil:
			if at, confidence, ok := t.bridge(seconds, cmp.Or(s.opt.Gaps.Max, 0.5)); ok {
				f.Set(p, at, confidence)
				changes[p] |= Filled
				break
			}
			fallthrough
		default:
			t.filtered = false
		}
	}
	one := keypoint.Sequence{Frames: []keypoint.Frame{f}}
	if s.opt.Coincident {
		removeCoincident(one, &report)
	}
	return one.Frames[0], *changes, nil
}

// Reset begins with another person. Times go on.
func (s *Stream) Reset() { *s = Stream{opt: s.opt, seconds: s.seconds, any: s.any} }

// see returns a point that was seen, smoothed.
func (t *follow) see(at keypoint.Point, confidence, seconds float64, smooth *Smooth, change *Change) keypoint.Point {
	before, elapsed, known := keypoint.Point{t.axis[0].x, t.axis[1].x}, seconds-t.axis[0].seconds, t.filtered
	if smooth == nil || !known {
		t.axis = [2]euro{{x: at[0], seconds: seconds}, {x: at[1], seconds: seconds}}
	} else {
		at = keypoint.Point{t.axis[0].next(seconds, at[0], *smooth), t.axis[1].next(seconds, at[1], *smooth)}
	}
	if smooth != nil {
		*change |= Smoothed
	}
	t.velocity = keypoint.Point{}
	if known {
		t.velocity = at.Sub(before).Mul(1 / elapsed)
	}
	t.confidence, t.seen, t.filtered = confidence, seconds, true
	return at
}

// bridge returns where a part that was not seen should be, with its confidence.
func (t *follow) bridge(seconds, longest float64) (at keypoint.Point, confidence float64, ok bool) {
	gap := seconds - t.seen
	if !t.filtered || t.confidence < guess || gap > longest+1e-6 {
		return at, 0, false
	}
	last := keypoint.Point{t.axis[0].x, t.axis[1].x}
	return last.Add(t.velocity.Mul(fade * (1 - math.Exp(-gap/fade)))), t.confidence * max(0, 1-gap/longest), true
}
