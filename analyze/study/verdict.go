package study

import (
	"slices"

	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// notes are the warnings that concern what is shown: those of the recording, and those of the lead, or without a good angle
// to lead of all that matters.
func (p *person) notes(s *Study, lead *measure, all []*measure) (list []quality.Warning) {
	withheld := map[quality.Code]bool{}
	for _, m := range all {
		for _, c := range m.Why {
			withheld[c] = withheld[c] || s.matters(m)
		}
	}
	for _, w := range p.concern(s, all) {
		if w.Code != quality.CodeHiddenSide && (w.Code != quality.CodeSwapped || withheld[w.Code]) {
			list = append(list, w)
		}
	}
	first := len(list)
	for _, m := range all {
		if !s.matters(m) || m.Trust == quality.TrustGood || lead != nil && lead.degree == 1 && m.Type != lead.Type {
			continue
		}
		for _, w := range m.result.Warnings {
			w.Parts |= m.parts
			k := slices.IndexFunc(list[first:], func(o quality.Warning) bool { return o.Code == w.Code })
			if k < 0 {
				list = append(list, w)
				continue
			}
			o := &list[first+k]
			o.From, o.To, o.Parts = min(o.From, w.From), max(o.To, w.To), o.Parts|w.Parts
		}
	}
	return list
}

// concern returns the warnings of the recording that concern what matters and is not withheld. A camera that moves concerns no
// angle, but steps and jumps.
func (p *person) concern(s *Study, all []*measure) []quality.Warning {
	parts := keypoint.Parts(0)
	for _, m := range all {
		if m.Trust != quality.TrustWithheld && (s.Movement == moveStill || s.matters(m)) {
			parts |= m.parts
		}
	}
	return slices.DeleteFunc(slices.Clone(p.warnings), func(w quality.Warning) bool {
		return w.Parts != 0 && parts != 0 && w.Parts&parts == 0 || w.Code == quality.CodeCameraMoves && s.Gait == nil && s.Jumps == nil
	})
}

// matters reports whether a measure matters for the movement: of one without a rule, the lead.
func (s *Study) matters(m *measure) bool {
	if types := matter[s.Movement]; types != nil {
		return slices.Contains(types, m.Type)
	}
	return s.Lead != nil && s.Lead.Type == m.Type
}

const (
	sureCadence = 0.1  // share of the steps in a minute, above which their uncertainty makes a walk Usable
	usualTorso  = 0.49 // metres, where the scale is unknown: 0.288 of a height of 1.7 m (Drillis and Contini 1966)
)

// verdict is what the amount of the title is worth by its uncertainty, but Usable at best if warnings of the recording concern it, and Poor
// if for a third of the time it may be of somebody else. It is Usable if only the height of the hips is sure, and Poor if nothing is.
func (p *person) verdict(s *Study, lead *measure, all []*measure) quality.Verdict {
	if p.seen == 0 {
		return quality.Nobody
	}
	concern := slices.DeleteFunc(p.concern(s, all), func(w quality.Warning) bool { return w.Code == quality.CodeSwapped })
	v := p.worth(s, lead, all)
	if p.unsure = p.unsureOfPicture(s, all); p.unsure != nil && v == quality.Good {
		v = quality.Usable
	}
	switch said := quality.VerdictOf(concern, p.span.Len()); {
	case said == quality.Poor && (lead == nil || slices.ContainsFunc(concern, func(w quality.Warning) bool {
		return w.Code == quality.CodePersonChanged || w.Code == quality.CodeLost
	})):
		return quality.Poor
	case v == quality.Good && said != quality.Good:
		return quality.Usable
	}
	return v
}

// worth is the verdict without the warnings.
func (p *person) worth(s *Study, lead *measure, all []*measure) quality.Verdict {
	sure := map[bool]quality.Verdict{true: quality.Good, false: quality.Usable}
	switch torso := usualTorso; {
	case len(s.Jumps) > 0:
		if p.seq.World.Metric() {
			torso = p.torso
		}
		return sure[jump.Highest(s.Jumps).HeightUncertainty <= quality.GoodTo("torso")*torso]
	case s.Gait != nil && s.Gait.Cadence.Present && lead != nil:
		return sure[s.Gait.CadenceUncertainty.X <= sureCadence*s.Gait.Cadence.X]
	}
	best := quality.TrustWithheld
	for _, m := range all {
		if (s.Movement == moveStill || s.matters(m)) && m.degree == 1 && better(m.Trust, best) {
			best = m.Trust
		}
	}
	if lead != nil && (lead.degree == 1 || better(best, lead.Trust)) {
		best = lead.Trust
	}
	v := map[quality.Trust]quality.Verdict{quality.TrustGood: quality.Good, quality.TrustCare: quality.Usable, quality.TrustWithheld: quality.Poor}[best]
	switch {
	case lead == nil && s.Gait == nil && s.Movement != moveStill:
		return quality.Poor
	case v == quality.Poor && (lead != nil || s.Gait != nil), lead == nil && s.Gait != nil:
		return quality.Usable
	}
	return v
}

// better reports whether a trust is greater than another.
func better(t, than quality.Trust) bool {
	return t != than && (t == quality.TrustGood || than == quality.TrustWithheld)
}
