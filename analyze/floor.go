package analyze

import (
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

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
