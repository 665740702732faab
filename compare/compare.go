package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
)

// Alignment selects how frames of the target are assigned to frames of the source.
type Alignment string

// The alignments.
const (
	Linear Alignment = "linear" // stretch the target evenly over the source; the default
	DTW    Alignment = "dtw"    // warp the target's time so that the poses fit best
	Offset Alignment = "offset" // shift the target's time by one amount for the whole recording
)

// Options configure a comparison. The zero value selects the defaults.
type Options struct {
	Alignment Alignment `json:"alignment,omitempty"` // "" means Linear
	// Window is the largest departure of DTW from the linear alignment, in seconds of the
	// target (the Sakoe-Chiba band); 0 means no limit.
	Window float64 `json:"window,omitempty"`
	// Penalty is the cost, 0 to 1 as a distance, of each DTW step that advances in only one
	// of the recordings.
	Penalty float64 `json:"penalty,omitempty"`
	// Mirror exchanges left and right of the target before comparing.
	Mirror bool `json:"mirror,omitempty"`
	// Angles asks for the differences of the named angles.
	Angles bool `json:"angles,omitempty"`
	// Repetitions, if not nil, is a rule whose values show the repetitions of both recordings, such as the
	// flexion of a knee in squats: each complete repetition is compared with its twin in the other recording.
	// Numbers only, and no MovieOption.
	Repetitions *analyze.Rule `json:"repetitions,omitempty"`
}

// Validate returns an unknown alignment, numbers out of range, and a rule that shows no repetitions as
// keypoint.FieldErrors in a keypoint.ErrInvalid.
func (o Options) Validate() error {
	errs := rulejson.CheckOne(&o, (*Options).check)
	if r := o.Repetitions; errs == nil && r != nil {
		errs = rulejson.Under("/repetitions", r.Mistakes(true))
	}
	if errs == nil {
		return nil
	}
	return fmt.Errorf("%w comparison: %w", keypoint.ErrInvalid, errs)
}

func (o *Options) check(note rulejson.Note) {
	known := []Alignment{"", Linear, DTW, Offset}
	note(!slices.Contains(known, o.Alignment), "/alignment", "invalid alignment: %q, want %q, %q or %q", o.Alignment, Linear, DTW, Offset)
	note(!(o.Window >= 0), "/window", "is %v, want 0 or more seconds", o.Window)
	note(!(o.Penalty >= 0 && o.Penalty <= 1), "/penalty", "is %v, want 0 to 1", o.Penalty)
	if r := o.Repetitions; r != nil {
		note(r.Type.Pair() || r.Movie != nil || r.Symmetry, "/repetitions",
			"invalid repetitions: want a rule whose values are numbers, without a statistic and symmetry")
	}
}

// Difference is the displacement of a part of the target from that of the source.
type Difference struct {
	Distance  float64 // 0 to 1; 1 is 2.5 torso lengths or more
	Direction float64 // degrees, 0 ≤ v < 360: up 0, right 90
}

// Frame holds the differences of one frame of the source. The zero value has none.
type Frame struct {
	differences [keypoint.NumParts]Difference
	present     keypoint.Parts
}

// At returns the difference of part p; ok is false if the part is missing in either
// recording.
func (f *Frame) At(p keypoint.Part) (d Difference, ok bool) {
	if p >= keypoint.NumParts || !f.present.Has(p) {
		return Difference{}, false
	}
	return f.differences[p], true
}

// Present returns the parts that have a difference.
func (f *Frame) Present() keypoint.Parts { return f.present }

func (f *Frame) set(p keypoint.Part, d Difference) {
	f.differences[p] = d
	f.present |= 1 << p
}

// Result is the result of a comparison.
type Result struct {
	Frames []Frame // one per frame of the source
	Score  *Score  // nil if no part could be compared
	Angles []Angle // those that both recordings show, if Options.Angles asks for them

	// Largest has the largest difference of each of the Angles, the largest of all first.
	Largest []Largest

	// Repetitions are the twins, if Options.Repetitions asks for them.
	Repetitions []Repetition

	// Shift is, for each frame of the source, how much later its counterpart comes in the
	// target, in seconds from the two starts. It is nil if a recording has no times.
	Shift []float64
	// Path is the warping path of DTW: pairs of frames of source and target, from {0, 0} to
	// the last two. It is nil for other alignments.
	Path [][2]int
}

// fullDistance is the displacement of distance 1, in torso lengths.
const fullDistance = 2.5

// side is one of the two recordings.
type side struct {
	name string
	seq  keypoint.Sequence
	body float64 // torso length, pixels
}

// prepare checks the recordings, measures the body sizes and aligns the recordings.
func prepare(source, target keypoint.Sequence, opt Options) (s, t side, a alignment, err error) {
	if err := opt.Validate(); err != nil {
		return s, t, a, err
	}
	s, t = side{"source", source, 0}, side{"target", target, 0}
	for _, x := range []*side{&s, &t} {
		if err := x.seq.Validate(); err != nil {
			return s, t, a, fmt.Errorf("%s: %w", x.name, err)
		}
		if x.seq.Len() == 0 {
			return s, t, a, fmt.Errorf("%w comparison: the %s has no frames", keypoint.ErrInvalid, x.name)
		}
		var ok bool
		if x.body, ok = bodySize(x.seq.Frames); !ok {
			return s, t, a, fmt.Errorf("%w comparison: the %s shows no person of measurable size in any frame", keypoint.ErrInvalid, x.name)
		}
	}
	if opt.Mirror {
		t.seq = target.Clone()
		for i := range t.seq.Frames {
			t.seq.Frames[i] = mirrored(t.seq.Frames[i], target.Size.X)
		}
		t.seq.World.Floor *= -1
	}
	a, err = align(s, t, opt)
	return s, t, a, err
}

// Diff compares the target with the source. Empty recordings and recordings that show no body
// size in any frame are a keypoint.ErrInvalid.
func Diff(source, target keypoint.Sequence, opt Options) (Result, error) {
	s, t, a, err := prepare(source, target, opt)
	if err != nil {
		return Result{}, err
	}
	res := Result{Frames: make([]Frame, source.Len()), Shift: a.shift(source, target), Path: a.path}
	var sums [keypoint.NumParts]moments
	for i := range source.Frames {
		f := a.target(i, t.seq.Frames)
		res.Frames[i] = diffFrame(&source.Frames[i], &f, s.body, t.body, &sums)
	}
	res.Score = score(&sums)
	if opt.Angles {
		if res.Angles, res.Largest, err = angles(source, t.seq, a); err != nil {
			return Result{}, err
		}
	}
	if opt.Repetitions != nil {
		res.Repetitions, err = twins(source, t.seq, opt)
	}
	return res, err
}

// Overlay returns the target moved onto the source: for each frame of the source, the frame of
// the target that Diff compares with it, scaled to the source's body and moved so that the
// centres coincide, in pixels of the source's picture. Frames without a common part are
// empty. Errors are those of Diff.
func Overlay(source, target keypoint.Sequence, opt Options) ([]keypoint.Frame, error) {
	s, t, a, err := prepare(source, target, opt)
	if err != nil {
		return nil, err
	}
	scale := s.body / t.body
	frames := make([]keypoint.Frame, source.Len())
	for i := range source.Frames {
		f := a.target(i, t.seq.Frames)
		cs, ct, ok := centres(&source.Frames[i], &f)
		if !ok {
			continue
		}
		for _, p := range f.Present().List() {
			pt, _ := f.At(p)
			frames[i].Set(p, cs.Add(pt.Sub(ct).Mul(scale)), f.Confidence(p))
		}
	}
	return frames, nil
}

// Counterparts returns, for each frame of the source, the number of the target's frame that is nearest to
// what Diff compares with it: the first one before the target begins and the last one after it ends. They
// do not decrease. Errors are those of Diff.
func Counterparts(source, target keypoint.Sequence, opt Options) ([]int, error) {
	_, _, a, err := prepare(source, target, opt)
	if err != nil {
		return nil, err
	}
	frames := make([]int, len(a.positions))
	begun := false
	for i, m := range a.positions {
		switch {
		case !m.outside:
			frames[i], begun = m.k+int(math.Round(m.share)), true
		case begun:
			frames[i] = target.Len() - 1
		}
	}
	return frames, nil
}

// diffFrame returns the differences of two frames, and adds the places of the parts to the sums.
func diffFrame(s, t *keypoint.Frame, sourceBody, targetBody float64, sums *[keypoint.NumParts]moments) Frame {
	var f Frame
	cs, ct, ok := centres(s, t)
	if !ok {
		return f
	}
	for _, p := range (s.Present() & t.Present()).List() {
		a, _ := s.At(p)
		b, _ := t.At(p)
		a = keypoint.Point{(a[0] - cs[0]) / sourceBody, (a[1] - cs[1]) / sourceBody}
		b = keypoint.Point{(b[0] - ct[0]) / targetBody, (b[1] - ct[1]) / targetBody}
		dx, dy := b[0]-a[0], b[1]-a[1]
		if d := math.Sqrt(dx*dx + dy*dy); d >= 0 { // false for NaN, from coordinates that overflow
			f.set(p, Difference{Distance: min(1, d/fullDistance), Direction: direction(dx, -dy)})
			sums[p].add(a, b)
		}
	}
	return f
}

// direction returns the direction of a displacement in degrees, 0 ≤ v < 360.
func direction(right, up float64) float64 {
	if right == 0 && up == 0 {
		return 0
	}
	v := math.Atan2(right, up) * (180 / math.Pi)
	if v < 0 {
		v += 360
	}
	if v >= 360 { // a tiny negative angle, rounded
		v = 0
	}
	return v
}

// mirrored returns the mirror image of a frame in a picture of the given width in pixels.
func mirrored(f keypoint.Frame, width int) keypoint.Frame {
	for p := range keypoint.Part(keypoint.NumParts) {
		if p.Mirror() > p {
			f.Exchange(p)
		}
		if pt, ok := f.At(p); ok { // each pair is exchanged before its first part
			f.Set(p, keypoint.Point{float64(width) - pt[0], pt[1]}, f.Confidence(p))
		}
	}
	return f
}
