package exercise_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// made is a recording of ten pictures a second whose left knee bends to a value at 1 s and is back at 2 s.
type made struct {
	seq   keypoint.Sequence
	shown study.Study
}

func value(x float64) analyze.Value { return analyze.Value{X: x, Present: true} }

// make returns a recording with a repetition and the knee's largest value with its uncertainty.
func makeSquat(turn, sigma, constant float64) made {
	m := made{seq: keypoint.Sequence{Frames: make([]keypoint.Frame, 21)}}
	knee := study.Measure{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Name: "left knee flexion", Unit: "°", Trust: quality.TrustGood, Constant: constant, Why: []quality.Code{}}
	for i := range m.seq.Frames {
		m.seq.Times = append(m.seq.Times, float64(i)/10)
		share := float64(min(i, 20-i)) / 10
		knee.Values, knee.Uncertainty = append(knee.Values, value(turn*share)), append(knee.Uncertainty, value(math.Hypot(sigma, constant)))
	}
	moment := func(i int) analyze.Moment {
		return analyze.Moment{Frame: i, Time: m.seq.Times[i], Value: knee.Values[i].X}
	}
	m.shown = study.Study{
		Movement: "squat", Lead: &study.Lead{Type: analyze.KneeFlexion, Side: analyze.LeftSide}, Measures: []study.Measure{knee},
		Repetitions: &analyze.Repetitions{List: []analyze.Repetition{
			{Complete: true, Start: moment(0), Turn: moment(10), End: moment(20), Out: 0.9, Hold: 0.2, Back: 0.9, Duration: 2, TimeUncertainty: 0.13}}},
	}
	return m
}

func (m made) judge(t *testing.T, targets ...exercise.Target) exercise.Result {
	t.Helper()
	r, err := exercise.Judge(exercise.Definition{Name: "mine", Movement: "squat", Targets: targets}, m.seq, m.shown)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCounts: which repetitions count depends on how they were done, if the exercise says so.
func TestCounts(t *testing.T) {
	deep := exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)}
	for _, x := range []struct {
		turn             float64 // with an uncertainty of 5
		complete         bool
		all, near, whole bool // counts that take it: all, near, met
	}{
		{110, true, true, true, true}, {92, true, true, true, false}, {60, true, true, false, false}, {110, false, true, false, false},
	} {
		m := makeSquat(x.turn, 5, 0)
		m.shown.Repetitions.List[0].Complete = x.complete
		for counts, want := range map[exercise.Counts]bool{"": true, "all": x.all, "full": x.complete, "near": x.near, "met": x.whole} {
			d := exercise.Definition{Name: "mine", Movement: "squat", Counts: counts, Targets: []exercise.Target{deep}}
			r, err := exercise.Judge(d, m.seq, m.shown)
			if none := strings.HasPrefix(r.Headline[say.English], "No repetition counts"); err == nil && none != (!want && (counts == "near" || counts == "met")) {
				t.Errorf("%.0f°, counts %q: %s", x.turn, counts, r.Headline[say.English])
			}
			if err != nil || r.Repetitions[0].Counted != want {
				t.Errorf("%.0f°, complete %v, counts %q: %v (%v), want %v", x.turn, x.complete, counts, r.Repetitions[0].Counted, err, want)
			}
		}
	}
}

// TestLimits: a value is missed or met only if it is farther from the limit than its uncertainty and the constant part together.
func TestLimits(t *testing.T) {
	deep := exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)}
	with := func(change func(*exercise.Target)) exercise.Target {
		other := deep
		change(&other)
		return other
	}
	for name, c := range map[string]struct {
		turn, sigma, constant float64
		target                exercise.Target
		want                  exercise.Outcome
		by                    float64
	}{
		"below":         {84, 3, 4, deep, exercise.Missed, 6},
		"just below":    {85.5, 3, 4, deep, exercise.Near, 4.5},
		"without const": {85.5, 3, 0, deep, exercise.Missed, 4.5},
		"just above":    {94, 3, 4, deep, exercise.Near, -4},
		"above":         {96, 3, 4, deep, exercise.Met, -6},
		"tolerance":     {84, 3, 4, with(func(t *exercise.Target) { t.Tolerance = 5 }), exercise.Near, 6},
		"at most":       {96, 3, 4, exercise.Target{Measure: analyze.KneeFlexion, Max: value(90)}, exercise.Missed, 6},
		"between":       {96, 3, 4, with(func(t *exercise.Target) { t.Max = value(120) }), exercise.Met, -6},
		"over both":     {130, 3, 4, with(func(t *exercise.Target) { t.Max = value(120) }), exercise.Missed, 10},
		"at the start":  {96, 3, 4, with(func(t *exercise.Target) { t.At = "start" }), exercise.Missed, 90},
		"throughout":    {96, 3, 4, exercise.Target{Measure: analyze.KneeFlexion, At: "throughout", Max: value(90)}, exercise.Missed, 6},
		"slow enough":   {96, 3, 4, exercise.Target{Measure: "out", Min: value(0.7)}, exercise.Met, -0.2},
		"near in tempo": {96, 3, 4, exercise.Target{Measure: "out", Min: value(1)}, exercise.Near, 0.1},
		"too quick":     {96, 3, 4, exercise.Target{Measure: "duration", Min: value(3)}, exercise.Missed, 1},
		"held too long": {96, 3, 4, exercise.Target{Measure: "hold", Max: value(0.01)}, exercise.Missed, 0.19},
	} {
		v := makeSquat(c.turn, c.sigma, c.constant).judge(t, c.target).Repetitions[0].Targets[0]
		if v.Outcome != c.want || v.By.X-c.by > 1e-9 || c.by-v.By.X > 1e-9 {
			t.Errorf("%s: %s by %v, want %s by %v", name, v.Outcome, v.By.X, c.want, c.by)
		}
	}
}

// TestWithheld: what the recording does not show is neither met nor missed.
func TestWithheld(t *testing.T) {
	deep := exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)}
	throughout := exercise.Target{Measure: analyze.KneeFlexion, At: "throughout", Max: value(50)}
	slow := exercise.Target{Measure: "out", Min: value(2)}
	gap := func(m *made, from, to int) {
		for i := from; i <= to; i++ {
			m.shown.Measures[0].Values[i] = analyze.Value{}
		}
	}
	for name, c := range map[string]struct {
		change func(*made)
		target exercise.Target
		want   exercise.Outcome
		why    quality.Code
	}{
		"the measure":           {func(m *made) { gap(m, 0, 20); m.shown.Measures[0].Why = []quality.Code{quality.CodeHidden} }, deep, exercise.Withheld, quality.CodeHidden},
		"beside the turn":       {func(m *made) { gap(m, 11, 11) }, deep, exercise.Withheld, quality.CodeLowCoverage},
		"far from the turn":     {func(m *made) { gap(m, 15, 17) }, deep, exercise.Missed, ""},
		"most of the lead":      {func(m *made) { gap(m, 0, 8) }, slow, exercise.Withheld, quality.CodeLowCoverage},
		"does not come back":    {func(m *made) { m.shown.Repetitions.List[0].Complete = false }, deep, exercise.Withheld, "incomplete"},
		"tempo of such":         {func(m *made) { m.shown.Repetitions.List[0].Complete = false }, slow, exercise.Withheld, "incomplete"},
		"missed somewhere":      {func(m *made) { gap(m, 1, 3) }, throughout, exercise.Missed, ""},
		"met in what is shown":  {func(m *made) { gap(m, 4, 16) }, throughout, exercise.Withheld, ""},
		"another measure alone": {func(*made) {}, exercise.Target{Measure: analyze.KneeFlexion, Side: analyze.RightSide, Min: value(90)}, "", ""},
	} {
		m := makeSquat(70, 3, 4)
		c.change(&m)
		one := m.judge(t, c.target).Repetitions[0]
		if c.want == "" {
			if len(one.Targets) != 0 || one.Outcome != exercise.Withheld {
				t.Errorf("%s: %+v", name, one)
			}
			continue
		}
		if v := one.Targets[0]; v.Outcome != c.want || c.why != "" && !slices.Equal(v.Why, []quality.Code{c.why}) || (v.Outcome == exercise.Withheld) == v.Value.Present {
			t.Errorf("%s: %+v, want %s %s", name, v, c.want, c.why)
		}
	}
}

// TestIdle: a side that takes no part in a repetition is not judged, unless the target names it.
func TestIdle(t *testing.T) {
	m := makeSquat(100, 3, 0)
	hangs := m.shown.Measures[0]
	hangs.Side, hangs.Name, hangs.Values = analyze.RightSide, "right knee flexion", slices.Repeat([]analyze.Value{value(10)}, len(hangs.Values))
	m.shown.Measures = append(m.shown.Measures, hangs)
	deep := exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)}
	if one := m.judge(t, deep).Repetitions[0]; one.Outcome != exercise.Met || len(one.Targets) != 1 {
		t.Errorf("%+v", one)
	}
	deep.Side = analyze.RightSide
	if one := m.judge(t, deep).Repetitions[0]; one.Outcome != exercise.Missed {
		t.Errorf("the side that is asked for: %+v", one)
	}
}

// TestUnjudged: the headline counts what was judged.
func TestUnjudged(t *testing.T) {
	m := makeSquat(100, 3, 0)
	again := m.shown.Repetitions.List[0]
	again.Turn.Frame, again.Complete = 11, false
	m.shown.Repetitions.List = append(m.shown.Repetitions.List, again)
	r := m.judge(t, exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)})
	if got := r.Headline[say.English]; got != "1 of 1 repetitions meets every target. 1 more could not be judged." {
		t.Error(got)
	}
}

// TestEstimated: an estimate stands for a measure that the view withholds, and is marked.
func TestEstimated(t *testing.T) {
	m := makeSquat(70, 8, 0)
	estimate := m.shown.Measures[0]
	estimate.Estimated, estimate.Trust = true, quality.TrustCare
	m.shown.Estimates = []study.Measure{estimate}
	hidden := &m.shown.Measures[0]
	hidden.Trust, hidden.Values = quality.TrustWithheld, make([]analyze.Value, len(hidden.Values))
	m.shown.Lead = &study.Lead{Type: analyze.HipHeight}
	hips := estimate
	hips.Type, hips.Side, hips.Estimated = analyze.HipHeight, "", false
	m.shown.Measures = append(m.shown.Measures, hips)
	v := m.judge(t, exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)}).Repetitions[0].Targets[0]
	if v.Outcome != exercise.Missed || !v.Estimated || v.Trust != quality.TrustCare {
		t.Errorf("%+v", v)
	}
}

// TestForeignStudy: a study of another recording is refused.
func TestForeignStudy(t *testing.T) {
	m := makeSquat(70, 3, 4)
	if _, err := exercise.Judge(shipped(t, "squat"), m.seq.Slice(0, 9), m.shown); !errors.Is(err, keypoint.ErrInvalid) {
		t.Error(err)
	}
	if _, err := exercise.Judge(exercise.Definition{Name: "nothing"}, m.seq, m.shown); !errors.As(err, new(keypoint.FieldErrors)) {
		t.Error(err)
	}
}

// TestSentences holds what is said in both languages.
func TestSentences(t *testing.T) {
	m := makeSquat(70, 3, 4)
	again := m.shown.Repetitions.List[0]
	again.Out = 0.5
	m.shown.Repetitions.List = append(m.shown.Repetitions.List, again)
	valgus := m.shown.Measures[0]
	valgus.Type, valgus.Trust, valgus.Why = analyze.KneeValgus, quality.TrustWithheld, []quality.Code{quality.CodeHidden}
	valgus.Values = make([]analyze.Value, len(valgus.Values))
	m.shown.Measures = append(m.shown.Measures, valgus)
	r := m.judge(t, exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)}, exercise.Target{Measure: "out", Min: value(0.8)},
		exercise.Target{Measure: analyze.KneeValgus, At: "throughout", Max: value(10)})
	for what, c := range map[string]struct{ have, want say.Text }{
		"headline": {r.Headline, say.Text{say.English: "Each repetition misses a target.", say.Japanese: "どの回にも未達の目標があります。"}},
		"detail": {r.Detail, say.Text{
			say.English:  "Left knee flexion 20° ± 5 short of 90°. Repetition 2: 0.30 s ± 0.13 too quick on the way out.",
			say.Japanese: "左膝の屈曲が90°に20° ± 5不足。2回目：行きが0.30秒 ± 0.13速すぎ。"}},
		"repetition": {r.Repetitions[1].Sentence, say.Text{
			say.English: "Left knee flexion 20° ± 5 short of 90°, 0.30 s ± 0.13 too quick on the way out.", say.Japanese: "左膝の屈曲が90°に20° ± 5不足、行きが0.30秒 ± 0.13速すぎ。"}},
		"target": {r.Exercise.Describe(0, "°"), say.Text{say.English: "knee flexion, at least 90°", say.Japanese: "膝の屈曲、90°以上"}},
	} {
		if !maps.Equal(c.have, c.want) {
			t.Errorf("%s:\n%q\n%q", what, c.have, c.want)
		}
	}
	good := makeSquat(120, 3, 4).judge(t, exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)})
	if good.Headline[say.English] != "1 of 1 repetitions meets every target." || good.Repetitions[0].Sentence[say.English] != "All targets met." || good.Detail[say.English] != "" {
		t.Errorf("%q %q %q", good.Headline, good.Repetitions[0].Sentence, good.Detail)
	}
	m.shown.Movement = "lunge"
	if other := m.judge(t, exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)}); !strings.HasPrefix(other.Detail[say.English], "The recording shows another movement: lunges. ") {
		t.Errorf("%q", other.Detail[say.English])
	}
	for _, p := range []string{"One of", "%!"} {
		for _, text := range []string{r.Headline[say.English], r.Detail[say.English], r.Detail[say.Japanese]} {
			if strings.Contains(text, p) {
				t.Errorf("%q in %q", p, text)
			}
		}
	}
}

// TestResultJSON: what is written is read again.
func TestResultJSON(t *testing.T) {
	r := makeSquat(70, 3, 4).judge(t, exercise.Target{Measure: analyze.KneeFlexion, Min: value(90)})
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back exercise.Result
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != string(data) || !reflect.DeepEqual(back.Repetitions[0].Sentence, r.Repetitions[0].Sentence) {
		t.Errorf("%s\n%s, %v", data, again, err)
	}
}

// TestNoNumbers: a test that the recording does not show has no number, and says why.
func TestNoNumbers(t *testing.T) {
	m := makeSquat(70, 3, 4)
	for _, name := range exercise.Names() {
		d := shipped(t, name)
		r, err := exercise.Judge(d, m.seq, m.shown)
		if err != nil {
			t.Fatal(err)
		}
		if (d.Test != "") != (len(r.Numbers) > 0) {
			t.Errorf("%s: %+v", name, r.Numbers)
		}
		for _, n := range r.Numbers {
			if n.Value.Present || n.Why[say.English] == "" || n.Why[say.Japanese] == "" || !maps.Equal(r.Headline, n.Why) {
				t.Errorf("%s: %+v, %q", name, n, r.Headline)
			}
		}
	}
}
