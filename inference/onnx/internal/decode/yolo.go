package decode

// YOLO decodes the output of a YOLOv8, YOLO11 or YOLO26 detector into people, best
// first. The output has one of these shapes, the first also transposed:
//
//	[1, 4 + classes, anchors]   centre x and y, width, height, scores of the classes
//	[1, boxes, 6]               left, top, right, bottom, score, class
//
// Positions are pixels of the input, scores 0 to 1. There is one anchor for each cell of the grids. Boxes of another
// class or with a score below MinScore are dropped. In the first shape, so are those that overlap a better one by
// more than Overlap (see NMS); the second is that of an end-to-end export, which includes suppression.
//
// Source: the documentation of Ultralytics, "Understanding End-to-End Detection".
func YOLO(t Tensor, g Grid) ([]Person, error) {
	anchors := g.cells()
	shape, ok := t.unbatched(2)
	switch {
	case !ok:
	case shape[1] == anchors && shape[0] > 4+g.Class:
		return answer{t.Data, anchors, anchors, 1}.people(4+g.Class, 0, g.MinScore, g.Overlap), nil
	case shape[0] == anchors && shape[1] > 4+g.Class:
		return answer{t.Data, anchors, 1, shape[1]}.people(4+g.Class, 0, g.MinScore, g.Overlap), nil
	case shape[1] == 6 && shape[0] != anchors:
		return listed(t.Data, 6, g.MinScore, func(_ int, rest []float32) ([]Spot, bool) {
			return nil, rest[0] == float32(g.Class)
		}), nil
	}
	return nil, t.wrong("[1, 4 + classes, %d] or [1, %d, 4 + classes] with at least %d classes: the raw answer for an input of %d×%d pixels and the strides %v; or, with suppression done, [1, boxes, 6]",
		anchors, anchors, g.Class+1, g.Width, g.Height, g.Strides)
}
