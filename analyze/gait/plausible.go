package gait

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// legs are the parts whose sides decide whose step it is.
var legs = keypoint.PartsOf(keypoint.LeftKnee, keypoint.RightKnee, keypoint.LeftAnkle, keypoint.RightAnkle)

// bounds are the least and the greatest value of what a body does.
type bounds struct{ low, high float64 }

// limits are what is possible of a stride and its parts.
type limits struct{ stride, stance, step, length bounds }

// possible is what bodies do by mode. Stances are shares of the stride, and steps shares of it in time; lengths of
// steps are torso lengths. People who hardly get on have stances of up to 85 % of the stride, sprinters 20 %.
var possible = map[Mode]limits{
	walking: {bounds{0.5, 4}, bounds{0.45, 0.9}, bounds{0.2, 0.8}, bounds{0, 3}},
	running: {bounds{0.3, 1.5}, bounds{0.1, 0.55}, bounds{0.2, 0.8}, bounds{0, 6}},
}

func (b bounds) has(v float64) bool { return v >= b.low && v <= b.high }

// shortest is the time in seconds for which legs must be exchanged to make steps unsure: cleaning repairs single frames.
const shortest = 0.1

// unsure returns the frames of a recording in which the legs are exchanged, and warns of them.
func (g *Gait) unsure(known []quality.Warning, times []float64) []bool {
	frames := len(times)
	list := make([]bool, frames)
	for _, w := range known {
		w.From, w.To = max(w.From, 0), min(w.To, frames-1)
		if w.Parts &= legs; w.Code != quality.CodeSwapped || w.Parts == 0 || w.From > w.To || times[w.To]-times[w.From] < shortest {
			continue
		}
		for i, t := range times {
			list[i] = list[i] || t > times[w.From]-margin && t < times[w.To]+margin
		}
		w.Detail = "Left and right of the legs were exchanged or cannot be told apart: steps here do not count."
		g.Warnings = append(g.Warnings, w)
	}
	return list
}

// doubt takes the frames in which the legs are unsure from what tells the places of the feet.
func (p *pass) doubt(unsure []bool) {
	p.unsure = unsure
	for side := range p.feet {
		f := &p.feet[side]
		for i, u := range unsure {
			for _, t := range [...]*track{&f.ankle, &f.heel, &f.toe} {
				t.seen[i] = t.seen[i] && !u
			}
		}
	}
}

// sure reports whether the legs are sure at a time.
func (p *pass) sure(seconds float64) bool { return !p.unsure[rank.Nearest(p.times, seconds)] }

// oblique warns of passes that are not seen from the side, where the breadth of the walk makes the steps of one foot seem long and those
// of the other short. In place, lengths are divided by what the view shows of them; where it is too little, there are none.
func (g *Gait) oblique(passes []*pass, views quality.Views) {
	for _, p := range passes {
		frames, detail, sum, known := 0, "", 0.0, 0.0
		for _, w := range views.OutOfPlane(quality.Sagittal, p.first, p.last) {
			frames, detail = frames+w.To-w.From+1, w.Detail
		}
		for i := p.first; i <= p.last; i++ {
			if v, ok := views.View(i); ok {
				sum, known = sum+v, known+1
			}
		}
		if p.oblique = p.sight == 0 && 2*frames > len(p.times); p.oblique {
			detail = "Left and right steps are not compared. " + detail
			if p.inPlace {
				p.along, detail = 0, "Strides have no length. "+detail
			}
			g.Warnings = append(g.Warnings, quality.Warning{Code: quality.CodeOutOfPlane, Detail: detail, From: p.first, To: p.last})
		} else if p.inPlace && known > 0 {
			sin, cos := math.Sincos(sum / known * math.Pi / 180)
			p.along, p.astray = sin, viewError*math.Abs(cos/sin)
		}
	}
}

// refuse reports whether a value is impossible for a body, and warns of the time in which it was found.
func (g *Gait) refuse(p *pass, side int, from, to float64, b bounds, v float64, format string, args ...any) bool {
	if b.has(v) {
		return false
	}
	ankle := [2]keypoint.Part{keypoint.LeftAnkle, keypoint.RightAnkle}[side]
	g.Warnings = append(g.Warnings, quality.Warning{
		Code: quality.CodeImplausible, Detail: fmt.Sprintf("Left out, since no body does it: "+format+".", args...),
		From: p.first + rank.Nearest(p.times, from), To: p.first + rank.Nearest(p.times, to), Parts: keypoint.PartsOf(ankle),
	})
	return true
}
