package clean

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// The costs, in torso lengths. They were found on rendered movies of walking, running and lunging at 15
// to 60 frames per second, with the mistakes of two networks. A third more or less changes little.
const (
	exchangedCost = 2.0  // per second in which a pair is exchanged
	apartCost     = 2.0  // as much more for each torso length between the twins
	changeCost    = 0.05 // for each change between exchanged and not
	boneCost      = 60.0 // per second, for each torso length by which upper arms or thighs become longer
	boneError     = 0.1  // by how much they may without cost

	restError    = 0.07 // how far a part may be from where it is expected without cost
	acceleration = 25.0 // and as much more per second²
	unknownSpeed = 5.0  // per second, of a part that has been seen once
	velocityTime = 0.03 // seconds over which the velocity is averaged

	onePlace     = 0.1  // twins nearer to each other are in one place
	pathMemory   = 0.25 // seconds for which a part is expected without being seen
	slowestFrame = 0.07 // seconds; after more than that, movement tells nothing
)

// sides repairs exchanged left and right of one person while frames arrive, without looking ahead.
//
// Networks exchange the left and right of a limb, or an ankle alone, in single frames or for a while. In each frame,
// each pair of twins from shoulders to ankles is either as the network says or exchanged. sides takes the cheapest path
// through these states. Its cost in torso lengths is the sum over the frames of
//
//	max(0, |p − p̂| − 0.07 − 25·dt²)    for both twins, with p̂ = p₀ + v₀·dt; less 5·dt for the second point
//	2·(1 + 2·d)·dt                     if the pair is exchanged, d apart
//	0.05                               if that changes
//	60·(b − 0.1)·dt                    if upper arms or thighs are longer so, by b
//
// p is the position of a part, and p̂ the one expected from its last position p₀, its velocity v₀ and the time dt since
// then. So a pair is exchanged only to explain a movement that a part cannot make, and in the long run the network is
// right. If twins are in one place that only one of them can have reached, the other counts as not seen. Twins within
// 0.14 of each other are not changed, and nothing is changed below 15 frames per second, where legs pass each other
// between two frames. Eyes and ears follow the shoulders, the parts of the feet the ankles.
type sides struct {
	pairs  [6]pair
	torsos float64 // sum of the torso lengths of the frames
	count  float64 // of them
	last   float64 // seconds
	any    bool    // a frame has been seen
}

// next returns the frame with its most likely left and right, and notes what it exchanged.
func (s *sides) next(f keypoint.Frame, seconds float64, changes *[keypoint.NumParts]Change) keypoint.Frame {
	if torso := torsoLength(&f); torso > 0 {
		s.torsos, s.count = s.torsos+torso, s.count+1
	}
	step := seconds - s.last
	if !s.any {
		step = 0
	}
	s.any, s.last = true, seconds
	if s.torsos == 0 {
		return f
	}
	var states [6]bool
	for k := range s.pairs {
		p := &s.pairs[k]
		torso := s.torsos / s.count
		seen := sight(&f, leftOf(k), torso)
		p.next(seen, longer(&f, k, k > 0 && states[k-1])/torso, seconds, step)
		states[k] = p.cheapest() && !seen.together()
	}
	exchangeAll(&f, states, changes)
	return f
}

// leftOf returns the left part of pair k: shoulders, elbows, wrists, hips, knees, ankles.
func leftOf(k int) keypoint.Part { return keypoint.LeftShoulder + keypoint.Part(2*k) }

// twins are a left part and its twin in a frame, in torso lengths.
type twins struct {
	at  [2]keypoint.Point
	has [2]bool
}

func sight(f *keypoint.Frame, left keypoint.Part, torso float64) (t twins) {
	for side, p := range [2]keypoint.Part{left, left.Mirror()} {
		t.at[side], t.has[side] = f.At(p)
		t.at[side] = t.at[side].Mul(1 / torso)
	}
	return t
}

// apart returns the distance of the twins; ok is false if one is missing.
func (t *twins) apart() (torsos float64, ok bool) {
	if !t.has[0] || !t.has[1] {
		return 0, false
	}
	return length(t.at[0].Sub(t.at[1])), true
}

// together reports whether the twins are too near each other to be told apart.
func (t *twins) together() bool {
	d, ok := t.apart()
	return ok && d < 2*restError
}

// pair follows a left part and its twin through both states: 0 as the network says, 1 exchanged.
type pair [2]pairState

// pairState is the cheapest path to a state.
type pairState struct {
	cost  float64
	paths [2]path // of the left part, and of the right
}

// next adds a frame, and returns the state before each state on the cheapest path to it.
func (p *pair) next(t twins, longer, seconds, step float64) (from [2]int) {
	bones := [2]float64{max(0, -longer-boneError), max(0, longer-boneError)}
	keep := 0.0
	if t.has[0] || t.has[1] {
		d, _ := t.apart()
		keep = exchangedCost * (1 + apartCost*d) * min(step, pathMemory)
	}
	var next [2]pairState
	for state := range next {
		best := math.Inf(1)
		var unseen [2]bool
		for before := range p {
			cost, hidden := p[before].cost, [2]bool{}
			if step <= slowestFrame {
				var excess float64
				excess, hidden = p[before].excess(&t, state, seconds)
				cost += excess
			}
			if before != state {
				cost += changeCost
			}
			if cost < best {
				best, unseen, from[state] = cost, hidden, before
			}
		}
		next[state] = p[from[state]]
		next[state].cost = best + float64(state)*keep + boneCost*bones[state]*min(step, pathMemory)
		for side := range unseen {
			if seen := side ^ state; t.has[seen] && !unseen[side] {
				next[state].paths[side].add(t.at[seen], seconds)
			}
		}
	}
	// Only the difference matters; without the sum, it stays exact in long recordings.
	least := min(next[0].cost, next[1].cost)
	for state := range next {
		next[state].cost -= least
	}
	*p = next
	return from
}

// longer returns by how much the upper arms or thighs, both together, are longer in the picture if the elbows or knees, pair
// k, are exchanged; 0 for other pairs and where a part is missing. exchanged tells of the shoulders or hips.
func longer(f *keypoint.Frame, k int, exchanged bool) float64 {
	if k%3 != 1 {
		return 0
	}
	near, left := leftOf(k-1), leftOf(k)
	sum := 0.0
	for _, bone := range [2]keypoint.Edge{{near, left}, {near.Mirror(), left.Mirror()}} {
		as, ok := f.Distance(bone[0], bone[1])
		crossed, also := f.Distance(bone[0].Mirror(), bone[1])
		if !ok || !also {
			return 0
		}
		sum += crossed - as
	}
	if exchanged {
		return -sum
	}
	return sum
}

// cheapest reports whether the cheapest path ends exchanged.
func (p *pair) cheapest() bool { return p[1].cost < p[0].cost }

// excess returns the cost of a frame's movement if the pair comes to a state, and which twins are not seen:
// where both are in one place which only one of them can have reached, the other.
func (s *pairState) excess(t *twins, state int, seconds float64) (torsos float64, unseen [2]bool) {
	var excess [2]float64
	known := 0
	for side := range s.paths {
		seen := side ^ state
		p := &s.paths[side]
		if t.has[seen] && p.points > 0 && seconds-p.seconds <= pathMemory {
			known++
			excess[side] = p.excess(t.at[seen], seconds)
		}
	}
	if d, ok := t.apart(); known == 2 && ok && d < onePlace && math.Abs(excess[0]-excess[1]) > onePlace {
		far := 0
		if excess[1] > excess[0] {
			far = 1
		}
		unseen[far], excess[far] = true, 0
	}
	return excess[0] + excess[1], unseen
}

// path is where a part was last seen, and how it moves.
type path struct {
	at       keypoint.Point // torso lengths
	velocity keypoint.Point // torso lengths per second
	seconds  float64
	points   int // 0: never seen, 1: the velocity is not known yet, 2: it is
}

// excess returns by how much the distance of a point from its expected position exceeds the tolerance.
func (p *path) excess(at keypoint.Point, seconds float64) (torsos float64) {
	dt := seconds - p.seconds
	expected := p.at.Add(p.velocity.Mul(dt))
	tolerance := restError + acceleration*dt*dt
	if p.points == 1 {
		tolerance += unknownSpeed * dt
	}
	return max(0, length(at.Sub(expected))-tolerance)
}

// length is the length of a vector of a few torso lengths.
func length(v keypoint.Point) float64 { return math.Sqrt(v.LenSqr()) }

func (p *path) add(at keypoint.Point, seconds float64) {
	dt := seconds - p.seconds
	if p.points == 0 || dt > pathMemory {
		*p = path{at: at, seconds: seconds, points: 1}
		return
	}
	share := dt / (dt + velocityTime)
	p.velocity = p.velocity.Mul(1 - share).Add(at.Sub(p.at).Mul(share / dt))
	p.at, p.seconds, p.points = at, seconds, 2
}
