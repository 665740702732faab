package analyze

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// Value is an optional value: a number X, or for a coordinate the point (X, Y).
type Value struct {
	X, Y    float64
	Present bool // if false, there is no value, and X and Y are 0
}

// Result is the outcome of a rule.
type Result struct {
	Type        Type
	Name        string   // what it is, for columns and charts: "left knee flexion"
	Side        Side     // of the body, if all points are on one, else ""
	Description string   // one English sentence that names type, points and unit
	Unit        string   // "px", "°", "px/s" or "°/s"; with a scale "m" and "m/s"
	Values      []Value  // one for each frame, in Unit
	Coverage    float64  // share of the frames that have a value, 0 to 1
	Movie       *Summary // nil if the rule has no MovieOption

	// Statistics are all of them, over the frames of one person as in Movie; nil if the rule does not ask for
	// them. One that needs more values than there are is absent.
	Statistics map[Statistic]Value

	Repetitions *Repetitions // nil if the rule does not ask for them
	Symmetry    *Symmetry    // the other side; nil if the rule does not ask for it

	// Uncertainty is one standard deviation of each value, in its unit, of a coordinate that of x
	// and of y, as quality.Uncertainty tells it. A frame without one is absent; nil: no frame has one.
	// Angles refer to the angle in space: one that is seen obliquely is uncertain.
	Uncertainty []Value
	// Warnings say in which frames the person is not seen from where the values show (outOfPlane), and
	// why values of a named angle are absent: a joint is hidden (hiddenSide, in just the frames that have no
	// value because of it), it cannot be told where the person faces (facing), or there are no feet (lowCoverage).
	Warnings []quality.Warning
}

// Summary is a statistic over the frames of one person, Sequence.MainPerson.
type Summary struct {
	MovieOption
	// Value is the statistic; for a coordinate, x and y are taken separately. It is
	// absent if no frame has a value that counts.
	Value Value
	// Time is when the maximum or minimum is reached first, in seconds. It is absent for
	// other statistics, for coordinates, and for recordings without times.
	Time Value
}

// Run computes the rules for every frame. Coordinates, differences and directions are those of
// Sequence.World: in metres if it has a scale, and along its floor. Where several cameras see the person (keypoint.Space),
// named angles and lengths are those in space, and all others those of the first picture. A sequence of one frame without times is an
// image, which allows neither a MovieOption nor a rate such as Speed. Wrong rules are
// reported as keypoint.FieldErrors, an invalid sequence as a keypoint.ErrInvalid.
func Run(seq keypoint.Sequence, rules []Rule) ([]Result, error) {
	if err := seq.Validate(); err != nil {
		return nil, err
	}
	rec := recording{Sequence: seq}
	if err := Check(rules, rec.movie()); err != nil {
		return nil, err
	}
	rec.Uncertainty = quality.NewUncertainty(seq)
	results := make([]Result, len(rules))
	of := map[bool]*recording{} // what named angles are of, by whether they are estimated
	for i := range rules {
		r, a := &rules[i], rules[i].Type.definition().angle
		if a == nil {
			results[i] = r.run(&rec)
			continue
		}
		estimated := r.Estimated && a.length == nil
		if of[estimated] == nil {
			of[estimated] = rec.inSpace(estimated)
		}
		results[i] = r.run(of[estimated])
	}
	return results, nil
}

// inSpace returns the recording that named angles and lengths are of: as seen from the person's own side, if cameras know
// where the parts are in space.
func (rec *recording) inSpace(estimated bool) *recording {
	if !estimated && !rec.Space.Seen() {
		return rec
	}
	own := &recording{Sequence: space.View(rec.Sequence), headings: space.Headings(rec.Sequence)}
	own.Uncertainty = quality.NewUncertainty(own.Sequence)
	return own
}

// recording is a sequence with what several rules need of it.
type recording struct {
	keypoint.Sequence
	*quality.Uncertainty
	facing []keypoint.Facing // Sideways; nil until a rule needs it
	// headings are where the person faces in space, by which named angles read the positions; nil: they read the picture.
	headings []keypoint.Position

	floors []Value          // the level of the floor, down in the picture in pixels; nil until a rule needs it
	hidden []keypoint.Parts // quality.Hidden; nil until a rule needs it
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

// movie reports whether the recording is not an image.
func (rec *recording) movie() bool { return rec.Times != nil || rec.Len() != 1 }

func (r *Rule) run(rec *recording) Result {
	if r.Symmetry {
		return r.bothSides(rec)
	}
	return r.oneSide(rec)
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

// Plane returns the plane of the body in which the values of the rule show.
func (r *Rule) Plane() quality.Plane {
	if a := r.Type.definition().angle; a != nil {
		return a.plane
	}
	return quality.PlaneOf(r.Points...)
}

// Parts returns the parts that the values of the rule depend on most.
func (r *Rule) Parts() (parts keypoint.Parts) {
	for _, s := range r.uses() {
		parts |= keypoint.PartsOf(s.Parts...)
	}
	return parts
}

// uses returns the points that the values of the rule depend on.
func (r *Rule) uses() []keypoint.Selector {
	if a := r.Type.definition().angle; a != nil {
		return a.pointsOf(r.Side)
	}
	return r.Points
}

// values computes the values of the rule with their statistic and warnings.
func (r *Rule) values(rec *recording) Result {
	def := r.Type.definition()
	if def.angle != nil {
		values, unknown, withheld := def.angle.values(rec, r.Side, rec.covered(r))
		r.against(values)
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
	present := 0
	for _, v := range values {
		if v.Present {
			present++
		}
	}
	def := r.Type.definition()
	res := Result{
		Type: r.Type, Name: r.heading(), Side: r.side(), Unit: def.unitIn(rec.World), Description: r.describe(rec.World.Metric()),
		Values: values, Uncertainty: r.uncertainty(rec, values, points),
		Coverage: float64(present) / float64(max(len(values), 1)),
	}
	if r.Movie != nil {
		main := rec.MainPerson()
		part := rec.Slice(main.First, main.Last)
		res.Movie = r.Movie.summary(r.Type, values[main.First:main.Last+1], part.Times)
	}
	return res
}

// uncertainty returns one standard deviation of each value of the points; nil if none can be told.
func (r *Rule) uncertainty(rec *recording, values []Value, points []keypoint.Selector) []Value {
	var out []Value
	if rec.headings != nil {
		return rec.errorsInSpace(r, values)
	}
	for i, v := range values {
		if sigma := r.sigma(rec, i, v, points); sigma.Present {
			if out == nil {
				out = make([]Value, len(values))
			}
			out[i] = sigma
		}
	}
	return out
}

// sigma returns one standard deviation of the value in a frame.
func (r *Rule) sigma(rec *recording, i int, v Value, points []keypoint.Selector) Value {
	def := r.Type.definition()
	if def.uncertainty == nil || !v.Present {
		return Value{}
	}
	sigma, ok := def.uncertainty(rec.Uncertainty, i, r.Plane(), points)
	switch {
	case def.unit == torsos:
		sigma = math.Hypot(sigma*rec.unit(i), math.Hypot(perspective, rec.World.ScaleError)*math.Abs(v.X))
	case rec.World.Metric() && def.unit == "px": // and the error of the scale
		sigma = math.Hypot(sigma*rec.World.MetresPerPixel, rec.World.ScaleError*max(math.Abs(v.X), math.Abs(v.Y)))
	}
	if !ok {
		return Value{}
	}
	return number(sigma)
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

// RunPart is Run of the frames of a span, as if the recording had no others: statistics,
// repetitions, symmetry, rates and the side to which the person faces come from these alone. The results
// are those of the whole recording, with its frame numbers: values of the frames outside are absent, but
// Coverage is that of the part. A part that the sequence does not have is a keypoint.ErrInvalid.
func RunPart(seq keypoint.Sequence, rules []Rule, span keypoint.Span) ([]Result, error) {
	if err := seq.Validate(); err != nil {
		return nil, err
	}
	part, err := seq.Cut(span)
	if err != nil {
		return nil, err
	}
	results, err := Run(part, rules)
	for k := range results {
		results[k].place(span.First, seq.Len())
	}
	return results, err
}

// place makes the result of a part, which begins at a frame, one of the whole recording of n frames.
func (r *Result) place(first, n int) {
	r.Values = padded(r.Values, first, n)
	if r.Uncertainty != nil {
		r.Uncertainty = padded(r.Uncertainty, first, n)
	}
	for i := range r.Warnings {
		r.Warnings[i].From += first
		r.Warnings[i].To += first
	}
	if r.Repetitions != nil {
		for k := range r.Repetitions.List {
			c := &r.Repetitions.List[k]
			c.Start.Frame, c.Turn.Frame, c.End.Frame = c.Start.Frame+first, c.Turn.Frame+first, c.End.Frame+first
		}
	}
	if r.Symmetry != nil {
		r.Symmetry.OtherSide.place(first, n)
	}
}

// padded returns the values of n frames, absent before and after those of a part.
func padded(values []Value, first, n int) []Value {
	all := make([]Value, n)
	copy(all[first:], values)
	return all
}
