package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// Alignment selects how frames of the target are assigned to frames of the source.
//
// Frame i of the Ns frames of the source is compared with the target at
//
//	u = i · (Nt − 1) / (Ns − 1)
//
// linear between the two neighbouring frames of the target, by the timestamps where both recordings have them. A source image
// takes the target's first frame; a target image is taken for every frame of the source.
//
// That is the linear alignment. DTW instead warps time so that the sum of the pose distances (the mean distance of the parts
// that two frames share) is smallest. Offset shifts time by the one amount at which the movements correlate best, and refuses
// recordings that do not correlate. What lies between two frames of the target that are more than half a second apart, where
// frames of a movie are lost, has no counterpart.
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
	// Window is the largest departure of DTW from the linear alignment, in seconds of the target (the Sakoe-Chiba band); 0 means no limit.
	Window float64 `json:"window,omitempty"`
	// Penalty is the cost, 0 to 1 as a distance, of each DTW step that advances in only one of the recordings.
	Penalty float64 `json:"penalty,omitempty"`
	// Mirror exchanges left and right of the target before comparing.
	Mirror bool `json:"mirror,omitempty"`
	// Angles asks for the differences of the named angles and for Warnings. If both recordings have repetitions, or
	// strides, these are laid on each other, the first on the first, whatever the Alignment.
	Angles bool `json:"angles,omitempty"`
	// Repetitions, if not nil, is a rule whose values show the repetitions of both recordings, such as the flexion of a knee in
	// squats: these are laid on each other instead of those that package study finds. Numbers only, and no MovieOption.
	Repetitions *analyze.Rule `json:"repetitions,omitempty"`
	// Warnings asks for Result.Warnings without angles. Where there are some, recordings are not scored, unless AlwaysScore is set.
	Warnings    bool `json:"warnings,omitempty"`
	AlwaysScore bool `json:"alwaysScore,omitempty"`
	// SourceQuality and TargetQuality are the verdicts on source and target, zero if they are not known: values that they doubt
	// are not compared.
	SourceQuality quality.Report `json:"-"`
	TargetQuality quality.Report `json:"-"`
}

// laid reports whether repetitions are laid on each other.
func (o Options) laid() bool { return o.Angles || o.Repetitions != nil }

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
//
// In each frame both persons are moved so that their centres coincide: the mean of the detected hips, else of the shoulders, else
// of all parts that both have. Each recording has one scale, the torso length L: the median over its frames of the distance from
// mid-shoulder to mid-hip, or the median of the bounding-box diagonal × 0.45 if no frame shows a torso.
//
// Feet are compared where both recordings have them. Alignment, centre, scale and the overall score are those of the other 17 parts.
//
// With s and t the places of a part in source and target, relative to the centres,
//
//	d = t / L_target − s / L_source      (torso lengths)
//	distance  = min(1, |d| / 2.5)        0 to 1
//	direction = atan2(d_x, −d_y)         degrees, 0 ≤ v < 360
//
//	                 0
//	                 |
//	         270 ----+---- 90            up is 0, clockwise on screen
//	                 |
//	                180
type Difference struct {
	Distance  float64 // 0 to 1; 1 is 2.5 torso lengths or more
	Direction float64 // degrees, 0 ≤ v < 360: up 0, right 90
}

// Frame holds the differences of one frame of the source. The zero value has none.
type Frame struct {
	differences [keypoint.NumParts]Difference
	present     keypoint.Parts
}

// At returns the difference of part p; ok is false if the part is missing in either recording.
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
	Score  *Score  // nil if no part could be compared, or too few frames, or with Warnings
	Angles []Angle // those that both recordings show, if Options.Angles asks for them

	// Largest has the largest difference of each of the Angles: first those beyond their uncertainty, the
	// largest of all first. There are none of recordings that are not the same movement.
	Largest []AngleDifference

	Answer *Answer // nil if Largest is empty

	// Repetitions are the twins, if Options.Angles or Options.Repetitions asks for them.
	Repetitions []Repetition

	// Warnings say what makes the differences meaningless; nil if Options asks for none.
	Warnings []Warning

	// Shift is, for each frame of the source, how much later its counterpart comes in the
	// target, in seconds from the two starts; absent without a counterpart. It is nil if a recording has no times.
	Shift []analyze.Value
	// Path is the warping path of DTW: pairs of frames of source and target, from {0, 0} to the last two. It is nil for other alignments.
	Path [][2]int
}

// fullDistance is the displacement of distance 1, in torso lengths.
const fullDistance = 2.5

// side is one of the two recordings.
type side struct {
	name   string
	shot   keypoint.Sequence // the recording
	judged quality.Report
	seq    keypoint.Sequence // as seen from the person's own side, if cameras see it in space
	body   float64           // torso length, pixels
	*overview
}

// pair is two recordings and how they are laid on each other.
type pair struct {
	s, t  side
	twins [][2]cycle
	alignment
	mirrored bool // the target
}

// prepare checks the recordings, measures the body sizes and aligns the recordings.
func prepare(source, target keypoint.Sequence, opt Options) (p pair, err error) {
	if err := opt.Validate(); err != nil {
		return p, err
	}
	p.mirrored = opt.Mirror
	p.s, p.t = side{name: "source", shot: source, judged: opt.SourceQuality}, side{name: "target", shot: target, judged: opt.TargetQuality}
	for _, x := range []*side{&p.s, &p.t} {
		if err := x.shot.Validate(); err != nil {
			return p, fmt.Errorf("%s: %w", x.name, err)
		}
		if x.shot.Len() == 0 {
			return p, fmt.Errorf("%w comparison: the %s has no frames", keypoint.ErrInvalid, x.name)
		}
		judged := x.judged
		if opt.Mirror && x == &p.t {
			x.shot = mirroredSequence(target)
			judged.Warnings = slices.Clone(judged.Warnings)
			for i := range judged.Warnings {
				w := &judged.Warnings[i]
				parts := w.Parts.List()
				for n, part := range parts {
					parts[n] = part.Mirror()
				}
				w.Parts = keypoint.PartsOf(parts...)
			}
		}
		var ok bool
		x.seq = space.View(x.shot)
		if x.body, ok = bodySize(x.seq.Frames); !ok {
			return p, fmt.Errorf("%w comparison: the %s shows no person of measurable size in any frame", keypoint.ErrInvalid, x.name)
		}
		if opt.laid() || opt.Warnings {
			if x.overview, err = overviewOf(x.seq, judged, opt.Repetitions); err != nil {
				return p, fmt.Errorf("%s: %w", x.name, err)
			}
		}
	}
	if opt.laid() {
		if opt.Repetitions == nil {
			err = p.repeat()
		}
		p.twins = twins(p.s.cycles, p.t.cycles)
	}
	if len(p.twins) > 0 || err != nil {
		p.alignment = p.lay()
	} else {
		p.alignment, err = align(p.s, p.t, opt)
	}
	p.leaveHoles(p.t.seq)
	return p, err
}

// Diff compares the target with the source. Empty recordings and recordings that show no body size in any frame are a keypoint.ErrInvalid.
func Diff(source, target keypoint.Sequence, opt Options) (Result, error) {
	p, err := prepare(source, target, opt)
	if err != nil {
		return Result{}, err
	}
	res := Result{Frames: make([]Frame, source.Len()), Shift: p.shift(source, target), Path: p.path}
	res.Score = p.compare(0, source.Len()-1, res.Frames)
	if opt.laid() {
		res.Repetitions = p.repetitions(res.Frames)
	}
	if opt.Angles {
		res.Angles, res.Largest = p.angles(res.Repetitions)
	}
	if p.s.overview != nil {
		var few bool
		if res.Warnings, few = p.warnings(&res); (few || len(res.Warnings) > 0) && !opt.AlwaysScore {
			res.Score = nil
		}
		if slices.ContainsFunc(res.Warnings, func(w Warning) bool { return w.Code == codeNotTheSame || w.Code == codeTooFew }) {
			res.Largest = res.Largest[:0]
		}
		res.Answer = p.answer(&res)
	}
	return res, nil
}

// compare fills in the differences of the frames first to last, and returns their score.
func (p *pair) compare(first, last int, frames []Frame) *Score {
	var sums [keypoint.NumParts]moments
	for i := first; i <= last; i++ {
		f := p.target(i, p.t.seq.Frames)
		frames[i] = diffFrame(&p.s.seq.Frames[i], &f, p.s.body, p.t.body, &sums)
	}
	return score(&sums)
}

// Overlay returns the target moved onto the source: for each frame of the source, the frame of the target that Diff compares
// with it, scaled to the source's body and moved so that the centres coincide, in pixels of the source's picture, without what is
// hidden there. Frames without a common part are empty. Errors are those of Diff.
func Overlay(source, target keypoint.Sequence, opt Options) ([]keypoint.Frame, error) {
	p, err := prepare(source, target, opt)
	if err != nil {
		return nil, err
	}
	body, okS := bodySize(source.Frames)
	other, okT := bodySize(p.t.shot.Frames)
	if !okS || !okT {
		return nil, fmt.Errorf("%w comparison: the pictures show no person of measurable size", keypoint.ErrInvalid)
	}
	scale := body / other
	frames, hidden := make([]keypoint.Frame, source.Len()), quality.Hidden(p.t.shot)
	for i := range source.Frames {
		f := p.target(i, p.t.shot.Frames)
		cs, ct, ok := centres(&source.Frames[i], &f)
		if !ok {
			continue
		}
		for _, part := range (f.Present() &^ hidden[p.positions[i].nearest()]).List() {
			pt, _ := f.At(part)
			frames[i].Set(part, cs.Add(pt.Sub(ct).Mul(scale)), f.Confidence(part))
		}
	}
	return frames, nil
}

// Counterparts returns, for each frame of the source, the number of the target's frame that is nearest to what Diff compares
// with it; without one, that of the frame before, and of the first frames 0. They do not decrease. Errors are those of Diff.
func Counterparts(source, target keypoint.Sequence, opt Options) ([]int, error) {
	p, err := prepare(source, target, opt)
	if err != nil {
		return nil, err
	}
	frames := make([]int, len(p.positions))
	for i, m := range p.positions {
		switch {
		case !m.outside:
			frames[i] = m.nearest()
		case i > 0:
			frames[i] = frames[i-1]
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

// mirroredSequence returns the mirror image of a recording, positions in space too.
func mirroredSequence(s keypoint.Sequence) keypoint.Sequence {
	m := s.Unmirrored()
	m.Space = s.Space
	for i := range s.Frames {
		places, turned := s.Frames[i].Positions(), keypoint.Positions{}
		for _, p := range places.Present().List() {
			at, _ := places.At(p)
			turned.Set(p.Mirror(), keypoint.Position{-at[0], at[1], at[2]}, places.Error(p))
		}
		m.Frames[i].SetPositions(&turned)
	}
	return m
}
