package study

import (
	"cmp"
	"math"
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

// choose returns the measure, of some types or nil for all, that moves most by its uncertainty; nil if none moves.
// Of some types, an earlier one is chosen that moves nearly as much.
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

const (
	nearly     = 0.67
	mostTravel = 0.5  // torso lengths between where somebody who stays begins and ends
	mostNearer = 0.15 // and by which share they become larger or smaller
)

// count finds the repetitions of the lead by what is shown of it.
func (p *person) count(all []*measure, lead *measure) (analyze.Repetitions, error) {
	if lead == nil {
		return analyze.Repetitions{}, nil
	}
	return p.repetitions(all, lead, lead.Values)
}

// surest returns what moves most by its uncertainty and repeats, and its repetitions, or else what it is given; of a movement that has a
// name, what repeats most. What is not shown is no lead; it counts only if it moves by far more than what is, of somebody who stays.
func (p *person) surest(all, leading []*measure, lead *measure, found analyze.Repetitions, named bool) (*measure, analyze.Repetitions, error) {
	surely := func(m *measure) float64 { return max(m.moves/nearly, m.stirs) }
	stays := p.stays()
	list := slices.DeleteFunc(slices.Concat(leading, p.bones), func(m *measure) bool { return surely(m) == 0 || m.moves == 0 && !stays })
	slices.SortStableFunc(list, func(a, b *measure) int { return cmp.Compare(surely(b), surely(a)) })
	most := 0
	for _, m := range list {
		values := m.Values
		if m.moves == 0 {
			values = m.sure
		}
		by, err := p.repetitions(all, m, values)
		if err != nil {
			return lead, found, err
		}
		if by.Complete <= most {
			continue
		}
		if lead, found, most, p.moving = m, by, by.Complete, ""; m.moves == 0 {
			lead, p.moving = nil, m.Type
		}
		if !named {
			break
		}
	}
	return lead, found, nil
}

// stays reports whether the person ends where the recording begins: no nearer, no farther away and nowhere else.
func (p *person) stays() bool {
	ankles := keypoint.PartsOf(keypoint.LeftAnkle, keypoint.RightAnkle)
	at := rank.Where(0, p.seq.Len(), func(i int) bool { return p.seq.Frames[i].Present()&ankles == ankles })
	if len(at) == 0 {
		return true
	}
	first, last := &p.seq.Frames[at[0]], &p.seq.Frames[at[len(at)-1]]
	from, _ := first.Centroid(ankles)
	to, _ := last.Centroid(ankles)
	was, okWas := first.BodyHeight()
	is, ok := last.BodyHeight()
	return !ok || !okWas || to.Sub(from).Len() < mostTravel*p.pixels && math.Abs(is/was-1) < mostNearer
}

// repetitions finds those in values of a measure, with the values of all measures at their turns.
func (p *person) repetitions(all []*measure, lead *measure, values []analyze.Value) (found analyze.Repetitions, err error) {
	if p.seq.Times == nil {
		return found, nil
	}
	shown := lead.result
	shown.Values = values
	if found, err = analyze.FindRepetitions(p.seq, shown, analyze.RepetitionOptions{}); err != nil {
		return found, err
	}
	if lead.Trust != quality.TrustGood {
		least := leastShare
		if lead.Type == analyze.HipHeight { // it sinks with the square of the angles of the legs
			least *= least
		}
		found.List = slices.DeleteFunc(found.List, func(one analyze.Repetition) bool {
			if one.DepthShare < least && one.Complete {
				found.Complete--
			}
			return one.DepthShare < least
		})
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

// leastShare is the depth by the usual one below which nothing is counted whose lead is not good.
const leastShare = 1.0 / 3

// inShares turns the numbers of repetitions into shares of a usual one, and takes away what the picture bends: the hold, so that the
// ways meet at the turn.
func inShares(found *analyze.Repetitions) {
	var depth, out, back []float64
	for k := range found.List {
		one := &found.List[k]
		one.Start.Value, one.Turn.Value, one.End.Value, one.Depth, one.Curve = 0, one.DepthShare, 0, one.DepthShare, nil
		one.Out, one.Hold, one.Back = one.Out+one.Hold/2, 0, one.Back+one.Hold/2
		if one.Complete && !one.Shallow {
			depth, out, back = append(depth, one.Depth), append(out, one.Out), append(back, one.Back)
		}
	}
	sure := found.Out.Uncertainty
	found.Depth, found.Out, found.Hold, found.Back = analyze.SpreadOf(depth), analyze.SpreadOf(out), analyze.Spread{}, analyze.SpreadOf(back)
	found.Out.Uncertainty, found.Back.Uncertainty = sure, sure
	found.Low, found.High, found.Curve = analyze.Value{}, analyze.Value{}, nil
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
		if p.swing(keypoint.PartsOf(part), 0) > mostStill*p.pixels {
			return false
		}
	}
	return p.pixels > 0
}

// swing returns how far the centre of parts moves along an axis of the picture, against that of others if there are any; 0 if they are
// not there in most frames.
func (p *person) swing(parts, against keypoint.Parts) (most float64) {
	var x [2][]float64
	for i := range p.seq.Frames {
		at, ok := p.seq.Frames[i].Centroid(parts)
		from, okFrom := p.seq.Frames[i].Centroid(against)
		if ok && (okFrom || against == 0) {
			x[0], x[1] = append(x[0], at[0]-from[0]), append(x[1], at[1]-from[1])
		}
	}
	for _, v := range x {
		if 2*len(v) <= p.seen {
			break
		}
		most = max(most, rank.Percentile(v, 1-outliers)-rank.Percentile(v, outliers))
	}
	return most
}

const mostStill = 0.2 // torso lengths
