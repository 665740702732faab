package gait

import (
	"cmp"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// longest is how many times the median a stride or a step may last: a longer one has a missing event
// inside, and one that is as much shorter an event too many.
const longest = 1.5

// uneven is the share by which the mean stride time may differ from that of the events: beyond it, the person does not walk evenly
// enough for a cadence, or steps were missed.
const uneven = 0.1

// stride is from a heel strike to the next one of the same foot.
type stride struct {
	strike, lift, next float64
	lifted             bool // lift is known
}

// strides returns the strides of a foot in which the legs are sure.
func (p *pass) strides(side int) (list []stride) {
	f, marks := &p.feet[side], p.marks(side)
	for k := 1; k < len(marks); k++ {
		if slices.Contains(p.unsure[rank.Nearest(p.times, marks[k-1]):rank.Nearest(p.times, marks[k])], true) {
			continue
		}
		s := stride{strike: marks[k-1], next: marks[k]}
		if j, _ := slices.BinarySearch(f.lifts, s.strike); j < len(f.lifts) && f.lifts[j] > s.strike && f.lifts[j] < s.next {
			s.lift, s.lifted = f.lifts[j], true
		}
		list = append(list, s)
	}
	return list
}

// onSurface keeps the passes across the picture or those in place, whichever have more heel strikes.
func onSurface(passes []*pass) ([]*pass, string) {
	strikes := map[bool]int{}
	for _, p := range passes {
		strikes[p.inPlace] += p.strikes()
	}
	inPlace, best := strikes[true] > strikes[false], overground
	if inPlace {
		best = treadmill
	}
	return slices.DeleteFunc(passes, func(p *pass) bool { return p.inPlace != inPlace || p.strikes() == 0 }), best
}

func (p *pass) strikes() int { return len(p.marks(0)) + len(p.marks(1)) }

// marks returns the times of the event of a foot that tells its strides and steps: its heel strikes, or, away from the camera, its toe offs.
func (p *pass) marks(side int) []float64 {
	if p.sight < 0 {
		return p.feet[side].lifts
	}
	return p.feet[side].strikes
}

// sides are the numbers of the left and of the right side.
type sides [2][]float64

func (s *sides) add(side int, v float64) { s[side] = append(s[side], v) }

func (s *sides) result() analyze.TwoSided { return analyze.TwoSidedOf(s[0], s[1]) }

// sideNames are the names of the indices of pass.feet.
var sideNames = [2]analyze.Side{analyze.LeftSide, analyze.RightSide}

// numbers are those of all passes from which a Gait is summed up.
type numbers struct {
	strideTime, stepTime, stanceTime, swingTime, stanceShare, strideLength, stepLength sides
	flight, double                                                                     []float64 // seconds
	astray                                                                             []float64 // of each stride length, as a share of it: uncertainty.go
	skew                                                                               float64   // how many times less sure left against right is

	usual float64 // the median stride time in seconds
	can   limits
}

// measure fills in everything that follows from the events.
func (g *Gait) measure(passes []*pass, scale, scaleError float64) {
	n := numbers{usual: typical(passes), can: possible[g.Mode], skew: 1}
	for k, p := range passes {
		direction := analyze.RightSide
		if p.forward < 0 {
			direction = analyze.LeftSide
		}
		g.Passes = append(g.Passes, Pass{p.first, p.last, direction})
		if g.list(k, p); p.oblique || p.sight != 0 {
			n.skew = skewed
		}
		g.phases(p, &n)
		told := len(n.astray)
		if aside := g.steps(p, p.footfalls(g.Mode), scale, &n); p.sight != 0 || aside && len(n.astray) == told {
			detail := "Strides have no length: the walk leads towards the camera or away from it."
			if p.sight != 0 {
				detail += " How long a foot stands cannot be told from there."
			}
			g.Warnings = append(g.Warnings, quality.Warning{Code: quality.CodeOutOfPlane, Detail: detail, From: p.first, To: p.last})
		}
		g.supports(p, &n)
	}
	slices.SortFunc(g.Cycles, func(a, b Cycle) int { return cmp.Compare(a.Start, b.Start) })
	g.StrideTime, g.StepTime, g.StanceTime, g.SwingTime = n.strideTime.result(), n.stepTime.result(), n.stanceTime.result(), n.swingTime.result()
	g.StanceShare, g.StrideLength, g.StepLength = n.stanceShare.result(), n.strideLength.result(), n.stepLength.result()
	if both := g.StrideLength.Both; both.Count > 0 {
		g.StepLength.Both.Mean, g.StepLength.Both.Count = both.Mean/2, max(g.StepLength.Both.Count, both.Count)
	}
	g.FlightTime, g.DoubleSupport = analyze.SpreadOf(n.flight), analyze.SpreadOf(n.double)
	stride := g.StrideTime.Both
	if period, ok := period(passes); ok && stride.Count > 1 && math.Abs(stride.Mean/period-1) < uneven {
		g.Cadence = analyze.Value{X: 120 / period, Present: true}
	}
	if speed := g.StrideLength.Both.Mean / stride.Mean; stride.Count > 0 && speed > 0 {
		g.Speed = analyze.Value{X: speed, Present: true}
	}
	g.uncertainties(&n, scaleError)
}

// phases adds the times of the strides of a pass, and of their stance and swing.
func (g *Gait) phases(p *pass, n *numbers) {
	for side := range p.feet {
		for _, s := range p.strides(side) {
			long, share := s.next-s.strike, (s.lift-s.strike)/(s.next-s.strike)
			if long > longest*n.usual || long < n.usual/longest || g.refuse(p, side, s.strike, s.next, n.can.stride, long, "a stride of %.2f s", long) ||
				s.lifted && g.refuse(p, side, s.strike, s.lift, n.can.stance, share, "a stance of %.2f s, %.0f %% of the stride", s.lift-s.strike, 100*share) {
				continue
			}
			n.strideTime.add(side, long)
			if s.lifted {
				n.stanceTime.add(side, s.lift-s.strike)
				n.swingTime.add(side, s.next-s.lift)
				n.stanceShare.add(side, share)
				g.Cycles = append(g.Cycles, Cycle{sideNames[side], s.strike, s.lift, s.next})
			}
		}
	}
}

// steps adds the times of the steps of a pass, and the lengths of steps and strides. aside reports whether some lead too much towards
// the camera, or away from it, to have one.
func (g *Gait) steps(p *pass, falls []footfall, scale float64, n *numbers) (aside bool) {
	length := func(e, f *footfall, steps float64, what string) (length, share float64, ok, refused bool) {
		if !e.known || !f.known || p.along == 0 {
			return 0, 0, false, false
		}
		d := f.place.Sub(e.place)
		long := math.Copysign(d.Len(), d[0]) / p.along
		if share = d[1] * d[1] / (long * long); !(share < mostAside) {
			aside = true
			return 0, 0, false, false
		}
		refused = g.refuse(p, f.side, e.time, f.time, n.can.length, long/p.torso/steps, "a %s of %.2f %s", what, long*scale, g.Unit)
		return long * scale, share, !refused, refused
	}
	var before [2]*footfall // the last one of each foot
	for i := range falls {
		f := &falls[i]
		if e := before[f.side]; e != nil && f.time-e.time < longest*n.usual {
			if long, share, ok, _ := length(e, f, 2, "stride"); ok {
				n.strideLength.add(f.side, long)
				n.astray = append(n.astray, p.astray+focalError*share)
			}
		}
		before[f.side] = f
		if i == 0 || falls[i-1].side == f.side {
			continue
		}
		e := &falls[i-1]
		if long := f.time - e.time; long < longest*n.usual/2 && !g.refuse(p, f.side, e.time, f.time, n.can.step, long/n.usual, "a step of %.2f s", long) {
			far, ok, refused := 0.0, false, false
			if !p.oblique {
				far, _, ok, refused = length(e, f, 1, "step")
			}
			if ok {
				n.stepLength.add(f.side, far)
			}
			if !refused {
				n.stepTime.add(f.side, long)
			}
		}
	}
	return aside
}

// supports adds the times of a pass in which both feet stand, or neither.
func (g *Gait) supports(p *pass, n *numbers) {
	for side := range p.feet {
		for _, lift := range p.feet[side].lifts {
			strikes := p.feet[1-side].strikes
			j, _ := slices.BinarySearch(strikes, lift)
			if g.Mode == running && j < len(strikes) && strikes[j]-lift < n.usual/2 {
				n.flight = append(n.flight, strikes[j]-lift)
			}
			if g.Mode == walking && j > 0 && lift-strikes[j-1] < n.usual/2 {
				n.double = append(n.double, lift-strikes[j-1])
			}
		}
	}
}

func (g *Gait) list(k int, p *pass) {
	var events []Event
	for side := range p.feet {
		for _, t := range p.feet[side].strikes {
			events = append(events, Event{HeelStrike, sideNames[side], p.first + rank.Nearest(p.times, t), t, k})
		}
		for _, t := range p.feet[side].lifts {
			events = append(events, Event{ToeOff, sideNames[side], p.first + rank.Nearest(p.times, t), t, k})
		}
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.Time, b.Time) })
	g.Events = append(g.Events, events...)
}

// typical returns the median stride time in seconds, 0 if there is no stride.
func typical(passes []*pass) float64 {
	var times []float64
	for _, p := range passes {
		for side := range p.feet {
			for _, s := range p.strides(side) {
				times = append(times, s.next-s.strike)
			}
		}
	}
	return rank.Median(times)
}

// footfall is a foot on the ground.
type footfall struct {
	side  int
	time  float64        // of the heel strike
	place keypoint.Point // on the moving ground, forward and away from the camera, in pixels where the person is of the median size
	known bool           // at least half of the time on the ground is seen
}

// window is a part of the stance, as shares of its duration.
type window struct{ from, to float64 }

var (
	// flat is when the foot lies flat.
	flat = window{0.15, 0.55}
	// early is when the legs of a runner have not crossed yet: where they do, networks take one ankle for the other.
	early = window{0.15, 0.40}
	// tip is when the big toe lies on the ground.
	tip = window{0.15, 0.85}
)

// leastSeen is the share of the frames of a window in which the foot must be seen to tell the speed of the ground.
const leastSeen = 0.75

// planted returns the part of the foot that rests on the ground, and when.
func (f *foot) planted(mode Mode) (*track, window) {
	switch {
	case f.whole:
		return &f.toe, tip
	case mode == running:
		return &f.ankle, early
	}
	return &f.ankle, flat
}

// frames returns the frames of a part of a stance: from first to before end.
func (p *pass) frames(w window, strike, lift float64) (first, end int) {
	first, _ = slices.BinarySearch(p.times, strike+w.from*(lift-strike))
	end, _ = slices.BinarySearch(p.times, strike+w.to*(lift-strike))
	return first, end
}

// lift returns when a stance ends: at the next toe off, or, where that is missing, after the usual time.
func (f *foot) lift(strike, usual float64) float64 {
	if j, _ := slices.BinarySearch(f.lifts, strike); j < len(f.lifts) && f.lifts[j]-strike < longest*usual {
		return f.lifts[j]
	}
	return strike + usual
}

// footfalls returns the footfalls of a pass by time. A stance whose end is not seen has the usual share of the stride.
func (p *pass) footfalls(mode Mode) (falls []footfall) {
	usual := p.stance()
	for side := range p.feet {
		f := &p.feet[side]
		point, w := f.planted(mode)
		for _, strike := range p.marks(side) {
			lift := f.lift(strike, usual)
			fall := footfall{side: side, time: strike}
			first, end := p.frames(w, strike, lift)
			places := rank.Known(end-first, func(k int) (float64, bool) {
				return point.x[first+k] - p.ground*p.times[first+k], point.seen[first+k]
			})
			rate := float64(len(p.times)-1) / (p.times[len(p.times)-1] - p.times[0])
			whole := (w.to - w.from) * (lift - strike) * rate // the number of frames, also of those that are not seen
			fall.place, fall.known = p.place(rank.Median(places), (first+end)/2), float64(len(places)) >= max(1, whole/2)
			falls = append(falls, fall)
		}
	}
	slices.SortFunc(falls, func(a, b footfall) int { return cmp.Compare(a.time, b.time) })
	return falls
}

// place returns where a foot stands whose place in the picture is x. The person is as far away as the size of the torso in frame i says.
func (p *pass) place(x float64, i int) keypoint.Point {
	if i >= len(p.sizes) || p.sizes[i] == 0 {
		return keypoint.Point{x, 0}
	}
	nearer := p.torso / p.sizes[i]
	return keypoint.Point{(x - p.middle) * nearer, p.focal * nearer}
}

// stance returns the median stance time in seconds.
func (p *pass) stance() float64 {
	var times []float64
	for side := range p.feet {
		f := &p.feet[side]
		for _, strike := range f.strikes {
			if j, _ := slices.BinarySearch(f.lifts, strike); j < len(f.lifts) {
				times = append(times, f.lifts[j]-strike)
			}
		}
	}
	return rank.Median(times)
}

// belt returns the speed of the ground in place: that of the feet while they rest on it, by the mean of
// both sides' medians, since one foot is nearer to the camera.
func (p *pass) belt(mode Mode) (speed float64, ok bool) {
	usual, feet := p.stance(), 0.0
	for side := range p.feet {
		var slopes []float64
		f := &p.feet[side]
		point, w := f.planted(mode)
		for _, strike := range f.strikes {
			var t, x []float64
			first, end := p.frames(w, strike, f.lift(strike, usual))
			for i := first; i < end; i++ {
				if point.seen[i] {
					t, x = append(t, p.times[i]), append(x, point.x[i])
				}
			}
			if len(t) > 1 && float64(len(t)) >= leastSeen*float64(end-first) {
				slopes = append(slopes, slope(t, x))
			}
		}
		if len(slopes) > 0 {
			speed, feet = speed+rank.Median(slopes), feet+1
		}
	}
	return speed / max(feet, 1), speed < 0
}

// slope returns the median slope of the lines through every two points (Theil and Sen), which single wrong points do not bend.
func slope(t, x []float64) float64 {
	var slopes []float64
	for i := range t {
		for j := range i {
			slopes = append(slopes, (x[i]-x[j])/(t[i]-t[j]))
		}
	}
	return rank.Median(slopes)
}
