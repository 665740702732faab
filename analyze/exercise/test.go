package exercise

import (
	"cmp"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Test is a clinical test, whose result are numbers. docs/use/exercises.md tells from when to when they count:
//
//	fiveTimesSitToStand  time in seconds
//	chairStand30         stands in 30 s
//	singleLegStance      time in seconds of each leg, and sway of the middle of the hips
//	countermovementJump  height by flight time in metres and, with a scale, by the rise of the hips
type Test string

const (
	fiveTimesSitToStand Test = "fiveTimesSitToStand"
	chairStand30        Test = "chairStand30"
	singleLegStance     Test = "singleLegStance"
	countermovementJump Test = "countermovementJump"
)

// sitToStand is the movement of the first two.
const sitToStand study.Movement = "sitToStand"

var tests = []Test{fiveTimesSitToStand, chairStand30, singleLegStance, countermovementJump}

// Limits and uncertainties of the tests.
const (
	stands       = 5
	chairSeconds = 30.0
	nearEnd      = 0.3  // seconds from the end of the 30 within which it is not sure whether a stand is half way up
	chairLate    = 1.0  // seconds by which a recording may end before the 30 are over
	standsTime   = 0.15 // seconds: of the time of five stands
	legTime      = 0.15 // and of a stance
	mostStance   = 45.0 // seconds after which the test of a stance ends
	leastStance  = 1.0
	swayTorsos   = 0.01 // torso lengths
	settle       = 0.5  // seconds of a stance before the sway counts
)

func (d *Definition) numbers(seq, view keypoint.Sequence, shown *study.Study, found []Repetition) []Number {
	full := slices.DeleteFunc(slices.Clone(found), func(r Repetition) bool { return !r.Counted })
	switch d.Test {
	case fiveTimesSitToStand:
		n := Number{Name: "time", Unit: "s", Why: texts.Say("why.fewStands", len(full))}
		if shown.Movement != sitToStand {
			n.Why = texts.Say("why.noChair")
		} else if len(full) >= stands {
			n.tell(firstMovement(seq, full[0]), full[stands-1].End.Time)
			n.Value, n.Uncertainty = value(n.To-n.From), value(standsTime)
		}
		return []Number{n}
	case chairStand30:
		return []Number{chairStands(seq, shown, found)}
	case singleLegStance:
		return stanceNumbers(view)
	case countermovementJump:
		return jumpNumbers(shown)
	}
	return nil
}

// tell sets where the number is found, and takes away why it is not.
func (n *Number) tell(from, to float64) { n.From, n.To, n.Why = from, to, nil }

// chairStands counts the full stands within 30 s from the first movement. One that is more than half way up then counts.
func chairStands(seq keypoint.Sequence, shown *study.Study, found []Repetition) Number {
	n := Number{Name: "count", Why: texts.Say("why.noChair")}
	if shown.Movement != sitToStand || len(found) == 0 {
		return n
	}
	start, last := firstMovement(seq, found[0]), seq.Times[seq.Len()-1]
	if last < start+chairSeconds-chairLate {
		n.Why = texts.Say("why.tooShort", last-start)
		return n
	}
	n.tell(start, min(start+chairSeconds, last))
	n.Value, n.Uncertainty = value(0), value(0)
	for _, r := range found {
		half := r.Start.Time + r.Out/2
		if full := !r.Shallow && (r.Complete || half > n.To-nearEnd); full && half < n.To {
			n.Value.X++
		}
		if math.Abs(half-n.To) < nearEnd {
			n.Uncertainty.X = 1
		}
	}
	return n
}

// firstMovement returns when somebody who sits begins to rise: the trunk leans forward before the knees move, in rendered rises for
// 0.39 ± 0.06 of the time that the knees take then.
func firstMovement(seq keypoint.Sequence, r Repetition) float64 {
	return max(r.Start.Time-0.39*r.Out, seq.Times[0])
}

// medianTorso returns the length of the torso in pixels over some frames.
func medianTorso(seq keypoint.Sequence, first, last int) float64 {
	u := quality.NewUncertainty(seq)
	return rank.Median(rank.Known(last+1-first, func(i int) (float64, bool) { return u.Torso(first + i), u.Torso(first+i) > 0 }))
}

// jumpNumbers returns the height of the highest jump.
func jumpNumbers(shown *study.Study) []Number {
	if len(shown.Jumps) == 0 {
		return []Number{{Name: "height", Unit: "m", Why: texts.Say("why.noJump")}}
	}
	best := jump.Highest(shown.Jumps)
	height := Number{Name: "height", Unit: "m", Value: value(best.Height), Uncertainty: value(best.HeightUncertainty)}
	height.tell(best.TakeOff.Time, best.Landing.Time)
	list := []Number{height}
	if best.Rise.Present {
		rise := height
		rise.Name, rise.Value, rise.Uncertainty = "rise", best.Rise, best.RiseUncertainty
		list = append(list, rise)
	}
	return list
}

// jumps returns the jumps as repetitions: from the deepest bend before take-off to the deepest after the landing, which is the turn.
func jumps(view keypoint.Sequence, shown *study.Study) (list []analyze.Repetition) {
	const within = 1.0 // seconds
	deepest := func(from, to float64) analyze.Moment {
		at, low := -1, 0.0
		for i, t := range view.Times {
			if hips, ok := view.Frames[i].Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip)); ok && t >= from && t <= to {
				if y := hips.Dot(down(view)); at < 0 || y > low {
					at, low = i, y
				}
			}
		}
		at = max(at, 0)
		return analyze.Moment{Frame: at, Time: view.Times[at]}
	}
	for _, j := range shown.Jumps {
		r := analyze.Repetition{Complete: true, TimeUncertainty: legTime, Start: deepest(j.TakeOff.Time-within, j.TakeOff.Time), Turn: deepest(j.Landing.Time, j.Landing.Time+within)}
		r.End = r.Turn
		r.Duration = r.End.Time - r.Start.Time
		list = append(list, r)
	}
	return list
}

func down(seq keypoint.Sequence) keypoint.Point {
	right := seq.World.Right()
	return keypoint.Point{-right[1], right[0]}
}

// stance is a time on one leg as a repetition, with the turn in its middle.
type stance struct {
	analyze.Repetition
	leg  analyze.Side
	open bool // the recording begins or ends amid it
}

// The rise of a foot over the floor from which on it is lifted, in torso lengths: of its lowest point, and of ankles alone, which
// rise with the heel.
const (
	lifted      = 0.08
	ankleLifted = 0.15
	leaves      = 0.4  // of these, where it leaves the floor
	unlike      = 0.15 // the levels of both feet, if one of them is never on the floor
	bridged     = 0.1  // seconds that do not end a stance
)

// feet returns how high each foot is over the floor, in torso lengths, and from where on it is lifted.
func feet(seq keypoint.Sequence) (heights [2][]analyze.Value, least float64) {
	torso := medianTorso(seq, 0, seq.Len()-1)
	lowest := func(k int, parts ...keypoint.Part) (list []analyze.Value, level float64, share float64) {
		list = make([]analyze.Value, seq.Len())
		var all []float64
		for i := range seq.Frames {
			for _, p := range parts {
				if k == 1 {
					p = p.Mirror()
				}
				if at, ok := seq.Frames[i].At(p); ok && torso > 0 {
					if h := -at.Dot(down(seq)) / torso; !list[i].Present || h < list[i].X {
						list[i] = value(h)
					}
				}
			}
			if list[i].Present {
				all = append(all, list[i].X)
			}
		}
		return list, rank.Percentile(all, 0.05), float64(len(all)) / float64(max(1, seq.Len()))
	}
	parts := []keypoint.Part{keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel}
	least = lifted
	if _, _, share := lowest(0, parts...); share < leastSeen {
		parts, least = []keypoint.Part{keypoint.LeftAnkle}, ankleLifted
	}
	var levels [2]float64
	for k := range heights {
		heights[k], levels[k], _ = lowest(k, parts...)
	}
	if low := min(levels[0], levels[1]); math.Abs(levels[0]-levels[1]) > unlike {
		levels = [2]float64{low, low}
	}
	for k := range heights {
		for i := range heights[k] {
			heights[k][i].X -= levels[k]
		}
	}
	return heights, least
}

// stances returns the times on one leg of at least a second.
func stances(seq keypoint.Sequence) (list []stance) {
	if seq.Times == nil {
		return nil
	}
	heights, least := feet(seq)
	moment := func(i int) analyze.Moment { return analyze.Moment{Frame: i, Time: seq.Times[i]} }
	for k, leg := range sides {
		off := func(i int, share float64) bool {
			return i >= 0 && i < seq.Len() && heights[1-k][i].Present && heights[1-k][i].X >= share*least
		}
		first, last := -1, -1
		end := func() {
			if first >= 0 && seq.Times[last]-seq.Times[first] >= leastStance {
				for ; off(first-1, leaves); first-- {
				}
				for ; off(last+1, leaves); last++ {
				}
				one := stance{analyze.Repetition{Complete: true, Start: moment(first), Turn: moment((first + last) / 2), End: moment(last)}, leg, first == 0 || last == seq.Len()-1}
				one.Duration = one.End.Time - one.Start.Time
				list = append(list, one)
			}
			first = -1
		}
		for i, t := range seq.Times {
			if on := heights[k][i]; on.Present && on.X < least && off(i, 1) {
				if last = i; first < 0 {
					first = i
				}
			} else if first >= 0 && t-seq.Times[last] > bridged {
				end()
			}
		}
		end()
	}
	slices.SortFunc(list, func(a, b stance) int { return a.Start.Frame - b.Start.Frame })
	return list
}

// stanceNumbers returns the longest time on each leg and its sway, the longer one first.
func stanceNumbers(seq keypoint.Sequence) (list []Number) {
	all := stances(seq)
	slices.SortStableFunc(all, func(a, b stance) int { return cmp.Compare(b.Duration, a.Duration) })
	for _, s := range all {
		if slices.ContainsFunc(list, func(n Number) bool { return n.Side == s.leg }) {
			continue
		}
		n := Number{Name: "time", Side: s.leg, Unit: "s", Value: value(min(s.Duration, mostStance)), Uncertainty: value(legTime), AtLeast: s.open && s.Duration < mostStance}
		n.tell(s.Start.Time, s.End.Time)
		list = append(list, n, sway(seq, s))
	}
	if list == nil {
		list = []Number{{Name: "time", Unit: "s", Why: texts.Say("why.noStance")}}
	}
	return list
}

// sway returns the root mean square of how far the middle of the hips is from its mean along the floor of the picture.
func sway(seq keypoint.Sequence, s stance) Number {
	n := Number{Name: "sway", Side: s.leg, Unit: "torso", Why: texts.Say("why.noSway")}
	u := quality.NewUncertainty(seq)
	var x []float64
	fits := 0
	for i := s.Start.Frame; i <= s.End.Frame; i++ {
		hips, ok := seq.Frames[i].Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip))
		if !ok || seq.Times[i] < s.Start.Time+settle {
			continue
		}
		x = append(x, hips.Dot(seq.World.Right()))
		front, known := u.Fits(quality.Frontal, i)
		side, _ := u.Fits(quality.Sagittal, i)
		if known && (front || side) {
			fits++
		}
	}
	pixels := medianTorso(seq, s.Start.Frame, s.End.Frame)
	if len(x) < 2 || 2*fits < len(x) || pixels == 0 {
		return n
	}
	scale, torso := 1/pixels, 1.0
	if seq.World.Metric() {
		n.Unit, scale, torso = "m", seq.World.MetresPerPixel, pixels*seq.World.MetresPerPixel
	}
	n.tell(s.Start.Time, s.End.Time)
	n.Value, n.Uncertainty = value(rank.Deviation(x)*scale), value(swayTorsos*torso)
	return n
}
