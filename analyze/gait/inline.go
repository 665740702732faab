package gait

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// Towards the camera and away from it, the heights of the ankles in the picture show the steps: the foot that swings is the higher one.
const (
	steep      = 1.5  // how many times as fast as across the picture the person comes nearer, or goes
	leastLine  = 1.5  // seconds
	leastTurns = 4    // swings
	leastLegs  = 1.2  // torso lengths from the ankles to the hips: who sits has less
	mostUneven = 0.15 // of the stride: the deviation of the strides
)

// walks are the strides of somebody who walks towards the camera, in seconds.
var walks = bounds{0.8, 2.2}

// swing says where an event of a foot is: so many strides after the ankle is lower by a share of its way than at its highest.
type swing struct{ lower, after float64 }

// landing is the heel strike of feet that come nearer, and leaving the toe off of those that go, whose ankles are not yet as high.
var landing, leaving = swing{0.1, 0.24}, swing{0.05, -0.055}

// ways returns for each frame whether the hips move right (1), left (−1) or stay (0), or whether, for long enough, the person comes nearer
// (2) or goes (−2), by the speeds across the picture and towards the camera.
func ways(times, across, nearer []float64, least float64) []float64 {
	way := make([]float64, len(times))
	line := func(i int) bool { return math.Abs(nearer[i]) >= max(least, steep*math.Abs(across[i])) }
	for a, b := 0, 0; a < len(way); a = b {
		for b = a; b < len(way) && line(b) == line(a) && (!line(a) || nearer[b]*nearer[a] > 0); b++ {
			if math.Abs(across[b]) >= least {
				way[b] = math.Copysign(1, across[b])
			}
		}
		for i := a; i < b && line(a) && times[b-1]-times[a] >= leastLine; i++ {
			way[i] = math.Copysign(2, nearer[a])
		}
	}
	return way
}

// newLine returns the pass of the frames towards the camera or away from it, or nil if the feet do not take turns evenly.
func newLine(seq keypoint.Sequence, sizes []float64, way float64, unsure []bool) *pass {
	p := &pass{forward: 1, sight: way, times: seq.Times, torso: 1, unsure: unsure}
	l, r := follow(seq, keypoint.PartSelector(keypoint.LeftAnkle)), follow(seq, keypoint.PartSelector(keypoint.RightAnkle))
	hips := follow(seq, keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip))
	var times, higher, legs []float64 // the left ankle than the right one, and the hips than both, in torso lengths
	for i, t := range p.times {
		if l.ok[i] && r.ok[i] && hips.ok[i] && sizes[i] > 0 {
			times, higher, legs = append(times, t), append(higher, (r.y[i]-l.y[i])/sizes[i]), append(legs, ((l.y[i]+r.y[i])/2-hips.y[i])/sizes[i])
		}
	}
	turns := rank.Turns(higher, leastSwing)
	var strides []float64
	for k := 3; k+1 < len(turns); k++ {
		strides = append(strides, times[turns[k]]-times[turns[k-2]])
	}
	stride := rank.Median(strides)
	if len(turns) < leastTurns+2 || rank.Median(legs) < leastLegs || !walks.has(stride) || rank.Deviation(strides) > mostUneven*stride {
		return nil
	}
	event, step := landing, 1
	if way < 0 {
		event, step = leaving, -1
	}
	for k := 1; k+1 < len(turns); k++ {
		j, top, beside := turns[k], higher[turns[k]], higher[turns[k+step]]
		for (higher[j]-top)/(beside-top) < event.lower {
			j += step
		}
		f, t := &p.feet[0], times[j]+event.after*stride
		if top < beside {
			f = &p.feet[1]
		}
		switch {
		case t < p.times[0] || t > p.times[len(p.times)-1] || !p.sure(t):
		case way < 0:
			f.lifts = append(f.lifts, t)
		default:
			f.strikes = append(f.strikes, t)
		}
	}
	return p
}
