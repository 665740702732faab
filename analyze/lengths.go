package analyze

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

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
			return length * rec.Space.ViewPixels(), ok
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

// ofLength is the uncertainty of a named length in torso lengths: of its points, and of feet that stand one before the
// other, which a view from aside shows as breadth.
func ofLength(u *quality.Uncertainty, frame int, plane quality.Plane, p []keypoint.Selector) (sigma, constant float64, ok bool) {
	const aside = 0.2 // torso lengths
	sigma, ok = u.Distance(frame, p[0], p[1])
	view, known := u.View(frame)
	if plane == quality.Frontal && known {
		sigma = math.Hypot(sigma, aside*math.Sin(view*math.Pi/180)*u.Torso(frame))
	}
	return sigma, 0, ok
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
		from, to := person.First, person.First
		for i := person.First; i <= person.Last; i++ {
			for rec.Times != nil && rec.Times[from] < rec.Times[i]-floorTime {
				from++
			}
			for to <= person.Last && (rec.Times == nil || rec.Times[to] <= rec.Times[i]+floorTime) {
				to++
			}
			if known := present(low[from:to]); len(known) > 0 {
				rec.floors[i] = number(rank.Median(known))
			}
		}
	}
}

// down is the direction to the floor in the picture.
func down(w keypoint.World) keypoint.Point {
	right := w.Right()
	return keypoint.Point{-right[1], right[0]}
}
