package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// TestSessions: a report draws what the person did before, and says what has changed; of many recordings the first value,
// about which the smallest change lies, and the last ones.
func TestSessions(t *testing.T) {
	of20 := twenty()
	r := of(t, squats(), say.English)
	r.Trend = []trend.Trend{of20}
	text := written(t, &r)
	contains(t, text, "21° more than at first.", "Last sessions</b><small>knee flexion, most · UTC</small>", ">81°<", ">99°<", "smallest real change about the first session, ± 9°")
	if strings.Contains(text, ">82°<") || strings.Count(text, `<circle class="mk left" `) < 12 || len(of20.Sessions) != 20 {
		t.Error("want the first value and the last eleven")
	}
	r.Zone, r.Language = time.FixedZone("", 9*3600), say.Japanese
	contains(t, written(t, &r), "初回より21°大きい。", ">1/9<", "これまでの経過")
}

// twenty returns a trend of twenty sessions, of which the first is withheld.
func twenty() trend.Trend {
	of20 := trend.Trend{Measure: analyze.KneeFlexion, Side: analyze.LeftSide, Statistic: "peak", Unit: "°", SmallestChange: analyze.Value{X: 8.6, Present: true},
		Change: &trend.Change{}, Sentence: say.Text{say.English: "21° more than at first.", say.Japanese: "初回より21°大きい。"}}
	for k := range 20 {
		s := trend.Session{RecordedAt: time.Date(2026, 1, 1+7*k, 23, 30, 0, 0, time.UTC), Why: []quality.Code{quality.CodeHiddenSide}}
		if k > 0 {
			s.Value, s.Uncertainty = analyze.Value{X: 80 + float64(k), Present: true}, analyze.Value{X: 4, Present: true}
		}
		of20.Sessions = append(of20.Sessions, s)
	}
	return of20
}
