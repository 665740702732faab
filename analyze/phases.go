package analyze

import "github.com/bodymotion/motion/internal/rank"

// bend is a fall and rise of values. Its times are in seconds: the way out from start to arrive, the hold,
// and the way back from depart to end. From left to near it is away from rest by more than a tenth.
type bend struct {
	start, left, arrive, depart, near, end float64

	bottom float64 // the farthest value
	depth  float64 // from the nearer one of the two extremes
	area   float64 // depth × duration at half depth
}

// A least-jerk movement has gone a tenth of its way at this share of its duration, and nine tenths at
// one minus this share.
const (
	tenth       = 0.2466
	tenthToNine = 1 - 2*tenth
)

// newBend returns the fall and rise with the extremes at a, b and c.
func newBend(times, x []float64, a, b, c int) bend {
	p := bend{bottom: x[b], depth: min(x[a], x[c]) - x[b]}
	out, back := newWay(times, x, a, b), newWay(times, x, c, b)
	p.start, p.left, p.arrive = max(out.leave, times[0]), out.t10, out.reach
	p.end, p.near, p.depart = min(back.leave, times[len(times)-1]), back.t10, back.reach
	if p.arrive > p.depart { // no hold
		p.arrive = min(max((p.arrive+p.depart)/2, out.t90), back.t90)
		p.depart = p.arrive
	}
	half, first, last := x[b]+p.depth/2, b-1, b+1
	for first > a && x[first] < half {
		first--
	}
	for last < c && x[last] < half {
		last++
	}
	p.area = p.depth * (crossing(times, x, last-1, last, half) - crossing(times, x, first, first+1, half))
	return p
}

// usualArea returns the median area of the deep ones.
func usualArea(list []bend) float64 {
	deepest := 0.0
	for _, p := range list {
		deepest = max(deepest, p.depth)
	}
	var areas []float64
	for _, p := range list {
		if p.depth >= completeness*deepest {
			areas = append(areas, p.area)
		}
	}
	return rank.Median(areas)
}

// separate ends a repetition where the next one begins, halfway between the two where they overlap.
func separate(list []bend) {
	for k := 1; k < len(list); k++ {
		if a, b := &list[k-1], &list[k]; a.end > b.start {
			a.end = min(max((a.end+b.start)/2, a.near), b.left)
			b.start = a.end
		}
	}
}

// way is the movement from one extreme to another: when it leaves the one, when it has gone a tenth and nine
// tenths, and when it reaches the other, in seconds.
type way struct{ leave, t10, t90, reach float64 }

// newWay returns the movement from the extreme at top to that at bottom. If top comes after bottom, it is the
// movement back, and time runs backwards.
func newWay(times, x []float64, top, bottom int) way {
	step := 1
	if top > bottom {
		step = -1
	}
	high, low := x[top]-0.1*(x[top]-x[bottom]), x[bottom]+0.1*(x[top]-x[bottom])
	i := bottom - step
	for i != top && x[i] < high { // the last time that it is above
		i -= step
	}
	t10 := crossing(times, x, i, i+step, high)
	i += step
	for i != bottom && x[i] > low { // and then the first time that it is below
		i += step
	}
	t90 := crossing(times, x, i-step, i, low)
	duration := (t90 - t10) / tenthToNine
	return way{t10 - tenth*duration, t10, t90, t90 + tenth*duration}
}

// crossing returns when the line through the values at i and j, which lie on both sides of the level,
// crosses it.
func crossing(times, x []float64, i, j int, level float64) float64 {
	if x[i] == x[j] { // the difference is that of rounding
		return times[j]
	}
	return times[i] + (times[j]-times[i])*(level-x[i])/(x[j]-x[i])
}
