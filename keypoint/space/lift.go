package space

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Lift estimates where the trunk and the legs are in space, from one camera and the depth that a network guesses
// (keypoint.Frame.Positions). The result has positions of shoulders, hips, knees and ankles in the frames that are
// seen at most 50° from the front or from behind while both feet stay in their places: nearer to the side, the picture itself
// tells more, and of a step the depth is not known well enough. x and y are those of the picture, from the origin and along the
// floor of its World; z is 0 between the hips. The unit is m if World has a scale.
//
// With w the network's positions in metres and p those in the picture, both against their means, a metre is
// s = Σ p·w / Σ w·w pixels, of which the upper quartile within 2.5 s counts, because networks see too little of how limbs
// that point to the camera are foreshortened. The length L of a bone is that of somebody who stands, or nearly what the network guesses if that is longer.
// The depth of a bone that is l long in the picture, and x aside, is the mean of four guesses, weighted by their variances:
//
//	± √(L² − l²)         by its foreshortening, with the sign that fits the others better
//	1.3 · w              by the network
//	−x · cot(v)          by how far it reaches aside, in a plane that the camera sees at v: legs turn out by 13°
//	± 0.1 · L · cos(v)   because trunks and thighs bend forwards, and shanks backwards: the other way by less than half as much
//
// internal/lab/README.md has what was measured. A sequence without such positions, or with positions that are known already, and
// one in which nobody stands upright for a second, which tells how long the limbs are, is a keypoint.ErrInvalid.
func Lift(seq keypoint.Sequence) (keypoint.Sequence, error) {
	if err := seq.Validate(); err != nil {
		return seq, err
	}
	if seq.Space != nil {
		return seq, fmt.Errorf("%w sequence: its positions in space are known already", keypoint.ErrInvalid)
	}
	out, views := seq.Clone(), quality.NewUncertainty(seq).Views
	out.Space = &keypoint.Space{Unit: keypoint.Torso}
	if seq.World.Metric() {
		out.Space.Unit = keypoint.Metres
	}
	for i := range out.Frames {
		out.Frames[i].SetPositions(nil)
	}
	guessed, stood := false, false
	for _, person := range seq.People() {
		l := lifter{seq: seq.Slice(person.First, person.Last)}
		guessed = l.measure() || guessed
		if !l.stands() {
			continue
		}
		stood = true
		for i := range l.seq.Frames {
			if view, ok := views.View(person.First + i); ok && min(view, 180-view) <= flattest && l.planted(i) {
				out.Frames[person.First+i].SetPositions(l.lift(i, view))
			}
		}
	}
	switch {
	case !guessed:
		return seq, fmt.Errorf("%w sequence: it has no depth: extract with an estimator that guesses it, as those of package pose do", keypoint.ErrInvalid)
	case !stood:
		return seq, fmt.Errorf("%w sequence: nobody stands upright for a second, which tells how long the limbs are: stand still before and after the movement", keypoint.ErrInvalid)
	}
	return out, nil
}

// link is the line from one part to another, or between the middles of their pairs.
type link struct {
	from, to keypoint.Part
	middle   bool
	turn     float64 // degrees by which its plane is turned
	forward  float64 // 1 if it bends forwards, −1 backwards
	length   int     // index of its length, the same for both sides
}

// chain are the links in the order in which they hang on each other.
var chain = [...]link{
	{keypoint.LeftHip, keypoint.LeftShoulder, true, 0, 1, 0},
	{keypoint.LeftHip, keypoint.LeftKnee, false, -turnedOut, 1, 1}, {keypoint.RightHip, keypoint.RightKnee, false, turnedOut, 1, 1},
	{keypoint.LeftKnee, keypoint.LeftAnkle, false, -turnedOut, -1, 2}, {keypoint.RightKnee, keypoint.RightAnkle, false, turnedOut, -1, 2},
}

// standing are the cosines of the largest slopes of trunk, thighs and shanks of somebody who stands, by their lengths. Cameras
// may look down, and networks see shanks slope more than they do.
var standing = [...]float64{0.9, 0.9, 0.8}

const (
	// scaled are the parts that tell the scale.
	scaled = (keypoint.UpperBody | keypoint.LowerBody) &^ (1<<keypoint.LeftWrist | 1<<keypoint.RightWrist)

	leastScaled = 6    // parts that tell the scale of a frame
	scaleTime   = 2.5  // seconds before and after a frame that tell its scale
	scaleShare  = 0.75 // the percentile of the scales that counts
	smoothTime  = 0.1  // seconds before and after a frame over which the network's depth is the mean
	mostSmooth  = 0.3  // the same at most
	sideTime    = 0.5  // seconds before and after a frame that tell which side is near
	standTime   = 1.0  // seconds
	stepped     = 0.2  // torso lengths by which a foot is out of its place

	longest       = 0.75 // the percentile of the lengths of a bone that is its own
	guessedLength = 0.9  // of those that the network guesses
	networkGain   = 1.3  // networks guess too little depth
	turnedOut     = 13.0 // degrees by which legs turn out
	flattest      = 50.0 // degrees from the front or from behind from where the picture itself tells more
)

// The errors of the guesses.
const (
	lengthError  = 0.08 // of the length of a bone, with what its ends in the picture are off
	shortenFloor = 0.02 // metres
	networkError = 0.08 // metres
	networkShare = 0.3  // of the depth
	turnError    = 0.24 // radians: 14 degrees
	asideError   = 0.1  // of the length of a bone
	bentBy       = 0.1  // of the length of a bone
	bentError    = 0.35 // of it
	backError    = 0.15 // of it the other way

	legSigma, shoulderSigma = 0.09, 0.25 // torso lengths: with these, angles are as unsure as knees and trunks are from the front
)

// lifter lifts one person.
type lifter struct {
	seq     keypoint.Sequence
	guess   []*keypoint.Positions // what the network guesses, smoothed
	level   keypoint.World        // the picture along the floor
	scale   []float64             // pixels in a metre of the network; 0: unknown
	near    []float64             // how much nearer the left side is than the right one, metres
	feet    [4][]float64          // x and y of both ankles in the picture, metres; 0: unknown
	upright []bool                // the person stands
	lengths [3]float64            // of the bones in metres; 0: unknown
}

// measure measures what lifting needs; ok is false if the network guesses nothing.
func (l *lifter) measure() (ok bool) {
	n := l.seq.Len()
	l.level = keypoint.World{Floor: l.seq.World.Floor, Origin: l.seq.World.Origin}
	l.guess, l.scale, l.near = make([]*keypoint.Positions, n), make([]float64, n), make([]float64, n)
	l.upright = make([]bool, n)
	raw, near := make([]float64, n), make([]float64, n)
	for i := range n {
		raw[i], near[i] = l.scaleOf(i), l.nearer(i)
		ok = ok || l.seq.Frames[i].Positions() != nil
	}
	if !ok {
		return false
	}
	for i := range n {
		l.scale[i] = l.around(i, raw, scaleTime, scaleShare)
		l.near[i] = l.around(i, near, sideTime, 0.5)
		l.guess[i] = l.smoothed(i)
		l.upright[i] = l.scale[i] > 0
		for k := range chain {
			d, ok := chain[k].of(l.guess[i].At)
			l.upright[i] = l.upright[i] && ok && math.Abs(d[1]) >= standing[chain[k].length]*d.Len()
		}
	}
	for k := range l.feet {
		l.feet[k] = make([]float64, n)
	}
	var shown, guessed [len(l.lengths)][]float64
	for i := range n {
		for k := range l.feet {
			if at, ok := l.seen(i)(feet[k/2]); ok {
				l.feet[k][i] = at[k%2]
			}
		}
		for k := range chain {
			b := &chain[k]
			if d, ok := b.of(l.seen(i)); ok && l.upright[i] {
				shown[b.length] = append(shown[b.length], d.Len())
			}
			if d, ok := b.of(l.seq.Frames[i].Positions().At); ok {
				guessed[b.length] = append(guessed[b.length], d.Len())
			}
		}
	}
	for k := range l.lengths {
		l.lengths[k] = max(rank.Percentile(shown[k], longest), guessedLength*rank.Percentile(guessed[k], longest))
	}
	return true
}

// of returns the link by the places of the parts; ok is false if one of them is unknown.
func (b *link) of(at func(keypoint.Part) (keypoint.Position, bool)) (d keypoint.Position, ok bool) {
	tail, okT := at(b.from)
	head, okH := at(b.to)
	if d, ok = head.Sub(tail), okT && okH; b.middle {
		other := link{from: b.from.Mirror(), to: b.to.Mirror()}
		d2, ok2 := other.of(at)
		return d.Add(d2).Mul(0.5), ok && ok2
	}
	return d, ok
}

// seen returns the places of the parts in the picture of frame i, in metres, upright.
func (l *lifter) seen(i int) func(keypoint.Part) (keypoint.Position, bool) {
	return func(p keypoint.Part) (keypoint.Position, bool) {
		at, ok := l.seq.Frames[i].At(p)
		at = l.level.Point(at)
		return keypoint.Position{at[0], -at[1], 0}.Mul(1 / l.scale[i]), ok && l.scale[i] > 0
	}
}

// scaleOf returns the pixels in a metre of the network in a frame; 0 if too little is known.
func (l *lifter) scaleOf(i int) float64 {
	f := &l.seq.Frames[i]
	var p, w []keypoint.Point
	var middleP, middleW keypoint.Point
	for _, part := range (f.Present() & f.Positions().Present() & scaled).List() {
		at, _ := f.At(part)
		guess, _ := f.Positions().At(part)
		p, w = append(p, keypoint.Point{at[0], -at[1]}), append(w, guess.Vec2())
		middleP, middleW = middleP.Add(p[len(p)-1]), middleW.Add(guess.Vec2())
	}
	n := float64(len(p))
	if n < leastScaled {
		return 0
	}
	both, own := 0.0, 0.0
	for k := range p {
		d := w[k].Sub(middleW.Mul(1 / n))
		both, own = both+p[k].Sub(middleP.Mul(1/n)).Dot(d), own+d.Dot(d)
	}
	if !(own > 0) {
		return 0
	}
	return max(both/own, 0)
}

// nearer returns how much nearer to the camera the left side of the trunk is in a frame; 0 if it is unknown.
func (l *lifter) nearer(i int) (metres float64) {
	s := l.seq.Frames[i].Positions()
	for _, p := range [...]keypoint.Part{keypoint.LeftShoulder, keypoint.LeftHip} {
		left, okL := s.At(p)
		right, okR := s.At(p.Mirror())
		if okL && okR {
			metres += left[2] - right[2]
		}
	}
	return metres
}

// around returns a percentile of the values within some seconds of frame i that are not 0.
func (l *lifter) around(i int, values []float64, seconds, share float64) float64 {
	var list []float64
	for k := range l.within(i, seconds) {
		if values[k] != 0 {
			list = append(list, values[k])
		}
	}
	return rank.Percentile(list, share)
}

// within are the frames within some seconds of frame i.
func (l *lifter) within(i int, seconds float64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		first := i
		for first > 0 && l.seq.Times != nil && l.seq.Times[i]-l.seq.Times[first-1] <= seconds {
			first--
		}
		for k := first; k < l.seq.Len() && (k == i || l.seq.Times != nil && l.seq.Times[k]-l.seq.Times[i] <= seconds); k++ {
			if !yield(k) {
				return
			}
		}
	}
}

// smoothed returns the mean of what the network guesses around a frame.
func (l *lifter) smoothed(i int) *keypoint.Positions {
	var sum [keypoint.NumParts]keypoint.Position
	var count [keypoint.NumParts]float64
	for seconds := smoothTime; seconds < mostSmooth && count[keypoint.LeftHip] == 0; seconds *= 2 { // few frames were looked at
		for k := range l.within(i, seconds+1e-6) {
			s := l.seq.Frames[k].Positions()
			for _, p := range (s.Present() & scaled).List() {
				at, _ := s.At(p)
				sum[p], count[p] = sum[p].Add(at), count[p]+1
			}
		}
	}
	mean := new(keypoint.Positions)
	for p, n := range count {
		if n > 0 {
			mean.Set(keypoint.Part(p), sum[p].Mul(1/n), 0)
		}
	}
	return mean
}

// stands reports whether the person stands for long enough, by what the network guesses.
func (l *lifter) stands() bool {
	sum := 0.0
	for i := 1; i < l.seq.Len() && l.seq.Times != nil; i++ {
		if l.upright[i] {
			sum += l.seq.Times[i] - l.seq.Times[i-1]
		}
	}
	return sum >= standTime
}

// planted reports whether both feet are in a frame where they are most of the time around it.
func (l *lifter) planted(i int) bool {
	for _, foot := range l.feet {
		if foot[i] == 0 || math.Abs(foot[i]-l.around(i, foot, scaleTime, 0.5)) > stepped*l.lengths[0] {
			return false
		}
	}
	return true
}

// lift returns the positions in a frame that is seen at view, degrees; nil if they are unknown.
func (l *lifter) lift(i int, view float64) *keypoint.Positions {
	seen, guess := l.seen(i), l.guess[i]
	signed := math.Copysign(view, l.near[i])
	unit := 1 / l.lengths[0]
	if l.seq.World.Metric() {
		unit = l.scale[i] * l.seq.World.MetresPerPixel
	}
	at := map[keypoint.Part]keypoint.Position{}
	pair := func(p keypoint.Part, z float64) bool {
		left, okL := seen(p)
		right, okR := seen(p.Mirror())
		nearL, okNL := guess.At(p)
		nearR, okNR := guess.At(p.Mirror())
		half := (nearL[2] - nearR[2]) / 2
		left[2], right[2] = z+half, z-half
		at[p], at[p.Mirror()] = left, right
		return okL && okR && okNL && okNR
	}
	if !pair(keypoint.LeftHip, 0) {
		return nil
	}
	s := new(keypoint.Positions)
	set := func(p keypoint.Part, sigma float64) { s.Set(p, at[p].Mul(unit), sigma*l.lengths[0]*unit) }
	set(keypoint.LeftHip, legSigma)
	set(keypoint.RightHip, legSigma)
	for k := range chain {
		b := &chain[k]
		d, okD := b.of(seen)
		w, okW := b.of(guess.At)
		from, ok := at[b.from]
		if !okD || !okW || !ok {
			continue
		}
		z := b.depth(d, w[2], l.lengths[b.length], view, signed)
		if b.middle {
			if pair(b.to, z) {
				set(b.to, shoulderSigma)
				set(b.to.Mirror(), shoulderSigma)
			}
			continue
		}
		to, _ := seen(b.to)
		to[2] = from[2] + z
		at[b.to] = to
		set(b.to, legSigma)
	}
	return s
}

// depth returns how much nearer to the camera the end of a bone is, in metres: d is the bone in the picture, w the depth that
// the network guesses, signed the view, positive if the left side is near.
func (b *link) depth(d keypoint.Position, w, length, view, signed float64) float64 {
	shown := d.Vec2().Len()
	short := math.Sqrt(max(0, length*length-shown*shown))
	w *= networkGain
	sin, cos := math.Sincos((signed + b.turn) * math.Pi / 180)
	sin = math.Copysign(max(math.Abs(sin), 0.1), sin)
	type guess struct{ z, variance float64 }
	others := [...]guess{
		{w, sq(networkError) + sq(networkShare*max(math.Abs(w), 0.7*short))},
		{min(max(-d[0]*cos/sin, -length), length), sq(d[0]*turnError/(sin*sin)) + sq(asideError*length/sin)},
		{b.forward * bentBy * length * math.Cos(view*math.Pi/180), 0},
	}
	bent := &others[len(others)-1]
	variance := sq(lengthError*length)*(shown*shown+length*length)/sq(max(short, 0.2*length)) + sq(shortenFloor)
	best, least := 0.0, math.Inf(1)
	for _, z := range [...]float64{short, -short} {
		if bent.variance = sq(bentError * length); z*bent.z < 0 {
			bent.variance = sq(backError * length)
		}
		sum, weights := z/variance, 1/variance
		for _, g := range others {
			sum, weights = sum+g.z/g.variance, weights+1/g.variance
		}
		mean := sum / weights
		cost := sq(mean-z) / variance
		for _, g := range others {
			cost += sq(mean-g.z) / g.variance
		}
		if cost < least {
			best, least = mean, cost
		}
	}
	return best
}

func sq(x float64) float64 { return x * x }
