package study

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// posture is what the rules of movements look at, by the medians over the repetitions. Changes are from rest to turn in
// degrees, of the side that changes most by its uncertainty; absent if both are withheld.
type posture struct {
	knee, hip, trunk, elbow, shoulder value
	rest, turn                        place
}

// place is the body at a moment. Lengths are shares of that of the legs.
type place struct {
	lean   value // of the trunk from the vertical in the picture, degrees
	hips   value // their height over the ankles
	stride value // between the ankles along the floor
	uneven value // how much higher one knee is than the other
}

// value may be absent: then it is neither over a limit nor under it.
type value analyze.Value

func (v value) over(limit float64) bool { return v.Present && v.X >= limit }

func (v value) under(limit float64) bool { return v.Present && v.X < limit }

// minus returns the difference to another value.
func (v value) minus(o value) value { return value{X: v.X - o.X, Present: v.Present && o.Present} }

// sink returns how far the hips sink from rest to turn.
func (b *posture) sink() value { return b.rest.hips.minus(b.turn.hips) }

// stays reports whether the hips stay as high as they are.
func (b *posture) stays() bool { return b.sink().over(-sinks/2) && b.sink().under(sinks/2) }

// posture measures rest and turn.
func (p *person) posture(all []*measure, found analyze.Repetitions) *posture {
	change := func(types ...analyze.Type) (most value) {
		clearest := 0.0
		for _, m := range all {
			var x, sigma []float64
			for _, r := range found.List {
				rest, turn := m.Values[r.Start.Frame], m.Values[r.Turn.Frame]
				if slices.Contains(types, m.Type) && rest.Present && turn.Present {
					x, sigma = append(x, math.Abs(turn.X-rest.X)), append(sigma, m.sigma(r.Turn.Frame))
				}
			}
			if len(x) == 0 {
				continue
			}
			if of := rank.Median(x) / rank.Median(sigma); of >= clearest {
				most, clearest = value{X: rank.Median(x), Present: true}, of
			}
		}
		return most
	}
	leg := p.leg()
	at := func(frame func(analyze.Repetition) int) place {
		all := make([]place, len(found.List))
		for k, r := range found.List {
			all[k] = p.place(frame(r), leg)
		}
		return middle(all)
	}
	return &posture{
		knee: change(analyze.KneeFlexion), hip: change(analyze.HipFlexion), trunk: change(analyze.TrunkLean),
		elbow: change(analyze.ElbowFlexion), shoulder: change(analyze.ShoulderFlexion, analyze.ShoulderAbduction),
		rest: at(func(r analyze.Repetition) int { return r.Start.Frame }),
		turn: at(func(r analyze.Repetition) int { return r.Turn.Frame }),
	}
}

// middle returns the medians of several places.
func middle(all []place) place {
	median := func(of func(place) value) value {
		x := rank.Known(len(all), func(i int) (float64, bool) { return of(all[i]).X, of(all[i]).Present })
		return value{X: rank.Median(x), Present: len(x) > 0}
	}
	return place{
		lean: median(func(b place) value { return b.lean }), hips: median(func(b place) value { return b.hips }),
		stride: median(func(b place) value { return b.stride }), uneven: median(func(b place) value { return b.uneven }),
	}
}

// leg returns the length of the legs in pixels: what the longer one is in most pictures that do not foreshorten it.
func (p *person) leg() float64 {
	var lengths []float64
	for i := range p.seq.Frames {
		f, longest := &p.seq.Frames[i], 0.0
		for _, leg := range [...][3]keypoint.Part{
			{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle}, {keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle},
		} {
			thigh, okT := f.Distance(leg[0], leg[1])
			shank, okS := f.Distance(leg[1], leg[2])
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

// place measures the body in a frame.
func (p *person) place(i int, leg float64) (out place) {
	f := &p.seq.Frames[i]
	middle := func(left keypoint.Part) (keypoint.Point, bool) {
		return f.Centroid(keypoint.PartsOf(left, left.Mirror()))
	}
	right := p.seq.World.Right()
	up := keypoint.Point{right[1], -right[0]}
	shoulders, okS := middle(keypoint.LeftShoulder)
	hips, okH := middle(keypoint.LeftHip)
	ankles, okA := middle(keypoint.LeftAnkle)
	if trunk := shoulders.Sub(hips); okS && okH && trunk.Len() > 0 {
		out.lean = value{X: math.Acos(min(max(trunk.Dot(up)/trunk.Len(), -1), 1)) * 180 / math.Pi, Present: true}
	}
	out.hips = value{X: hips.Sub(ankles).Dot(up) / leg, Present: okH && okA && leg > 0}
	between := func(left keypoint.Part, along keypoint.Point) value {
		l, okL := f.At(left)
		r, okR := f.At(left.Mirror())
		return value{X: math.Abs(l.Sub(r).Dot(along)) / leg, Present: okL && okR && leg > 0}
	}
	out.stride, out.uneven = between(keypoint.LeftAnkle, right), between(keypoint.LeftKnee, up)
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

// rules are the movements in the order in which they are tried.
var rules = []struct {
	movement Movement
	is       func(*posture) bool
}{
	{movePushUp, func(b *posture) bool { return b.rest.lean.over(lies) && b.turn.lean.over(lies) && b.elbow.over(bends) }},
	{moveSitToStand, func(b *posture) bool {
		return b.rest.lean.under(lies) && b.rest.hips.under(sits) && b.turn.hips.over(stands) && b.turn.stride.under(apart)
	}},
	{moveHinge, func(b *posture) bool {
		return b.rest.hips.over(stands) && b.hip.over(bends) && b.trunk.over(bends) && b.knee.under(b.hip.X/2)
	}},
	{moveLunge, func(b *posture) bool {
		return b.rest.hips.over(sits) && b.sink().over(sinks) && b.turn.lean.under(lies) &&
			(b.knee.over(bends) && b.turn.stride.over(apart) || b.turn.uneven.over(kneels))
	}},
	{moveSquat, func(b *posture) bool {
		return b.rest.hips.over(stands) && b.sink().over(sinks) && b.turn.stride.minus(b.rest.stride).under(together) &&
			b.turn.uneven.under(level) && b.turn.lean.under(lies+10)
	}},
	{moveCurl, func(b *posture) bool {
		return b.stays() && b.elbow.over(bends) && !b.shoulder.over(b.elbow.X/2) && b.rest.lean.under(rests)
	}},
	{moveRaise, func(b *posture) bool {
		return b.stays() && b.shoulder.over(bends) && !b.elbow.over(bends) && b.rest.lean.under(rests)
	}},
}
