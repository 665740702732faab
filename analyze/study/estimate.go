package study

import (
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// estimable are the angles that are estimated of a movement: those in which networks put the hips in the right place.
var estimable = map[Movement][]analyze.Type{
	moveSquat:      {analyze.KneeFlexion, analyze.HipFlexion, analyze.TrunkLean},
	moveSitToStand: {analyze.KneeFlexion, analyze.HipFlexion},
	moveHinge:      {analyze.HipFlexion, analyze.TrunkLean},
}

// fromFront are the uncertainties of what is estimated within nearFront degrees of the front, in degrees. Those of hip and
// trunk are larger than from cameras at the height of the hips, because nothing tells how far a camera looks up or down.
var fromFront = map[analyze.Type]float64{analyze.KneeFlexion: 8, analyze.HipFlexion: 12, analyze.TrunkLean: 10}

// The uncertainties from elsewhere, in degrees. They were found on rendered squats: see space.Lift.
const (
	nearFront = 25.0
	obliquely = 12.0 // of legs, and at 50 degrees from the front oblique
	oblique   = 16.0
	behind    = 15.0
	seated    = 12.0 // at least, of movements from a chair

	hinges = 0.5 // the share of how far the hip bends below which a knee does in a hinge

	leastLifted = 0.95 // the share of the frames that are in space: in others, such as steps, may be the extremes
)

// estimated returns the uncertainty of an estimate at a view.
func estimated(t analyze.Type, view float64) float64 {
	switch {
	case t == analyze.TrunkLean:
	case view > 90:
		return behind
	case view > nearFront:
		return obliquely + (oblique-obliquely)*(view-nearFront)/(50-nearFront)
	}
	return fromFront[t]
}

// estimate returns the measures that the view withholds as they are in space by the depth that a network guesses, if it does.
func (p *person) estimate(s *Study) (list []Measure, err error) {
	lifted, err := space.Lift(p.whole)
	if err != nil {
		return nil, nil // there is no depth, or nobody stands still
	}
	var rules []analyze.Rule
	for _, m := range s.Measures {
		if slices.Contains(estimable[s.Movement], m.Type) && m.Trust == quality.TrustWithheld {
			rules = append(rules, m.Rule())
		}
	}
	whole, there := lifted, 0
	lifted = lifted.Mask(p.span)
	for i := range lifted.Frames {
		if lifted.Frames[i].Positions() != nil {
			there++
		}
	}
	if float64(there) < leastLifted*float64(p.seen) {
		return nil, nil
	}
	results, err := analyze.RunWith(whole, rules, analyze.Options{Part: &p.span, Neutral: p.neutral, Estimated: true})
	if err != nil {
		return nil, err
	}
	views := quality.NewUncertainty(p.seq).Views
	for k := range results {
		m := &measure{result: results[k], parts: rules[k].Parts(), degree: 1}
		m.Type, m.Side, m.Name, m.Unit, m.Why, m.Estimated = m.result.Type, m.result.Side, m.result.Name, m.result.Unit, []quality.Code{}, true
		m.result.Uncertainty = make([]analyze.Value, p.seq.Len())
		for i := range m.result.Values {
			view, ok := views.View(i)
			sigma := estimated(m.Type, view)
			if s.Movement == moveSitToStand {
				sigma = max(sigma, seated)
			}
			if m.result.Uncertainty[i] = (analyze.Value{X: sigma, Present: ok}); lifted.Frames[i].Positions() == nil {
				m.result.Values[i] = analyze.Value{}
			}
		}
		m.result.Warnings = nil
		p.withhold(m)
		if p.extremes(m, false); m.Peak != nil {
			m.Trust = quality.TrustCare
			list = append(list, m.Measure)
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(m Measure) bool {
		return m.Type == analyze.KneeFlexion && slices.ContainsFunc(list, func(hip Measure) bool {
			return hip.Type == analyze.HipFlexion && hip.Side == m.Side && m.Max.X-m.Min.X < hinges*(hip.Max.X-hip.Min.X)
		})
	}), nil
}
