package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

const (
	// streamFrames is the number of frames, the newest ones, in which a Stream looks for repetitions: over two minutes at 30 per second.
	streamFrames = 4096

	contextFrames  = 600 // the newest frames from which the view and the direction of a named angle are told
	contextSeconds = 10.0
	countInterval  = 0.1 // seconds between two counts
)

// Stream computes rules while frames arrive: the value of each rule in the newest frame, and the repetitions so far. It needs the
// same memory however many frames come. It is not safe for concurrent use.
//
//	s, err := analyze.NewStream(rules, keypoint.World{})
//	if err != nil {
//		return err
//	}
//	for i, f := range seq.Frames {
//		if err := s.Next(f, seq.Times[i], false); err != nil {
//			return err
//		}
//		fmt.Println(s.Values()[0].X, s.Counts()[0].Complete)
//	}
//
// Values are those of Run over the last ten seconds, at most 600 frames: a named angle takes its sign from the side to which the
// person has faced until now, and rates are those between the newest frame and the one before. The size of the picture is unknown, so that
// upright is what the World says, wherever the person stands.
//
// Repetitions are those that FindRepetitions finds in the values so far, so that after the last frame their number is that of the
// whole series. It may fall: the first deep squat shows that what moved before was not one. Of a longer series than streamFrames,
// those in its older half are counted for good and forgotten, and the default prominence and direction that they had then stay;
// their number may then differ a little from that of the whole series, whose usual depth is another one.
type Stream struct {
	rules    []Rule
	seq      keypoint.Sequence // the newest frames
	values   []Value           // of the rules in the newest frame
	sigmas   []Value           // of values, one standard deviation
	why      []quality.Code    // of the rules, what is against their values
	facing   quality.Facing    // of the newest frame
	latest   []Value           // of the rules, their latest values that are present
	times    []float64         // of latest, seconds
	counters []*counter        // of the rules with repetitions
	counted  float64           // time of the latest count
}

// Count is the number of repetitions so far.
type Count struct {
	Found    int // all
	Complete int // those that have gone out and come back
	// Last is the newest one, without Curve. Its frames are 0: the times say when it was. The zero Repetition means none yet.
	Last Repetition
	// Settled reports that Last can no longer change: the values have come back and stayed there. What is found of one that
	// is not settled may still become deeper, or be a part of a longer one.
	Settled bool
}

// counter counts the repetitions of a rule.
type counter struct {
	rule    int // its number
	kind    Type
	opt     RepetitionOptions
	values  []Value // of the frames of the Stream
	settled Count   // the repetitions before these
	deepest float64 // the farthest value from rest so far
	count   Count
}

// NewStream returns a Stream for keypoints in a world; the zero World is the picture. Wrong rules are keypoint.FieldErrors, and so
// are statistics and symmetry, which are for whole recordings. A wrong world is a keypoint.ErrInvalid.
func NewStream(rules []Rule, world keypoint.World) (*Stream, error) {
	if err := cmp.Or(world.Validate(), Check(rules, true)); err != nil {
		return nil, err
	}
	s := &Stream{rules: slices.Clone(rules), seq: keypoint.Sequence{World: world}}
	s.values, s.latest, s.times = make([]Value, len(rules)), make([]Value, len(rules)), make([]float64, len(rules))
	s.sigmas, s.why = make([]Value, len(rules)), make([]quality.Code, len(rules))
	s.counted = math.Inf(-1)
	errs := rulejson.Check(rules, func(r *Rule, note rulejson.Note) {
		const whole = "is for whole recordings"
		note(r.Movie != nil, "/movieOption", whole)
		note(r.Statistics, "/statistics", whole)
		note(r.Symmetry, "/symmetry", whole)
	})
	if errs != nil {
		return nil, errs
	}
	for k, r := range rules {
		if r.Repetitions != nil {
			s.counters = append(s.counters, &counter{rule: k, kind: r.Type, opt: *r.Repetitions})
		}
	}
	return s, nil
}

// Next adds the next frame. seconds is its time, which must be finite and after that of the frame before,
// else the error is a keypoint.ErrInvalid. other says that somebody else is followed from this frame on.
func (s *Stream) Next(f keypoint.Frame, seconds float64, other bool) error {
	n := s.seq.Len()
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) || n > 0 && seconds <= s.seq.Times[n-1] {
		return fmt.Errorf("%w time: %v s, want a finite time after that of the frame before", keypoint.ErrInvalid, seconds)
	}
	if n == streamFrames {
		s.settle()
		n = s.seq.Len()
	}
	if other && n > 0 {
		s.seq.PersonChanges = append(s.seq.PersonChanges, n)
		clear(s.latest)
	}
	s.seq.Frames, s.seq.Times = append(s.seq.Frames, f), append(s.seq.Times, seconds)
	s.compute()
	due := seconds-s.counted >= countInterval
	for _, c := range s.counters {
		c.values = append(c.values, s.values[c.rule])
		if due {
			c.recount(s.seq)
		}
	}
	if due {
		s.counted = seconds
	}
	return nil
}

// compute sets the values of the newest frame.
func (s *Stream) compute() {
	if len(s.rules) == 0 {
		return
	}
	last := s.seq.Len() - 1
	now := s.seq.Times[last]
	rec := recording{Sequence: s.Recent()}
	rec.Uncertainty = quality.NewUncertainty(rec.Sequence)
	s.facing = quality.Facing{}
	if view, ok := rec.View(rec.Len() - 1); ok {
		s.facing = quality.FacingOf(view)
	}
	for k := range s.rules {
		r := &s.rules[k]
		a := r.Type.definition().angle
		var values []Value
		unknown, hidden := false, false // where the person faces, and a joint
		if a == nil {
			tail := s.seq.Slice(max(0, last-1), last) // a rate needs the frame before
			values = r.series(tail)
		} else {
			if rec.hidden == nil { // of the newest frame alone
				rec.hidden = make([]keypoint.Parts, rec.Len())
				rec.hidden[rec.Len()-1] = rec.Hidden(rec.Len() - 1)
			}
			var turned []bool
			var withheld []keypoint.Parts
			values, turned, withheld = a.values(&rec, r.Side, rec.covered(r))
			unknown, hidden = turned[len(turned)-1], withheld[len(withheld)-1] != 0
		}
		v := values[len(values)-1]
		if a != nil && v.Present { // goes on where the latest value was
			if l := s.latest[k]; l.Present && now-s.times[k] <= restart {
				v.X -= 360 * math.Round((v.X-l.X)/360)
			}
		}
		s.why[k] = ""
		s.sigmas[k], _ = r.sigma(&rec, rec.Len()-1, v, r.uses())
		switch fits, _ := rec.Fits(r.Plane(), rec.Len()-1); {
		case hidden:
			s.why[k] = quality.CodeHiddenSide
		case !v.Present && !unknown:
			s.why[k] = quality.CodeLowCoverage
		case !fits && (a != nil || r.Type.definition().plane):
			s.why[k] = quality.CodeOutOfPlane
		case !v.Present:
			s.why[k] = quality.CodeFacing
		}
		if s.values[k] = v; v.Present {
			s.latest[k], s.times[k] = v, now
		}
	}
}

// Values returns the values of the rules in the newest frame, in their units; absent before the first one.
func (s *Stream) Values() []Value { return slices.Clone(s.values) }

// Uncertainty returns one standard deviation of each of Values, and what is against it: quality.CodeLowCoverage if the parts
// are not seen, quality.CodeHiddenSide if one is hidden, quality.CodeOutOfPlane if it shows from another side, quality.CodeFacing; "" is nothing.
func (s *Stream) Uncertainty() (sigma []Value, why []quality.Code) {
	return slices.Clone(s.sigmas), slices.Clone(s.why)
}

// Facing returns from where the newest frame sees the person; the zero value if that is not known, and without rules.
func (s *Stream) Facing() quality.Facing { return s.facing }

// Recent returns the newest frames, those that Values need. They are shared.
func (s *Stream) Recent() keypoint.Sequence {
	last := s.seq.Len() - 1
	if last < 0 {
		return s.seq
	}
	first, _ := slices.BinarySearch(s.seq.Times, s.seq.Times[last]-contextSeconds)
	return s.seq.Slice(max(first, last+1-contextFrames), last)
}

// Counts returns the repetitions of each rule so far; those of a rule that does not ask for them are zero.
// They are at most a tenth of a second old; Final counts once more.
func (s *Stream) Counts() []Count {
	counts := make([]Count, len(s.rules))
	for _, c := range s.counters {
		counts[c.rule] = c.count
	}
	return counts
}

// Final returns the repetitions of each rule up to the newest frame.
func (s *Stream) Final() []Count {
	for _, c := range s.counters {
		c.recount(s.seq)
	}
	return s.Counts()
}

// find finds the repetitions in the values at hand.
func (c *counter) find(seq keypoint.Sequence) (Repetitions, *series) {
	def := c.kind.definition()
	t := newSeries(seq, Result{Type: c.kind, Unit: def.unitIn(seq.World), Values: c.values})
	t.deepest, t.goesOn = c.deepest, true
	return t.find(c.opt), t
}

// recount counts the repetitions in the values at hand and those before.
func (c *counter) recount(seq keypoint.Sequence) {
	found, t := c.find(seq)
	c.count = c.settled
	c.count.Found += len(found.List)
	c.count.Complete += found.Complete
	if n := len(found.List); n > 0 {
		c.count.Last, c.count.Settled = found.List[n-1].elsewhere(), t.settled
	}
}

// elsewhere returns the repetition without what refers to frames.
func (r Repetition) elsewhere() Repetition {
	r.Start.Frame, r.Turn.Frame, r.End.Frame, r.Curve = 0, 0, 0, nil
	return r
}

// settle counts the repetitions in the older half of the frames for good, and drops these.
func (s *Stream) settle() {
	const half, least = streamFrames / 2, streamFrames / 4
	cut := half
	for _, c := range s.counters {
		cut = min(cut, c.settle(s.seq, half))
	}
	cut = max(cut, least)
	s.seq.Frames, s.seq.Times = slices.Delete(s.seq.Frames, 0, cut), slices.Delete(s.seq.Times, 0, cut)
	var changes []int
	for _, frame := range s.seq.PersonChanges {
		if frame > cut {
			changes = append(changes, frame-cut)
		}
	}
	s.seq.PersonChanges = changes
	for _, c := range s.counters {
		c.values = slices.Delete(c.values, 0, cut)
	}
}

// settle counts the repetitions that end in the first half of the frames for good. It returns the frame
// from which on frames are needed, at most half.
func (c *counter) settle(seq keypoint.Sequence, half int) (from int) {
	found, t := c.find(seq)
	if c.deepest = t.deepest; len(found.List) > 0 {
		c.opt.Direction = found.Direction
	}
	end := 0
	for _, r := range found.List {
		if r.End.Frame > half {
			half = min(half, r.Start.Frame)
			break
		}
		c.settled.Found++
		if r.Complete {
			c.settled.Complete++
		}
		c.settled.Last, c.settled.Settled, end = r.elsewhere(), true, r.End.Frame
	}
	clear(c.values[:end]) // it must not count again
	return max(half, end)
}
