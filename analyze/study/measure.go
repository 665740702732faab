package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
)

// Trust says what a number is worth.
type Trust string

// The trusts.
const (
	Good     Trust = "good"     // as sure as measuring with keypoints is
	Care     Trust = "care"     // print it with its uncertainty
	Withheld Trust = "withheld" // absent: print the reason instead
)

// The largest uncertainties of good values and of those that are not withheld, and what they are for lengths.
const (
	goodDegrees = 10.0
	careDegrees = 20.0
	torsoDegree = 0.01 // torso lengths that count as a degree
)

// TrustOf returns what a value in degrees with an uncertainty is worth.
func TrustOf(uncertainty float64) Trust {
	switch {
	case uncertainty <= goodDegrees:
		return Good
	case uncertainty <= careDegrees:
		return Care
	}
	return Withheld
}

// GoodTo returns the largest uncertainty of a good value in a unit: in degrees ("°") or torso lengths; 0 for other units.
func GoodTo(unit string) float64 {
	switch unit {
	case "°":
		return goodDegrees
	case "torso":
		return goodDegrees * torsoDegree
	}
	return 0
}

// better reports whether a trust is greater than another.
func better(a, b Trust) bool { return a != b && (a == Good || b == Withheld) }

// Measure is a named angle, or the height of the hips, of one side or of both. If it is withheld it has no numbers.
type Measure struct {
	Type analyze.Type `json:"analysisType"`
	Side analyze.Side `json:"side,omitempty"`
	Name string       `json:"name"` // "left knee flexion"
	Unit string       `json:"unit"`

	// Estimated reports that the values are not what the picture shows, but what space.Lift makes of the depth that a network
	// guesses. Such numbers are to be marked, and not to be compared with others.
	Estimated bool `json:"estimated,omitempty"`
	// Trust is that of Peak, Range and the values at the turns of repetitions.
	Trust Trust `json:"trust"`
	// Why says why it is not good, or why values in some frames are withheld.
	Why []quality.Code `json:"why"`

	// Constant is one standard deviation of what an angle is off by alike in every frame, which the uncertainties leave out: of
	// the angle as such, not of its changes. 0: unknown, or a neutral pose takes it out.
	Constant float64 `json:"constant,omitempty"`

	Values      []analyze.Value `json:"values"`      // one for each frame; absent: withheld
	Uncertainty []analyze.Value `json:"uncertainty"` // one standard deviation of each value

	// Min, Max and Range are absent if the moment of an extreme is withheld. RangeUncertainty is √(σ² + σ²) of both
	// extremes; a Range whose trust by that is withheld is absent.
	Min              analyze.Value `json:"min"`
	Max              analyze.Value `json:"max"`
	Range            analyze.Value `json:"range"`
	RangeUncertainty analyze.Value `json:"rangeUncertainty"`
	Peak             *Peak         `json:"peak"` // nil: withheld
}

// Rule returns the rule whose values the measure is made of.
func (m *Measure) Rule() analyze.Rule {
	return analyze.Rule{Type: m.Type, Side: m.Side}
}

// String prints the peak in one of four ways: "95° ± 6", "87° ± 17 (care)", "95° ± 8 (estimated)", or the reason why it is withheld. The
// uncertainty is rounded up.
func (m Measure) String() string {
	switch {
	case m.Peak == nil && len(m.Why) == 0:
		return string(Withheld)
	case m.Peak == nil:
		return words.English.Why(string(m.Why[0]))
	}
	digits, unit := 0, m.Unit
	if unit != "°" {
		digits, unit = 2, " "+unit
	}
	steps := math.Pow10(digits)
	text := fmt.Sprintf("%.*f%s ± %.*f", digits, m.Peak.Value, unit, digits, math.Ceil(m.Peak.Uncertainty*steps)/steps)
	switch {
	case m.Estimated:
		text += " (estimated)"
	case m.Trust == Care:
		text += " (care)"
	}
	return text
}

// Peak is the greatest value; of a tilt to either side the one farthest from 0.
type Peak struct {
	analyze.Moment
	Uncertainty float64 `json:"uncertainty"` // at this moment
}

// measure is a Measure with what it was made of.
type measure struct {
	Measure
	result analyze.Result
	parts  keypoint.Parts
	degree float64 // the unit of trust in the unit of the values: 1 for degrees
	moves  float64 // range by its uncertainty; 0 if it hardly moves
	why    [][]quality.Code
}

// measureBody measures what the limits of lengths refer to.
func (p *person) measureBody() {
	var torsos []float64
	for i := range p.seq.Frames {
		f := &p.seq.Frames[i]
		if !f.Empty() {
			p.seen++
		}
		if t, ok := f.TorsoLength(); ok {
			torsos = append(torsos, t)
		}
	}
	p.pixels = rank.Median(torsos)
	p.torso = 1
	if p.seq.World.Metric() {
		p.torso = p.pixels * p.seq.World.MetresPerPixel
	}
}

// measures measures every named angle and the height of the hips.
func (p *person) measures() ([]*measure, error) {
	var rules []analyze.Rule
	for _, t := range append(analyze.Angles(), analyze.HipHeight) {
		if t.Sided() {
			rules = append(rules, analyze.Rule{Type: t, Side: analyze.LeftSide}, analyze.Rule{Type: t, Side: analyze.RightSide})
		} else {
			rules = append(rules, analyze.Rule{Type: t})
		}
	}
	against := false
	if p.neutral != nil {
		if list, _, err := p.neutral.Against(p.whole, rules); err == nil {
			rules, against = list, true
		}
	}
	results, err := analyze.Run(p.seq, rules)
	if err != nil {
		return nil, err
	}
	list := make([]*measure, len(results))
	for k, r := range results {
		m := &measure{result: r, parts: rules[k].Parts(), degree: 1}
		m.Type, m.Side, m.Name, m.Unit, m.Why = r.Type, r.Side, r.Name, r.Unit, []quality.Code{}
		if r.Unit != "°" {
			m.degree = torsoDegree * p.torso
		}
		p.withhold(m)
		p.extremes(m, tilts(&rules[k]))
		if !against && m.Trust != Withheld {
			m.Constant = p.constant(m, rules[k].Plane())
		}
		list[k] = m
	}
	if !p.seq.Space.Seen() && lying(list) {
		for _, m := range list {
			if m.Type == analyze.ElbowFlexion && m.Constant > 0 {
				m.Constant = flared
			}
		}
	}
	return list, nil
}

// lying reports whether the trunk is nearer to the floor than upright in most frames.
func lying(list []*measure) bool {
	upright, of := 0, 0
	for _, m := range list {
		for i := 0; m.Type == analyze.TrunkLean && i < len(m.Values); i++ {
			if v := m.Values[i]; v.Present {
				if of++; math.Abs(v.X) < lies {
					upright++
				}
			}
		}
	}
	return 2*upright < of
}

// constants are what angles are off by alike in every frame, root mean squares in degrees over rendered recordings: of one camera
// whose view suits the angle, of one that sees it obliquely, and of several; 0: not measured.
var constants = map[analyze.Type]struct{ suited, oblique, space float64 }{
	analyze.KneeFlexion: {6, 12, 5}, analyze.HipFlexion: {7, 13, 8}, analyze.AnkleDorsiflexion: {4, 24, 5},
	analyze.ElbowFlexion: {4, 7, 5}, analyze.ShoulderFlexion: {4, 11, 7}, analyze.ShoulderAbduction: {3, 6, 2},
	analyze.TrunkLean: {3, 6, 4}, analyze.PelvicTilt: {5, 5, 0}, analyze.NeckFlexion: {8, 5, 0}, analyze.HipAbduction: {3, 3, 3},
	analyze.KneeValgus: {3, 3, 0}, analyze.TrunkSideLean: {1, 1, 0}, analyze.ShoulderLevel: {2, 2, 0},
}

// flared is Measure.Constant of the elbows of somebody who lies: in push-ups they point outwards, and seem less bent from the side.
const flared = 15

// constant returns Measure.Constant for angles of a plane.
func (p *person) constant(m *measure, plane quality.Plane) float64 {
	of := constants[m.Type]
	if p.seq.Space.Seen() {
		return of.space
	}
	fit, seen := 0, 0
	for i, v := range m.Values {
		if fits, known := p.views.Fits(plane, i); v.Present && known {
			if seen++; fits {
				fit++
			}
		}
	}
	switch {
	case seen == 0:
		return 0
	case 2*fit >= seen:
		return of.suited
	}
	return of.oblique
}

// tilts reports whether both signs of the values of a rule mean the same to either side.
func tilts(r *analyze.Rule) bool { return r.Plane() == quality.Frontal && !r.Type.Sided() }

// withhold sets the values that are sure enough, and why others are not there.
func (p *person) withhold(m *measure) {
	n := p.seq.Len()
	m.Values, m.Uncertainty, m.why = make([]analyze.Value, n), make([]analyze.Value, n), make([][]quality.Code, n)
	mark := func(w quality.Warning) {
		if w.Code == quality.CodeHiddenSide {
			w.Code = CodeHidden
		}
		for i := max(w.From, 0); i <= min(w.To, n-1); i++ {
			m.why[i] = append(m.why[i], w.Code)
		}
	}
	for _, w := range m.result.Warnings {
		mark(w)
	}
	for _, w := range p.warnings {
		if w.Code == quality.CodeSwapped && w.Parts&m.parts != 0 {
			mark(w)
		}
	}
	for i, v := range m.result.Values {
		sigma := m.sigma(i)
		switch {
		case p.implausible(m, i):
			m.why[i] = []quality.Code{quality.CodeImplausible}
		case !v.Present && slices.Contains(m.why[i], CodeHidden):
			m.why[i] = []quality.Code{CodeHidden}
		case !v.Present && len(m.why[i]) == 0 && p.seq.Space.Seen() && m.parts&^p.seq.Frames[i].Positions().Present() == 0:
			m.why[i] = []quality.Code{CodeUncertain} // it points out of the plane
		case !v.Present && len(m.why[i]) == 0:
			m.why[i] = []quality.Code{quality.CodeLowCoverage}
		case !v.Present:
		case p.alongArms(m, i):
			m.why[i] = []quality.Code{quality.CodeOutOfPlane}
		case slices.Contains(m.why[i], quality.CodeSwapped):
			m.why[i] = []quality.Code{quality.CodeSwapped}
		case TrustOf(sigma/m.degree) != Withheld:
			m.Values[i], m.Uncertainty[i] = v, m.result.Uncertainty[i]
		case len(m.why[i]) == 0:
			m.why[i] = []quality.Code{CodeUncertain}
		}
	}
}

// armView is the view in degrees from the front or from behind up to which the flexion of elbows and shoulders is not told: a
// forearm that points at the camera looks straight, or folded.
const armView = 30.0

func (p *person) alongArms(m *measure, i int) bool {
	view, known := p.views.View(i)
	return known && min(view, 180-view) < armView && !p.seq.Space.Seen() && (m.Type == analyze.ElbowFlexion || m.Type == analyze.ShoulderFlexion)
}

// fastest is in degrees per second: the elbow of a baseball pitcher reaches 2,400 (Fleisig et al., J Biomech 32, 1999, 1371–1375).
const fastest = 3000.0

// reach is how far joints bend, in degrees, with room for what networks are off.
var reach = map[analyze.Type][2]float64{
	analyze.KneeFlexion: {-20, 180}, analyze.ElbowFlexion: {-20, 180}, analyze.HipFlexion: {-90, 180}, analyze.AnkleDorsiflexion: {-120, 90},
}

// implausible reports whether no body does what the angle of a joint is in a frame.
func (p *person) implausible(m *measure, i int) bool {
	v := m.result.Values[i]
	if !v.Present || m.degree != 1 {
		return false
	}
	if r, ok := reach[m.Type]; ok && !(v.X >= r[0] && v.X <= r[1]) {
		return true
	}
	for _, k := range [2]int{i - 1, i + 1} {
		if k < 0 || k >= len(m.result.Values) || p.seq.Times == nil || !m.result.Values[k].Present {
			continue
		}
		if math.Abs(m.result.Values[k].X-v.X) > fastest*math.Abs(p.seq.Times[k]-p.seq.Times[i]) {
			return true
		}
	}
	return false
}

// Reasons besides the codes of warnings.
const (
	CodeHidden    quality.Code = "hidden"    // a joint is hidden in this frame
	CodeUncertain quality.Code = "uncertain" // nothing is known but the uncertainty
)

// sigma returns the uncertainty of the value in a frame.
func (m *measure) sigma(i int) float64 {
	if m.result.Uncertainty == nil || !m.result.Uncertainty[i].Present {
		return math.Inf(1)
	}
	return m.result.Uncertainty[i].X
}

const (
	extremeTime = 0.1 // seconds for which withheld values must be beyond the others to be the extreme
	leastShown  = 0.5 // of the frames with somebody, of a measure that is not withheld
	leastMoves  = 3   // range by uncertainty of what moves
	leastRange  = 10.0
	outliers    = 0.02 // share of the values on each side that do not count for what moves
)

// extremes sets the extremes and the trust in them. An extreme is not known if withheld values are beyond those that are shown.
func (p *person) extremes(m *measure, tilts bool) {
	low, high, shown := -1, -1, 0
	for i, v := range m.Values {
		if !v.Present {
			continue
		}
		shown++
		if low < 0 || v.X < m.Values[low].X {
			low = i
		}
		if high < 0 || v.X > m.Values[high].X {
			high = i
		}
	}
	if shown == 0 || float64(shown) < leastShown*float64(p.seen) {
		m.hide()
		return
	}
	least, most := m.Values[low].X, m.Values[high].X
	below, above := 0, 0
	for i, v := range m.result.Values {
		if v.Present && !m.Values[i].Present {
			if v.X < least {
				below++
			}
			if v.X > most {
				above++
			}
		}
	}
	rate, _ := p.seq.FrameRate() // 0 if it is unknown: then one frame is too much
	if allowed := extremeTime * rate; float64(above) > allowed || tilts && float64(below) > allowed {
		m.hide()
		return
	} else if float64(below) <= allowed {
		m.Min = m.Values[low]
		if both := math.Hypot(m.sigma(low), m.sigma(high)); TrustOf(both/m.degree) != Withheld {
			m.Range, m.RangeUncertainty = analyze.Value{X: most - least, Present: true}, analyze.Value{X: both, Present: true}
		}
	}
	m.Max = m.Values[high]
	at := high
	if tilts && -least > most {
		at = low
	}
	m.Peak = &Peak{Moment: p.moment(at, m.Values[at].X), Uncertainty: m.sigma(at)}
	m.Trust = TrustOf(m.sigma(at) / m.degree)
	if m.Trust == Good && (TrustOf(m.RangeUncertainty.X/m.degree) != Good || !m.Range.Present) {
		m.Trust = Care
	}
	m.tellWhy()
	var x []float64
	for _, v := range m.Values {
		if v.Present {
			x = append(x, v.X)
		}
	}
	extent := rank.Percentile(x, 1-outliers) - rank.Percentile(x, outliers)
	if moves := extent / m.Peak.Uncertainty; extent >= leastRange*m.degree && moves >= leastMoves {
		m.moves = moves
	}
}

func (p *person) moment(frame int, value float64) analyze.Moment {
	at := analyze.Moment{Frame: frame, Value: value}
	if p.seq.Times != nil {
		at.Time = p.seq.Times[frame]
	}
	return at
}

// hide withholds the whole measure.
func (m *measure) hide() {
	m.tellWhy()
	m.Trust, m.Peak, m.moves = Withheld, nil, 0
	m.Min, m.Max, m.Range, m.RangeUncertainty = analyze.Value{}, analyze.Value{}, analyze.Value{}, analyze.Value{}
	clear(m.Values)
	clear(m.Uncertainty)
}

// tellWhy sets the reasons, the most frequent ones first, of the frames that have no value or one with care.
func (m *measure) tellWhy() {
	count := map[quality.Code]int{}
	for i, codes := range m.why {
		if !m.Values[i].Present || TrustOf(m.sigma(i)/m.degree) != Good {
			for _, c := range codes {
				if count[c]++; count[c] == 1 {
					m.Why = append(m.Why, c)
				}
			}
		}
	}
	slices.SortStableFunc(m.Why, func(a, b quality.Code) int { return count[b] - count[a] })
}
