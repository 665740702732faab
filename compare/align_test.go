package compare_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// wave is a recording whose left wrist moves as at says, in pixels of a torso of 100.
func wave(times []float64, at func(t float64) (dx, dy float64)) keypoint.Sequence {
	s := keypoint.Sequence{Times: times}
	for _, t := range times {
		dx, dy := at(t)
		s.Frames = append(s.Frames, move(standing(0, 0), keypoint.LeftWrist, dx, dy))
	}
	return s
}

func every(n int, step float64) []float64 {
	times := make([]float64, n)
	for i := range times {
		times[i] = float64(i) * step
	}
	return times
}

// circling is a movement that never repeats a pose within two seconds.
func circling(t float64) (dx, dy float64) {
	return 60 * math.Sin(2*math.Pi*t/2), 30*math.Cos(2*math.Pi*t/2) + 20*t
}

func worst(r compare.Result) (worst float64) {
	for i := range r.Frames {
		if d, ok := r.Frames[i].At(keypoint.LeftWrist); ok {
			worst = max(worst, d.Distance)
		}
	}
	return worst
}

func TestDTWUndoesUnevenTempo(t *testing.T) {
	source := wave(every(61, 1.0/30), circling)
	uneven := func(t float64) float64 { return t + 0.25*math.Sin(math.Pi*t/2) } // from 0 to 2, first faster
	target := wave(every(121, 1.0/60), func(t float64) (float64, float64) { return circling(uneven(t)) })
	linear := diff(t, source, target, compare.Options{})
	warped := diff(t, source, target, compare.Options{Alignment: compare.DTW})
	if worst(linear) < 0.1 || worst(warped) > 0.01 {
		t.Errorf("worst distance %v linear and %v warped", worst(linear), worst(warped))
	}
	for i, shift := range warped.Shift {
		at := source.Times[i] + shift.X // where the counterpart is
		if d := math.Abs(uneven(at) - source.Times[i]); d > 0.03 {
			t.Errorf("frame %d is found at %v s, off by %v s of the movement", i, at, d)
		}
	}
	for i, step := range warped.Path {
		if i == 0 {
			continue
		}
		di, dj := step[0]-warped.Path[i-1][0], step[1]-warped.Path[i-1][1]
		if di < 0 || dj < 0 || di > 1 || dj > 1 || di+dj == 0 {
			t.Fatalf("step from %v to %v", warped.Path[i-1], step)
		}
	}
	if first, last := warped.Path[0], warped.Path[len(warped.Path)-1]; first != [2]int{0, 0} || last != [2]int{60, 120} {
		t.Errorf("the path goes from %v to %v", first, last)
	}
	narrow := diff(t, source, target, compare.Options{Alignment: compare.DTW, Window: 0.05})
	for _, step := range narrow.Path {
		if off := math.Abs(float64(step[1])/60 - float64(step[0])/30); off > 0.05+1.0/30 {
			t.Errorf("%v is %v s off the linear alignment", step, off)
		}
	}
	if worst(narrow) <= worst(warped) {
		t.Error("the window does not hold the path back")
	}
}

// TestDTWAgainstBruteForce: no way through a few frames is cheaper than the one that is
// found.
func TestDTWAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		make := func(name string) keypoint.Sequence {
			n := rapid.IntRange(2, 5).Draw(t, name)
			s := keypoint.Sequence{}
			for range n {
				s.Frames = append(s.Frames, move(standing(0, 0), keypoint.LeftWrist, rapid.Float64Range(-200, 200).Draw(t, "dx"), 0))
			}
			return s
		}
		source, target := make("source"), make("target")
		penalty := rapid.SampledFrom([]float64{0, 0.01, 0.2}).Draw(t, "penalty")
		r, err := compare.Diff(source, target, compare.Options{Alignment: compare.DTW, Penalty: penalty})
		if err != nil {
			t.Fatal(err)
		}
		cost := func(i, j int) float64 {
			one, err := compare.Diff(seq(source.Frames[i]), seq(target.Frames[j]), compare.Options{})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			parts := one.Frames[0].Present().List()
			for _, p := range parts {
				d, _ := one.Frames[0].At(p)
				sum += d.Distance
			}
			return sum / float64(len(parts))
		}
		total := 0.0
		for i, step := range r.Path {
			total += cost(step[0], step[1])
			if i > 0 && (step[0] == r.Path[i-1][0] || step[1] == r.Path[i-1][1]) {
				total += penalty
			}
		}
		var cheapest func(i, j int) float64
		cheapest = func(i, j int) float64 {
			switch {
			case i < 0 || j < 0:
				return math.Inf(1)
			case i == 0 && j == 0:
				return cost(0, 0)
			}
			return cost(i, j) + min(cheapest(i-1, j-1), cheapest(i-1, j)+penalty, cheapest(i, j-1)+penalty)
		}
		if want := cheapest(source.Len()-1, target.Len()-1); math.Abs(total-want) > 1e-6 {
			t.Fatalf("the path %v costs %v, the cheapest %v", r.Path, total, want)
		}
	})
}

// TestHoles: what lies between frames of the target that are more than half a second apart is not compared. Where all
// frames are that far apart, it is.
func TestHoles(t *testing.T) {
	without := func(s keypoint.Sequence, from, to float64) (out keypoint.Sequence) {
		for i, at := range s.Times {
			if at <= from || at >= to {
				out.Times, out.Frames = append(out.Times, at), append(out.Frames, s.Frames[i])
			}
		}
		return out
	}
	whole := wave(every(120, 1./30), circling)
	for name, c := range map[string]struct {
		target   keypoint.Sequence
		from, to float64 // of what has no counterpart
	}{
		"longer than half a second": {without(whole, 1.25, 1.85), 1.25, 1.85}, "shorter": {without(whole, 1.25, 1.65), 0, 0},
		"a frame each second": {wave(every(5, 119./30/4), circling), 0, 0},
	} {
		for _, alignment := range []compare.Alignment{compare.Linear, compare.Offset} {
			if name == "a frame each second" && alignment == compare.Offset {
				continue // nothing correlates
			}
			r := diff(t, whole, c.target, compare.Options{Alignment: alignment})
			for i, at := range whole.Times {
				inside := at > c.from+1e-6 && at < c.to-1e-6
				if _, ok := r.Frames[i].At(keypoint.LeftWrist); ok == inside || r.Shift[i].Present == inside {
					t.Errorf("%s, %s: at %.3f s the wrist is compared: %v, shift %v", name, alignment, at, ok, r.Shift[i])
				}
			}
		}
	}
	for i, at := range whole.Times { // warped, what is as it was before or after the hole may be laid on that
		dx, dy := circling(at)
		for _, p := range []keypoint.Part{keypoint.RightWrist, keypoint.LeftElbow, keypoint.RightElbow, keypoint.LeftKnee, keypoint.RightKnee, keypoint.LeftAnkle} {
			whole.Frames[i] = move(whole.Frames[i], p, dx, dy)
		}
	}
	warped, left := diff(t, whole, without(whole, 1.25, 2.25), compare.Options{Alignment: compare.DTW}), 0
	for i, at := range whole.Times {
		d, ok := warped.Frames[i].At(keypoint.LeftWrist)
		if ok && d.Distance > 0.1 || !ok && (at < 1.25 || at > 2.25) {
			t.Errorf("warped: at %.3f s the wrist is compared: %v, %v", at, ok, d)
		}
		if !ok {
			left++
		}
	}
	if left < 20 {
		t.Errorf("warped: %d frames are left out", left)
	}
	text, err := json.Marshal(diff(t, whole, without(whole, 1.25, 1.85), compare.Options{}))
	if want := strings.Repeat(",null", 18); err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), want+",null") {
		t.Errorf("the shift in JSON has other than 18 nulls in a row: %.300s", text[len(text)-300:])
	}
}

func TestOffset(t *testing.T) {
	for _, delay := range []float64{0, 0.5, -0.4} {
		source := wave(every(90, 1.0/30), circling)
		target := wave(every(180, 1.0/60), func(t float64) (float64, float64) { return circling(t - delay) })
		r := diff(t, source, target, compare.Options{Alignment: compare.Offset})
		found, outside := 0, 0
		for i := range r.Frames {
			d, ok := r.Frames[i].At(keypoint.LeftWrist)
			at := source.Times[i] + delay
			if inside := at >= -1e-9 && at <= target.Times[179]+1e-9; ok != inside {
				t.Errorf("delay %v: frame %d has a counterpart: %v", delay, i, ok)
			}
			if !ok {
				outside++
				continue
			}
			found++
			if d.Distance > 0.005 || math.Abs(r.Shift[i].X-delay) > 1e-6 {
				t.Errorf("delay %v: frame %d is off by %v at a shift of %v", delay, i, d.Distance, r.Shift[i])
			}
		}
		if found < 60 {
			t.Errorf("delay %v: %d frames found, %d outside", delay, found, outside)
		}
	}
	still := wave(every(30, 1.0/30), func(float64) (float64, float64) { return 0, 0 })
	if _, err := compare.Diff(wave(every(30, 1.0/30), circling), still, compare.Options{Alignment: compare.Offset}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("nothing in common: %v", err)
	}
	if _, err := compare.Diff(seq(standing(0, 0), standing(0, 0)), seq(standing(0, 0), standing(0, 0)), compare.Options{Alignment: compare.Offset}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("without times: %v", err)
	}
}

func TestAlignmentEdges(t *testing.T) {
	image, movie := seq(standing(0, 0)), wave(every(10, 0.1), circling)
	for _, a := range []compare.Alignment{compare.Linear, compare.DTW, compare.Offset} {
		if r := diff(t, image, movie, compare.Options{Alignment: a}); len(r.Frames) != 1 {
			t.Errorf("%s: %d frames", a, len(r.Frames))
		}
		if r := diff(t, movie, image, compare.Options{Alignment: a}); len(r.Frames) != 10 {
			t.Errorf("%s: %d frames", a, len(r.Frames))
		}
	}
	for n := 2; n < 12; n++ { // the narrowest window always leaves a way
		for m := 2; m < 40; m += 3 {
			opt := compare.Options{Alignment: compare.DTW, Window: 1e-6}
			if r := diff(t, wave(every(n, 0.1), circling), wave(every(m, 0.01), circling), opt); len(r.Path) < max(n, m) {
				t.Errorf("%d and %d frames: %v", n, m, r.Path)
			}
		}
	}
	for _, opt := range []compare.Options{{Window: -1}, {Window: math.NaN()}, {Penalty: 2}, {Penalty: math.NaN()}} {
		if _, err := compare.Diff(movie, movie, opt); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	r := diff(t, movie, movie, compare.Options{Alignment: compare.DTW, Penalty: 0.1})
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back compare.Result
	if err := json.Unmarshal(b, &back); err != nil || !cmp.Equal(r.Path, back.Path) || len(back.Shift) != 10 {
		t.Errorf("path %v, shift %v (%v)", back.Path, back.Shift, err)
	}
}

func BenchmarkDTW(b *testing.B) {
	for _, n := range []int{100, 1800} {
		s := wave(every(n, 1.0/30), circling)
		for _, window := range []float64{0, 1} {
			b.Run(fmt.Sprintf("%d frames window=%v", n, window), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := compare.Diff(s, s, compare.Options{Alignment: compare.DTW, Window: window}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
