package study

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// matter are the measures that matter for a movement.
var matter = map[Movement][]analyze.Type{
	Squat:      {analyze.KneeFlexion, analyze.HipFlexion, analyze.HipHeight},
	SitToStand: {analyze.KneeFlexion, analyze.HipFlexion, analyze.HipHeight},
	Lunge:      {analyze.KneeFlexion, analyze.HipFlexion, analyze.HipHeight},
	Hinge:      {analyze.HipFlexion, analyze.TrunkLean},
	PushUp:     {analyze.ElbowFlexion},
	Curl:       {analyze.ElbowFlexion},
	Raise:      {analyze.ShoulderFlexion, analyze.ShoulderAbduction},
	Jump:       {analyze.KneeFlexion, analyze.HipHeight},
	Walking:    {analyze.KneeFlexion, analyze.HipFlexion},
	Running:    {analyze.KneeFlexion, analyze.HipFlexion},
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
					Type: m.Type, Side: m.Side, Value: v.X, Uncertainty: sigma, Trust: string(TrustOf(sigma / m.degree)),
				})
			}
		}
	}
	return found, nil
}

// movement tells what the person does. It is Other rather than wrong.
func (p *person) movement(s *Study, all []*measure, lead *measure, found analyze.Repetitions) Movement {
	switch {
	case s.Gait != nil && s.Gait.Mode == gait.Running:
		return Running
	case s.Gait != nil:
		return Walking
	case len(s.Jumps) > 0:
		return Jump
	case lead == nil && p.still():
		return Still
	case lead == nil || len(found.List) == 0:
		return Other
	}
	b := p.posture(all, found)
	for _, r := range rules {
		if r.is(b) {
			return r.movement
		}
	}
	return Other
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

// posture is what the rules of movements look at, by the medians over the repetitions. Changes are from rest to turn in
// degrees, of the side that changes most by its uncertainty, and not a number if both are withheld.
type posture struct {
	knee, hip, trunk, elbow, shoulder float64
	rest, turn                        place
}

// place is the body at a moment. Lengths are shares of that of the legs.
type place struct {
	lean   float64 // of the trunk from the vertical in the picture, degrees
	hips   float64 // their height over the ankles
	stride float64 // between the ankles along the floor
	uneven float64 // how much higher one knee is than the other
}

// sink returns how far the hips sink from rest to turn.
func (b *posture) sink() float64 { return b.rest.hips - b.turn.hips }

// posture measures rest and turn.
func (p *person) posture(all []*measure, found analyze.Repetitions) *posture {
	change := func(types ...analyze.Type) float64 {
		most, clear := math.NaN(), 0.0
		for _, m := range all {
			var x, sigma []float64
			for _, r := range found.List {
				rest, turn := m.Values[r.Start.Frame], m.Values[r.Turn.Frame]
				if slices.Contains(types, m.Type) && rest.Present && turn.Present {
					x, sigma = append(x, math.Abs(turn.X-rest.X)), append(sigma, m.sigma(r.Turn.Frame))
				}
			}
			if len(x) > 0 {
				if of := rank.Median(x) / rank.Median(sigma); of >= clear {
					most, clear = rank.Median(x), of
				}
			}
		}
		return most
	}
	leg := p.leg()
	at := func(frame func(analyze.Repetition) int) place {
		var all [4][]float64
		for _, r := range found.List {
			for k, v := range p.place(frame(r), leg) {
				if !math.IsNaN(v) {
					all[k] = append(all[k], v)
				}
			}
		}
		middle := func(x []float64) float64 {
			if len(x) == 0 {
				return math.NaN()
			}
			return rank.Median(x)
		}
		return place{middle(all[0]), middle(all[1]), middle(all[2]), middle(all[3])}
	}
	return &posture{
		knee: change(analyze.KneeFlexion), hip: change(analyze.HipFlexion), trunk: change(analyze.TrunkLean),
		elbow: change(analyze.ElbowFlexion), shoulder: change(analyze.ShoulderFlexion, analyze.ShoulderAbduction),
		rest: at(func(r analyze.Repetition) int { return r.Start.Frame }),
		turn: at(func(r analyze.Repetition) int { return r.Turn.Frame }),
	}
}

// leg returns the length of the legs in pixels: what the longer one is in most pictures that do not foreshorten it.
func (p *person) leg() float64 {
	var lengths []float64
	for i := range p.seq.Frames {
		f, longest := &p.seq.Frames[i], 0.0
		for _, s := range [...]keypoint.Part{keypoint.LeftKnee, keypoint.RightKnee} {
			thigh, okT := f.Distance(s-2, s)
			shank, okS := f.Distance(s, s+2)
			if okT && okS {
				longest = max(longest, thigh+shank)
			}
		}
		if longest > 0 {
			lengths = append(lengths, longest)
		}
	}
	return rank.Percentile(lengths, 0.9)
}

// place returns the members of a place in a frame, not a number where parts are missing.
func (p *person) place(i int, leg float64) [4]float64 {
	f, out := &p.seq.Frames[i], [4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	middle := func(left keypoint.Part) (keypoint.Point, bool) {
		return f.Centroid(keypoint.PartsOf(left, left.Mirror()))
	}
	right := p.seq.World.Right()
	up := keypoint.Point{right[1], -right[0]}
	shoulders, okS := middle(keypoint.LeftShoulder)
	hips, okH := middle(keypoint.LeftHip)
	ankles, okA := middle(keypoint.LeftAnkle)
	if trunk := shoulders.Sub(hips); okS && okH && trunk.Len() > 0 {
		out[0] = math.Acos(min(max(trunk.Dot(up)/trunk.Len(), -1), 1)) * 180 / math.Pi
	}
	if okH && okA {
		out[1] = hips.Sub(ankles).Dot(up) / leg
	}
	between := func(left keypoint.Part, along keypoint.Point) float64 {
		l, okL := f.At(left)
		r, okR := f.At(left.Mirror())
		if !okL || !okR {
			return math.NaN()
		}
		return math.Abs(l.Sub(r).Dot(along)) / leg
	}
	out[2], out[3] = between(keypoint.LeftAnkle, right), between(keypoint.LeftKnee, up)
	return out
}

// Limits of the rules of movements.
const (
	lies     = 50.0 // degrees of the trunk from the vertical of somebody who lies
	bends    = 40.0 // degrees of a joint that makes the movement
	rests    = 25.0 // and of one that takes no part
	stands   = 0.85 // the height of the hips of somebody who stands
	sinks    = 0.08 // how far they sink in a shallow squat
	sits     = 0.75 // the height of the hips of somebody who sits
	apart    = 0.5  // between the ankles in a lunge
	together = 0.2  // how much they part in a squat
	level    = 0.12 // between the heights of the knees in a squat
	kneels   = 0.3  // and in a lunge, seen from the front
)

// rules are the movements in the order in which they are tried. A comparison with what is not known is false.
var rules = []struct {
	movement Movement
	is       func(*posture) bool
}{
	{PushUp, func(b *posture) bool { return b.rest.lean > lies && b.turn.lean > lies && b.elbow >= bends }},
	{SitToStand, func(b *posture) bool {
		return b.rest.lean < lies && b.rest.hips <= sits && b.turn.hips >= stands && b.turn.stride < apart
	}},
	{Hinge, func(b *posture) bool {
		return b.rest.hips >= stands && b.hip >= bends && b.trunk >= bends && b.knee < b.hip/2
	}},
	{Lunge, func(b *posture) bool {
		return b.rest.hips > sits && b.sink() >= sinks && b.turn.lean < lies &&
			(b.knee >= bends && b.turn.stride >= apart || b.turn.uneven >= kneels)
	}},
	{Squat, func(b *posture) bool {
		return b.rest.hips >= stands && b.sink() >= sinks && b.turn.stride-b.rest.stride < together && b.turn.uneven < level && b.turn.lean < lies+10
	}},
	{Curl, func(b *posture) bool {
		return math.Abs(b.sink()) < sinks/2 && b.elbow >= bends && !(b.shoulder > b.elbow/2) && b.rest.lean < rests
	}},
	{Raise, func(b *posture) bool {
		return math.Abs(b.sink()) < sinks/2 && b.shoulder >= bends && !(b.elbow >= bends) && b.rest.lean < rests
	}},
}

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
		if !s.matters(m) || m.Trust == Good || lead != nil && lead.degree == 1 && m.Type != lead.Type {
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
		if m.Trust != Withheld && (s.Movement == Still || s.matters(m)) {
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

// verdict is what the measures that matter are worth: that of the lead, but no better than what the warnings of the
// recording say that concern it. It is Usable if only the height of the hips is sure, and Poor if nothing is.
func (p *person) verdict(s *Study, lead *measure, all []*measure) quality.Verdict {
	if p.seen == 0 {
		return quality.Nobody
	}
	best := Withheld
	for _, m := range all {
		if (s.Movement == Still || s.matters(m)) && m.degree == 1 && better(m.Trust, best) {
			best = m.Trust
		}
	}
	if lead != nil && lead.degree == 1 {
		best = lead.Trust
	}
	v := map[Trust]quality.Verdict{Good: quality.Good, Care: quality.Usable, Withheld: quality.Poor}[best]
	switch {
	case lead == nil && s.Gait == nil && s.Movement != Still:
		v = quality.Poor
	case v == quality.Poor && (lead != nil || s.Gait != nil), lead == nil && s.Gait != nil:
		v = quality.Usable
	}
	concern := slices.DeleteFunc(p.concern(s, all), func(w quality.Warning) bool { return w.Code == quality.CodeSwapped })
	switch said := quality.VerdictOf(concern, p.span.Last-p.span.First+1); {
	case v == quality.Poor || said == quality.Poor:
		return quality.Poor
	case v == quality.Usable || said == quality.Usable:
		return quality.Usable
	}
	return quality.Good
}
