package space

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// What an exchange of left and right costs, in squares of standard deviations.
const (
	mostCost      = 9.0  // of one thing that does not fit
	exchangeCost  = 1.0  // of each exchanged frame
	switchCost    = 10.0 // of each change between exchanged and not
	boneError     = 0.08 // standard deviation of a bone's length, as a share of it
	freeTurn      = 60   // degrees by which the head turns freely against the shoulders, and these against the hips
	bodyTurnError = 20   // degrees, one standard deviation beyond
	alike         = 0.05 // seconds within which looks have the same errors
)

// sided are the pairs of limbs, left parts, in the order in which their sides are told, with what tells: the bone to
// another part, or how the body is turned.
var sided = [...]struct{ left, from keypoint.Part }{
	{keypoint.LeftShoulder, keypoint.Nose}, {keypoint.LeftElbow, keypoint.LeftShoulder}, {keypoint.LeftWrist, keypoint.LeftElbow},
	{keypoint.LeftHip, keypoint.LeftShoulder}, {keypoint.LeftKnee, keypoint.LeftHip}, {keypoint.LeftAnkle, keypoint.LeftKnee},
}

// sight is what two cameras see at one time: the rays of each, and where they meet.
type sight struct {
	frame  int
	rays   [2][keypoint.NumParts]ray
	places [keypoint.NumParts]mgl64.Vec3
	known  keypoint.Parts
}

// mendSides exchanges left and right in the frames in which one of two views has them the wrong way round. Neither view
// shows it, as the lines of sight of both hips meet either way: but then the hips are turned against the shoulders, these
// against the head, or a bone has another length. Of each pair of parts the cheapest way through three states is taken: as
// they are, exchanged in the first view, and in the second.
func mendSides(a, b *track, cameras [2]keypoint.Camera) {
	sights := sightsOf(a, b, cameras)
	if len(sights) < leastMoments {
		return
	}
	across := essential(&cameras[0], &cameras[1])
	gain := min(1, (a.seq.Times[sights[len(sights)-1].frame]-a.seq.Times[sights[0].frame])/float64(len(sights))/alike)
	for _, c := range sided {
		length := 0.0
		if c.left != keypoint.LeftShoulder && c.left != keypoint.LeftHip {
			var all []float64
			for k := range sights {
				s := &sights[k]
				for _, side := range [2]func(keypoint.Part) keypoint.Part{func(p keypoint.Part) keypoint.Part { return p }, keypoint.Part.Mirror} {
					if p, q := side(c.left), side(c.from); s.known.Has(p) && s.known.Has(q) {
						all = append(all, s.places[p].Sub(s.places[q]).Len())
					}
				}
			}
			if length = rank.Median(all); length == 0 {
				continue
			}
		}
		costs := make([][3]float64, len(sights))
		for k := range sights {
			for state := range costs[k] {
				s := sights[k]
				s.exchange(c.left, state)
				costs[k][state] = gain * s.cost(c.left, c.from, length, across)
				if state > 0 {
					costs[k][state] += gain * exchangeCost
				}
			}
		}
		states := cheapest(costs)
		drop(states, costs, gain*exchangeCost)
		for k, state := range states {
			sights[k].exchange(c.left, state)
			if state == 1 {
				a.exchange(sights[k].frame, c.left)
			}
		}
		for j := range b.seq.Times { // each as the nearest sight
			t := b.seq.Times[j] + cameras[1].Offset
			k := sort.Search(len(sights)-1, func(k int) bool { return a.seq.Times[sights[k].frame]+a.seq.Times[sights[k+1].frame] > 2*t })
			if states[k] == 2 {
				b.exchange(j, c.left)
			}
		}
	}
}

// exchange exchanges a pair of parts in a frame, the foot with the ankle.
func (v *track) exchange(i int, left keypoint.Part) {
	if !v.own {
		v.seq.Frames, v.own = slices.Clone(v.seq.Frames), true
	}
	pairs := []keypoint.Part{left}
	if left == keypoint.LeftAnkle {
		pairs = append(pairs, keypoint.LeftHeel, keypoint.LeftBigToe, keypoint.LeftSmallToe)
	}
	for _, p := range pairs {
		v.seq.Frames[i].Exchange(p)
		v.sigma[i][p], v.sigma[i][p.Mirror()] = v.sigma[i][p.Mirror()], v.sigma[i][p]
	}
}

// cheapest returns the states of the cheapest way through all frames.
func cheapest(costs [][3]float64) []int {
	from := make([][3]int, len(costs))
	var sums [3]float64
	for k, cost := range costs {
		var next [3]float64
		for state := range next {
			best := math.Inf(1)
			for before, sum := range sums {
				if before != state {
					sum += switchCost
				}
				if sum < best {
					best, from[k][state] = sum, before
				}
			}
			next[state] = best + cost[state]
		}
		sums = next
	}
	states := make([]int, len(costs))
	state := 0
	for k, sum := range sums {
		if sum < sums[state] {
			state = k
		}
	}
	for k := len(costs) - 1; k >= 0; k-- {
		states[k] = state
		state = from[k][state]
	}
	return states
}

// drop leaves the pair as it is where an exchange takes less than half of the cost away: then the points are wrong.
func drop(states []int, costs [][3]float64, price float64) {
	for k := 0; k < len(states); k++ {
		first, was, is := k, 0.0, 0.0
		for ; k < len(states) && states[k] == states[first]; k++ {
			was, is = was+costs[k][0], is+costs[k][states[k]]-price
		}
		if k--; states[first] > 0 && is > was/2 {
			clear(states[first : k+1])
		}
	}
}

func sightsOf(a, b *track, cameras [2]keypoint.Camera) (sights []sight) {
	for i := a.main.First; i <= a.main.Last; i++ {
		t := a.seq.Times[i] - cameras[1].Offset
		j, ok := b.frame(t)
		if !ok {
			continue
		}
		s := sight{frame: i}
		for p := range keypoint.Part(keypoint.NumParts) {
			x, y := a.look(i, a.seq.Times[i], p), b.look(j, t, p)
			s.rays[0][p], s.rays[1][p] = x.ray(&cameras[0], 0), y.ray(&cameras[1], cameras[1].Offset)
			s.place(p)
		}
		sights = append(sights, s)
	}
	return sights
}

func (s *sight) place(p keypoint.Part) {
	at, ok := meet([]ray{s.rays[0][p], s.rays[1][p]})
	s.places[p] = at
	s.known &^= 1 << p
	if ok {
		s.known |= 1 << p
	}
}

// exchange exchanges a pair in the first view, 1, or the second, 2.
func (s *sight) exchange(left keypoint.Part, state int) {
	if state == 0 {
		return
	}
	right := left.Mirror()
	r := &s.rays[state-1]
	r[left], r[right] = r[right], r[left]
	s.place(left)
	s.place(right)
}

// cost tells how ill a pair fits: how far the lines of sight are from each other, and its bone from its length or its
// turn from what it hangs on.
func (s *sight) cost(left, from keypoint.Part, length float64, across mgl64.Mat3) (sum float64) {
	right := left.Mirror()
	if !s.known.Has(left) || !s.known.Has(right) {
		return 0
	}
	for _, p := range [2]keypoint.Part{left, right} {
		z := sampson(across, s.rays[0][p], s.rays[1][p])
		sum += min(z*z, mostCost)
	}
	if length > 0 {
		for _, side := range [2][2]keypoint.Part{{left, from}, {right, from.Mirror()}} {
			if s.known.Has(side[1]) {
				off := (s.places[side[0]].Sub(s.places[side[1]]).Len()/length - 1) / boneError
				sum += min(off*off, mostCost)
			}
		}
		return sum
	}
	knows := func(parts ...keypoint.Part) bool {
		return s.known&keypoint.PartsOf(parts...) == keypoint.PartsOf(parts...)
	}
	if !knows(keypoint.LeftShoulder, keypoint.RightShoulder, keypoint.LeftHip, keypoint.RightHip) {
		return sum
	}
	sum += turnCost(s.line(keypoint.LeftHip), s.line(keypoint.LeftShoulder))
	if from == keypoint.Nose && knows(from, keypoint.LeftEar, keypoint.RightEar) { // the head looks to the front
		up := s.middle(keypoint.LeftShoulder).Sub(s.middle(keypoint.LeftHip))
		ahead := s.places[keypoint.Nose].Sub(s.middle(keypoint.LeftEar))
		sum += turnCost(s.line(left).Cross(up), ahead.Sub(up.Mul(ahead.Dot(up)/up.Dot(up))))
	}
	return sum
}

// turnCost tells how ill the directions of two parts of the body fit.
func turnCost(a, b mgl64.Vec3) float64 {
	off := max(math.Atan2(a.Cross(b).Len(), a.Dot(b))*degrees-freeTurn, 0) / bodyTurnError
	return min(off*off, mostCost)
}

// line is that from the right part of a pair to the left one.
func (s *sight) line(left keypoint.Part) mgl64.Vec3 {
	return s.places[left].Sub(s.places[left.Mirror()])
}

func (s *sight) middle(left keypoint.Part) mgl64.Vec3 {
	return s.places[left].Add(s.places[left.Mirror()]).Mul(0.5)
}
