package score

import (
	"cmp"
	"slices"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
)

// outcome is the result of one detection at one threshold.
type outcome uint8

const (
	wrong   outcome = iota // it matches nobody
	right                  // it matches a person who counts
	neither                // it matches one who does not count
)

// verdict is the result of one detection at all thresholds.
type verdict struct {
	score   float64
	outcome [thresholds]outcome
}

// judged collects the verdicts of many pictures.
type judged struct {
	people     int // who count
	detections []verdict
}

// add matches the detections of one picture with its people.
func (j *judged) add(p *Picture) {
	var people []*truth.Person // those who count come first
	for _, counts := range []bool{true, false} {
		for i := range p.People {
			if who := &p.People[i]; who.Scored() == counts {
				people = append(people, who)
			}
		}
	}
	counting := 0
	for counting < len(people) && people[counting].Scored() {
		counting++
	}
	j.people += counting

	var found []*Detection
	for i := range p.Found {
		if !p.Found[i].Parts.Empty() {
			found = append(found, &p.Found[i])
		}
	}
	slices.SortStableFunc(found, func(a, b *Detection) int { return cmp.Compare(b.Score, a.Score) })
	found = found[:min(len(found), MaxDetections)]

	similarity := make([][]float64, len(found))
	for d := range found {
		for _, who := range people {
			similarity[d] = append(similarity[d], OKS(who, &found[d].Parts))
		}
	}
	for d := range found {
		j.detections = append(j.detections, verdict{score: found[d].Score})
	}
	mine := j.detections[len(j.detections)-len(found):]
	for t, least := range oksThresholds() {
		taken := make([]bool, len(people))
		for d := range found {
			m := match(people, counting, taken, similarity[d], least)
			switch {
			case m >= 0 && m < counting:
				mine[d].outcome[t] = right
			case m >= 0:
				mine[d].outcome[t] = neither
			}
			if m >= 0 {
				taken[m] = true
			}
		}
	}
}

// match returns the person that a detection matches, or -1. Of equally similar ones it is the last, as
// in pycocotools.
func match(people []*truth.Person, counting int, taken []bool, similarity []float64, least float64) int {
	best := -1
	least = min(least, 1-1e-10)
	for i, who := range people {
		if taken[i] && !who.Crowd {
			continue
		}
		if i >= counting && best >= 0 && best < counting {
			break
		}
		if similarity[i] >= least {
			best, least = i, similarity[i]
		}
	}
	return best
}
