package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// pairOfPeople is two recordings that are joined or refused.
type pairOfPeople struct {
	group
	genuine bool
	apart   float64 // degrees between the directions to the cameras

	joining
	refused *space.Error
	off     [2]float64 // root mean squares in degrees of what knees and hips are off by: as joined, and with the true cameras
}

type pairsOfPeople []pairOfPeople

// right returns how many genuine pairs are joined, of all.
func (p pairsOfPeople) right() [2]int { return p.counts(true, false) }

// wrong returns how many others are refused, of all.
func (p pairsOfPeople) wrong() [2]int { return p.counts(false, true) }

func (p pairsOfPeople) counts(genuine, refused bool) (n [2]int) {
	for _, x := range p {
		if x.genuine == genuine {
			if n[1]++; (x.refused != nil) == refused {
				n[0]++
			}
		}
	}
	return n
}

// print prints the pairs.
func (p pairsOfPeople) print(out io.Writer) error {
	t := newTable(out, "pair", "apart °", "offset ms", "rotation °", "residual px", "knee and hip off °", "with the true cameras °", "")
	for _, x := range p {
		name := x.group.name
		if !x.genuine {
			name += " (wrong)"
		}
		if x.refused != nil {
			t.row(name, fmt.Sprintf("%.0f", x.apart), "", "", "", "", "", x.refused.Reason)
			continue
		}
		cells := []any{name}
		for _, v := range []float64{x.apart, 1000 * x.offset, x.rotation, x.residual, x.off[0], x.off[1]} {
			cells = append(cells, fmt.Sprintf("%.1f", v))
		}
		t.row(append(cells, "joined")...)
	}
	right, wrong := p.right(), p.wrong()
	err := t.Flush()
	fmt.Fprintf(out, "%d of %d genuine pairs joined, %d of %d others refused\n", right[0], right[1], wrong[0], wrong[1])
	return err
}

// attempt is two recordings by their numbers in a list.
type attempt struct {
	a, b    int
	genuine bool
	halves  bool // the first half of the one and the second half of the other
}

// attempts returns neighbouring cameras of each take, and recordings that do not belong together: of the next take, of the next
// person who does the same, and of another time.
func attempts(list []*recorded.Footage) (all []attempt) {
	var takes [][]int
	for k, f := range list {
		if n := len(takes); n > 0 && list[takes[n-1][0]].Person == f.Person && list[takes[n-1][0]].Take == f.Take {
			takes[n-1] = append(takes[n-1], k)
		} else {
			takes = append(takes, []int{k})
		}
	}
	for t, cameras := range takes {
		if len(cameras) < 2 {
			continue
		}
		for k, a := range cameras {
			if next := cameras[(k+1)%len(cameras)]; next != cameras[0] || len(cameras) > 2 {
				all = append(all, attempt{a: a, b: next, genuine: true})
			}
		}
		all = append(all, attempt{a: cameras[0], b: cameras[1], halves: true})
		first := list[cameras[0]]
		if t+1 < len(takes) && list[takes[t+1][0]].Person == first.Person {
			all = append(all, attempt{a: cameras[0], b: takes[t+1][len(takes[t+1])/2]})
		}
		if k := slices.IndexFunc(takes[t+1:], func(x []int) bool { return list[x[0]].Person != first.Person && list[x[0]].Take == first.Take }); k >= 0 {
			other := takes[t+1+k]
			all = append(all, attempt{a: cameras[0], b: other[len(other)/2]})
		}
	}
	return all
}

// joinPeople joins the recordings of people in pairs.
func joinPeople(list []*recorded.Footage, exact bool) (pairsOfPeople, error) {
	all := attempts(list)
	results, failures := make([]*pairOfPeople, len(all)), make([]error, len(all))
	inParallel(len(all), func(k int) {
		var views [2]view
		for side, of := range []int{all[k].a, all[k].b} {
			r, err := recordingOf(list[of], recorded.Straight, exact)
			views[side] = view{name: list[of].Name, seq: r.Sequence, camera: list[of].Camera(), truth: r.truth}
			failures[k] = errors.Join(failures[k], err)
		}
		if failures[k] == nil {
			results[k], failures[k] = all[k].join(views[0], views[1])
		}
	})
	var pairs pairsOfPeople
	for _, x := range results {
		if x != nil {
			pairs = append(pairs, *x)
		}
	}
	return pairs, errors.Join(failures...)
}

// inParallel calls a function with the numbers from 0 on, on all processors.
func inParallel(n int, do func(k int)) {
	var group sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for k := range next {
				do(k)
			}
		})
	}
	for k := range n {
		next <- k
	}
	close(next)
	group.Wait()
}

// join joins two views; nil if their cameras are too near to each other, or too far from each other.
func (x attempt) join(a, b view) (*pairOfPeople, error) {
	b.camera.Offset -= a.camera.Offset
	a.camera.Offset = 0
	p := &pairOfPeople{group: group{name: a.name + " " + b.name, views: []view{a, b}}, genuine: x.genuine, apart: apart(a, b)}
	if x.genuine && (p.apart < 20 || p.apart > 160) {
		return nil, nil
	}
	if !x.genuine {
		n := min(a.seq.Len(), b.seq.Len())
		first, last := 0, n-1
		if x.halves {
			first, n = n/2, n/2
		}
		p.views[0].seq, p.views[1].seq = a.seq.Slice(0, n-1), b.seq.Slice(first, last)
		_, err := space.Join(p.seqs(), space.Options{BodyHeight: a.truth.Height})
		return p, p.refusal(err)
	}
	var err error
	if p.joining, err = p.measure(); err != nil {
		return p, p.refusal(err)
	}
	for k, seq := range []keypoint.Sequence{p.joined, p.given} {
		r, err := p.recorded(seq)
		if err != nil {
			return nil, err
		}
		var errors []float64
		for _, j := range joints[:2] {
			for _, side := range sidesOf(j.kind) {
				found, err := valuesOf(seq, j.kind, side)
				if err != nil {
					return nil, err
				}
				want, err := wanted(r.truth, j, side)
				if err != nil {
					return nil, err
				}
				for _, m := range r.pairs {
					if v, w := found[m.Result], want[m.Reference]; v.Present && !math.IsNaN(w) {
						errors = append(errors, math.Remainder(v.X-w, 360))
					}
				}
			}
		}
		p.off[k] = summed(errors).RMSE()
	}
	p.views, p.joined, p.given = nil, keypoint.Sequence{}, keypoint.Sequence{} // they are large
	return p, nil
}

// refusal keeps why the pair is refused; another error is returned.
func (p *pairOfPeople) refusal(err error) error {
	p.views = nil
	if errors.As(err, &p.refused) {
		return nil
	}
	return err
}

// apart returns the median of the degrees between the directions from the hips to two cameras.
func apart(a, b view) float64 {
	var all []float64
	for i := range a.truth.World {
		hips := a.truth.World[i].Middle(keypoint.LeftHip)
		if x, y := a.camera.Eye().Sub(hips), b.camera.Eye().Sub(hips); !math.IsNaN(hips.Len()) {
			all = append(all, math.Acos(min(max(x.Dot(y)/(x.Len()*y.Len()), -1), 1))*180/math.Pi)
		}
	}
	return rank.Median(all)
}
