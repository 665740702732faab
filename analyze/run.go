package analyze

import (
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Run computes the rules for every frame. Coordinates, differences and directions are those of Sequence.World: in metres if it has
// a scale, and along its floor. Where several cameras see the person (keypoint.Space), named angles and lengths are those in space,
// and all others those of the first picture. A sequence of one frame without times is an image, which allows neither a MovieOption
// nor a rate such as Speed. Wrong rules are reported as keypoint.FieldErrors, an invalid sequence as a keypoint.ErrInvalid.
func Run(seq keypoint.Sequence, rules []Rule) ([]Result, error) {
	return RunWith(seq, rules, Options{})
}

// Options say what values are of. The zero value: the whole recording, as it is.
type Options struct {
	// Part is the frames that count, as if the recording had no others: statistics, repetitions, symmetry, rates and the side to
	// which the person faces come from these alone. Results have the frame numbers of the whole recording: values of the frames
	// outside are absent, but Coverage is that of the part. nil: all frames.
	Part *keypoint.Span
	// Neutral is the pose against which named angles are given; it may be outside the part. An angle that is not seen then stays as
	// it is. nil: as they are.
	Neutral *Neutral
	// Estimated takes named angles from the positions that are guessed from one camera (keypoint.Space), which are not what the
	// picture shows.
	Estimated bool
}

// RunWith is Run with options. A Part that the sequence does not have, and a Neutral that is not found, are a keypoint.ErrInvalid.
func RunWith(seq keypoint.Sequence, rules []Rule, opt Options) ([]Result, error) {
	if err := seq.Validate(); err != nil {
		return nil, err
	}
	part, first, err := seq, 0, error(nil)
	if opt.Part != nil {
		first = opt.Part.First
		part, err = seq.Cut(*opt.Part)
	}
	rec := recording{Sequence: part}
	if err == nil {
		err = Check(rules, rec.movie())
	}
	var zeros []map[Side]float64
	if err == nil && opt.Neutral != nil {
		zeros, err = opt.Neutral.zeros(seq, rules, opt.Estimated)
	}
	if err != nil {
		return nil, err
	}
	rec.Uncertainty = quality.NewUncertainty(part)
	named := map[bool]*recording{} // what named angles and lengths are of, by whether they are estimated
	results := make([]Result, len(rules))
	for i := range rules {
		r, a, of := &rules[i], rules[i].Type.definition().angle, &rec
		if a != nil {
			estimated := opt.Estimated && a.length == nil
			if named[estimated] == nil {
				named[estimated] = rec.inSpace(estimated)
			}
			of = named[estimated]
		}
		if zeros != nil {
			of.zero = zeros[i]
		}
		if r.Symmetry {
			results[i] = r.bothSides(of)
		} else {
			results[i] = r.oneSide(of)
		}
		if opt.Part != nil {
			results[i].place(first, seq.Len())
		}
	}
	return results, nil
}

// covered returns the hidden parts that a rule withholds.
func (rec *recording) covered(r *Rule) []keypoint.Parts {
	if r.Hidden {
		return nil
	}
	for i := len(rec.hidden); i < rec.Len(); i++ {
		rec.hidden = append(rec.hidden, rec.Hidden(i))
	}
	return rec.hidden
}

// oneSide computes the rule without its symmetry.
func (r *Rule) oneSide(rec *recording) Result {
	res := r.values(rec)
	if r.Statistics {
		main := rec.MainPerson()
		res.Statistics = allStatistics(res.Values[main.First : main.Last+1])
	}
	if r.Repetitions != nil {
		found := newSeries(rec.Sequence, res).find(*r.Repetitions)
		res.Repetitions = &found
	}
	return res
}

// values computes the values of the rule with their statistic and warnings.
func (r *Rule) values(rec *recording) Result {
	def := r.Type.definition()
	if def.angle != nil {
		values, unknown, withheld := def.angle.values(rec, r.Side, rec.covered(r))
		rec.against(values, r.Side)
		res := r.result(rec, values, def.angle.pointsOf(r.Side))
		if rec.headings == nil {
			res.Warnings = rec.OutOfPlane(r.Plane(), 0, rec.Len()-1)
		}
		res.Warnings = append(res.Warnings, def.angle.warnings(rec, r.Side, unknown, withheld)...)
		return res
	}
	res := r.result(rec, r.series(rec.Sequence), r.Points)
	if def.plane {
		res.Warnings = rec.OutOfPlane(r.Plane(), 0, rec.Len()-1)
	}
	return res
}

// series computes the formula of the rule in each frame.
func (r *Rule) series(seq keypoint.Sequence) []Value {
	def := r.Type.definition()
	values := make([]Value, seq.Len())
	for i := range seq.Frames {
		var p [3]keypoint.Point
		ok := true
		for j := 0; ok && j < len(r.Points); j++ {
			p[j], ok = r.Points[j].At(&seq.Frames[i])
			p[j] = seq.World.Point(p[j])
		}
		if ok {
			values[i] = def.formula(p[0], p[1], p[2])
		}
	}
	if def.change != nil {
		values = rate(seq, values, def.change)
	}
	return values
}

// result describes and sums up the values, which depend on the points.
func (r *Rule) result(rec *recording, values []Value, points []keypoint.Selector) Result {
	def := r.Type.definition()
	res := Result{
		Type: r.Type, Name: r.heading(), Side: r.side(), Unit: def.unitIn(rec.World), Description: r.describe(rec.World.Metric()),
		Values: values, Coverage: float64(len(present(values))) / float64(max(len(values), 1)),
	}
	res.Uncertainty, res.Constant = r.uncertainty(rec, values, points)
	if r.Movie != nil {
		main := rec.MainPerson()
		part := rec.Slice(main.First, main.Last)
		res.Movie = r.Movie.summary(r.Type, values[main.First:main.Last+1], part.Times)
	}
	return res
}

// rate returns the change per second between the two neighbouring frames of the same person.
// If only one neighbour has a value, it takes the change between that one and the frame itself.
func rate(seq keypoint.Sequence, values []Value, change func(from, to Value) float64) []Value {
	out := make([]Value, len(values))
	if seq.Times == nil {
		return out
	}
	for _, span := range seq.People() {
		has := func(i int) bool { return i >= span.First && i <= span.Last && values[i].Present }
		for i := span.First; i <= span.Last; i++ {
			from, to := i, i
			if has(i - 1) {
				from--
			}
			if has(i + 1) {
				to++
			}
			if has(i) && from != to {
				out[i] = number(change(values[from], values[to]) / (seq.Times[to] - seq.Times[from]))
			}
		}
	}
	return out
}

// bothSides computes the rule for its side, with the other one as Symmetry.
func (r Rule) bothSides(rec *recording) Result {
	if r.Type.Sided() && r.Side == "" {
		r.Side = LeftSide
	}
	asked := r.Movie
	if asked == nil && rec.movie() {
		r.Movie = &MovieOption{Statistic: Range}
	}
	side, mirrored := r.mirror()
	res, other := r.oneSide(rec), mirrored.oneSide(rec)
	left, right := &res, &other
	if side == RightSide {
		left, right = right, left
	}
	s := &Symmetry{Left: left.whole(), Right: right.whole()}
	if r.Movie != nil {
		s.Statistic = r.Movie.Statistic
	}
	if s.Left.Present && s.Right.Present {
		s.Angle.X, s.Angle.Present = SymmetryAngle(s.Left.X, s.Right.X)
	}
	if r.Repetitions != nil {
		depth := TwoSidedOf(left.Repetitions.depths(), right.Repetitions.depths())
		s.Depth = &depth
	}
	if asked == nil {
		res.Movie, other.Movie = nil, nil
	}
	s.OtherSide, res.Symmetry = other, s
	return res
}

// RunRepetitions runs a rule for its repetitions: those that it asks for, or else those by default options. Errors are those of Run.
func RunRepetitions(seq keypoint.Sequence, rule Rule) (Repetitions, error) {
	if rule.Repetitions == nil {
		rule.Repetitions = &RepetitionOptions{}
	}
	results, err := Run(seq, []Rule{rule})
	if err != nil {
		return Repetitions{}, err
	}
	return *results[0].Repetitions, nil
}

// zeros returns the medians of the named angles of rules in the time of the pose, by side.
func (n Neutral) zeros(seq keypoint.Sequence, rules []Rule, estimated bool) ([]map[Side]float64, error) {
	span, err := n.span(seq)
	if err != nil {
		return nil, err
	}
	plain := make([]Rule, len(rules))
	for k, r := range rules {
		plain[k] = Rule{Type: r.Type, Points: r.Points, Side: r.Side, Symmetry: r.Symmetry, Hidden: r.Hidden}
	}
	part, err := seq.Cut(span)
	if err != nil {
		return nil, err
	}
	results, err := RunWith(part, plain, Options{Estimated: estimated})
	if err != nil {
		return nil, err
	}
	zeros := make([]map[Side]float64, len(rules))
	for k, r := range results {
		zeros[k] = map[Side]float64{}
		for _, of := range r.sides() {
			if a := of.Type.definition().angle; a == nil || a.length != nil {
				continue
			}
			if known := present(of.Values); len(known) > 0 {
				zeros[k][of.Side] = rank.Median(known)
			}
		}
	}
	return zeros, nil
}
