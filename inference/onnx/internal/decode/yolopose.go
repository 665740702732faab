package decode

// YOLOPose decodes the output of a YOLO pose network into people, best first. points is the number of
// points per body. The output has one of these shapes, the first also transposed:
//
//	[1, 5 + 3·points, anchors]   centre x and y, width, height, score, points
//	[1, people, 6 + 3·points]    left, top, right, bottom, score, class, points
//
// All are pixels of the input; each point is x, y and score (0 to 1). People with a score below
// minScore are dropped. In the first shape, so are those who overlap a better one by more than
// overlap (see NMS); the second is that of an end-to-end export, which includes suppression.
func YOLOPose(t Tensor, points int, minScore, overlap float64) ([]Person, error) {
	raw, final := 5+3*points, 6+3*points
	shape, ok := t.unbatched(2)
	switch {
	case !ok:
	case shape[0] == raw:
		return answer{t.Data, shape[1], shape[1], 1}.people(4, points, minScore, overlap), nil
	case shape[1] == raw:
		return answer{t.Data, shape[0], 1, raw}.people(4, points, minScore, overlap), nil
	case shape[1] == final:
		return listed(t.Data, final, minScore, func(_ int, rest []float32) ([]Spot, bool) {
			return spots(points, func(j int) float64 { return float64(rest[1+j]) }), true
		}), nil
	}
	return nil, t.wrong("[1, %d, anchors], [1, anchors, %d] or, with suppression done, [1, people, %d] for %d points", raw, raw, final, points)
}

// answer is a raw output: value j of anchor i is data[i*next+j*step].
type answer struct {
	data       []float32
	anchors    int
	step, next int
}

func (a answer) at(i, j int) float64 { return float64(a.data[i*a.next+j*a.step]) }

// people returns the people whose score, the value j of an anchor, reaches minScore, after suppression. Their points
// are the values from 5 on.
func (a answer) people(j, points int, minScore, overlap float64) (people []Person) {
	var boxes []Box
	var anchors []int
	for i := range a.anchors {
		score := a.at(i, j)
		if !(score >= minScore) {
			continue
		}
		x, y, w, h := a.at(i, 0), a.at(i, 1), a.at(i, 2), a.at(i, 3)
		if b := (Box{x - w/2, y - h/2, x + w/2, y + h/2, score}); b.valid() {
			boxes, anchors = append(boxes, b), append(anchors, i)
		}
	}
	for _, k := range NMS(boxes, overlap) {
		people = append(people, Person{boxes[k], spots(points, func(j int) float64 { return a.at(anchors[k], 5+j) })})
	}
	return people
}

// spots returns so many Spots of three values each; a Spot with a number that is not finite is zero.
func spots(points int, value func(j int) float64) []Spot {
	list := make([]Spot, points)
	for k := range list {
		if x, y, score := value(3*k), value(3*k+1), value(3*k+2); finite(x, y, score) {
			list[k] = Spot{x, y, max(score, 0)}
		}
	}
	return list
}
