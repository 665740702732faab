package study

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// ofPicture are the angles that matter in a picture, in which nothing tells what moves: those of the legs, which are seen from the side,
// and those of the arms that are bent. Of each, the better side counts.
var ofPicture = [...][]analyze.Type{{analyze.KneeFlexion}, {analyze.HipFlexion}, {analyze.ElbowFlexion}, {analyze.ShoulderFlexion, analyze.ShoulderAbduction}}

// unsureOfPicture returns the first measure that matters in a picture and is not good; nil if all are, and of a movie.
func (p *person) unsureOfPicture(s *Study, all []*measure) *measure {
	for k, types := range ofPicture {
		var best *measure
		legs, bent := k < 2, false
		for _, m := range all {
			if slices.Contains(types, m.Type) {
				bent = bent || value(m.result.Values[0]).over(bends)
				if best == nil || better(m.Trust, best.Trust) {
					best = m
				}
			}
		}
		if p.seq.Len() == 1 && (legs && s.aslant() || (legs || bent) && best.Trust != quality.TrustGood) {
			return best
		}
	}
	return nil
}

// aslant reports whether the person is not seen from the side.
func (s *Study) aslant() bool { return s.Facing.Known() && s.Facing.Direction != quality.FromSide }

// limitOfPicture says what is not good in a picture.
func (p *person) limitOfPicture(s *Study, _ *measure) (limit, do say.Text) {
	switch m := p.unsure; {
	case m == nil:
		return nil, nil
	case m.Peak == nil:
		why := s.why(m.Type)
		return texts.Say("colon", say.Name(string(m.Type)), say.Why(why, s.Facing)), advice(why)
	case s.aslant():
		do = texts.Say("turn", math.Round((90-min(s.Facing.View, 180-s.Facing.View))/5)*5)
	}
	return p.obliquely(&p.unsure.Measure), do
}
