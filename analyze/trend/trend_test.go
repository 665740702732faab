package trend_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// day returns a recording of a day, with the peak of a right knee.
func day(n int, peak trend.Number, change func(*trend.Summary)) trend.Recording {
	view := 90.0
	sum := trend.Summary{Kind: "picture", View: &view, Facing: "right", Repetitions: peak.Repetitions, Measures: []trend.Measure{{
		Type: analyze.KneeFlexion, Side: analyze.RightSide, Unit: "°", Trust: quality.TrustGood, Constant: 6,
		Numbers: map[trend.Statistic]trend.Number{"peak": peak},
	}}}
	if change != nil {
		change(&sum)
	}
	return trend.Recording{KeypointID: int64(n), RecordedAt: time.Date(2026, 10, n, 12, 0, 0, 0, time.UTC), Summary: sum}
}

// TestSmallestChange: what counts as a change is 2.77 times the error between repetitions, or the uncertainties if they are
// greater, and what is off by alike if the recordings are not alike.
func TestSmallestChange(t *testing.T) {
	from := func(view float64) func(*trend.Summary) { return func(s *trend.Summary) { s.View = &view } }
	peak := func(v, sigma float64, n int, variance float64) trend.Number {
		return trend.Number{Value: v, Uncertainty: math.Hypot(sigma, 6), Repetitions: n, Variance: variance}
	}
	unknown := math.NaN()
	for name, c := range map[string]struct {
		first, last trend.Recording
		smallest    float64
		real, alike bool
	}{
		"repetitions":    {day(1, peak(80, 1, 3, 9), nil), day(2, peak(90, 1, 3, 25), nil), 2.77 * math.Sqrt(17), false, true},
		"weighted":       {day(1, peak(80, 1, 5, 21), nil), day(2, peak(90, 1, 3, 15), nil), 2.77 * math.Sqrt(19), false, true},
		"uncertainties":  {day(1, peak(80, 3, 3, 1), nil), day(2, peak(94, 4, 3, 1), nil), 2.77 * math.Sqrt(21.5), true, true},
		"less":           {day(1, peak(94, 3, 3, 1), nil), day(2, peak(80, 4, 3, 1), nil), 2.77 * math.Sqrt(21.5), true, true},
		"one repetition": {day(1, peak(40, 3, 1, 0), nil), day(2, peak(90, 4, 1, 0), nil), unknown, false, true},
		"one has two":    {day(1, peak(40, 3, 1, 0), nil), day(2, peak(90, 3, 2, 25), nil), 2.77 * 5, true, true},
		"other view":     {day(1, peak(80, 3, 3, 1), nil), day(2, peak(98, 4, 3, 1), from(70)), 2.77 * math.Sqrt(12.5+36), false, false},
		"view unknown":   {day(1, peak(80, 3, 3, 1), func(s *trend.Summary) { s.View = nil }), day(2, peak(98, 4, 3, 1), nil), 2.77 * math.Sqrt(12.5+36), false, false},
		"near view":      {day(1, peak(80, 3, 3, 1), nil), day(2, peak(98, 4, 3, 1), from(75)), 2.77 * math.Sqrt(21.5), true, true},
		"other side":     {day(1, peak(80, 3, 3, 1), nil), day(2, peak(98, 4, 3, 1), func(s *trend.Summary) { s.Facing = "left" }), 2.77 * math.Sqrt(12.5+36), false, false},
		"in space":       {day(1, peak(80, 3, 3, 1), nil), day(2, peak(98, 4, 3, 1), func(s *trend.Summary) { s.Kind, s.View = "space", nil }), 2.77 * math.Sqrt(12.5+36), false, false},
		"both in space": {day(1, peak(80, 3, 3, 1), func(s *trend.Summary) { s.Kind, s.View = "space", nil }),
			day(2, peak(98, 4, 3, 1), func(s *trend.Summary) { s.Kind, s.View = "space", nil }), 2.77 * math.Sqrt(21.5), true, true},
		"estimated": {day(1, trend.Number{Value: 80, Uncertainty: 6, Repetitions: 3, Variance: 1}, func(s *trend.Summary) { s.Measures[0].Estimated = true }),
			day(2, trend.Number{Value: 98, Uncertainty: 8, Repetitions: 3, Variance: 1}, func(s *trend.Summary) { s.Measures[0].Estimated = true }), 2.77 * math.Sqrt(50), false, true},
		"unknown constant": {day(1, peak(20, 3, 3, 1), from(20)), day(2, peak(98, 4, 3, 1), func(s *trend.Summary) { s.Measures[0].Constant = 0 }), unknown, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, []trend.Recording{c.last, c.first})
			if got.Change == nil || got.Change.From != 1 || got.Change.To != 2 || got.Change.Real != c.real || got.Change.Alike != c.alike {
				t.Errorf("change %+v", got.Change)
			}
			if got.SmallestChange.Present == math.IsNaN(c.smallest) || got.SmallestChange.Present && math.Abs(got.SmallestChange.X-c.smallest) > 1e-9 {
				t.Errorf("smallest %v, want %v", got.SmallestChange, c.smallest)
			}
			for _, s := range got.Sessions {
				if s.View == nil && s.Facing.Known() || s.View != nil && s.Facing != quality.FacingOf(*s.View) {
					t.Errorf("seen from %v: %+v", s.View, s.Facing)
				}
			}
			if got.Sessions[0].Real || got.Sessions[1].Real != c.real {
				t.Errorf("sessions %+v", got.Sessions)
			}
		})
	}
}

// TestSessions: what is withheld has a reason and no number, and an estimate stands in for it and is told apart.
func TestSessions(t *testing.T) {
	hidden := day(3, trend.Number{}, func(s *trend.Summary) {
		s.Measures[0].Trust, s.Measures[0].Numbers, s.Measures[0].Why = quality.TrustWithheld, nil, []quality.Code{quality.CodeHidden}
	})
	estimated := day(4, trend.Number{}, func(s *trend.Summary) {
		estimate := s.Measures[0]
		s.Measures[0].Trust, s.Measures[0].Numbers, s.Measures[0].Why = quality.TrustWithheld, nil, []quality.Code{quality.CodeOutOfPlane}
		estimate.Estimated, estimate.Trust = true, quality.TrustCare
		estimate.Numbers = map[trend.Statistic]trend.Number{"peak": {Value: 100, Uncertainty: 8, Repetitions: 3, Variance: 1}}
		s.Measures, s.Lead = append(s.Measures, estimate), &study.Lead{Type: analyze.KneeFlexion, Side: analyze.RightSide}
	})
	metres := day(2, trend.Number{Value: 1, Repetitions: 3}, func(s *trend.Summary) { s.Measures[0].Unit = "m" })
	first := day(1, trend.Number{Value: 60, Uncertainty: math.Hypot(4, 6), Repetitions: 3, Variance: 4}, nil)
	got := trend.Of(trend.Request{}, []trend.Recording{hidden, estimated, metres, first})
	if got.Measure != analyze.KneeFlexion || got.Side != analyze.RightSide || got.Statistic != "peak" || got.Unit != "°" {
		t.Errorf("%s %s %s %s", got.Measure, got.Side, got.Statistic, got.Unit)
	}
	for i, want := range []struct {
		present bool
		why     quality.Code
		kind    trend.Kind
		real    bool
	}{{true, "", "picture", false}, {false, "unit", "picture", false}, {false, quality.CodeHidden, "picture", false}, {true, quality.CodeOutOfPlane, "depth", false}} {
		s := got.Sessions[i]
		if s.Value.Present != want.present || s.Kind != want.kind || s.Real != want.real || want.why != "" && s.Why[0] != want.why || (s.Trust == quality.TrustWithheld) == want.present {
			t.Errorf("session %d: %+v", i, s)
		}
	}
	text, err := json.Marshal(got)
	for _, want := range []string{
		`"value":null`, `"estimated":true`, `"kind":"depth"`, `"recordedAt":"2026-10-01T12:00:00.000000Z"`, `"why":["hidden"]`, `"sentence":{"en":"One session `,
	} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s (%v)", want, text, err)
		}
	}
	if none := trend.Of(trend.Request{Measure: "kneeFlexion"}, nil); none.Unit != "°" {
		t.Errorf("the unit %q without values", none.Unit)
	}
	var csv strings.Builder
	if err := trend.WriteCSV(&csv, got); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(csv.String()), "\n")
	if len(lines) != 5 || !strings.Contains(lines[0], "side,knee flexion peak [deg],uncertainty [deg]") ||
		lines[3] != "2026-10-03T12:00:00Z,false,3,right,,,withheld,hidden,picture,90,0,false" || lines[4] != "2026-10-04T12:00:00Z,false,4,right,100,8,care,outOfPlane,depth,90,0,false" {
		t.Error(csv.String())
	}
	if none := trend.Of(trend.Request{}, nil); none.Measure != "" || none.Change != nil || none.Sentence[say.English] != "No session shows it." {
		t.Errorf("of nothing: %+v", none)
	}
}

// TestMeasuredOrEstimated: a change is never from what is measured to what is estimated, whichever of them is first or last: it is that
// of the more frequent kind.
func TestMeasuredOrEstimated(t *testing.T) {
	peak := func(v float64) trend.Number {
		return trend.Number{Value: v, Uncertainty: 8, Repetitions: 3, Variance: 1}
	}
	guess := func(s *trend.Summary) { s.Measures[0].Estimated = true }
	for kinds, want := range map[string]float64{"me": 0, "em": 0, "mem": 2, "mme": 1, "emm": 1, "eme": 2, "eem": 1, "emem": 2, "meme": 2, "mmee": 1, "eeeem": 3} {
		var list []trend.Recording
		for i, k := range kinds {
			change := guess
			if k == 'm' {
				change = nil
			}
			list = append(list, day(i+1, peak(float64(50+40*i)), change))
		}
		got := trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, list)
		if want == 0 && got.Change == nil {
			continue
		}
		if got.Change == nil || got.Change.Amount != 40*want || kinds[got.Change.From-1] != kinds[got.Change.To-1] {
			t.Errorf("%s: %+v", kinds, got.Change)
		}
		for i, s := range got.Sessions {
			if !s.Value.Present || s.Real && kinds[i] != kinds[got.Change.From-1] {
				t.Errorf("%s: %+v", kinds, s)
			}
		}
	}
}

// TestChoice: a trend of no measure begins with the lead that most sessions show, not with that of the newest one.
func TestChoice(t *testing.T) {
	knee := func(n int) trend.Recording {
		return day(n, trend.Number{Value: 90, Repetitions: 3}, func(s *trend.Summary) { s.Lead = &study.Lead{Type: analyze.KneeFlexion, Side: analyze.RightSide} })
	}
	arms := func(n int) trend.Recording {
		return day(n, trend.Number{Value: 80, Repetitions: 3}, func(s *trend.Summary) {
			s.Measures[0].Type, s.Measures[0].Side = analyze.ShoulderAbduction, analyze.LeftSide
			s.Lead = &study.Lead{Type: analyze.ShoulderAbduction, Side: analyze.LeftSide}
		})
	}
	for _, c := range []struct {
		of   []trend.Recording
		req  trend.Request
		want study.Lead
	}{
		{[]trend.Recording{knee(1), knee(2), arms(3)}, trend.Request{}, study.Lead{Type: analyze.KneeFlexion, Side: analyze.RightSide}},
		{[]trend.Recording{arms(1), knee(2), arms(3)}, trend.Request{}, study.Lead{Type: analyze.ShoulderAbduction, Side: analyze.LeftSide}},
		{[]trend.Recording{knee(1), arms(2)}, trend.Request{}, study.Lead{Type: analyze.ShoulderAbduction, Side: analyze.LeftSide}},
		{[]trend.Recording{knee(1), arms(2)}, trend.Request{Measure: analyze.KneeFlexion}, study.Lead{Type: analyze.KneeFlexion, Side: analyze.RightSide}},
		{[]trend.Recording{knee(1), arms(2)}, trend.Request{Side: analyze.RightSide}, study.Lead{Type: analyze.KneeFlexion, Side: analyze.RightSide}},
		{[]trend.Recording{arms(2)}, trend.Request{Measure: analyze.HipFlexion}, study.Lead{Type: analyze.HipFlexion, Side: analyze.LeftSide}},
	} {
		if got := trend.Of(c.req, c.of); (study.Lead{Type: got.Measure, Side: got.Side}) != c.want {
			t.Errorf("%d sessions, %+v: %s %s, want %v", len(c.of), c.req, got.Side, got.Measure, c.want)
		}
	}
}

func TestSentence(t *testing.T) {
	between := func(a, b, variance float64, n int) say.Text {
		one := trend.Number{Value: a, Uncertainty: 1, Repetitions: n, Variance: variance}
		two := one
		two.Value = b
		return trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, []trend.Recording{day(1, one, nil), day(2, two, nil)}).Sentence
	}
	for _, c := range []struct {
		got  say.Text
		l    say.Language
		want string
	}{
		{between(55, 104, 10, 3), say.English, "Right knee flexion: 49° more than in the first session; a change counts from 8°."},
		{between(104, 55, 10, 3), say.Japanese, "右膝の屈曲：初回より49°小さい（8°以上で実際の変化とみなします）。"},
		{between(55, 63.6, 10, 3), say.English, "Right knee flexion: 8° more than in the first session, no real change: a change counts from 9°."},
		{between(55, 55.2, 10, 3), say.English, "Right knee flexion: as much as in the first session, no real change: a change counts from 9°."},
		{between(55, 55.2, 10, 3), say.Japanese, "右膝の屈曲：初回と同じ。実際の変化とはいえません（9°以上が必要です）。"},
		{between(55, 104, 0, 1), say.English, "Right knee flexion: 49° more than in the first session; two repetitions each time, filmed from the same direction, tell whether that is a change."},
	} {
		if c.got[c.l] != c.want {
			t.Errorf("%q, want %q", c.got[c.l], c.want)
		}
	}
}
