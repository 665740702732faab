package analyze_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// liveRules are those of the tests: their values need the view, the direction, a rate or nothing else.
func liveRules() []analyze.Rule {
	count := &analyze.RepetitionOptions{}
	leg := []keypoint.Selector{keypoint.PartSelector(keypoint.LeftHip), keypoint.PartSelector(keypoint.LeftKnee), keypoint.PartSelector(keypoint.LeftAnkle)}
	return []analyze.Rule{
		{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Repetitions: count},
		{Type: analyze.HipFlexion, Side: analyze.RightSide, Repetitions: count},
		{Type: analyze.TrunkLean},
		{Type: analyze.VectorAngle, Points: leg, Repetitions: count},
		{Type: analyze.VerticalDifference, Points: leg[:2], Repetitions: count},
		{Type: analyze.RotationAngle, Points: leg},
		{Type: analyze.Speed, Points: leg[:1]},
	}
}

// TestStream: values and repetitions of rendered movies are those of the whole recording.
func TestStream(t *testing.T) {
	for _, name := range []string{"squat_60", "squat_90_slow", "lunge_90", "walk_leave_return"} {
		t.Run(name, func(t *testing.T) {
			seq := testkit.Rendered(t, name).Seq
			seq.Size.X, seq.Size.Y = 0, 0 // a stream does not know it
			rules := liveRules()
			want, err := analyze.Run(seq, rules)
			if err != nil {
				t.Fatal(err)
			}
			s, err := analyze.NewStream(rules, keypoint.World{})
			if err != nil {
				t.Fatal(err)
			}
			got := make([][]analyze.Value, len(rules))
			most := make([]int, len(rules))
			for i, f := range seq.Frames {
				if err := s.Next(f, seq.Times[i], false); err != nil {
					t.Fatal(err)
				}
				for k, v := range s.Values() {
					got[k] = append(got[k], v)
				}
				for k, c := range s.Counts() {
					most[k] = max(most[k], c.Found)
				}
			}
			for k, c := range s.Final() {
				r := want[k].Repetitions
				if r == nil {
					if c.Found != 0 || c.Last.Depth != 0 {
						t.Errorf("%s was counted: %+v", rules[k].Type, c)
					}
					continue
				}
				same := want[k]
				same.Values = got[k]
				of, err := analyze.FindRepetitions(seq, same, *rules[k].Repetitions)
				if err != nil {
					t.Fatal(err)
				}
				if c.Found != len(of.List) || c.Complete != of.Complete {
					t.Errorf("%s: %d and %d complete, in the values there are %d and %d", rules[k].Type, c.Found, c.Complete, len(of.List), of.Complete)
				}
				if rules[k].Type == analyze.KneeFlexion && (c.Found != len(r.List) || c.Complete != r.Complete) {
					t.Errorf("%s: %d and %d complete, in the recording there are %d and %d", rules[k].Type, c.Found, c.Complete, len(r.List), r.Complete)
				}
				if n := len(of.List); n > 0 && (c.Last.End.Time != of.List[n-1].End.Time || c.Last.Depth != of.List[n-1].Depth || c.Last.Curve != nil || most[k] == 0) {
					t.Errorf("%s: the last one is %+v", rules[k].Type, c.Last)
				}
			}
			if name == "walk_leave_return" {
				return // a turn of the body shows some time after it
			}
			for k := range rules {
				off, n := 0.0, 0
				for i, v := range got[k] {
					if w := want[k].Values[i]; v.Present && w.Present && rules[k].Type != analyze.Speed {
						off, n = math.Max(off, math.Abs(v.X-w.X)), n+1
					}
				}
				if share := float64(n) / float64(seq.Len()); off > 1e-6 || rules[k].Type != analyze.Speed && share < 0.9*want[k].Coverage {
					t.Errorf("%s: off by up to %v, in %v of the frames", rules[k].Type, off, share)
				}
			}
		})
	}
}

// squatter is somebody who bends the knee once in three seconds, and less deeply now and then.
func squatter(seconds float64) (f keypoint.Frame) {
	bend := (1 - math.Cos(2*math.Pi*seconds/3)) / 2 * 80 * math.Pi / 180
	if int(seconds/3)%7 == 6 {
		bend /= 20
	}
	hip := keypoint.Point{300 - 90*math.Sin(bend), 300}
	f.Set(keypoint.LeftHip, hip, 0.9)
	f.Set(keypoint.LeftKnee, keypoint.Point{300, 400}, 0.9)
	f.Set(keypoint.LeftAnkle, keypoint.Point{300, 500}, 0.9)
	f.Set(keypoint.LeftShoulder, hip.Add(keypoint.Point{0, -100}), 0.9)
	return f
}

// TestStreamLong: a series of any length is counted to its end, in the same memory.
func TestStreamLong(t *testing.T) {
	if testing.Short() {
		t.Skip("follows a person for five minutes, not run with -short")
	}
	points := []keypoint.Selector{keypoint.PartSelector(keypoint.LeftHip), keypoint.PartSelector(keypoint.LeftKnee), keypoint.PartSelector(keypoint.LeftAnkle)}
	rule := analyze.Rule{Type: analyze.JointFlexion, Points: points, Repetitions: &analyze.RepetitionOptions{}}
	s, err := analyze.NewStream([]analyze.Rule{rule}, keypoint.World{})
	if err != nil {
		t.Fatal(err)
	}
	memory := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var seq keypoint.Sequence
	var before int64
	const frames = 3 * streamFrames / 2
	for i := range frames {
		seconds := float64(i) / 20
		if err := s.Next(squatter(seconds), seconds, i == frames/3); err != nil {
			t.Fatal(err)
		}
		if i == streamFrames {
			before = memory()
		}
	}
	if grown := memory() - before; grown > 256<<10 {
		t.Errorf("%d frames more need %d bytes more", frames-streamFrames, grown)
	}
	for i := range frames {
		seq.Frames, seq.Times = append(seq.Frames, squatter(float64(i)/20)), append(seq.Times, float64(i)/20)
	}
	seq.PersonChanges = []int{frames / 3}
	want := run(t, seq, rule).Repetitions
	if c := s.Final()[0]; c.Found != len(want.List) || c.Complete != want.Complete || math.Abs(c.Last.End.Time-want.List[len(want.List)-1].End.Time) > 1e-9 {
		t.Errorf("%d and %d complete, want %d and %d", c.Found, c.Complete, len(want.List), want.Complete)
	}
}

// streamFrames is how many frames a Stream keeps.
const streamFrames = 4096

func TestStreamErrors(t *testing.T) {
	var fields keypoint.FieldErrors
	for name, r := range map[string]analyze.Rule{
		"/side":        {Type: analyze.KneeFlexion},
		"/movieOption": {Type: analyze.TrunkLean, Movie: &analyze.MovieOption{Statistic: analyze.Max}},
		"/statistics":  {Type: analyze.TrunkLean, Statistics: true},
		"/symmetry":    {Type: analyze.KneeFlexion, Symmetry: true},
	} {
		_, err := analyze.NewStream([]analyze.Rule{r}, keypoint.World{})
		if !errors.As(err, &fields) || len(fields) != 1 || fields[0].Pointer != "/0"+name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range 20 { // the order is always the same
		_, err := analyze.NewStream([]analyze.Rule{{Type: analyze.KneeFlexion, Symmetry: true, Statistics: true, Movie: &analyze.MovieOption{Statistic: analyze.Max}}}, keypoint.World{})
		if !errors.As(err, &fields) || len(fields) != 3 || fields[0].Pointer != "/0/movieOption" || fields[1].Pointer != "/0/statistics" || fields[2].Pointer != "/0/symmetry" {
			t.Fatalf("mistakes at %v", err)
		}
	}
	if _, err := analyze.NewStream(nil, keypoint.World{MetresPerPixel: -1}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("a wrong world: %v", err)
	}
	s, err := analyze.NewStream(nil, keypoint.World{})
	if err != nil || s.Next(keypoint.Frame{}, 1, true) != nil {
		t.Fatal("no rules")
	}
	for _, seconds := range []float64{1, 0, math.NaN(), math.Inf(-1)} {
		if err := s.Next(keypoint.Frame{}, seconds, false); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("time %v: %v", seconds, err)
		}
	}
}

func ExampleStream() {
	rules, err := analyze.ParseRules([]byte(`{"analysisType": "jointFlexion", "points": ["leftHip", "leftKnee", "leftAnkle"], "repetitions": true}`))
	if err != nil {
		panic(err)
	}
	s, err := analyze.NewStream(rules, keypoint.World{})
	if err != nil {
		panic(err)
	}
	for i := range 10 * 30 { // ten seconds
		seconds := float64(i) / 30
		if err := s.Next(squatter(seconds), seconds, false); err != nil {
			panic(err)
		}
	}
	c := s.Final()[0]
	fmt.Printf("%d squats, and one more is going on: %v, now at %.0f°\n", c.Complete, !c.Settled, s.Values()[0].X)
	// Output: 3 squats, and one more is going on: true, now at 37°
}

// While frames come: the repetitions so far, and how sure the newest value is. A picture of one leg does not show from where it is seen.
func ExampleStream_Uncertainty() {
	s, err := analyze.NewStream([]analyze.Rule{{Type: analyze.JointFlexion, Repetitions: &analyze.RepetitionOptions{},
		Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)}}, keypoint.World{})
	if err != nil {
		panic(err)
	}
	for i := range 150 {
		if err := s.Next(squatter(float64(i)/30), float64(i)/30, false); err != nil {
			panic(err)
		}
	}
	sigma, why := s.Uncertainty()
	fmt.Printf("%d squats, %.0f° ± %.0f %q\n", s.Counts()[0].Complete, s.Values()[0].X, sigma[0].X, why[0])
	fmt.Println(s.Facing().Known(), s.Recent().Len())
	// Output:
	// 1 squats, 39° ± 20 ""
	// false 150
}

func BenchmarkStream(b *testing.B) {
	s, err := analyze.NewStream(liveRules(), keypoint.World{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := s.Next(squatter(float64(i)/30), float64(i)/30, false); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSettled: of all rendered movies, the stream counts what the whole recording has in the same values; what is settled stays as it
// is, and while a repetition goes on, none is settled.
func TestSettled(t *testing.T) {
	if testing.Short() {
		t.Skip("counts in all rendered movies, not run with -short")
	}
	settled, going := 0, 0
	for _, name := range testkit.RenderedNames(t) {
		m := testkit.Rendered(t, name)
		rules := []analyze.Rule{kneeFlexion, hipFlexion, elbowFlexion, raisedArm, ankles, {Type: analyze.TrunkLean}, {Type: analyze.HipFlexion, Side: analyze.RightSide}}
		for k := range rules {
			rules[k].Repetitions = &analyze.RepetitionOptions{}
		}
		s, err := analyze.NewStream(rules, keypoint.World{})
		if err != nil {
			t.Fatal(err)
		}
		counts, values := make([][]analyze.Count, len(rules)), make([][]analyze.Value, len(rules))
		for i, f := range m.Seq.Frames {
			if err := s.Next(f, m.Seq.Times[i], false); err != nil {
				t.Fatal(err)
			}
			for k, c := range s.Final() {
				counts[k], values[k] = append(counts[k], c), append(values[k], s.Values()[k])
			}
		}
		for k, seen := range counts {
			whole, err := analyze.FindRepetitions(m.Seq, analyze.Result{Type: rules[k].Type, Values: values[k]}, analyze.RepetitionOptions{})
			last := seen[len(seen)-1]
			if err != nil || last.Found != len(whole.List) || last.Complete != whole.Complete {
				t.Errorf("%s, %s: %d and %d complete, want %d and %d (%v)", name, rules[k].Type, last.Found, last.Complete, len(whole.List), whole.Complete, err)
				continue
			}
			for i, c := range seen {
				now := m.Seq.Times[i]
				if c.Settled && c.Found <= len(whole.List) {
					settled++
					if want := whole.List[c.Found-1]; math.Abs(c.Last.Turn.Time-want.Turn.Time) > 0.1 || math.Abs(c.Last.Depth-want.Depth) > 0.05*want.Depth {
						t.Errorf("%s, %s: at %.2f s settled is %+v, at last it is %+v of %d", name, rules[k].Type, now, c, want.Turn, len(whole.List))
						break
					}
				}
				for _, r := range whole.List {
					if out := r.Turn.Value - r.Start.Value; r.Depth > 20 && now > r.Turn.Time-r.Hold/2 && now < r.Turn.Time+r.Hold/2+0.2*r.Back && out*out > 400 {
						if going++; c.Settled || c.Found == 0 {
							t.Errorf("%s, %s: at the turn at %.2f s settled is %+v", name, rules[k].Type, now, c.Last)
						}
					}
				}
			}
		}
	}
	if settled < 1000 || going < 300 {
		t.Errorf("only %d pictures with settled repetitions and %d at a turn", settled, going)
	}
}
