package decode

import (
	"cmp"
	"slices"
)

// Person is a person found by a network.
type Person struct {
	Box
	Spots []Spot // one for each point; nil from detectors
}

// listed reads an output that includes non-maximum suppression: rows of n numbers, left, top, right, bottom and score in front. It
// returns the people with a score of at least minScore that keep accepts, best first. rest has the other numbers of a row.
func listed(data []float32, n int, minScore float64, keep func(row int, rest []float32) (spots []Spot, ok bool)) []Person {
	var people []Person
	for i := range len(data) / n {
		r := data[i*n : (i+1)*n]
		b := Box{float64(r[0]), float64(r[1]), float64(r[2]), float64(r[3]), float64(r[4])}
		if !b.valid() || b.Score < minScore {
			continue
		}
		if spots, ok := keep(i, r[5:]); ok {
			people = append(people, Person{b, spots})
		}
	}
	slices.SortStableFunc(people, func(a, b Person) int { return cmp.Compare(b.Score, a.Score) })
	return people
}

// Boxes decodes the output of a detector that includes non-maximum suppression (RTMDet, YOLOX if exported with it) into people,
// best first. dets is [1, boxes, 5]: left, top, right and bottom in pixels of the input, and the score, 0 to 1. labels is [1,
// boxes], the class of each box, or a Tensor without a shape. Boxes of another class or with a score below minScore are dropped.
func Boxes(dets, labels Tensor, class int, minScore float64) ([]Person, error) {
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
	return listed(dets.Data, 5, minScore, func(i int, _ []float32) ([]Spot, bool) {
		return nil, !labelled || labels.Data[i] == float32(class)
	}), nil
}
