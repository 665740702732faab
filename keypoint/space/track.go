package space

import (
	"math"
	"sort"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// track is a recording that can be asked for any time.
type track struct {
	seq   keypoint.Sequence
	main  keypoint.Span
	views quality.Views
	sides []keypoint.Facing
	torso []float64                    // pixels, by frame; 0: unknown
	sigma [][keypoint.NumParts]float64 // of a coordinate in pixels, by frame; 0: not seen
	own   bool                         // the frames are a copy
	sure  float64                      // how well the speeds of its limbs agree with those of the first one, 0 to 1
}

const (
	hiddenTimes = 2    // by how much a look is worse that a network guesses of a hidden part
	longestStep = 0.25 // seconds between two frames of which what is between is known
)

func newTrack(seq keypoint.Sequence) *track {
	u := quality.NewUncertainty(rated(seq))
	v := &track{seq: seq, main: seq.MainPerson(), views: u.Views, sides: seq.Sideways(), torso: make([]float64, seq.Len()), sigma: make([][keypoint.NumParts]float64, seq.Len())}
	var one [keypoint.NumParts]keypoint.Selector
	for p := range keypoint.Part(keypoint.NumParts) {
		one[p].Parts = []keypoint.Part{p}
	}
	for i := v.main.First; i <= v.main.Last; i++ {
		v.torso[i] = u.Torso(i)
		hidden := u.Hidden(i)
		for p := range one {
			s, ok := u.Point(i, one[p])
			if !ok {
				continue
			}
			if hidden.Has(keypoint.Part(p)) {
				s *= hiddenTimes
			}
			v.sigma[i][p] = s
		}
	}
	return v
}

// unrated is the confidence of points from files that tell none.
const unrated = 0.6

// rated returns a recording of which every point has a confidence of 1, so that nothing is known of them, with that of unrated points.
func rated(seq keypoint.Sequence) keypoint.Sequence {
	out := seq.Clone()
	for i := range out.Frames {
		f := &out.Frames[i]
		for _, p := range f.Present().List() {
			if f.Confidence(p) != 1 {
				return seq
			}
			at, _ := f.At(p)
			f.Set(p, at, unrated)
		}
	}
	return out
}

// look is what a camera sees of a part at a time.
type look struct {
	at    keypoint.Point // pixels from the middle of the picture
	speed keypoint.Point // pixels a second
	sigma float64        // of a coordinate, pixels; 0: it is not seen
	torso float64        // pixels
}

// frame returns the frame at a time, or the last one before; ok is false outside the recording of the person.
func (v *track) frame(t float64) (i int, ok bool) {
	times := v.seq.Times
	i = sort.SearchFloat64s(times, t+1e-9) - 1
	ok = i >= v.main.First && (i < v.main.Last || i == v.main.Last && t-times[i] < 1e-6)
	return i, ok
}

// look returns a part at a time in or after frame i: on the cubic curve through the frames around, with the slope at each
// of them that of its neighbours.
func (v *track) look(i int, t float64, p keypoint.Part) look {
	at := func(j int) (keypoint.Point, bool) {
		if j < v.main.First || j > v.main.Last || v.sigma[j][p] == 0 {
			return keypoint.Point{}, false
		}
		return v.seq.Frames[j].At(p)
	}
	times := v.seq.Times
	middle := keypoint.Point{float64(v.seq.Size.X) / 2, float64(v.seq.Size.Y) / 2}
	a, ok := at(i)
	slope := func(j int) (m keypoint.Point) {
		lo, okL := at(j - 1)
		hi, okH := at(j + 1)
		here, _ := at(j)
		switch {
		case okL && okH:
			m = hi.Sub(lo).Mul(1 / (times[j+1] - times[j-1]))
		case okL:
			m = here.Sub(lo).Mul(1 / (times[j] - times[j-1]))
		case okH:
			m = hi.Sub(here).Mul(1 / (times[j+1] - times[j]))
		}
		return m
	}
	if t-times[i] < 1e-6 {
		if !ok {
			return look{}
		}
		return look{a.Sub(middle), slope(i), v.sigma[i][p], v.torso[i]}
	}
	b, okB := at(i + 1)
	if !ok || !okB || times[i+1]-times[i] > longestStep {
		return look{}
	}
	h := times[i+1] - times[i]
	s := (t - times[i]) / h
	m, n := slope(i).Mul(h), slope(i+1).Mul(h)
	pt := a.Mul((1 + 2*s) * (1 - s) * (1 - s)).Add(m.Mul(s * (1 - s) * (1 - s))).Add(b.Mul(s * s * (3 - 2*s))).Sub(n.Mul(s * s * (1 - s)))
	speed := a.Mul(6*s*s - 6*s).Add(m.Mul(1 - 4*s + 3*s*s)).Add(b.Mul(6*s - 6*s*s)).Add(n.Mul(3*s*s - 2*s)).Mul(1 / h)
	return look{pt.Sub(middle), speed, math.Max(v.sigma[i][p], v.sigma[i+1][p]), (v.torso[i] + v.torso[i+1]) / 2}
}

// facing is from where a picture seems to see the person: 0 degrees in front, to 180 behind; if the side is known, positive on their left.
type facing struct {
	degrees       float64
	known, signed bool
}

func (v *track) facing(i int) (f facing) {
	f.degrees, f.known = v.views.View(i)
	f.signed = v.sides[i] != keypoint.FacingUnknown
	if v.sides[i] == keypoint.FacingRight {
		f.degrees *= -1
	}
	return f
}
