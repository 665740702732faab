package motion_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/storage"
)

// squats makes a keypoint record of a rendered movie of squats, filmed on a day of October.
func squats(t testing.TB, s *motion.Service, who int64, name string, day int) motion.Extraction {
	t.Helper()
	seq := testkit.Rendered(t, name).Seq
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Given(seq), About: motion.About{Recording: motion.Recording{SubjectID: who, RecordedAt: time.Date(2026, 10, day, 12, 0, 0, 0, time.UTC)}}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestTrend: one value a recording by the date of filming, of the newest keypoints of it, as they are corrected.
func TestTrend(t *testing.T) {
	s := host.New().Service(t, nil)
	host.Run(t, s)
	who := subject(t, s, motion.NewSubject{Name: "Kenji", Side: analyze.LeftSide})
	last := squats(t, s, who, "squat_90_slow", 20)
	first := squats(t, s, who, "squat_60", 3)
	squats(t, s, subject(t, s, motion.NewSubject{Name: "Mika"}), "squat_60", 4)
	again, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(last.ID)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, again.ID, storage.Success)
	get := func(req motion.TrendRequest) trend.Trend {
		t.Helper()
		got, err := s.GetTrend(t.Context(), host.Owner, who, req)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := get(motion.TrendRequest{Measure: analyze.KneeFlexion})
	if got.Side != analyze.LeftSide || len(got.Sessions) != 2 || got.Sessions[0].KeypointID != first.ID || got.Sessions[1].KeypointID != again.ID {
		t.Fatalf("%s %+v", got.Side, got.Sessions)
	}
	e, err := s.GetExtraction(t.Context(), host.Owner, again.ID)
	if err != nil {
		t.Fatal(err)
	}
	seq, err := e.Sequence()
	if err != nil {
		t.Fatal(err)
	}
	judged, err := e.Quality()
	if err != nil {
		t.Fatal(err)
	}
	shown, err := study.Run(seq, judged)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range shown.Measures {
		if m.Type != analyze.KneeFlexion || m.Side != analyze.LeftSide {
			continue
		}
		if m.Peak == nil || math.Abs(got.Sessions[1].Value.X-m.Peak.Value) > 1e-3 || math.Abs(*got.Sessions[1].Time-m.Peak.Time) > 1e-3 || got.Sessions[1].Trust != m.Trust {
			t.Errorf("the trend has %+v, the study %+v", got.Sessions[1], m.Peak)
		}
	}
	if lead := get(motion.TrendRequest{}); lead.Measure != shown.Lead.Type {
		t.Errorf("without a measure: %s, want %s", lead.Measure, shown.Lead.Type)
	}

	// A correction changes the value, and taking it away brings it back.
	was := *got.Sessions[1].Time
	edit := correct.Edit{Part: keypoint.LeftKnee, Frame: slices.IndexFunc(seq.Times, func(t float64) bool { return math.Abs(t-was) < 1e-3 })}
	for _, undo := range []bool{false, true} {
		edit.Undo = undo
		if _, err := s.CorrectKeypoints(t.Context(), host.Owner, again.ID, []correct.Edit{edit}); err != nil {
			t.Fatal(err)
		}
		if now := *get(motion.TrendRequest{Measure: analyze.KneeFlexion}).Sessions[1].Time; (now == was) != undo {
			t.Errorf("undone %v: the peak is at %v s, and was at %v s", undo, now, was)
		}
	}
	for field, req := range map[string]motion.TrendRequest{
		"measure": {Measure: "coordinate"}, "side": {Measure: analyze.TrunkLean, Side: analyze.LeftSide}, "statistic": {Statistic: "mode"}, "limit": {Limit: 1001},
	} {
		var wrong *motion.RequestError
		if _, err := s.GetTrend(t.Context(), host.Owner, who, req); !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%+v: %v, want a mistake in %s", req, err, field)
		}
	}
	if size, err := json.Marshal(e.Summary); err != nil || len(size) > 10_000 {
		t.Errorf("a summary has %d bytes (%v)", len(size), err)
	}
}

// BenchmarkTrend follows a measure over 100 recordings.
func BenchmarkTrend(b *testing.B) {
	s := host.New().Service(b, nil)
	made, err := s.CreateSubject(b.Context(), host.Owner, motion.NewSubject{Name: "Kenji"})
	if err != nil {
		b.Fatal(err)
	}
	for day := range 100 {
		squats(b, s, made.ID, "squat_60", -day)
	}
	b.ReportAllocs()
	for b.Loop() {
		got, err := s.GetTrend(b.Context(), host.Owner, made.ID, motion.TrendRequest{Measure: analyze.KneeFlexion})
		if err != nil || len(got.Sessions) != 100 {
			b.Fatal(err)
		}
	}
}
