package exercise_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestTrends compares each two rendered movies of an exercise. The change may be off by more than the smallest real change in at most
// one of twenty pairs, whether they were filmed alike or not. A change that is called real hardly ever goes the other way in truth.
func TestTrends(t *testing.T) {
	type point struct {
		trend.Recording
		exercise string
		measure  trend.Measure
		truth    map[trend.Statistic]float64
	}
	points := map[string][]point{}
	for i, f := range rendered(t) {
		sum := trend.Summarize(f.seq, f.shown, f.judged.Views)
		exercise, _, _ := strings.Cut(f.Name, "_")
		for _, m := range sum.Measures {
			truth := f.Truth[key(m.Type, m.Side)]
			if m.Trust == quality.TrustWithheld || m.Unit != "°" || len(truth) == 0 || slices.Contains(truth, unknown) {
				continue
			}
			low, high := float64(slices.Min(truth))/10, float64(slices.Max(truth))/10
			want := map[trend.Statistic]float64{"peak": high, "min": low, "range": high - low}
			if m.Numbers["peak"].Value < 0 {
				want["peak"] = low
			}
			r := trend.Recording{KeypointID: int64(i + 1), RecordedAt: time.Date(2026, 1, i, 0, 0, 0, 0, time.UTC), Summary: sum}
			name := exercise + " " + key(m.Type, m.Side)
			points[name] = append(points[name], point{r, exercise, m, want})
		}
	}
	for _, statistic := range []trend.Statistic{"peak", "min", "range"} {
		for _, alike := range []bool{true, false} {
			pairs, off, real, wrong := 0, 0, 0, 0
			for name, list := range points {
				for i, b := range list {
					for _, a := range list[:i] {
						got := trend.Of(trend.Request{Measure: a.measure.Type, Side: a.measure.Side, Statistic: statistic}, []trend.Recording{a.Recording, b.Recording})
						if !got.SmallestChange.Present || got.Change.Alike != alike {
							continue
						}
						pairs++
						want, is := b.truth[statistic]-a.truth[statistic], got.Change.Amount
						if math.Abs(is-want) > got.SmallestChange.X {
							off++
							t.Logf("%s, %s: %d → %d: %.0f° for %.0f°, from %.0f°", name, statistic, a.KeypointID, b.KeypointID, is, want, got.SmallestChange.X)
						}
						if got.Change.Real {
							real++
							if want*is <= 0 || math.Abs(want) < 2 {
								wrong++
							}
						}
					}
				}
			}
			t.Logf("%s, alike %v: %d of %d pairs are off by more than the smallest real change; %d of %d real ones are wrong", statistic, alike, off, pairs, wrong, real)
			if pairs < 400 || 20*off > pairs || real < 15 || 100*wrong > pairs {
				t.Errorf("%s, alike %v: too many", statistic, alike)
			}
		}
	}
}
