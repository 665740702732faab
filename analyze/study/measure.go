package study

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// Measure is a named angle, or the height of the hips, of one side or of both. If it is withheld it has no numbers.
type Measure struct {
	Type analyze.Type `json:"analysisType"`
	Side analyze.Side `json:"side,omitempty"`
	Name string       `json:"name"` // "left knee flexion"
	Unit string       `json:"unit"`

	// Estimated reports that the values are not what the picture shows, but what space.Lift makes of the depth that a network
	// guesses. Such numbers are to be marked, and not to be compared with others.
	Estimated bool `json:"estimated,omitempty"`
	// Trust is that of Peak.
	Trust quality.Trust `json:"trust"`
	// Why says why it is not good, or why values in some frames are withheld.
	Why []quality.Code `json:"why"`

	// Constant is the bias in the uncertainties of an angle, the same in every frame: changes of the angle do not see it. 0: a neutral
	// pose removed it.
	Constant float64 `json:"constant,omitempty"`

	Values      []analyze.Value `json:"values"`      // one for each frame; absent: withheld
	Uncertainty []analyze.Value `json:"uncertainty"` // one standard deviation of each value

	// Min, Max and Range are absent if the moment of an extreme is withheld. RangeUncertainty is √(σ² + σ²) of both
	// extremes without Constant; a Range whose trust by that is withheld is absent.
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

// String prints the peak in one of four ways: "95° ± 6", "87° ± 17 (care)", "95° ± 8 (estimated)", or the reason why it is withheld.
func (m Measure) String() string { return m.text().String() }

// text says what String prints, in all languages.
func (m *Measure) text() say.Text {
	if m.Peak == nil {
		return say.Why(append(m.Why, quality.CodeUncertain)[0], quality.Facing{})
	}
	peak := m.amount()
	switch {
	case m.Estimated:
		return texts.Say("estimated", peak)
	case m.Trust == quality.TrustCare:
		return texts.Say("care", peak)
	}
	return peak.Text()
}

// Peak is the greatest value; of an angle in the frontal plane, which goes both ways, the one farthest from 0.
type Peak struct {
	analyze.Moment
	Uncertainty float64 `json:"uncertainty"` // at this moment
}

// measure is a Measure with what it was made of.
type measure struct {
	Measure
	result analyze.Result
	parts  keypoint.Parts
	degree float64         // the unit of trust in the unit of the values: 1 for degrees
	sure   []analyze.Value // those whose changes are sure, also where they are off alike by too much to be shown
	moves  float64         // range by its uncertainty; 0 if it hardly moves
	stirs  float64         // the same of those that are sure
	why    [][]quality.Code
	suited bool // the view of most frames is that of its plane
}

// measureBody measures what the limits of lengths refer to.
func (p *person) measureBody() {
	p.seen = len(rank.Where(0, p.seq.Len(), func(i int) bool { return !p.seq.Frames[i].Empty() }))
	p.pixels = rank.Median(rank.Known(p.seq.Len(), func(i int) (float64, bool) { return p.seq.Frames[i].TorsoLength() }))
	p.torso = 1
	if p.seq.World.Metric() {
		p.torso = p.pixels * p.seq.World.MetresPerPixel
	}
}

// measures measures every named angle, the height of the hips, and beside these the bones.
func (p *person) measures() ([]*measure, error) {
	var rules []analyze.Rule
	for _, t := range append(analyze.Angles(), analyze.HipHeight) {
		if t.Sided() {
			rules = append(rules, analyze.Rule{Type: t, Side: analyze.LeftSide}, analyze.Rule{Type: t, Side: analyze.RightSide})
		} else {
			rules = append(rules, analyze.Rule{Type: t})
		}
	}
	named := len(rules)
	for _, b := range bones {
		for _, side := range [...][]keypoint.Part{{b.from, b.to}, {b.from.Mirror(), b.to.Mirror()}} {
			rules = append(rules, analyze.Rule{Type: analyze.VerticalDifference, Points: keypoint.PartSelectors(side...)})
		}
	}
	results, err := analyze.RunWith(p.whole, rules, analyze.Options{Part: &p.span, Neutral: p.neutral})
	if err != nil {
		return nil, err
	}
	list := make([]*measure, len(results))
	for k, r := range results {
		m := &measure{result: r, parts: rules[k].Parts(), degree: 1}
		m.Type, m.Side, m.Name, m.Unit, m.Why = r.Type, r.Side, r.Name, r.Unit, []quality.Code{}
		switch r.Unit {
		case "px":
			m.degree = quality.Degree("torso") * p.pixels
		case "torso", "m":
			m.degree = quality.Degree("torso") * p.torso
		}
		p.withhold(m)
		p.extremes(m, rules[k].Plane() == quality.Frontal)
		if list[k] = m; k >= named {
			m.hide()
			m.Type, m.moves = bones[(k-named)/2].of, 0
		}
	}
	p.bones = list[named:]
	return list[:named:named], nil
}

// withhold sets the values that are sure enough, and why others are not there.
func (p *person) withhold(m *measure) {
	n := p.seq.Len()
	m.Values, m.Uncertainty, m.why = make([]analyze.Value, n), make([]analyze.Value, n), make([][]quality.Code, n)
	m.sure = make([]analyze.Value, n)
	rule, from := m.Rule(), p.views.Facing()
	m.suited = from.Known() && rule.Plane() != 0 && rule.Plane().Fits(from.View)
	swapped := slices.DeleteFunc(slices.Clone(p.warnings), func(w quality.Warning) bool { return w.Code != quality.CodeSwapped || w.Parts&m.parts == 0 })
	for _, w := range slices.Concat(m.result.Warnings, swapped) {
		if w.Code == quality.CodeHiddenSide {
			w.Code = quality.CodeHidden
		}
		for i := max(w.From, 0); i <= min(w.To, n-1); i++ {
			m.why[i] = append(m.why[i], w.Code)
		}
	}
	low, high, present := span(m.result.Values)
	turns := present > 0 && m.degree == 1 && m.result.Values[high].X-m.result.Values[low].X >= 360
	for i, v := range m.result.Values {
		switch {
		case turns || p.implausible(m, i):
			m.why[i] = []quality.Code{quality.CodeImplausible}
		case !v.Present && slices.Contains(m.why[i], quality.CodeHidden):
			m.why[i] = []quality.Code{quality.CodeHidden}
		case !v.Present && len(m.why[i]) == 0 && p.seq.Space.Seen() && m.parts&^p.seq.Frames[i].Positions().Present() == 0:
			m.why[i] = []quality.Code{quality.CodeUncertain} // it points out of the plane
		case !v.Present && len(m.why[i]) == 0:
			m.why[i] = []quality.Code{quality.CodeLowCoverage}
		case !v.Present:
		case p.alongArms(m, i):
			m.why[i] = []quality.Code{quality.CodeOutOfPlane}
		case slices.Contains(m.why[i], quality.CodeSwapped):
			m.why[i] = []quality.Code{quality.CodeSwapped}
		default:
			if m.trusted(m.varying(i)) {
				m.sure[i] = v
			}
			if m.trusted(m.sigma(i)) {
				m.Values[i], m.Uncertainty[i] = v, m.result.Uncertainty[i]
			} else if len(m.why[i]) == 0 {
				m.why[i] = []quality.Code{quality.CodeUncertain}
			}
		}
	}
}

// trusted reports whether a number with an uncertainty is not withheld.
func (m *measure) trusted(sigma float64) bool {
	return quality.TrustOf(sigma/m.degree) != quality.TrustWithheld
}

// armView is the view in degrees from the front or from behind up to which the flexion of elbows and shoulders is not told: a
// forearm that points at the camera looks straight, or folded.
const armView = 30.0

// armShown is half the length of an upper arm, in torso lengths (Drillis and Contini 1966: 0.186 and 0.288 of the body height). One that
// is shown shorter points at the camera by more than 60 degrees: perspective turns it, not the shoulder.
const armShown = 0.5 * 0.186 / 0.288

func (p *person) alongArms(m *measure, i int) bool {
	switch {
	case p.seq.Space.Seen():
		return false
	case m.Type == analyze.ShoulderAbduction:
		arm := [2]keypoint.Part{keypoint.LeftShoulder, keypoint.LeftElbow}
		if m.Side == analyze.RightSide {
			arm = [2]keypoint.Part{arm[0].Mirror(), arm[1].Mirror()}
		}
		shown, ok := p.seq.Frames[i].Distance(arm[0], arm[1])
		return ok && shown < armShown*p.pixels
	}
	view, known := p.views.View(i)
	return known && min(view, 180-view) < armView && (m.Type == analyze.ElbowFlexion || m.Type == analyze.ShoulderFlexion)
}

// fastest is in degrees per second: the elbow of a baseball pitcher reaches 2,400 (Fleisig et al., J Biomech 32, 1999, 1371–1375).
const fastest = 3000.0

// reach is how far joints bend, in degrees, with room for what networks are off.
var reach = map[analyze.Type][2]float64{
	analyze.KneeFlexion: {-20, 180}, analyze.ElbowFlexion: {-20, 180}, analyze.HipFlexion: {-90, 180}, analyze.AnkleDorsiflexion: {-120, 90},
	analyze.ShoulderFlexion: {-110, 220}, analyze.ShoulderAbduction: {-90, 220}, analyze.PelvicTilt: {-90, 90},
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
	return p.seq.Times != nil && slices.ContainsFunc([]int{i - 1, i + 1}, func(k int) bool {
		return k >= 0 && k < len(m.result.Values) && m.result.Values[k].Present &&
			math.Abs(m.result.Values[k].X-v.X) > fastest*math.Abs(p.seq.Times[k]-p.seq.Times[i])
	})
}

// sigma returns the uncertainty of the value in a frame.
func (m *measure) sigma(i int) float64 {
	if m.result.Uncertainty == nil || !m.result.Uncertainty[i].Present {
		return math.Inf(1)
	}
	return m.result.Uncertainty[i].X
}

// varying returns the uncertainty without the bias.
func (m *measure) varying(i int) float64 {
	return math.Sqrt(max(m.sigma(i)*m.sigma(i)-m.result.Constant*m.result.Constant, 0))
}

const (
	extremeTime = 0.1  // seconds for which withheld values must be beyond the others to be the extreme, and of a gap that may hide it
	leastShown  = 0.25 // of the frames with somebody, of a measure that is not withheld
	leastMoves  = 3    // range by uncertainty of what moves
	leastRange  = 10.0
	outliers    = 0.02 // share of the values on each side that do not count for what moves
)

// extremes sets the extremes and the trust in them. An extreme is not known if withheld values are beyond those that are shown, or if
// those beside a gap are beyond the others by more than noise. What goes both ways, such as a knee inwards and outwards, has its peak
// where it goes farthest.
func (p *person) extremes(m *measure, bothWays bool) {
	sigma := rank.Known(len(m.sure), func(i int) (float64, bool) { return m.varying(i), m.sure[i].Present })
	m.stirs = p.motion(m, m.sure, rank.Median(sigma))
	rate, _ := p.seq.FrameRate() // 0 if it is unknown: then one frame is too much
	allowed := extremeTime * rate
	low, high, shown := span(m.Values)
	floor, top, _ := span(p.inner(m, allowed))
	if top < 0 || float64(shown) < leastShown*float64(p.seen) {
		m.hide()
		return
	}
	least, most, at := m.Values[low].X, m.Values[high].X, high
	peak, inner := most, m.Values[top].X
	if bothWays {
		if peak, inner = max(most, -least), max(inner, -m.Values[floor].X); peak > most {
			at = low
		}
	}
	below, beyond := 0, 0
	for i, v := range m.result.Values {
		if v.Present && !m.Values[i].Present {
			if v.X < least {
				below++
			}
			if v.X > most || bothWays && v.X < min(least, -most) {
				beyond++
			}
		}
	}
	if float64(beyond) > allowed || peak-inner > m.varying(at) {
		m.hide()
		return
	} else if float64(below) <= allowed && m.Values[floor].X-least <= m.varying(low) {
		m.Min = m.Values[low]
		if both := math.Hypot(m.varying(low), m.varying(high)); m.trusted(both) {
			m.Range, m.RangeUncertainty = analyze.Value{X: most - least, Present: true}, analyze.Value{X: both, Present: true}
		}
	}
	m.Max, m.Constant = m.Values[high], m.result.Constant
	m.Peak = &Peak{Moment: p.moment(at, m.Values[at].X), Uncertainty: m.sigma(at)}
	m.Trust = quality.TrustOf(m.sigma(at) / m.degree)
	m.moves = p.motion(m, m.Values, m.varying(at))
	m.tellWhy()
}

// inner returns the values of the span without those beside a gap of more than so many frames without any: they may go on in it.
func (p *person) inner(m *measure, gap float64) []analyze.Value {
	list, last, beside := slices.Clone(m.Values), p.span.First-1, max(int(gap), 1)
	for i := p.span.First; i <= p.span.Last+1; i++ {
		if i > p.span.Last || m.result.Values[i].Present {
			if float64(i-last-1) > gap {
				clear(list[max(last+1-beside, 0):min(i+beside, len(list))])
			}
			last = i
		}
	}
	return list
}

// motion returns how far values go by an uncertainty; 0 if they hardly move or there are too few.
func (p *person) motion(m *measure, values []analyze.Value, sigma float64) float64 {
	x := rank.Known(len(values), func(i int) (float64, bool) { return values[i].X, values[i].Present })
	extent := rank.Percentile(x, 1-outliers) - rank.Percentile(x, outliers)
	if float64(len(x)) < leastShown*float64(p.seen) || extent < leastRange*m.degree || extent < leastMoves*sigma {
		return 0
	}
	return extent / sigma
}

// span returns the frames with the lowest and the highest value, and how many have one.
func span(values []analyze.Value) (low, high, shown int) {
	low, high = -1, -1
	for i, v := range values {
		if !v.Present {
			continue
		}
		shown++
		if low < 0 || v.X < values[low].X {
			low = i
		}
		if high < 0 || v.X > values[high].X {
			high = i
		}
	}
	return low, high, shown
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
	m.Trust, m.Peak = quality.TrustWithheld, nil
	m.Min, m.Max, m.Range, m.RangeUncertainty = analyze.Value{}, analyze.Value{}, analyze.Value{}, analyze.Value{}
	clear(m.Values)
	clear(m.Uncertainty)
}

// tellWhy sets the reasons, the most frequent ones first, of the frames that have no value or one with care. The view is the last of
// them if that of most frames suits the measure.
func (m *measure) tellWhy() {
	count := map[quality.Code]int{}
	for i, codes := range m.why {
		if !m.Values[i].Present || quality.TrustOf(m.sigma(i)/m.degree) != quality.TrustGood {
			for _, c := range codes {
				if count[c]++; count[c] == 1 {
					m.Why = append(m.Why, c)
				}
			}
		}
	}
	if m.suited && count[quality.CodeOutOfPlane] > 0 {
		if count[quality.CodeOutOfPlane] = -1; count[quality.CodeUncertain] == 0 {
			m.Why = append(m.Why, quality.CodeUncertain)
		}
	}
	slices.SortStableFunc(m.Why, func(a, b quality.Code) int { return count[b] - count[a] })
}
