package analyze

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// length computes a named length in a frame in pixels; sign is that of an angle of the frontal plane.
type length func(rec *recording, i int, side Side, sign float64) (pixels float64, ok bool)

// The named lengths, in metres, or torso lengths without a scale.
var (
	bothAnkles = keypoint.MidpointSelector(keypoint.LeftAnkle, keypoint.RightAnkle)

	stepWidth = &angle{narrow: true, plane: quality.Frontal, length: across(ankle),
		points: []keypoint.Selector{ankle, keypoint.PartSelector(keypoint.RightAnkle)}}
	kneeSeparation = &angle{narrow: true, plane: quality.Frontal, length: across(knee),
		points: []keypoint.Selector{knee, keypoint.PartSelector(keypoint.RightKnee)}}
	handHeight = &angle{sided: true, length: overFloor(wrist), points: []keypoint.Selector{wrist, bothAnkles}}
	hipHeight  = &angle{length: overFloor(hips), points: []keypoint.Selector{hips, bothAnkles}}
)

// across is how far a left part is to the left of its twin, along the floor.
func across(left keypoint.Selector) length {
	return func(rec *recording, i int, _ Side, sign float64) (float64, bool) {
		if rec.headings != nil {
			p := pose{rec.Frames[i].Positions(), rec.headings[i]}
			length, _, ok := p.across([]keypoint.Selector{left, onSide(left, RightSide)})
			return length * space.PixelsOf(rec.Space), ok
		}
		l, okL := left.At(&rec.Frames[i])
		r, okR := onSide(left, RightSide).At(&rec.Frames[i])
		return sign * l.Sub(r).Dot(rec.World.Right()), okL && okR
	}
}

// overFloor is how high a point is over the floor.
func overFloor(point keypoint.Selector) length {
	return func(rec *recording, i int, side Side, _ float64) (float64, bool) {
		if rec.floors == nil {
			rec.findFloor()
		}
		at, ok := onSide(point, side).At(&rec.Frames[i])
		return rec.floors[i].X - at.Dot(down(rec.World)), ok && rec.floors[i].Present
	}
}

// down is the direction to the floor in the picture.
func down(w keypoint.World) keypoint.Point {
	right := w.Right()
	return keypoint.Point{-right[1], right[0]}
}

const (
	floorTime  = 1.0  // seconds before and after a frame in which the feet tell the floor
	ankleFloor = 0.18 // torso lengths from the floor to an ankle of a foot that rests on it
	toeFloor   = 0.06 // and to a big toe

	perspective = 0.07 // the share of a length by which it seems longer or shorter where the camera looks up or down
)

// findFloor finds the level of the floor in each frame: the median of that below the lower foot.
func (rec *recording) findFloor() {
	rec.floors = make([]Value, rec.Len())
	low := make([]Value, rec.Len())
	for i := range rec.Frames {
		for _, foot := range [...]struct {
			toe, ankle keypoint.Part
		}{{keypoint.LeftBigToe, keypoint.LeftAnkle}, {keypoint.RightBigToe, keypoint.RightAnkle}} {
			at, ok := rec.Frames[i].At(foot.toe)
			over := toeFloor
			if !ok {
				at, ok = rec.Frames[i].At(foot.ankle)
				over = ankleFloor
			}
			level := at.Dot(down(rec.World)) + over*rec.Torso(i)
			if ok && (!low[i].Present || level > low[i].X) {
				low[i] = number(level)
			}
		}
	}
	for _, person := range rec.People() {
		var sample []float64
		from, to := person.First, person.First
		for i := person.First; i <= person.Last; i++ {
			for rec.Times != nil && rec.Times[from] < rec.Times[i]-floorTime {
				from++
			}
			for to <= person.Last && (rec.Times == nil || rec.Times[to] <= rec.Times[i]+floorTime) {
				to++
			}
			sample = sample[:0]
			for _, v := range low[from:to] {
				if v.Present {
					sample = append(sample, v.X)
				}
			}
			if len(sample) > 0 {
				rec.floors[i] = number(rank.Median(sample))
			}
		}
	}
}

// unit returns what a pixel of frame i is in the unit of named lengths; 0 if the size of the body is not known.
func (rec *recording) unit(i int) float64 {
	if rec.World.Metric() {
		return rec.World.MetresPerPixel
	}
	if torso := rec.Torso(i); torso > 0 {
		return 1 / torso
	}
	return 0
}

// ofLength is the uncertainty of a named length in torso lengths: of its points, and of feet that stand one before the
// other, which a view from aside shows as breadth.
func ofLength(u *quality.Uncertainty, frame int, plane quality.Plane, p []keypoint.Selector) (float64, bool) {
	const aside = 0.2 // torso lengths
	pixels, ok := u.Distance(frame, p[0], p[1])
	view, known := u.View(frame)
	if plane == quality.Frontal && known {
		pixels = math.Hypot(pixels, aside*math.Sin(view*math.Pi/180)*u.Torso(frame))
	}
	return pixels, ok
}
