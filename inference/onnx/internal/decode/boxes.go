package decode

import (
	"cmp"
	"slices"
)

// Boxes decodes the output of a detector that includes non-maximum suppression (RTMDet, YOLOX if
// exported with it) into the boxes of people, best first. dets is [1, boxes, 5]: left, top, right and
// bottom in pixels of the input, and the score, 0 to 1. labels is [1, boxes], the class of each box,
// or a Tensor without a shape. Boxes of another class or with a score below minScore are dropped.
func Boxes(dets, labels Tensor, class int, minScore float64) ([]Box, error) {
	shape, ok := dets.unbatched(2)
	if !ok || shape[1] != 5 {
		return nil, dets.wrong("[1, boxes, 5]: left, top, right, bottom and score of each box")
	}
	labelled := labels.Shape != nil
	if labelled {
		if of, ok := labels.unbatched(1); !ok || of[0] != shape[0] {
			return nil, labels.wrong("[1, %d], one class for each box of %q", shape[0], dets.Name)
		}
	}
	var boxes []Box
	for i := range shape[0] {
		r := dets.Data[5*i : 5*i+5]
		b := Box{float64(r[0]), float64(r[1]), float64(r[2]), float64(r[3]), float64(r[4])}
		if b.valid() && b.Score >= minScore && (!labelled || labels.Data[i] == float32(class)) {
			boxes = append(boxes, b)
		}
	}
	slices.SortStableFunc(boxes, func(a, b Box) int { return cmp.Compare(b.Score, a.Score) })
	return boxes, nil
}
