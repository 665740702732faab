package formats

import (
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
