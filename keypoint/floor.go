package keypoint

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
)

const (
	stillTime   = 0.12 // seconds for which a foot stays in one place while it bears the body
	stillRange  = 0.05 // torso lengths that it may move meanwhile
	leastWalk   = 2    // torso lengths that the places of a foot must be apart
	leastPlaces = 4    // that make a line
	badPlace    = 0.1  // torso lengths from the line from which a place is left out
	// sameSize is how much the body may grow or shrink from the first to the last place, as a share:
	// more means that the person comes nearer, and their path is not horizontal in the picture.
	sameSize = 0.08
)

// step is a place where a part of the foot stands still.
type step struct {
	at    Point
	part  int // index into footParts
	frame int
	torso float64
}

// footParts are the parts that touch the floor, with their heights above it as shares of the body height.
var footParts = [...]struct {
	part   Part
	height float64
}{{LeftAnkle, ankleHeight}, {RightAnkle, ankleHeight}, {LeftHeel, 0}, {RightHeel, 0}, {LeftBigToe, 0}, {RightBigToe, 0}}

// floor finds the floor under the MainPerson: its angle in degrees as in World, and the point of it below the first place of the
// feet. Where an ankle, heel or toe stands still it touches the floor; the line is that of least squares with a common slope and a
// height for each of these parts. ok is false unless the person walks or runs across the picture, and not on a treadmill.
func (s Sequence) floor() (degrees float64, at Point, ok bool) {
	steps := s.steps()
	slope, heights, ok := line(steps)
	for range 2 { // again without those that are far from the line
		steps = slices.DeleteFunc(steps, func(p step) bool {
			return !ok || math.Abs(p.at[1]-heights[p.part]-slope*p.at[0]) > badPlace*p.torso
		})
		slope, heights, ok = line(steps)
	}
	if !ok {
		return 0, Point{}, false
	}
	first := slices.MinFunc(steps, func(a, b step) int { return a.frame - b.frame })
	height, _, known := s.standingHeight()
	if !known {
		height = first.torso / trunkShare
	}
	angle := math.Atan(-slope)
	sin, cos := math.Sincos(angle)
	down := footParts[first.part].height * height
	return angle * 180 / math.Pi, first.at.Add(Point{sin * down, cos * down}), true
}

// line returns the common slope of the places, y over x, and the height of each part at x = 0. ok is
// false if they are too few, too near, or of a body that changes its size.
func line(steps []step) (slope float64, heights [len(footParts)]float64, ok bool) {
	var count [len(footParts)]float64
	var mean [len(footParts)]Point
	var low, high [len(footParts)]float64 // x
	if len(steps) < leastPlaces {
		return 0, heights, false
	}
	for _, p := range steps {
		if count[p.part] == 0 {
			low[p.part], high[p.part] = p.at[0], p.at[0]
		}
		count[p.part]++
		mean[p.part] = mean[p.part].Add(p.at)
		low[p.part], high[p.part] = min(low[p.part], p.at[0]), max(high[p.part], p.at[0])
	}
	wide := 0.0
	for k, n := range count {
		mean[k] = mean[k].Mul(1 / max(n, 1))
		wide = max(wide, high[k]-low[k])
	}
	var xx, xy, torso float64
	for _, p := range steps {
		d := p.at.Sub(mean[p.part])
		xx, xy, torso = xx+d[0]*d[0], xy+d[0]*d[1], torso+p.torso/float64(len(steps))
	}
	first := slices.MinFunc(steps, func(a, b step) int { return a.frame - b.frame })
	last := slices.MaxFunc(steps, func(a, b step) int { return a.frame - b.frame })
	if wide < leastWalk*torso || math.Abs(last.torso/first.torso-1) > sameSize {
		return 0, heights, false
	}
	slope = xy / xx
	for k := range heights {
		heights[k] = mean[k][1] - slope*mean[k][0]
	}
	return slope, heights, finite(slope)
}

// steps returns the places where the feet stand still.
func (s Sequence) steps() (list []step) {
	fps, ok := s.FrameRate()
	if !ok {
		return nil
	}
	window := max(int(math.Round(stillTime*fps)), 2)
	main := s.MainPerson()
	begin, end := main.First, main.Last
	torsos := s.torsos(begin, end, window)
	for k, foot := range footParts {
		var run []Point
		var sum Point
		finish := func(frame int) { // the last one of the run
			if len(run) > window {
				list = append(list, step{medianPoint(run), k, frame, torsos[frame-begin]})
			}
			run, sum = run[:0], Point{}
		}
		for i := begin; i <= end; i++ {
			at, ok := s.Frames[i].At(foot.part)
			if !ok || torsos[i-begin] == 0 {
				finish(i - 1)
				continue
			}
			if n := float64(len(run)); n > 0 && at.Sub(sum.Mul(1/n)).Len() > stillRange*torsos[i-begin] {
				finish(i - 1)
			}
			run, sum = append(run, at), sum.Add(at)
		}
		finish(end)
	}
	return list
}

// torsos returns the torso length of the frames first to last, each the median over a second or so.
func (s Sequence) torsos(first, last, window int) []float64 {
	out := make([]float64, last-first+1)
	for i := first; i <= last; i++ {
		from, to := max(i-4*window, first), min(i+4*window, last)
		out[i-first] = rank.Median(rank.Known(to+1-from, func(k int) (float64, bool) {
			v, ok := s.Frames[from+k].TorsoLength()
			return v, ok && finite(v)
		}))
	}
	return out
}

// medianPoint returns the medians of the coordinates of one or more points.
func medianPoint(points []Point) Point {
	x, y := make([]float64, len(points)), make([]float64, len(points))
	for i, p := range points {
		x[i], y[i] = p[0], p[1]
	}
	return Point{rank.Median(x), rank.Median(y)}
}
