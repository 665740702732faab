package analyze

// bend is an excursion. Its times are in seconds: the way out from start to arrive, the hold,
// and the way back from depart to end. From left to near it is away from rest by more than a tenth.
type bend struct {
	start, left, arrive, depart, near, end float64
}

// A least-jerk movement has gone a tenth of its way at this share of its duration, and nine tenths at one minus this share.
const (
	tenth       = 0.2466
	tenthToNine = 1 - 2*tenth
)

// newBend returns the tempo of an excursion of the values.
func newBend(times, y []float64, x excursion) (p bend) {
	out, back := newWay(times, y, x.from, x.turn), newWay(times, y, x.to, x.turn)
	first, last := newWay(times, y, x.from, x.first), newWay(times, y, x.to, x.last)
	p.start, p.left, p.arrive = max(first.leave, times[0]), first.t10, out.reach
	p.end, p.near, p.depart = min(last.leave, times[len(times)-1]), last.t10, back.reach
	if p.arrive > p.depart { // no hold
		p.arrive = min(max((p.arrive+p.depart)/2, out.t90), back.t90)
		p.depart = p.arrive
	}
	return p
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

// newWay returns the movement from rest to a turn. If rest comes after the turn, it is the movement back, and time runs
// backwards; if they are the same, the recording starts or ends there.
func newWay(times, y []float64, rest, turn int) way {
	step := 1
	if rest > turn {
		step = -1
	}
	if y[rest] >= y[turn] {
		return way{times[turn], times[turn], times[turn], times[turn]}
	}
	near, far := y[rest]+0.1*(y[turn]-y[rest]), y[turn]-0.1*(y[turn]-y[rest])
	i := turn - step
	for i != rest && y[i] > near { // the last time that it is at rest
		i -= step
	}
	t10 := crossing(times, y, i, i+step, near)
	i += step
	for i != turn && y[i] < far { // and then the first time that it is far from there
		i += step
	}
	t90 := crossing(times, y, i-step, i, far)
	duration := (t90 - t10) / tenthToNine
	return way{t10 - tenth*duration, t10, t90, t90 + tenth*duration}
}

// crossing returns when the line through the values at i and j, which lie on both sides of the level, crosses it.
func crossing(times, x []float64, i, j int, level float64) float64 {
	if x[i] == x[j] { // the difference is that of rounding
		return times[j]
	}
	return times[i] + (times[j]-times[i])*(level-x[i])/(x[j]-x[i])
}

// excursion is from one index over the farthest value to another. If several are one, first and last are the turns of the
// first and of the last of them.
type excursion struct{ from, first, turn, last, to int }
