package study

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// estimable are the angles that are estimated of a movement: those in which networks put the hips in the right place.
var estimable = map[Movement][]analyze.Type{
	moveSquat:      {analyze.KneeFlexion, analyze.HipFlexion, analyze.TrunkLean},
	moveSitToStand: {analyze.KneeFlexion, analyze.HipFlexion},
	moveHinge:      {analyze.HipFlexion, analyze.TrunkLean},
	moveJump:       {analyze.KneeFlexion, analyze.HipFlexion, analyze.TrunkLean},
}

// estimated are the uncertainties of estimates in degrees, from any view, found on recorded people: internal/lab/README.md has the figures.
var estimated = map[analyze.Type]float64{analyze.KneeFlexion: 14, analyze.HipFlexion: 14, analyze.TrunkLean: 10}

const (
	hinges = 0.5 // the share of how far the hip bends below which a knee does in a hinge

	leastLifted = 0.95 // the share of the frames on the ground that are in space: in others, such as steps, may be the extremes
)

// estimate returns the measures that the view withholds as they are in space by the depth that a network guesses, if it does.
func (p *person) estimate(s *Study) (list []Measure, err error) {
	lifted, err := space.Lift(p.whole)
	if err != nil {
		return nil, nil // there is no depth, or nobody stands still
	}
	var rules []analyze.Rule
	for _, m := range s.Measures {
		seat := s.Movement == moveSitToStand && m.Type == analyze.KneeFlexion && s.Facing.View > 90 // hides the knees
		if slices.Contains(estimable[s.Movement], m.Type) && m.Trust == quality.TrustWithheld && !seat {
			rules = append(rules, m.Rule())
		}
	}
	whole, there := lifted, 0
	lifted = lifted.Mask(p.span)
	for i := range lifted.Frames {
		flies := slices.ContainsFunc(s.Jumps, func(j jump.Jump) bool { return i >= j.TakeOff.Frame && i <= j.Landing.Frame })
		if flies || lifted.Frames[i].Positions() != nil {
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
	for k := range results {
		m := &measure{result: results[k], parts: rules[k].Parts(), degree: 1}
		m.Type, m.Side, m.Name, m.Unit, m.Why, m.Estimated = m.result.Type, m.result.Side, m.result.Name, m.result.Unit, []quality.Code{}, true
		m.result.Uncertainty = make([]analyze.Value, p.seq.Len())
		for i := range m.result.Values {
			there := lifted.Frames[i].Positions() != nil
			if m.result.Uncertainty[i] = (analyze.Value{X: estimated[m.Type], Present: there}); !there {
				m.result.Values[i] = analyze.Value{}
			}
		}
		m.result.Warnings = nil
		p.withhold(m)
		if p.extremes(m, false); m.Peak != nil {
			for _, o := range slices.Concat(s.Measures, list) {
				if m.Type == analyze.KneeFlexion && o.Type == m.Type && o.Side != m.Side && o.Peak != nil && o.Trust != quality.TrustWithheld &&
					math.Abs(o.Peak.Value-m.Peak.Value) > math.Hypot(o.Peak.Uncertainty, m.Peak.Uncertainty) {
					return nil, nil // both knees bend alike in these movements: it is another one, or a leg is misjudged
				}
			}
			m.Trust = quality.TrustCare
			list = append(list, m.Measure)
		}
	}
	for k := range list {
		list[k].Peak.Uncertainty = math.Hypot(list[k].Peak.Uncertainty, above(&list[k], s.Repetitions))
	}
	return slices.DeleteFunc(slices.Clone(list), func(m Measure) bool {
		return m.Type == analyze.KneeFlexion && slices.ContainsFunc(list, func(hip Measure) bool {
			return hip.Type == analyze.HipFlexion && hip.Side == m.Side && m.Max.X-m.Min.X < hinges*(hip.Max.X-hip.Min.X)
		})
	}), nil
}

// above returns how far the peak of a knee is beyond the median of its values at the turns of repetitions, 0 of less than two: there knees
// bend most, and the greatest of several estimates is so because it errs most.
func above(m *Measure, reps *analyze.Repetitions) float64 {
	var turns []float64
	if reps != nil && m.Type == analyze.KneeFlexion {
		turns = rank.Known(len(reps.List), func(k int) (float64, bool) { v := m.Values[reps.List[k].Turn.Frame]; return v.X, v.Present })
	}
	if len(turns) < 2 {
		return 0
	}
	return m.Peak.Value - rank.Median(turns)
}
