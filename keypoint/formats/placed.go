package formats

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// placed are keypoints as files of markers have them: in space if the sequence has a Space, else with a z of 0 in metres
// along the floor of a World with a scale, else in pixels.
type placed struct {
	seq  keypoint.Sequence
	unit string // m, torso or px
	down bool   // y
	list []keypoint.Part
}

// markersOf returns the keypoints of a sequence for a file of a format.
func markersOf(format string, seq keypoint.Sequence) (placed, error) {
	if seq.Times == nil {
		return placed{}, wrong(format, "Time", "the sequence has no times, want one a frame")
	}
	p := placed{seq: seq, unit: "px", list: listed(seq)}
	switch {
	case seq.Space != nil:
		p.unit = seq.Space.Unit
	case seq.World.Metric():
		p.unit = keypoint.Metres
	default:
		p.seq.World, p.down = keypoint.World{}, true
	}
	return p, nil
}

// at returns where a part is in a frame, with one standard deviation, 0 if that is unknown.
func (p placed) at(frame int, part keypoint.Part) (at keypoint.Position, sigma float64, ok bool) {
	f := &p.seq.Frames[frame]
	if p.seq.Space != nil {
		at, ok = f.Positions().At(part)
		return at, f.Positions().Error(part), ok
	}
	xy, ok := f.At(part)
	xy = p.seq.World.Point(xy)
	if !p.down {
		xy[1] = -xy[1]
	}
	return xy.Vec3(0), 0, ok && finite(xy[0]) && finite(xy[1])
}

// rate returns the frames per second, 1 if there are too few frames.
func (p placed) rate() float64 {
	if rate, ok := p.seq.FrameRate(); ok && finite(rate) {
		return rate
	}
	return 1
}

const maxPaced = math.MaxUint16 // frames, which the header of C3D counts

// paced are placed keypoints at a steady rate.
type paced struct {
	placed
	fps    float64 // as if no frames were lost; 1 if there are too few
	frames []keypoint.Positions
	most   float64 // the greatest coordinate
}

// pacedOf returns the keypoints of a sequence for a file of a format.
func pacedOf(format string, seq keypoint.Sequence) (paced, error) {
	placed, err := markersOf(format, seq)
	if err != nil {
		return paced{}, err
	}
	p := paced{placed: placed, fps: placed.rate()}
	if step, lost := rank.Step(seq.Times); lost {
		p.fps, _ = keypoint.Sequence{Times: []float64{0, step}}.FrameRate()
	}
	n := min(1, seq.Len()) + int(math.Min(math.Round(seq.Duration()*p.fps), maxPaced))
	if n > maxPaced {
		return p, wrong(format, "frames", "there are more than %d, want at most as many: write parts of the recording", maxPaced)
	}
	const hole = 0.5 // seconds between two frames, from which on nothing is filled in
	p.frames = make([]keypoint.Positions, n)
	for i := range p.frames {
		t := seq.Times[0] + float64(i)/p.fps
		k := rank.Nearest(seq.Times, t)
		other, share := k, 0.0
		if off := t - seq.Times[k]; math.Abs(off)*p.fps > 0.05 {
			if other = min(max(k+int(math.Copysign(1, off)), 0), seq.Len()-1); other != k {
				share = off / (seq.Times[other] - seq.Times[k])
			}
		}
		for _, part := range p.list {
			a, sigmaA, hasA := p.at(k, part)
			b, sigmaB, hasB := p.at(other, part)
			if hasA && hasB && math.Abs(seq.Times[other]-seq.Times[k]) <= hole {
				at := a.Mul(1 - share).Add(b.Mul(share))
				p.frames[i].Set(part, at, max(sigmaA, sigmaB))
				p.most = max(p.most, math.Abs(at[0]), math.Abs(at[1]), math.Abs(at[2]))
			}
		}
	}
	return p, nil
}
