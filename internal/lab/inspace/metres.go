package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// bones are those whose lengths are measured, of both sides.
var bones = [][2]keypoint.Part{{keypoint.LeftHip, keypoint.LeftKnee}, {keypoint.LeftKnee, keypoint.LeftAnkle}, {keypoint.LeftShoulder, keypoint.LeftElbow}}

// metres returns what is measured in metres, and the steps: "what off by how much", separated by semicolons. The sequence has
// positions in metres.
func metres(seq keypoint.Sequence, t *evalpose.Truth) string {
	var told []string
	tell := func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	var lengths, found, want []float64
	var from, to []keypoint.Position
	for i := range seq.Frames {
		s, w := seq.Frames[i].Positions(), &t.World[i]
		for _, b := range bones {
			for _, side := range []func(keypoint.Part) keypoint.Part{func(p keypoint.Part) keypoint.Part { return p }, keypoint.Part.Mirror} {
				p, q := side(b[0]), side(b[1])
				x, okX := s.At(p)
				y, okY := s.At(q)
				if !okX || !okY {
					continue
				}
				lengths = append(lengths, x.Sub(y).Len()/mgl64.Vec3(w[p]).Sub(w[q]).Len())
				from, to = append(from, x, y), append(to, w[p], w[q])
			}
		}
		l, okL := s.At(keypoint.LeftHip)
		r, okR := s.At(keypoint.RightHip)
		if okL && okR {
			found, want = append(found, (l[1]+r[1])/2), append(want, (w[keypoint.LeftHip][1]+w[keypoint.RightHip][1])/2)
		}
	}
	if len(found) == 0 {
		return "nothing is known in space"
	}
	turn, move := rigid(from, to)
	up := mgl64.Vec3{0, 1, 0}
	tell("bones %+.1f %%; vertical %.1f°; floor %+.0f mm", 100*(rank.Median(lengths)-1), math.Acos(min(turn.Mul3x1(up).Dot(up), 1))*180/math.Pi, 1000*move[1])
	spread := func(v []float64) float64 {
		v = slices.Sorted(slices.Values(v))
		return rank.Percentile(v, 0.98) - rank.Percentile(v, 0.02)
	}
	if drop := spread(want); drop > 0.2 {
		tell("hips' drop %+.1f %%", 100*(spread(found)/drop-1))
	}
	if t.Pace.Height > 0 {
		jumps, err := jump.Analyze(seq)
		tell("%d jumps (%v)", len(jumps), err)
		for _, j := range jumps {
			tell("height %+.1f cm, rise %+.1f cm", 100*(j.Height-t.Pace.Height), 100*(j.Rise.X-t.Pace.Height))
		}
	}
	if t.Pace.Cadence > 0 {
		tell("%s", steps(seq, t))
	}
	return strings.Join(told, "; ")
}

// steps compares the events and lengths of a walk or a run.
func steps(seq keypoint.Sequence, t *evalpose.Truth) string {
	g, err := gait.Analyze(seq, gait.Options{})
	if err != nil {
		return err.Error()
	}
	var off []float64
	missing := 0
	for _, e := range t.Events {
		kind := map[string]gait.EventKind{"heel strike": gait.HeelStrike, "toe off": gait.ToeOff}[e.What]
		nearest := math.Inf(1)
		for _, x := range g.Events {
			if d := x.Time - e.Time; x.Kind == kind && string(x.Side) == e.Side && math.Abs(d) < math.Abs(nearest) {
				nearest = d
			}
		}
		switch {
		case math.Abs(nearest) < 0.15:
			off = append(off, math.Abs(nearest))
		case e.Time > 0.1 && e.Time < seq.Times[seq.Len()-1]-0.1:
			missing++
		}
	}
	text := fmt.Sprintf("%d events off by %.0f ms, %d missing, %d wrong; cadence %+.1f %%", len(off), 1000*rank.Median(off), missing, len(g.Events)-len(off), 100*(g.Cadence.X/t.Pace.Cadence-1))
	if g.StrideLength.Both.Count > 0 {
		text += fmt.Sprintf("; stride %+.1f %%, speed %+.1f %%", 100*(g.StrideLength.Both.Mean/t.Pace.Stride-1), 100*(g.Speed.X/t.Pace.Speed-1))
	}
	return text
}
