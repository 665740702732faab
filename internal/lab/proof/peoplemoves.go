package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// stairs is the movement whose steps are not measured.
const stairs = "stairs"

// moves counts the steps of a recording against those that the library finds in the places of the markers, of a clip with its feet,
// where it is told, and the repetitions of a clip, of its exact places too.
func (w *watched) moves(r recording, said study.Study, f *recorded.Footage) error {
	places := r.truth.Parts
	if c := f.Clip; c != nil {
		if places = c.Places(); c.Movement == stairs {
			return w.repeats(f, said)
		}
	}
	if g, err := gait.Analyze(places, gait.Options{}); err == nil {
		for _, e := range g.Events {
			what := map[gait.EventKind]string{gait.HeelStrike: truth.HeelStrike, gait.ToeOff: truth.ToeOff}[e.Kind]
			r.truth.Events = append(r.truth.Events, truth.Event{Time: e.Time, Side: string(e.Side), What: what})
		}
		p := &r.truth.Pace
		p.Cadence, p.Stance, p.Stride, p.Speed = g.Cadence.X, g.StanceShare.Both.Mean, g.StrideLength.Both.Mean, g.Speed.X
	}
	for _, m := range []measure{{"", "ms", events}, {"", "%", pace}} {
		samples, err := m.errors(r)
		if err != nil {
			return err
		}
		for _, s := range samples {
			if s.of = max(s.of, len(s.errors)); r.withheld(said, s.what) {
				s.errors = nil
			}
			c := &tally{least: 1, shares: map[string]score.Share{"told": {Count: len(s.errors), Of: s.of}}}
			bias := summed(s.errors).Bias()
			for _, e := range s.errors {
				c.raw.Add(e, 0, 0)
				c.steady.Add(e-bias, 0, 0)
			}
			w.at(sight{s.what + ", " + m.unit, every}).plus(c)
		}
	}
	if c := f.Clip; c != nil && timed(c.Reps, c.Movement) {
		return w.repeats(f, said)
	}
	return nil
}

// timed reports whether it is known when a movement is repeated, or that it is not.
func timed(reps []rendered.Rep, movement string) bool {
	return len(reps) > 0 || slices.ContainsFunc([]string{"walk", "run", "stand"}, func(s string) bool { return strings.Contains(movement, s) })
}

// readOuts counts what is read off a measure: its peak, its range, and of each repetition that it leads the value at the turn and the
// way there and back; without the offset of the side in the recording, and as they are told.
func (w *watched) readOuts(s series, said study.Study) {
	list, ok := s.readOuts()
	if !ok {
		return
	}
	w.readOut("peak", list[0], s.offset)
	w.readOut("range", list[1], 0)
	if said.Lead == nil || *said.Lead != (study.Lead{Type: s.kind, Side: s.side}) || said.Repetitions == nil {
		return
	}
	for _, r := range said.Repetitions.List {
		var want []float64
		for _, x := range s.readings {
			if x.frame >= r.Start.Frame && x.frame <= r.End.Frame {
				want = append(want, x.want)
			}
		}
		if len(want) <= r.End.Frame-r.Start.Frame { // the truth lacks some
			continue
		}
		turn := slices.Min(want)
		if r.Turn.Value > r.Start.Value {
			turn = slices.Max(want)
		}
		way := reading{value: r.Depth, want: math.Abs(turn - (want[0]+want[len(want)-1])/2), known: true, trust: s.measure.Trust}
		w.readOut("repetition", way, 0)
		if k := slices.IndexFunc(r.At, func(x analyze.Reading) bool { return x.Type == s.kind && x.Side == s.side }); k >= 0 {
			at := r.At[k]
			w.readOut("turn", reading{value: at.Value - s.offset, sigma: at.Uncertainty, want: turn, known: true, trust: at.Trust}, s.offset)
		}
	}
}

// readOut counts one that is off by an offset, which it is given without.
func (w *watched) readOut(name string, x reading, offset float64) {
	steady := x.value - x.want
	x.value += offset
	for to, off := range map[string]float64{"": steady, ", as told": steady + offset} {
		one := &tally{least: fewest, shares: map[string]score.Share{}}
		if one.judge(x, math.Abs(off)); x.told() {
			one.raw.Add(x.value, x.want, x.sigma)
			one.steady.Add(off, 0, 0)
		}
		w.at(sight{name + to + ", °", every}).plus(one)
		w.at(sight{"read-outs" + to + ", °", every}).plus(one)
	}
}

// matched counts the repetitions and jumps that are told by their times: right, lost and invented.
func matched(reps []rendered.Rep, said study.Study) (n [3]int) {
	var turns []float64
	for _, j := range said.Jumps {
		turns = append(turns, j.TakeOff.Time)
	}
	if said.Repetitions != nil {
		for _, r := range said.Repetitions.List {
			turns = append(turns, r.Turn.Time)
		}
	}
	n[0], n[1], n[2] = rendered.Matched(reps, turns)
	return n
}

// repeats counts the repetitions of a clip as it is seen, and once those of its exact places; mistakes are noted.
func (w *watched) repeats(f *recorded.Footage, said study.Study) error {
	what := "repetitions"
	if len(f.Clip.Reps) == 0 {
		what = "walks, runs"
	}
	if f.Clip.Movement == stairs {
		what = stairs
	}
	count := func(view string, said study.Study) {
		n, to := matched(f.Clip.Reps, said), what+" "+view
		if n[1]+n[2] > 0 {
			w.mistakes = append(w.mistakes, fmt.Sprintf("%s %s: %d right, %d lost, %d invented, %s", f.Clip.Name, view, n[0], n[1], n[2], said.Movement))
		}
		w.reps[to] = [3]int{w.reps[to][0] + n[0], w.reps[to][1] + n[1], w.reps[to][2] + n[2]}
	}
	count(fmt.Sprintf("from %03d°", f.Cam), said)
	if f.Cam > 0 {
		return nil
	}
	said, err := study.Run(f.Clip.Places(), quality.Report{})
	count("in space", said)
	return err
}

// printRepetitions prints those of everybody by view, and the clips with mistakes.
func printRepetitions(out io.Writer, all *watched) {
	for _, name := range slices.Sorted(maps.Keys(all.reps)) {
		n := all.reps[name]
		fmt.Fprintf(out, "%s: %d right, %d lost, %d invented\n", name, n[0], n[1], n[2])
	}
	for _, line := range all.mistakes {
		fmt.Fprintln(out, line)
	}
}

// scaled sets how large the pixels at the hips and at the ankles are.
func scaled(t *truth.Truth, camera keypoint.Camera) {
	for i := range t.World {
		depth := func(p keypoint.Part) float64 {
			return camera.Rotation.Mul3x1(t.World[i].Middle(p)).Add(camera.Translation)[2] / camera.Focal
		}
		t.Scale, t.FloorScale = append(t.Scale, depth(keypoint.LeftHip)), append(t.FloorScale, depth(keypoint.LeftAnkle))
	}
}
