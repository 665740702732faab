package score

import (
	"github.com/bodymotion/motion/keypoint"
)

// Jitter returns how much the keypoints tremble: the mean second difference over all
// parts and all three consecutive frames that have the part,
//
//	mean |p_{i+1} − 2·p_i + p_{i−1}| / torso
//
// in torso lengths, with the median Torso of the sequence. Even movement gives 0; the
// acceleration of the movement itself counts as well, so compare results for the same
// movie, at the same frame rate. Times are not looked at. ok is false where no frame has
// a torso or no part is in three frames running.
//
// The second difference is what "acceleration error" is made of in work on human motion
// (Kanazawa et al., "Learning 3D human dynamics from video", CVPR 2019), here without a
// reference.
func Jitter(s keypoint.Sequence) (torsos float64, ok bool) {
	torso, ok := medianTorso(s)
	if !ok {
		return 0, false
	}
	var all Values
	for i := 1; i+1 < s.Len(); i++ {
		before, here, after := &s.Frames[i-1], &s.Frames[i], &s.Frames[i+1]
		for _, p := range (before.Present() & here.Present() & after.Present() & keypoint.Body).List() {
			a, _ := before.At(p)
			b, _ := here.At(p)
			c, _ := after.At(p)
			all = all.add(a.Sub(b).Add(c.Sub(b)).Len() / torso)
		}
	}
	return all.Mean()
}

// medianTorso returns the median Torso of the frames in pixels.
func medianTorso(s keypoint.Sequence) (pixels float64, ok bool) {
	var all Values
	for i := range s.Frames {
		if t, ok := Torso(&s.Frames[i]); ok {
			all = append(all, t)
		}
	}
	return all.Median()
}
