package decode

import (
	"cmp"
	"slices"
)

// Person is a person found by a one-stage network.
type Person struct {
	Box   Box
	Spots []Spot // one for each point
}

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
		return answer{t.Data, shape[1], shape[1], 1}.people(points, minScore, overlap), nil
	case shape[1] == raw:
		return answer{t.Data, shape[0], 1, raw}.people(points, minScore, overlap), nil
	case shape[1] == final:
		return finished(t.Data, final, points, minScore), nil
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

// boxes returns the boxes whose score, the value j of an anchor, reaches minScore, and their anchors.
func (a answer) boxes(j int, minScore float64) (boxes []Box, anchors []int) {
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
	return boxes, anchors
}

func (a answer) people(points int, minScore, overlap float64) []Person {
	boxes, anchors := a.boxes(4, minScore)
	var people []Person
	for _, k := range NMS(boxes, overlap) {
		p := Person{boxes[k], make([]Spot, points)}
		for j := range p.Spots {
			p.Spots[j] = spot(a.at(anchors[k], 5+3*j), a.at(anchors[k], 6+3*j), a.at(anchors[k], 7+3*j))
		}
		people = append(people, p)
	}
	return people
}

// finished reads the output of an end-to-end export, rows of n numbers.
func finished(data []float32, n, points int, minScore float64) []Person {
	var people []Person
	for ; len(data) >= n; data = data[n:] {
		b := Box{float64(data[0]), float64(data[1]), float64(data[2]), float64(data[3]), float64(data[4])}
		if !b.valid() || b.Score < minScore {
			continue
		}
		p := Person{b, make([]Spot, points)}
		for j := range p.Spots {
			at := data[6+3*j : 9+3*j]
			p.Spots[j] = spot(float64(at[0]), float64(at[1]), float64(at[2]))
		}
		people = append(people, p)
	}
	slices.SortStableFunc(people, func(a, b Person) int { return cmp.Compare(b.Box.Score, a.Box.Score) })
	return people
}

// spot returns a Spot, the zero one if a number is not finite.
func spot(x, y, score float64) Spot {
	if !finite(x, y, score) {
		return Spot{}
	}
	return Spot{x, y, max(score, 0)}
}
