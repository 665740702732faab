package analyze_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// run returns the result of one rule.
func run(t testing.TB, seq keypoint.Sequence, rule analyze.Rule) analyze.Result {
	t.Helper()
	results, err := analyze.Run(seq, []analyze.Rule{rule})
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

func rule(kind analyze.Type, parts ...keypoint.Part) analyze.Rule {
	return analyze.Rule{Type: kind, Points: keypoint.PartSelectors(parts...)}
}

var (
	kneeFlexion  = rule(analyze.JointFlexion, keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
	hipFlexion   = rule(analyze.JointFlexion, keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee)
	elbowFlexion = rule(analyze.JointFlexion, keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist)
	elbowAngle   = rule(analyze.VectorAngle, keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist)
	raisedArm    = rule(analyze.VectorAngle, keypoint.LeftHip, keypoint.LeftShoulder, keypoint.LeftElbow)
	ankles       = rule(analyze.EuclideanDistance, keypoint.LeftAnkle, keypoint.RightAnkle)
)

// TestRenderedRepetitions: on exact keypoints, all repetitions of the rendered movies are found, with their
// turning points and, where the joint moves throughout, their tempo.
func TestRenderedRepetitions(t *testing.T) {
	for name, x := range map[string]struct {
		rule    analyze.Rule
		shallow []int
		tempo   float64 // seconds that the phases are off at most; 0: the joint rests in a part of them
	}{
		"squat_60": {rule: kneeFlexion, shallow: []int{1}, tempo: 0.15}, "squat_90_slow": {rule: kneeFlexion, tempo: 0.15},
		"squat_0_shift": {rule: kneeFlexion, tempo: 0.15}, "squat_30_phone": {rule: kneeFlexion, shallow: []int{0}, tempo: 0.15},
		"sample": {rule: kneeFlexion, tempo: 0.15}, "lunge_90": {rule: kneeFlexion}, "hinge_90": {rule: hipFlexion, tempo: 0.05},
		"push_up_90": {rule: elbowAngle, tempo: 0.15}, "curl_60": {rule: elbowFlexion, tempo: 0.1},
		"sit_to_stand_90":          {rule: kneeFlexion},
		"lateral_raise_0_mirrored": {rule: raisedArm, tempo: 0.05},
		"side_step_0":              {rule: ankles},
	} {
		t.Run(name, func(t *testing.T) {
			m := testkit.Rendered(t, name)
			got, err := analyze.FindRepetitions(m.Seq, run(t, m.Seq, x.rule), analyze.RepetitionOptions{})
			if err != nil || len(got.List) != len(m.Reps) || got.Complete != len(m.Reps) {
				t.Fatalf("%d repetitions, %d complete (%v), want %d: %+v", len(got.List), got.Complete, err, len(m.Reps), got.List)
			}
			for k, want := range m.Reps {
				r := got.List[k]
				if r.Shallow != slices.Contains(x.shallow, k) || r.Shallow != (r.DepthShare < 2.0/3) {
					t.Errorf("%d: shallow %v, with %.2f of the depth", k, r.Shallow, r.DepthShare)
				}
				if d := m.Seq.Times[r.Turn.Frame] - want.Turn; math.Abs(d) > 0.05 {
					t.Errorf("%d: turn is off by %.2f s", k, d)
				}
				for what, d := range map[string]float64{
					"start": m.Seq.Times[r.Start.Frame] - want.Start, "end": m.Seq.Times[r.End.Frame] - want.End, "out": r.Out - (want.TurnFrom - want.Start),
					"hold": r.Hold - (want.TurnTo - want.TurnFrom), "back": r.Back - (want.End - want.TurnTo),
				} {
					if x.tempo > 0 && math.Abs(d) > x.tempo {
						t.Errorf("%d: %s is off by %.2f s", k, what, d)
					}
				}
			}
		})
	}
}

// counted returns the repetitions in the named angles of both sides that move by 20 degrees or more.
func counted(t *testing.T, seq keypoint.Sequence) (found map[string]analyze.Repetitions) {
	t.Helper()
	found = map[string]analyze.Repetitions{}
	for _, kind := range []analyze.Type{analyze.KneeFlexion, analyze.HipFlexion, analyze.TrunkLean, analyze.ElbowFlexion, analyze.ShoulderFlexion} {
		for _, side := range []analyze.Side{analyze.LeftSide, analyze.RightSide} {
			r := analyze.Rule{Type: kind, Side: side, Repetitions: &analyze.RepetitionOptions{}, Statistics: true}
			if !kind.Sided() {
				r.Side = ""
			}
			if got := run(t, seq, r); got.Statistics[analyze.Range].X >= 20 {
				found[got.Name] = *got.Repetitions
			}
		}
	}
	return found
}

// TestSameCount: the number of repetitions is the same, whichever angle it is asked of, and strides are none.
func TestSameCount(t *testing.T) {
	for name, least := range map[string]int{
		"sit_to_stand_90": 5, "squat_90_slow": 7, "squat_60": 7, "sample": 7, "hinge_90": 5, "push_up_90": 4, "curl_60": 2, // angles that move
		"walk_across_90": 6, "walk_treadmill_90": 6, "run_treadmill_90": 6, "walk_leave_return": 0, "stand_180": 0,
	} {
		m := testkit.Rendered(t, name)
		found := counted(t, m.Seq)
		if len(found) < least {
			t.Errorf("%s: only %d angles move", name, len(found))
		}
		for what, r := range found {
			if len(r.List) != len(m.Reps) || r.Complete != len(m.Reps) {
				t.Errorf("%s, %s: %d repetitions, %d complete, want %d", name, what, len(r.List), r.Complete, len(m.Reps))
			}
		}
	}
}

// TestShallow: a squat of 0.3 of the others' depth counts and is marked, in each angle, and the means leave it out.
func TestShallow(t *testing.T) {
	for _, name := range []string{"sample", "squat_90_slow"} {
		m := testkit.Rendered(t, name)
		last := m.Reps[len(m.Reps)-1]
		rest := m.Seq.Frames[0]
		for i := range m.Seq.Frames {
			f := &m.Seq.Frames[i]
			for _, part := range f.Present().List() {
				p, _ := f.At(part)
				if q, ok := rest.At(part); ok && m.Seq.Times[i] > last.Start {
					f.Set(part, q.Add(p.Sub(q).Mul(0.3)), 1)
				}
			}
		}
		found := counted(t, m.Seq)
		if len(found) < 5 {
			t.Errorf("%s: only %d angles move", name, len(found))
		}
		for what, r := range found {
			n := len(m.Reps)
			if len(r.List) != n || r.Complete != n || !r.List[n-1].Shallow || r.List[0].Shallow || r.Depth.Count != n-1 || r.Curve.Count != n-1 {
				t.Errorf("%s, %s: %d repetitions, %d complete, depth %+v", name, what, len(r.List), r.Complete, r.Depth)
			}
		}
	}
}

// TestAmid: a repetition amid which the recording starts or ends is not complete, and one with a gap of half a second is.
func TestAmid(t *testing.T) {
	m := testkit.Rendered(t, "squat_90_slow")
	first, second := m.Reps[0], m.Reps[1]
	for name, x := range map[string]struct {
		from, to, gap float64
		want          []bool
	}{
		"all": {0, 99, -9, []bool{true, true}}, "ends going down": {0, second.Start + 1, -9, []bool{true, false}},
		"ends at the turn": {0, second.Turn, -9, []bool{true, false}}, "ends rising": {0, second.Turn + 0.6, -9, []bool{true, false}},
		"starts rising": {first.Turn + 0.8, 99, -9, []bool{false, true}}, "ends up": {0, first.End + 0.1, -9, []bool{true}},
		"gap going down": {0, 99, first.Start + 0.8, []bool{true, true}}, "gap at the turn": {0, 99, second.Turn - 0.2, []bool{true, true}},
	} {
		frames := func(at float64) int { i, _ := slices.BinarySearch(m.Seq.Times, at); return min(i, m.Seq.Len()-1) }
		seq := m.Seq.Slice(frames(x.from), frames(x.to)).Clone()
		for i, at := range seq.Times {
			if at >= x.gap && at < x.gap+0.5 {
				seq.Frames[i] = keypoint.Frame{}
			}
		}
		got := run(t, seq, analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.RightSide, Repetitions: &analyze.RepetitionOptions{}}).Repetitions
		var complete []bool
		for _, r := range got.List {
			complete = append(complete, r.Complete)
		}
		if !slices.Equal(complete, x.want) || got.Direction != "rises" {
			t.Errorf("%s: complete are %v, want %v; %s first", name, complete, x.want, got.Direction)
		}
	}
}

// TestWalkToThePlace: strides on the way to the place and back do not count, though they bend the knee as
// far as half a squat.
func TestWalkToThePlace(t *testing.T) {
	walk, squat := testkit.Rendered(t, "walk_leave_return").Seq, testkit.Rendered(t, "squat_90_slow").Seq
	var seq keypoint.Sequence
	add := func(part keypoint.Sequence) {
		from := 0.0
		if n := len(seq.Times); n > 0 {
			from = seq.Times[n-1] + 1.0/30
		}
		for i, f := range part.Frames {
			seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, from+part.Times[i]-part.Times[0])
		}
	}
	add(walk.Slice(0, 60))
	add(squat)
	add(walk.Slice(140, 200))
	got, err := analyze.FindRepetitions(seq, run(t, seq, kneeFlexion), analyze.RepetitionOptions{})
	if err != nil || len(got.List) != 2 || got.Complete != 2 || got.List[0].Start.Frame < 60 {
		t.Errorf("%d repetitions, %d complete (%v)", len(got.List), got.Complete, err)
	}
}

// series samples f 30 times a second.
func series(seconds float64, f func(t float64) float64) (times []float64, values []analyze.Value) {
	for i := range int(seconds*30) + 1 {
		t := float64(i) / 30
		times = append(times, t)
		values = append(values, analyze.Value{X: f(t), Present: true})
	}
	return times, values
}

// result makes a series of a type, with as many empty frames.
func result(kind analyze.Type, seconds float64, f func(t float64) float64) (seq keypoint.Sequence, r analyze.Result) {
	seq.Times, r.Values = series(seconds, f)
	seq.Frames, r.Type = make([]keypoint.Frame, len(seq.Times)), kind
	return seq, r
}

// bends goes from 0 to depth and back: out, hold and back in seconds.
func bends(t, start, out, hold, back, depth float64) float64 {
	x := 0.0
	switch t -= start; {
	case t < 0 || t > out+hold+back:
		return 0
	case t < out:
		x = t / out
	case t < out+hold:
		x = 1
	default:
		x = (out + hold + back - t) / back
	}
	return depth * x * x * x * (10 - 15*x + 6*x*x)
}

// TestRepetitions: pauses do not divide, shallow repetitions are marked, and neither twitches nor trembling
// count.
func TestRepetitions(t *testing.T) {
	seq, r := result(analyze.JointFlexion, 14, func(t float64) float64 {
		v := bends(t, 1, 1.5, 0.5, 1, 90) + bends(t, 4.4, 0.1, 0, 0.1, 45) + bends(t, 5, 1, 0.1, 1, 40) + bends(t, 8, 0.7, 2, 0.6, 50) + bends(t, 8.7, 0.8, 0.4, 0.8, 42)
		return 5 + v + 1.5*math.Sin(60*t)
	})
	r.Values[70].Present = false
	got, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{})
	if err != nil || len(got.List) != 3 || got.Complete != 3 || got.Direction != "rises" {
		t.Fatalf("%v: %+v", err, got)
	}
	first, half, paused := got.List[0], got.List[1], got.List[2]
	if first.Shallow || !half.Shallow || paused.Shallow {
		t.Errorf("shallow: %v, %v, %v", first.Shallow, half.Shallow, paused.Shallow)
	}
	for what, d := range map[string]float64{
		"out": first.Out - 1.5, "hold": first.Hold - 0.5, "back": first.Back - 1, "duration": first.Duration - 3,
		"depth": (first.Depth - 90) / 30, "half depth": (half.Depth - 40) / 30, "sum": first.Out + first.Hold + first.Back - first.Duration,
		"mean": got.Out.Mean - (first.Out+paused.Out)/2, "low": (got.Low.X - 5) / 20, "high": (got.High.X - 95) / 40,
		"deviation": got.Duration.StandardDeviation - math.Abs(first.Duration-paused.Duration)/math.Sqrt2,
	} {
		if math.Abs(d) > 0.15 {
			t.Errorf("%s is off by %.2f: %+v", what, d, first)
		}
	}
	if len(first.Curve) != 101 || math.Abs(first.Curve[50].X-95) > 5 || got.Curve.Count != 2 || !got.Curve.StandardDeviation[30].Present {
		t.Errorf("curve %v, band of %d", first.Curve[50], got.Curve.Count)
	}
	if d, ok := first.Curve.Difference(first.Curve); !ok || d != 0 {
		t.Errorf("difference to itself: %v, %v", d, ok)
	}
	if d, ok := first.Curve.Difference(half.Curve); !ok || d < 15 {
		t.Errorf("difference to the half one: %v, %v", d, ok)
	}
	still, none := result(analyze.JointFlexion, 5, func(t float64) float64 { return 5 + 2*math.Sin(7*t) })
	if got, err := analyze.FindRepetitions(still, none, analyze.RepetitionOptions{}); err != nil || len(got.List) != 0 {
		t.Errorf("trembling: %v, %+v", err, got)
	}
}

// TestRepetitionDirection: repetitions go away from rest, unless the direction is given.
func TestRepetitionDirection(t *testing.T) {
	flexion := func(t float64) float64 { return bends(t, 0.5, 1, 0, 1, 90) + bends(t, 3, 1, 0, 1, 90) }
	for name, x := range map[string]struct {
		kind analyze.Type
		f    func(float64) float64
		opt  analyze.Direction
		want int
		way  analyze.Direction
	}{
		"flexion":           {analyze.JointFlexion, flexion, "", 2, "rises"},
		"flexion, falls":    {analyze.JointFlexion, flexion, "falls", 3, "falls"}, // it starts and ends amid one
		"angle":             {analyze.VectorAngle, func(t float64) float64 { return 180 - flexion(t) }, "", 2, "falls"},
		"rising distance":   {analyze.EuclideanDistance, flexion, "", 2, "rises"},
		"falling distance":  {analyze.EuclideanDistance, func(t float64) float64 { return 300 - flexion(t) }, "", 2, "falls"},
		"one way":           {analyze.EuclideanDistance, func(t float64) float64 { return 1e-3 * t }, "", 1, "rises"},
		"one and the other": {analyze.EuclideanDistance, func(t float64) float64 { return bends(t, 0.5, 1, 0, 1, 90) - bends(t, 3, 1, 0, 1, 90) }, "", 1, "falls"},
	} {
		seq, r := result(x.kind, 5.5, x.f)
		got, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{Direction: x.opt})
		if err != nil || len(got.List) != x.want || got.Direction != x.way {
			t.Errorf("%s: %d %s (%v), want %d %s", name, len(got.List), got.Direction, err, x.want, x.way)
		}
	}
}

func TestRepetitionErrors(t *testing.T) {
	seq, r := result(analyze.JointFlexion, 1, math.Cos)
	short, pair := r, r
	short.Values, pair.Type = r.Values[1:], analyze.Coordinate
	for name, err := range map[string]error{
		"values":     second(analyze.FindRepetitions(seq, short, analyze.RepetitionOptions{})),
		"points":     second(analyze.FindRepetitions(seq, pair, analyze.RepetitionOptions{})),
		"direction":  second(analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{Direction: "up"})),
		"prominence": second(analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{Prominence: math.NaN()})),
		"duration":   second(analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{MinDuration: -1})),
		"sequence":   second(analyze.FindRepetitions(keypoint.Sequence{Frames: seq.Frames, Times: seq.Times[1:]}, r, analyze.RepetitionOptions{})),
	} {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	seq.Times = nil
	if got, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{}); err != nil || len(got.List) != 0 {
		t.Errorf("no times: %v, %v", got, err)
	}
}

// TestRepetitionScale: metres give the same repetitions as pixels.
func TestRepetitionScale(t *testing.T) {
	seq := testkit.Rendered(t, "side_step_0").Seq
	want, err := analyze.FindRepetitions(seq, run(t, seq, ankles), analyze.RepetitionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seq.World.MetresPerPixel = 0.004
	got, err := analyze.FindRepetitions(seq, run(t, seq, ankles), analyze.RepetitionOptions{})
	if err != nil || len(got.List) != len(want.List) || math.Abs(got.Depth.Mean-0.004*want.Depth.Mean) > 1e-9 || want.Depth.Mean < 50 {
		t.Errorf("%d repetitions of %v m (%v), want %d of %v px", len(got.List), got.Depth, err, len(want.List), want.Depth)
	}
}

func second[T any](_ T, err error) error { return err }

// TestRepetitionProperties: repetitions follow one another, and neither the start of time nor the unit nor
// a mirrored recording changes them.
func TestRepetitionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth, period := rapid.Float64Range(20, 120).Draw(t, "depth"), rapid.Float64Range(0.6, 4).Draw(t, "period")
		noise, sharp := rapid.Float64Range(0, 5).Draw(t, "noise"), rapid.Float64Range(0.2, 5).Draw(t, "sharp")
		seq, r := result(analyze.JointFlexion, 9, func(at float64) float64 {
			phase := at / period
			phase += 0.15 / period * math.Sin(at) // uneven
			return depth*math.Pow((1-math.Cos(2*math.Pi*phase))/2, sharp) + noise*math.Sin(47*at)
		})
		got, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range got.List {
			if !(x.Start.Frame <= x.Turn.Frame && x.Turn.Frame <= x.End.Frame) || k > 0 && x.Start.Frame < got.List[k-1].End.Frame || x.Out < 0 || x.Hold < 0 || x.Back < 0 {
				t.Fatalf("%d: %+v, out %v, hold %v, back %v", k, x, x.Out, x.Hold, x.Back)
			}
			if math.Abs(x.Out+x.Hold+x.Back-x.Duration) > 1e-9 {
				t.Fatalf("%+v: out %v, hold %v, back %v", x, x.Out, x.Hold, x.Back)
			}
		}
		later := seq
		later.Times = nil
		for _, at := range seq.Times {
			later.Times = append(later.Times, at+17)
		}
		other := analyze.Result{Type: analyze.VectorAngle}
		for _, v := range r.Values {
			other.Values = append(other.Values, analyze.Value{X: 180 - v.X, Present: true})
		}
		same, err := analyze.FindRepetitions(later, other, analyze.RepetitionOptions{})
		if err != nil || len(same.List) != len(got.List) {
			t.Fatalf("%d repetitions, and %d of the angle later (%v)", len(got.List), len(same.List), err)
		}
		for k := range got.List {
			a, b := got.List[k], same.List[k]
			if max(math.Abs(a.Out-b.Out), math.Abs(a.Depth-b.Depth), math.Abs(a.Duration-b.Duration)) > 1e-6 || a.Complete != b.Complete {
				t.Fatalf("%+v, depth %v and %+v, depth %v", a, a.Depth, b, b.Depth)
			}
		}
	})
}

// TestRepetitionsOfAnything: repetitions of any values follow one another, have all phases and are deep enough.
func TestRepetitionsOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var seq keypoint.Sequence
		r := analyze.Result{Type: rapid.SampledFrom(analyze.Types()).Draw(t, "type")}
		if r.Type.Pair() {
			r.Type = analyze.Speed
		}
		at := 0.0
		for range rapid.IntRange(0, 60).Draw(t, "frames") {
			at += rapid.Float64Range(0.01, 0.5).Draw(t, "step")
			seq.Frames, seq.Times = append(seq.Frames, keypoint.Frame{}), append(seq.Times, at)
			if rapid.IntRange(0, 4).Draw(t, "absent") == 0 {
				r.Values = append(r.Values, analyze.Value{})
				continue
			}
			r.Values = append(r.Values, analyze.Value{X: rapid.Float64Range(-100, 100).Draw(t, "x"), Present: true})
		}
		if len(seq.Frames) > 9 && rapid.Bool().Draw(t, "two") {
			seq.PersonChanges = []int{len(seq.Frames) / 2}
		}
		opt := analyze.RepetitionOptions{Prominence: rapid.Float64Range(0, 50).Draw(t, "prominence")}
		got, err := analyze.FindRepetitions(seq, r, opt)
		if err != nil {
			t.Fatal(err)
		}
		complete, full := 0, 0
		for k, x := range got.List {
			if !(x.Start.Frame <= x.Turn.Frame && x.Turn.Frame <= x.End.Frame) || k > 0 && x.Start.Frame < got.List[k-1].End.Frame {
				t.Fatalf("%d: %+v", k, x)
			}
			if min(x.Out, x.Hold, x.Back, x.Depth) < -1e-9 || math.Abs(x.Out+x.Hold+x.Back-x.Duration) > 1e-9 || x.Duration < 0.25-1e-9 || len(x.Curve) != 101 {
				t.Fatalf("%d: %+v, out %v, hold %v, back %v, depth %v", k, x, x.Out, x.Hold, x.Back, x.Depth)
			}
			if x.Complete {
				complete++
			}
			if x.Complete && !x.Shallow {
				full++
			}
		}
		if complete != got.Complete || got.Depth.Count != full || (got.Curve == nil) != (full == 0) || got.Curve != nil && got.Curve.Count != full {
			t.Fatalf("%d of %d complete, %d depths", got.Complete, complete, got.Depth.Count)
		}
	})
}

func ExampleFindRepetitions() {
	// The flexion of a knee: two squats, the first with a pause.
	var seq keypoint.Sequence
	flexion := analyze.Result{Type: analyze.JointFlexion}
	for i := range 240 {
		t := float64(i) / 30
		seq.Frames, seq.Times = append(seq.Frames, keypoint.Frame{}), append(seq.Times, t)
		degrees := bends(t, 0.5, 1.5, 1, 1, 95) + bends(t, 5, 1.2, 0, 0.8, 90)
		flexion.Values = append(flexion.Values, analyze.Value{X: degrees, Present: true})
	}
	squats, err := analyze.FindRepetitions(seq, flexion, analyze.RepetitionOptions{})
	if err != nil {
		panic(err)
	}
	for _, s := range squats.List {
		fmt.Printf("down %.1f s, hold %.1f s, up %.1f s, depth %.0f°\n", s.Out, s.Hold, s.Back, s.Depth)
	}
	fmt.Printf("depth %.0f ± %.0f°\n", squats.Depth.Mean, squats.Depth.StandardDeviation)
	if d, ok := squats.List[1].Curve.Difference(squats.List[0].Curve); ok {
		fmt.Printf("the second differs from the first by %.0f°\n", d)
	}
	// Output:
	// down 1.5 s, hold 1.0 s, up 1.0 s, depth 95°
	// down 1.2 s, hold 0.0 s, up 0.8 s, depth 90°
	// depth 92 ± 4°
	// the second differs from the first by 20°
}

// TestCyclicRepetitions: a movement through the place where the values start again is one repetition.
func TestCyclicRepetitions(t *testing.T) {
	var seq keypoint.Sequence
	for i := range 121 { // an arm swings from 150 over 180 to 230 degrees and back, twice
		at := float64(i) / 30
		sin, cos := math.Sincos((190 - 40*math.Cos(math.Pi*at)) * math.Pi / 180)
		var f keypoint.Frame
		f.Set(keypoint.LeftShoulder, keypoint.Point{300, 300}, 1)
		f.Set(keypoint.LeftWrist, keypoint.Point{300 + 200*cos, 300 - 200*sin}, 1)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, at)
	}
	arm := rule(analyze.SegmentAngle, keypoint.LeftShoulder, keypoint.LeftWrist)
	arm.Repetitions = &analyze.RepetitionOptions{Direction: "rises"}
	found := run(t, seq, arm)
	if r := found.Repetitions; r.Complete != 2 || math.Abs(r.Low.X+210) > 0.1 || math.Abs(r.High.X+130) > 0.1 || math.Abs(r.Depth.Mean-80) > 1 || math.Abs(r.Curve.Mean[50].X+130) > 1 {
		t.Errorf("%d complete, %v to %v, depth %+v", r.Complete, r.Low.X, r.High.X, r.Depth)
	}
	if v := found.Values[0].X; math.Abs(v-150) > 0.1 {
		t.Errorf("the value itself is %v, want 150", v)
	}
}
