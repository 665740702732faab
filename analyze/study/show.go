package study

import (
	"cmp"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// neighbours are what is read beside what leads.
var neighbours = map[analyze.Type]analyze.Type{
	analyze.KneeFlexion: analyze.HipFlexion, analyze.HipFlexion: analyze.KneeFlexion, analyze.AnkleDorsiflexion: analyze.KneeFlexion,
	analyze.ElbowFlexion: analyze.ShoulderFlexion, analyze.ShoulderFlexion: analyze.ElbowFlexion, analyze.TrunkLean: analyze.HipFlexion,
	analyze.HipHeight: analyze.TrunkSideLean, analyze.ShoulderAbduction: analyze.TrunkSideLean, analyze.KneeValgus: analyze.HipHeight,
	analyze.HipAbduction: analyze.TrunkSideLean, analyze.TrunkSideLean: analyze.HipAbduction,
}

// upright are the measures that are shown of a person who stands, the first three that the view does not withhold.
var upright = []analyze.Type{analyze.ShoulderLevel, analyze.PelvicTilt, analyze.TrunkSideLean, analyze.TrunkLean, analyze.KneeFlexion, analyze.HipFlexion}

// show sets which measures to read first, and what the ways of repetitions are called.
func (p *person) show(s *Study, lead *measure) {
	first := analyze.KneeFlexion
	switch {
	case s.stands():
		for _, t := range upright {
			if len(s.Show) < 3 && s.first(t) != nil {
				s.Show = append(s.Show, t)
			}
		}
		return
	case len(s.Estimates) > 0 && (lead == nil || lead.Type == analyze.HipHeight):
		first = s.Estimates[0].Type
	case lead != nil:
		first = lead.Type
	default:
		if p.moving == "" && s.Gait == nil && len(s.Jumps) == 0 {
			p.moving = p.moved()
		}
		first = cmp.Or(p.moving, first)
	}
	s.Show = []analyze.Type{first}
	if next, ok := neighbours[first]; ok {
		s.Show = append(s.Show, next)
	}
	if s.Repetitions == nil || lead == nil {
		return
	}
	one := s.Repetitions.List[0]
	rises := lead.Values[one.Turn.Frame].X > lead.Values[one.Start.Frame].X
	switch s.Movement {
	case moveSquat, moveSitToStand, moveLunge, moveHinge, movePushUp:
		rises = rises == (lead.Type == analyze.HipHeight)
	case moveCurl, moveRaise:
	default:
		s.Ways = []string{"out", "back"}
		return
	}
	if s.Ways = []string{"down", "up"}; rises {
		slices.Reverse(s.Ways)
	}
}

// bones are those of left limbs with the joint at the upper end that moves them, and last whole limbs.
var bones = [...]struct {
	from, to keypoint.Part
	of       analyze.Type
}{
	{keypoint.LeftElbow, keypoint.LeftWrist, analyze.ElbowFlexion}, {keypoint.LeftShoulder, keypoint.LeftElbow, analyze.ShoulderFlexion},
	{keypoint.LeftKnee, keypoint.LeftAnkle, analyze.KneeFlexion}, {keypoint.LeftHip, keypoint.LeftKnee, analyze.HipFlexion},
	{keypoint.LeftShoulder, keypoint.LeftWrist, analyze.ShoulderFlexion}, {keypoint.LeftHip, keypoint.LeftAnkle, analyze.HipFlexion},
}

// moved tells which joint moved most in the picture, where nothing can be measured that moves: the one at the upper end of the
// bone whose end moves most against it. "" if none does by 0.3 torso lengths.
func (p *person) moved() (best analyze.Type) {
	most := 0.3 * p.pixels
	for _, bone := range bones[:4] {
		left := p.swing(keypoint.PartsOf(bone.to), keypoint.PartsOf(bone.from))
		right := p.swing(keypoint.PartsOf(bone.to.Mirror()), keypoint.PartsOf(bone.from.Mirror()))
		if max(left, right) > most {
			most, best = max(left, right), bone.of
		}
	}
	return best
}

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
