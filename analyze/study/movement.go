package study

import (
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// matter are the measures that matter for a movement.
var matter = map[Movement][]analyze.Type{
	moveSquat:      {analyze.KneeFlexion, analyze.HipFlexion, analyze.HipHeight},
	moveSitToStand: {analyze.KneeFlexion, analyze.HipFlexion, analyze.HipHeight},
	moveLunge:      {analyze.KneeFlexion, analyze.HipFlexion, analyze.HipHeight},
	moveHinge:      {analyze.HipFlexion, analyze.TrunkLean},
	movePushUp:     {analyze.ElbowFlexion},
	moveCurl:       {analyze.ElbowFlexion},
	moveRaise:      {analyze.ShoulderFlexion, analyze.ShoulderAbduction},
	moveJump:       {analyze.KneeFlexion, analyze.HipHeight},
	moveWalking:    {analyze.KneeFlexion, analyze.HipFlexion},
	moveRunning:    {analyze.KneeFlexion, analyze.HipFlexion},
}

// choose returns the measure, of some types or nil for all, that moves most by its uncertainty; nil if none moves. Of
// some types, an earlier one is chosen that moves nearly as much.
func choose(all []*measure, types []analyze.Type) (best *measure) {
	most := 0.0
	for _, m := range all {
		if types == nil || slices.Contains(types, m.Type) {
			most = max(most, m.moves)
		}
	}
	order := func(m *measure) int { return slices.Index(types, m.Type) }
	for _, m := range all {
		if m.moves == 0 || m.moves < nearly*most || types == nil && m.moves < most || types != nil && order(m) < 0 {
			continue
		}
		if best == nil || order(m) < order(best) || order(m) == order(best) && m.moves > best.moves {
			best = m
		}
	}
	return best
}

const nearly = 0.67

// count finds the repetitions of the lead, with the values of all measures at their turns.
func (p *person) count(all []*measure, lead *measure) (found analyze.Repetitions, err error) {
	if lead == nil || p.seq.Times == nil {
		return found, nil
	}
	shown := lead.result
	shown.Values = lead.Values
	if found, err = analyze.FindRepetitions(p.seq, shown, analyze.RepetitionOptions{}); err != nil {
		return found, err
	}
	for k := range found.List {
		turn := found.List[k].Turn.Frame
		for _, m := range all {
			if v := m.Values[turn]; v.Present {
				sigma := m.sigma(turn)
				found.List[k].At = append(found.List[k].At, analyze.Reading{
					Type: m.Type, Side: m.Side, Reading: quality.Reading{Value: v.X, Uncertainty: sigma, Trust: quality.TrustOf(sigma / m.degree)},
				})
			}
		}
	}
	return found, nil
}

// movement tells what the person does. It is other rather than wrong.
func (p *person) movement(s *Study, all []*measure, lead *measure, found analyze.Repetitions) Movement {
	switch {
	case s.Gait != nil && s.Gait.Mode == "running":
		return moveRunning
	case s.Gait != nil:
		return moveWalking
	case len(s.Jumps) > 0:
		return moveJump
	case lead == nil && p.still():
		return moveStill
	case lead == nil || len(found.List) == 0:
		return moveOther
	}
	b := p.posture(all, found)
	for _, r := range rules {
		if r.is(b) {
			return r.movement
		}
	}
	return moveOther
}

// still reports whether no part of the body moves by more than 0.2 torso lengths.
func (p *person) still() bool {
	for part := keypoint.LeftShoulder; part <= keypoint.RightAnkle; part++ {
		var at [2][]float64
		for i := range p.seq.Frames {
			if pt, ok := p.seq.Frames[i].At(part); ok {
				at[0], at[1] = append(at[0], pt[0]), append(at[1], pt[1])
			}
		}
		for _, x := range at {
			if rank.Percentile(x, 1-outliers)-rank.Percentile(x, outliers) > mostStill*p.pixels {
				return false
			}
		}
	}
	return p.pixels > 0
}

const mostStill = 0.2 // torso lengths
