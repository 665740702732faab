package quality

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

const (
	maxStep       = 0.4   // torso lengths that a part may move against the hips from one frame to the next
	fastFrames    = 3     // the least number of such steps within joinTime of each other
	maxTremble    = 0.035 // the largest standard deviation of a part at rest or in smooth movement, torso lengths
	smooth        = 4     // the highest frequency of movement, Hz; what is faster counts as trembling
	trembleRate   = 13    // the least frame rate at which trembling and movement can be told apart
	trembleWindow = 1     // seconds over which it is measured
	sure          = 0.35  // the least confidence of a part that is looked at
)

// ends are the parts that move fastest.
var ends = [...]keypoint.Part{
	keypoint.LeftElbow, keypoint.RightElbow, keypoint.LeftWrist, keypoint.RightWrist,
	keypoint.LeftKnee, keypoint.RightKnee, keypoint.LeftAnkle, keypoint.RightAnkle,
}

// lowFrameRate warns of movement that is too fast for the frame rate: a part that moves by more than
// maxStep in each of two successive frames, in about the same direction.
func (b *body) lowFrameRate() []Warning {
	fast := make([]keypoint.Parts, b.seq.Len())
	for i := 2; i < b.seq.Len(); i++ {
		for _, p := range ends {
			if v, ok := b.step(i, p); ok && v.Len() > maxStep {
				if u, ok := b.step(i-1, p); ok && u.Len() > maxStep && u.Dot(v) > 0 {
					fast[i] |= keypoint.PartsOf(p)
				}
			}
		}
	}
	w := slices.DeleteFunc(b.marked(fast, max(b.frames(joinTime), 2), 1), func(s Warning) bool {
		n := 0
		for _, parts := range fast[s.From : s.To+1] {
			if parts != 0 {
				n++
			}
		}
		return n < fastFrames
	})
	return warn(CodeLowFrameRate, "The movement is too fast for the frame rate: parts move by more than 0.4 torso lengths from frame to frame.", w)
}

// step returns how far a part moves from the frame before against the hips, in torso lengths.
func (b *body) step(i int, p keypoint.Part) (v keypoint.Point, ok bool) {
	from, okF := b.relative(i-1, p)
	to, okT := b.relative(i, p)
	if !okF || !okT || b.torso[i] == 0 {
		return v, false
	}
	return to.Sub(from).Mul(1 / b.torso[i]), true
}

// relative returns the place of a part that is sure, from the middle of the hips.
func (b *body) relative(i int, p keypoint.Part) (keypoint.Point, bool) {
	f := &b.seq.Frames[i]
	at, ok := f.At(p)
	hips, okH := middle(f, keypoint.LeftHip)
	return at.Sub(hips), ok && okH && f.Confidence(p) >= sure
}

// jitter warns of parts that tremble, but not where the movement is too fast to tell.
func (b *body) jitter(fast []Warning) []Warning {
	window := b.frames(trembleWindow)
	shaking := make([]keypoint.Parts, b.seq.Len())
	for first := 0; first+window <= b.seq.Len() && b.rate >= trembleRate; first += window {
		last := first + window - 1
		if slices.ContainsFunc(fast, func(w Warning) bool { return w.From <= last && first <= w.To }) {
			continue
		}
		for _, p := range limbs.List() {
			if t, ok := b.tremble(p, first, last); ok && t > maxTremble {
				for i := first; i <= last; i++ {
					shaking[i] |= keypoint.PartsOf(p)
				}
			}
		}
	}
	return warn(CodeJitter, fmt.Sprintf("These parts tremble by more than %g torso lengths.", maxTremble), b.marked(shaking, b.frames(joinTime), 1))
}

// tremble returns the standard deviation of a coordinate of a part around a smooth movement, in torso
// lengths, from the first and third differences d₁ and d₃ of the frames first to last:
//
//	(median |d₃| − (2·sin(π·4 Hz / rate))² · median |d₁|) / √20 / 1.1774
//
// Movement of up to 4 Hz has third differences of at most that multiple of the first ones; those of independent errors
// of deviation σ have the deviation √20·σ, and the median length of two such coordinates is 1.1774 deviations. ok is
// false if less than half of the frames have third differences.
func (b *body) tremble(p keypoint.Part, first, last int) (torsos float64, ok bool) {
	var once, thrice []float64
	for i := max(first, 3); i <= last; i++ {
		var at [4]keypoint.Point
		found := b.torso[i] > 0
		for k := 0; k < 4 && found; k++ {
			at[k], found = b.seq.Frames[i-k].At(p)
		}
		if found {
			once = append(once, at[0].Sub(at[1]).Len()/b.torso[i])
			thrice = append(thrice, at[0].Sub(at[3]).Sub(at[1].Sub(at[2]).Mul(3)).Len()/b.torso[i])
		}
	}
	if 2*len(once) < last-first+1 {
		return 0, false
	}
	explained := square(2*math.Sin(math.Pi*smooth/b.rate)) * rank.Median(once)
	return max(rank.Median(thrice)-explained, 0) / math.Sqrt(20) / 1.1774, true
}
