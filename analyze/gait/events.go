package gait

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
)

const (
	leastSwing  = 0.15 // torso lengths: the least movement of a foot about the hips
	leastStride = 0.25 // seconds
	reach       = 0.15 // seconds from the candidate to the event at most
	settled     = 0.25 // seconds after which a foot that walks lies flat
	leastTip    = 0.03 // torso lengths: the least way down of the toes
	tipShare    = 0.35 // of that way, after which the heel has touched
	heelDown    = 0.03 // torso lengths above the ground at which the heel may be on it
	rolling     = 0.05 // of the stride: from the toe off as the ankle of a walker shows it to that of the toes
	margin      = 0.1  // seconds around the time when a foot enters or leaves the picture
)

// thresholds are the shares of the person's speed at which a foot has come to rest or leaves.
type thresholds struct{ strike, lift float64 }

// shares returns the thresholds of a foot, see the package documentation. stance is how far the person goes
// during a stance, in torso lengths; 0: unknown.
func (f *foot) shares(mode Mode, stance float64) (t thresholds) {
	t = thresholds{0.5, 0.8}
	turn := 1.3
	if mode == running {
		t, turn = thresholds{0.5, 0.6}, 0.95
	}
	switch {
	case f.whole && mode == running:
		return thresholds{0.3, 0.25}
	case f.whole:
		return thresholds{0.4, 0.6}
	case stance > 0:
		t.lift = min(1, turn/stance)
	}
	return t
}

// modeOf tells running from walking: the feet are in stance for less than half of a stride. Events are
// found as those of running, so that stances come out too short rather than too long.
func modeOf(passes []*pass) Mode {
	var stances []float64
	for _, p := range passes {
		p.detect(running)
		for side := range p.feet {
			for _, s := range p.strides(side) {
				if s.lifted {
					stances = append(stances, (s.lift-s.strike)/(s.next-s.strike))
				}
			}
		}
	}
	if len(stances) > 0 && rank.Median(stances) < 0.5 {
		return running
	}
	return walking
}

// detect finds the events of both feet, twice: the distance of a stance, and in place the speed of the ground, come from the stances.
func (p *pass) detect(mode Mode) {
	if p.sight != 0 {
		return
	}
	stance := 0.0
	for range 2 {
		for side := range p.feet {
			p.ofFoot(&p.feet[side], mode, stance)
		}
		if speed, ok := p.belt(mode); ok && p.inPlace {
			p.ground = speed
		}
		stance = p.speed() * p.stance() / p.torso
	}
	later := rolling * typical([]*pass{p})
	for side := range p.feet {
		f := &p.feet[side]
		for k := range f.lifts {
			if mode == walking && !f.whole {
				f.lifts[k] += later
			}
		}
		f.lifts = slices.DeleteFunc(f.lifts, func(t float64) bool { return t > p.times[len(p.times)-1] })
	}
}

// ofFoot finds the events of a foot.
func (p *pass) ofFoot(f *foot, mode Mode, stance float64) {
	share := f.shares(mode, stance)
	speed := p.speed()
	f.strikes, f.lifts = nil, nil
	for _, i := range f.ahead {
		if t, ok := p.contact(f, i, mode, share.strike*speed); ok && later(f.strikes, t) && p.sure(t) {
			f.strikes = append(f.strikes, t)
		}
	}
	for _, i := range f.behind {
		if t, ok := p.rest(f.last(), i, -1, share.lift*speed); ok && later(f.lifts, t) && p.sure(t) {
			f.lifts = append(f.lifts, t)
		}
	}
}

// contact returns when the foot whose heel is farthest ahead in frame i touches the ground, whichever part of it comes
// first: see the package documentation.
func (p *pass) contact(f *foot, i int, mode Mode, limit float64) (seconds float64, ok bool) {
	if seconds, ok = p.rest(f.first(), i, 1, limit); !f.whole {
		return seconds, ok
	}
	if t, found := p.rest(&f.toe, i, 1, limit); found && (!ok || t < seconds) {
		seconds, ok = t, true
	}
	if ok && mode == walking {
		seconds = p.tipped(f, seconds)
	}
	return seconds, ok
}

// tipped returns when the toes of a foot that rests at a time began to come down while the heel was down: a foot that
// slides on has touched before. It returns the time itself where the foot does not show it.
func (p *pass) tipped(f *foot, seconds float64) float64 {
	j := rank.Nearest(p.times, seconds)
	high, low, heels := math.Inf(1), math.Inf(-1), []float64(nil) // y is down
	for i, t := range p.times {
		if !f.toe.ok[i] || !f.heel.ok[i] {
			continue
		}
		if t >= seconds-reach && i <= j {
			high = min(high, f.toe.y[i])
		}
		if i >= j && t <= seconds+settled {
			low, heels = max(low, f.toe.y[i]), append(heels, f.heel.y[i])
		}
	}
	if low-high < leastTip*p.torso {
		return seconds
	}
	ground, level := rank.Median(heels)-heelDown*p.torso, high+tipShare*(low-high)
	for i := j; i > 0 && seconds-p.times[i-1] <= reach && f.toe.ok[i-1] && f.heel.y[i] >= ground; i-- {
		if a, b := f.toe.y[i-1], f.toe.y[i]; a <= level && b > level {
			return min(seconds, p.times[i-1]+(level-a)/(b-a)*(p.times[i]-p.times[i-1]))
		}
	}
	return seconds
}

// later reports whether a time comes at least the least stride after the others.
func later(times []float64, t float64) bool {
	return len(times) == 0 || t-times[len(times)-1] >= leastStride
}

// speed returns the mean speed of the hips over the ground in pixels per second.
func (p *pass) speed() float64 {
	n := len(p.times) - 1
	return math.Abs((p.hips.x[n]-p.hips.x[0])/(p.times[n]-p.times[0]) - p.ground)
}

// extremes returns the frames in which a point is farthest before the hips, or behind them. Near the frame
// in which it enters or leaves the picture, there are none.
func (p *pass) extremes(t *track, before bool) (frames []int) {
	at := rank.Where(0, len(t.ok), func(i int) bool { return t.ok[i] })
	x := rank.Known(len(t.ok), func(i int) (float64, bool) { return t.x[i] - p.hips.x[i], t.ok[i] })
	if len(x) < 3 {
		return nil
	}
	first, last := at[0], at[len(at)-1]
	sorted := slices.Sorted(slices.Values(x))
	spread := sorted[len(sorted)*19/20] - sorted[len(sorted)/20]
	turns := rank.Turns(x, max(spread/3, leastSwing*p.torso))
	for k := 1; k+1 < len(turns); k++ {
		a, b, c := turns[k-1], turns[k], turns[k+1]
		switch top := x[b] > x[a]; {
		case p.times[at[c]]-p.times[at[a]] < leastStride:
		case top == before:
			frames = append(frames, at[b])
		default:
			frames = append(frames, at[a], at[c])
		}
	}
	slices.Sort(frames)
	frames = slices.Compact(frames)
	return slices.DeleteFunc(frames, func(i int) bool {
		return i == first || i == last ||
			(p.cut[0] || first > 0) && p.times[i]-p.times[first] < margin || (p.cut[1] || last < len(p.times)-1) && p.times[last]-p.times[i] < margin
	})
}

// rest returns when the speed of a point over the ground falls below a limit, from frame i on forwards or backwards in time.
func (p *pass) rest(t *track, i, step int, limit float64) (seconds float64, ok bool) {
	above := math.NaN()
	for j := i; j >= 0 && j < len(p.times) && math.Abs(p.times[j]-p.times[i]) <= reach; j += step {
		v, ok := t.speed(p.times, j)
		if !ok {
			return 0, false
		}
		v = math.Abs(v - p.ground)
		switch {
		case v > limit:
			above = v
		case j == i:
			return p.times[i], true
		default:
			share := (above - limit) / (above - v)
			return p.times[j-step] + share*(p.times[j]-p.times[j-step]), true
		}
	}
	return 0, false
}
