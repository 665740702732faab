package analyze

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// excursions are the values of one person, without strides.
type excursions struct {
	*series
	frames     []int
	times      []float64
	start, end float64 // the values at rest
	low, high  float64
	rises      bool      // rest is low
	sign       float64   // of the direction
	y          []float64 // per frame, how far the value is from rest
}

// excursions returns those of the person who has these frames.
func (s *series) excursions(frames []int, least float64) excursions {
	e := excursions{series: s, frames: s.inPlace(frames, least)}
	n := len(e.frames)
	if n == 0 {
		return e
	}
	for _, i := range e.frames {
		e.times = append(e.times, s.seq.Times[i])
	}
	x := e.values(e.frames)
	e.low, e.high = slices.Min(x), slices.Max(x)
	first, _ := slices.BinarySearch(e.times, e.times[0]+restSeconds)
	last, _ := slices.BinarySearch(e.times, e.times[n-1]-restSeconds)
	e.start, e.end = rank.Median(x[:max(first, 1)]), rank.Median(x[min(last, n-1):])
	if s.goesOn {
		e.end = e.start
	}
	// The start weighs twice, since a camera is often stopped in the middle of a movement.
	e.rises = 2*(e.start-e.low)+(e.end-e.low) <= 1.5*(e.high-e.low)
	return e
}

// values returns a copy of the smoothed values.
func (s *series) values(frames []int) []float64 {
	x := make([]float64, len(frames))
	for k, i := range frames {
		x[k] = s.x[i]
	}
	return x
}

// away fills y for a direction. Rest is the farther one of start and end, or if both are amid a movement what a quarter of the
// values are beyond. What is beyond rest by more than half of the least depth does not count.
func (e *excursions) away(d Direction, least float64) {
	if len(e.frames) < 3 {
		return
	}
	e.y = e.values(e.frames)
	share, rest := 0.25, min(e.start, e.end)
	if e.sign = 1; d == falls {
		e.sign, share, rest = -1, 0.75, max(e.start, e.end)
	}
	if e.sign*(rest-(e.low+e.high)/2) > 0 {
		rest = rank.Percentile(slices.Clone(e.y), share)
	}
	for k, x := range e.y {
		e.y[k] = max(-least/2, e.sign*(x-rest))
	}
}

// repetitions returns those of at least a depth.
func (e *excursions) repetitions(least float64, opt RepetitionOptions) (list []Repetition) {
	if len(e.y) == 0 {
		return nil
	}
	turns := rank.Turns(e.y, least)
	var found []excursion
	for k, turn := range turns {
		x := excursion{0, turn, turn, turn, len(e.y) - 1}
		if k > 0 {
			x.from = turns[k-1]
		}
		if k+1 < len(turns) {
			x.to = turns[k+1]
		}
		if e.y[turn] < max(e.y[x.from], e.y[x.to], least) {
			continue
		}
		for len(found) > 0 && e.one(found[len(found)-1], x, opt) {
			before := found[len(found)-1]
			found = found[:len(found)-1]
			if x.from, x.first = before.from, before.first; e.y[before.turn] > e.y[x.turn] {
				x.turn = before.turn
			}
		}
		found = append(found, x)
	}
	bends := make([]bend, len(found))
	for k, x := range found {
		bends[k] = newBend(e.times, e.y, x)
	}
	separate(bends)
	for k, b := range bends {
		if over := !e.goesOn || k < len(bends)-1; b.end-b.start < opt.MinDuration || over && e.leaves(e.moment(b.start).Frame, e.moment(b.end).Frame) {
			continue
		}
		middle := (b.arrive + b.depart) / 2
		r := Repetition{Start: e.moment(b.start), Turn: e.moment(middle), End: e.moment(b.end), Duration: b.end - b.start,
			Out: b.arrive - b.start, Hold: b.depart - b.arrive, Back: b.end - b.depart, TimeUncertainty: math.Hypot(timeVaries, timeBias),
			Curve: Normalize(e.seq.Times, e.result.Values, b.start, b.end)}
		r.Turn.Value = e.x[e.frames[found[k].turn]]
		out, back := math.Abs(r.Turn.Value-r.Start.Value), math.Abs(r.Turn.Value-r.End.Value)
		if r.Depth = max(out, back); min(out, back) >= completeness*r.Depth {
			r.Complete, r.Depth = true, (out+back)/2
		}
		list = append(list, r)
		now := len(e.y) - 1
		e.settled = r.Complete && e.times[now]-r.End.Time >= settleSeconds && e.back(found[k].turn)(now)
	}
	return list
}

// moment returns that of a time.
func (e *excursions) moment(seconds float64) Moment {
	i := e.frames[rank.Nearest(e.times, seconds)]
	return Moment{i, seconds, e.x[i]}
}

// one reports whether two excursions are one repetition: there is no moment between them at which both the values and the
// body have come back.
func (e *excursions) one(a, b excursion, opt RepetitionOptions) bool {
	if opt.Prominence > 0 {
		return false
	}
	back := e.back(a.turn, b.turn)
	for k := a.last; k <= b.turn; k++ {
		if back(k) {
			return false
		}
	}
	return true
}

// back returns whether the values and the body have come back, by a third or more, from all of the turns.
func (e *excursions) back(turns ...int) func(k int) bool {
	n, rest := len(e.frames), 0
	if e.y[0] > e.y[n-1] {
		rest = n - 1
	}
	value, body := math.Inf(1), math.Inf(1)
	for _, turn := range turns {
		value, body = min(value, (1-comesBack)*e.y[turn]), min(body, (1-comesBack)*e.apart(turn, rest))
	}
	return func(k int) bool { return e.y[k] <= value && e.apart(k, rest) <= max(body, stillTorsos) }
}

// apart returns how far trunk and legs are from where they are in another frame, seen from the feet, in torso lengths.
func (e *excursions) apart(k, other int) (torsos float64) {
	f, g := &e.seq.Frames[e.frames[k]], &e.seq.Frames[e.frames[other]]
	a, okA := f.Centroid(ankles)
	b, okB := g.Centroid(ankles)
	if !okA || !okB || e.torso == 0 {
		return 0
	}
	for _, part := range posture.List() {
		p, okP := f.At(part)
		q, okQ := g.At(part)
		if okP && okQ {
			torsos = max(torsos, p.Sub(a).Sub(q.Sub(b)).Len()/e.torso)
		}
	}
	return torsos
}

var (
	bothHips = keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip)
	ankles   = keypoint.PartsOf(keypoint.LeftAnkle, keypoint.RightAnkle)
	posture  = bothHips | ankles | keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder, keypoint.LeftKnee, keypoint.RightKnee)
)

const (
	stillTorsos = 0.3  // how far a part may be from its place at rest
	strideDrop  = 0.45 // torso lengths that the hips do not sink in a stride over the lower ankle
	passing     = 0.15 // torso lengths that a foot is before and then behind the other one
	passShare   = 0.25 // and of how far they are apart at most in the recording
	passSeconds = 0.4  // in which it goes from the one to the other without a stand
	stepSeconds = 1.0  // the feet of somebody who walks pass at least so often
	strideSize  = 0.15 // by which share the person becomes larger or smaller
	elsewhere   = 0.18 // torso lengths from where a foot stood, beyond which it stands elsewhere
	beside      = 0.05 // and up to which one is beside the other
	strideFeet  = 0.1  // torso lengths that the feet move meanwhile
	halfStride  = 0.6  // seconds
	stepTorsos  = 0.6  // how far the hips move in a stride, in torso lengths, if the feet are not seen
)

// inPlace removes the frames of strides, and short stands between them. Without a torso, whose length measures strides, it removes none.
func (s *series) inPlace(frames []int, least float64) []int {
	if s.torso == 0 {
		return frames
	}
	turns := rank.Turns(s.values(frames), least)
	goes := make([]bool, len(frames))
	for k := range turns {
		from, to := 0, len(frames)-1
		if k > 0 {
			from = turns[k-1]
		}
		if k+1 < len(turns) {
			to = turns[k+1]
		}
		if s.stride(frames[from], frames[to], k > 0 && k+1 < len(turns)) {
			for at := from; at <= to; at++ {
				goes[at] = true
			}
		}
	}
	var list []int
	interval := (s.seq.Times[s.seq.Len()-1] - s.seq.Times[0]) / float64(s.seq.Len())
	for from, end := range rank.Runs(goes) {
		whole := from == 0 && end == len(frames)
		if !goes[from] && (whole || float64(end-from)*interval > 2*halfStride) {
			list = append(list, frames[from:end]...)
		}
	}
	return list
}

// leaves reports whether the person walks on from one frame to another. Neither foot is where it was, nor is their middle, which does not
// move where legs are mistaken for each other. Each foot was ahead of the other on this way, unlike in side steps. The hips do not sink.
func (s *series) leaves(from, to int) bool {
	left, right := keypoint.PartsOf(keypoint.LeftAnkle), keypoint.PartsOf(keypoint.RightAnkle)
	on := s.way(ankles, from, to)
	if min(s.way(left, from, to).Len(), s.way(right, from, to).Len(), on.Len()) <= elsewhere {
		return false
	}
	ahead := rank.Known(to+1-from, func(i int) (float64, bool) {
		l, okL := s.seq.Frames[from+i].At(keypoint.LeftAnkle)
		r, okR := s.seq.Frames[from+i].At(keypoint.RightAnkle)
		return l.Sub(r).Dot(on) / (on.Len() * s.torso), okL && okR
	})
	low, high := slices.Min(ahead), slices.Max(ahead)
	return high-low > stillTorsos && low < -beside && high > beside && !s.sinks(from, to)
}

// way returns how the centre of parts moves from one frame to another in torso lengths; 0 if that is not known.
func (s *series) way(parts keypoint.Parts, from, to int) keypoint.Point {
	a, okA := s.seq.Frames[from].Centroid(parts)
	b, okB := s.seq.Frames[to].Centroid(parts)
	if !okA || !okB || s.torso == 0 {
		return keypoint.Point{}
	}
	return b.Sub(a).Mul(1 / s.torso)
}

// sinks reports whether the hips sink over the lower ankle from one frame to another as they do not in a stride, or rise.
func (s *series) sinks(from, to int) bool {
	var at, over []float64
	for i := from; i <= to; i++ {
		hip, okH := s.seq.Frames[i].Centroid(bothHips)
		left, okL := s.seq.Frames[i].At(keypoint.LeftAnkle)
		right, okR := s.seq.Frames[i].At(keypoint.RightAnkle)
		if okH && okL && okR {
			level := keypoint.World{Floor: s.seq.World.Floor}
			at = append(at, s.seq.Times[i])
			over = append(over, (max(level.Point(left)[1], level.Point(right)[1])-level.Point(hip)[1])/s.torso)
		}
	}
	low, high, n := 0.0, 0.0, len(over)-1
	for k := range over { // without the change of size
		share := (at[k] - at[0]) / max(at[n]-at[0], 1e-9)
		off := over[k] - over[0]*(1-share) - over[n]*share
		low, high = min(low, off), max(high, off)
	}
	return high-low >= strideDrop
}

// stride reports whether the person strides from one frame to another. back says that the values are back there, so that
// the size of the body can be compared.
func (s *series) stride(from, to int, back bool) bool {
	level := keypoint.World{Floor: s.seq.World.Floor}
	begin, end := s.seq.Times[from], s.seq.Times[to]
	middle := (begin + end) / 2
	apart, since, passes, seen := 0.0, 0.0, 0, false
	least := max(passing, passShare*s.apart/s.torso)
	first, _ := slices.BinarySearch(s.seq.Times, min(begin, middle-halfStride))
	for i := first; i < s.seq.Len() && s.seq.Times[i] <= max(end, middle+halfStride); i++ {
		left, okL := s.seq.Frames[i].At(keypoint.LeftAnkle)
		right, okR := s.seq.Frames[i].At(keypoint.RightAnkle)
		if !okL || !okR {
			continue
		}
		seen = seen || i >= from && i <= to
		if d := (level.Point(left)[0] - level.Point(right)[0]) / s.torso; math.Abs(d) > least {
			if d*apart < 0 && s.seq.Times[i]-since <= passSeconds {
				passes++
			}
			apart, since = d, s.seq.Times[i]
		}
	}
	if !seen {
		return back && s.way(bothHips, from, to).Len() > stepTorsos
	}
	size, okF := s.seq.Frames[from].BodyHeight()
	other, okG := s.seq.Frames[to].BodyHeight()
	nearer := back && okF && okG && math.Abs(other/size-1) > strideSize && s.way(ankles, from, to).Len() > strideFeet
	return (passes > 0 && passes >= int((end-begin)/stepSeconds) || nearer) && !s.sinks(from, to)
}
