package live_test

import (
	"context"
	"fmt"
	"image"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// known is an Estimator that finds what it is told to.
type known struct{ frame *keypoint.Frame }

func (k known) Estimate(context.Context, image.Image, inference.Hint) (keypoint.Frame, error) {
	return *k.frame, nil
}

// TestGrades: of squats that are deep, half as deep and deep, again and again, those count that the exercise takes, and the others are
// graded too. More pictures come than are kept.
func TestGrades(t *testing.T) {
	truth := testkit.Rendered(t, "squat_60")
	file := encoded(t, image.NewGray(image.Rectangle{Max: truth.Seq.Size.Div(4)}))
	frames := make([]keypoint.Frame, truth.Seq.Len())
	for i, f := range truth.Seq.Frames {
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			frames[i].Set(p, at.Mul(0.25), 0.9)
		}
	}
	for _, play := range []struct {
		counts       string
		times, count int
	}{{"met", 4, 8}, {"all", 1, 3}, {"all", 0, 0}} {
		synctest.Test(t, func(t *testing.T) {
			var now keypoint.Frame
			c := start(t, serve(t, handler(t, known{&now}, live.Options{})), "a", fmt.Sprintf(
				`{"exercise": {"name": "deep", "movement": "squat", "lead": {"analysisType": "kneeFlexion"}, "counts": %q,
				"targets": [{"measure": "kneeFlexion", "at": "turn", "min": 80}]}}`, play.counts))
			var got []string
			var last message
			take := func() {
				m := c.read()
				if m.Exercise == nil {
					t.Fatalf("%+v has no grades", m)
				}
				if of := m.Exercise.Last; of != nil && (len(got) == 0 || of.Turn != last.Exercise.Last.Turn) {
					got = append(got, of.Outcome)
					if of.Sentence["en"] == "" || of.Turn.Time <= of.Start.Time || of.End.Time <= of.Turn.Time || of.Counted != (play.counts == "all" || of.Outcome == "met") {
						t.Errorf("%+v: %+v", play, of)
					}
				}
				last = m
			}
			for i := range play.times * len(frames) {
				now = frames[i%len(frames)]
				c.picture(5e6+uint64(i)*1e6/30, file)
				take()
			}
			c.text(`{"type": "end"}`)
			take()
			want := slices.Repeat([]string{"met", "missed", "met"}, play.times)
			if !slices.Equal(got, want) || last.Type != "end" || last.Exercise.Count != play.count {
				t.Errorf("%+v: %d of %v, want %v", play, last.Exercise.Count, got, want)
			}
		})
	}
}
