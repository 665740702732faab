package gait

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// pass is a stretch in which the person goes one way. Coordinates are along that way: positive is forward.
type pass struct {
	first, last int     // frames of the recording
	cut         [2]bool // the recording goes on before it, and after it
	forward     float64
	inPlace     bool
	sight       float64 // towards the camera (2), away from it (−2), across the picture or in place (0)
	times       []float64
	hips        track
	feet        [2]foot // left, right
	unsure      []bool  // the frames in which the legs may be exchanged
	oblique     bool    // not seen from the side
	torso       float64 // pixels
	ground      float64 // speed of the ground, pixels per second: 0 or negative

	sizes  []float64 // the torso length in each frame in pixels by onFloor; nil where the person stays as far away
	middle float64   // of the picture, along the way
	focal  float64   // of the camera, in pixels
	along  float64   // the share of a length forwards that the picture shows: 1, in place less; 0: there are no lengths
	astray float64   // in place: one standard deviation of that, as a share of it
}

// foot is a foot in a pass.
type foot struct {
	ankle, heel, toe track
	whole            bool      // heel and toe are known
	ahead, behind    []int     // frames in which the heel is farthest before the hips, and the toe behind them
	strikes          []float64 // seconds
	lifts            []float64
}

// first returns the part of the foot that touches the ground first: the heel, or the ankle.
func (f *foot) first() *track {
	if f.whole {
		return &f.heel
	}
	return &f.ankle
}

// last returns the part of the foot that leaves the ground last: the big toe, or the ankle.
func (f *foot) last() *track {
	if f.whole {
		return &f.toe
	}
	return &f.ankle
}

// track is the path of a point: x forward and y down, one per frame of the pass.
type track struct {
	x, y []float64
	ok   []bool // known, or filled in
	seen []bool // known
}

const (
	bridge       = 0.25 // seconds: the longest gap that is filled
	leastPass    = 0.6  // seconds
	speedWindow  = 0.5  // seconds on both sides for the speed of the hips
	movingTorsos = 0.5  // torso lengths per second, from which on the person goes across the picture
	wholeShare   = 0.8  // of the frames with the ankle, in which heel and toe must be known
	sizeWindow   = 0.6  // seconds on both sides for the size of the person
)

// find returns the passes of the main person on a surface; "": on both. Frames in which the legs are unsure do not count.
func find(seq keypoint.Sequence, surface string, unsure []bool) (passes []*pass) {
	main := seq.MainPerson()
	seq = seq.Slice(main.First, main.Last)
	torso := medianTorso(seq)
	if torso == 0 {
		return nil
	}
	sideways := seq.Sideways()
	hips := follow(seq, keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip))
	sizes, nearer := sizes(seq), make([]float64, seq.Len())
	depths := onFloor(seq, sizes)
	for i, size := range sizes {
		nearer[i] = focal(seq) * math.Log(size)
	}
	for from, end := range rank.Runs(hips.ok) {
		if !hips.ok[from] {
			continue
		}
		times := seq.Times[from:end]
		way := ways(times, speeds(times, hips.x[from:end]), speeds(times, nearer[from:end]), torso*movingTorsos)
		if surface == treadmill {
			clear(way)
		}
		for a, b := range rank.Runs(way) {
			first, last := from+a, from+b-1
			p, doubts := (*pass)(nil), unsure[main.First+first:main.First+last+1]
			switch {
			case seq.Times[last]-seq.Times[first] < leastPass:
			case math.Abs(way[a]) > 1:
				p = newLine(seq.Slice(first, last), sizes[first:last+1], way[a], doubts)
			case (way[a] != 0 || surface != overground) && fromTheSide(sideways[first:last+1]):
				if p = newPass(seq, first, last, way[a], torso, depths[first:last+1]); p != nil {
					p.doubt(doubts)
				}
			}
			if p != nil {
				p.first, p.last = main.First+first, main.First+last
				passes = append(passes, p)
			}
		}
	}
	return passes
}

// fromTheSide reports whether a person is seen from the side in most frames: from the front, the feet show steps to the side only.
func fromTheSide(sideways []keypoint.Facing) bool {
	n := 0
	for _, f := range sideways {
		if f != keypoint.FacingUnknown {
			n++
		}
	}
	return 2*n > len(sideways)
}

// speeds returns the speed of a value around each frame, 0 where it is not known.
func speeds(times, x []float64) []float64 {
	list := make([]float64, len(x))
	a, b := 0, 0
	for i := range x {
		for times[i]-times[a] > speedWindow {
			a++
		}
		for b+1 < len(x) && times[b+1]-times[i] <= speedWindow {
			b++
		}
		if v := (x[b] - x[a]) / (times[b] - times[a]); !math.IsNaN(v) && !math.IsInf(v, 0) {
			list[i] = v
		}
	}
	return list
}

// newPass returns the pass of the frames, or nil if the feet do not move against each other.
func newPass(seq keypoint.Sequence, first, last int, way, torso float64, sizes []float64) *pass {
	part := seq.Slice(first, last)
	p := &pass{forward: way, inPlace: way == 0, times: part.Times, torso: torso}
	p.cut = [2]bool{first > 0, last < seq.Len()-1}
	p.hips = follow(part, keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip))
	for side, parts := range [2][3]keypoint.Part{
		{keypoint.LeftAnkle, keypoint.LeftHeel, keypoint.LeftBigToe}, {keypoint.RightAnkle, keypoint.RightHeel, keypoint.RightBigToe},
	} {
		f := &p.feet[side]
		f.ankle = follow(part, keypoint.PartSelector(parts[0]))
		f.heel = follow(part, keypoint.PartSelector(parts[1]))
		f.toe = follow(part, keypoint.PartSelector(parts[2]))
		ankles, whole := 0, 0
		for i, ok := range f.ankle.ok {
			if ok {
				ankles++
				if f.heel.ok[i] && f.toe.ok[i] {
					whole++
				}
			}
		}
		f.whole = ankles > 0 && float64(whole) >= wholeShare*float64(ankles)
	}
	if !p.alternates() {
		return nil
	}
	if p.inPlace {
		p.forward = p.lookForward()
	}
	if p.forward < 0 {
		for _, t := range []*track{&p.hips, &p.feet[0].ankle, &p.feet[0].heel, &p.feet[0].toe, &p.feet[1].ankle, &p.feet[1].heel, &p.feet[1].toe} {
			for i := range t.x {
				t.x[i] = -t.x[i]
			}
		}
	}
	if p.along = 1; p.inPlace {
		p.ground = p.lowerFoot()
	} else if p.focal = focal(seq); p.focal > 0 {
		p.sizes = sizes
		p.middle = p.forward * keypoint.World{Floor: seq.World.Floor}.Point(keypoint.Point{float64(seq.Size.X) / 2, float64(seq.Size.Y) / 2})[0]
	}
	for side := range p.feet {
		f := &p.feet[side]
		f.ahead, f.behind = p.extremes(f.first(), true), p.extremes(f.last(), false)
	}
	return p
}

// follow returns the path of a point in pixels, along the floor and down, with gaps filled.
func follow(seq keypoint.Sequence, point keypoint.Selector) track {
	n := seq.Len()
	level := keypoint.World{Floor: seq.World.Floor}
	t := track{make([]float64, n), make([]float64, n), make([]bool, n), make([]bool, n)}
	last := -1
	for i := range seq.Frames {
		pt, ok := point.At(&seq.Frames[i])
		if !ok {
			continue
		}
		pt = level.Point(pt)
		t.x[i], t.y[i], t.ok[i], t.seen[i] = pt[0], pt[1], true, true
		if last >= 0 && i-last > 1 && seq.Times[i]-seq.Times[last] <= bridge {
			for k := last + 1; k < i; k++ {
				share := (seq.Times[k] - seq.Times[last]) / (seq.Times[i] - seq.Times[last])
				t.x[k] = t.x[last]*(1-share) + t.x[i]*share
				t.y[k] = t.y[last]*(1-share) + t.y[i]*share
				t.ok[k] = true
			}
		}
		last = i
	}
	return t
}

// alternates reports whether the feet move against each other about the hips.
func (p *pass) alternates() bool {
	l, r := &p.feet[0].ankle, &p.feet[1].ankle
	var sumL, sumR, product, n float64
	for i := range p.times {
		if l.ok[i] && r.ok[i] && p.hips.ok[i] {
			a, b := l.x[i]-p.hips.x[i], r.x[i]-p.hips.x[i]
			sumL, sumR, product, n = sumL+a, sumR+b, product+a*b, n+1
		}
	}
	return n > 0 && product-sumL*sumR/n < 0
}

// lookForward returns 1 if the person goes to the right of the picture, else −1: a foot that is low goes backwards.
func (p *pass) lookForward() float64 {
	sum := 0.0
	for side := range p.feet {
		a := &p.feet[side].ankle
		low, n := 0.0, 0.0
		for i, ok := range a.ok {
			if ok {
				low, n = low+a.y[i]-p.hips.y[i], n+1
			}
		}
		for i := range a.ok {
			if v, ok := a.speed(p.times, i); ok {
				sum += v * (a.y[i] - p.hips.y[i] - low/n)
			}
		}
	}
	return math.Copysign(1, -sum)
}

// lowerFoot returns the median speed of the lower foot where it moves backwards.
func (p *pass) lowerFoot() float64 {
	l, r := &p.feet[0].ankle, &p.feet[1].ankle
	return rank.Median(rank.Known(len(p.times), func(i int) (float64, bool) {
		low := l
		if r.y[i] > l.y[i] {
			low = r
		}
		v, ok := low.speed(p.times, i)
		return v, ok && v < 0 && l.ok[i] && r.ok[i]
	}))
}

// speed returns the speed in frame i in pixels per second, by the neighbouring frames.
func (t *track) speed(times []float64, i int) (v float64, ok bool) {
	a, b := i, i
	if i > 0 && t.ok[i-1] {
		a--
	}
	if i+1 < len(t.ok) && t.ok[i+1] {
		b++
	}
	if !t.ok[i] || a == b {
		return 0, false
	}
	return (t.x[b] - t.x[a]) / (times[b] - times[a]), true
}

// focal returns the focal length of a usual camera in pixels, 0 in space and where the size of the picture is not known.
func focal(seq keypoint.Sequence) float64 {
	if seq.Space.Seen() || seq.Size.X <= 0 || seq.Size.Y <= 0 {
		return 0
	}
	return quality.UsualFocal * float64(max(seq.Size.X, seq.Size.Y))
}

// sizes returns the median torso length around each frame in pixels, 0 where it is not known.
func sizes(seq keypoint.Sequence) []float64 {
	list, half := make([]float64, seq.Len()), 0
	for half < seq.Len() && seq.Times[half]-seq.Times[0] < sizeWindow {
		half++
	}
	for i := range list {
		list[i] = medianTorso(seq.Slice(max(i-half, 0), min(i+half, seq.Len()-1)))
	}
	return list
}

// onFloor returns the torso length in each frame in pixels by the lower ankle in the picture: on a floor, people are as large as their feet
// are below its horizon, whichever way they lean before a camera that looks down. The line is that of least squares through sizes, which
// are returned where they do not go with the feet.
func onFloor(seq keypoint.Sequence, sizes []float64) []float64 {
	l, r := follow(seq, keypoint.PartSelector(keypoint.LeftAnkle)), follow(seq, keypoint.PartSelector(keypoint.RightAnkle))
	var feet, torsos []float64
	for i, size := range sizes {
		if l.ok[i] && r.ok[i] && size > 0 {
			feet, torsos = append(feet, max(l.y[i], r.y[i])), append(torsos, size)
		}
	}
	size, ok := rank.Line(feet, torsos)
	if !ok {
		return sizes
	}
	list := slices.Clone(sizes)
	for i := range list {
		if l.ok[i] && r.ok[i] {
			list[i] = max(size(max(l.y[i], r.y[i])), 0)
		}
	}
	return list
}

// medianTorso returns the median torso length in pixels, 0 if unknown.
func medianTorso(seq keypoint.Sequence) float64 {
	return rank.Median(rank.Known(seq.Len(), func(i int) (float64, bool) { return seq.Frames[i].TorsoLength() }))
}
