package ensemble

import (
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

const (
	agreement  = 0.25 // torso lengths between two looks at a part that agree
	disagreed  = 0.7  // factor of the confidence of a part on which no two looks agree
	leastTorso = 6.0  // the extent of a body in torso lengths, at most: of a torso seen foreshortened
)

// size returns the torso length of the person in pixels, more than 0: the median of the looks'.
func size(looks []keypoint.Frame) float64 {
	least := 1.0
	for i := range looks {
		body := looks[i].Only(keypoint.Body)
		if low, high, ok := body.Bounds(); ok {
			least = max(least, max(high[0]-low[0], high[1]-low[1])/leastTorso)
		}
	}
	return max(rank.Median(rank.Known(len(looks), func(i int) (float64, bool) { return looks[i].TorsoLength() })), least)
}

// median returns each part at the median of the looks that agree on it, those around the look with
// which most others agree. If no two agree, it is the look nearest to the part in the frame before,
// or else the most confident one, and less confident. Its visibility is that of the looks that know it.
func median(looks []keypoint.Frame, previous *keypoint.Frame, torso float64) (f keypoint.Frame) {
	for p := range keypoint.Part(keypoint.NumParts) {
		var points []keypoint.Point
		var confidences, visibility []float64
		for i := range looks {
			if at, ok := looks[i].At(p); ok {
				points, confidences = append(points, at), append(confidences, looks[i].Confidence(p))
			}
			if v, ok := looks[i].Visibility(p); ok {
				visibility = append(visibility, v)
			}
		}
		if len(points) == 0 {
			continue
		}
		var most []int // indices of the looks that agree
		for i := range points {
			var agreed []int
			for k := range points {
				if points[i].Sub(points[k]).Len() <= agreement*torso {
					agreed = append(agreed, k)
				}
			}
			if len(agreed) > len(most) {
				most = agreed
			}
		}
		if len(most) > 1 || len(points) == 1 {
			var x, y, c []float64
			for _, i := range most {
				x, y, c = append(x, points[i][0]), append(y, points[i][1]), append(c, confidences[i])
			}
			f.Set(p, keypoint.Point{rank.Median(x), rank.Median(y)}, rank.Median(c))
			see(&f, p, visibility)
			continue
		}
		i := slices.Index(confidences, slices.Max(confidences))
		if was, ok := previous.At(p); ok {
			i = 0
			for k := range points {
				if points[k].Sub(was).Len() < points[i].Sub(was).Len() {
					i = k
				}
			}
		}
		f.Set(p, points[i], confidences[i]*disagreed)
		see(&f, p, visibility)
	}
	return f
}

// see sets the visibility of a part to the median of those that are known, if any is.
func see(f *keypoint.Frame, p keypoint.Part, known []float64) {
	if len(known) > 0 {
		f.SetVisibility(p, rank.Median(known))
	}
}
