package quality_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// lookedAt is a recording of 60 frames a second of which every third was looked at, filled in between.
func lookedAt(t *testing.T, r recording) (keypoint.Sequence, clean.Report) {
	t.Helper()
	r.frames, r.rate = 121, 60
	seq := r.made()
	for i := range seq.Frames {
		if i%3 == 0 {
			seq.Looks = append(seq.Looks, i)
		} else {
			seq.Frames[i] = keypoint.Frame{}
		}
	}
	filled, report, err := clean.Run(seq, clean.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return filled, report
}

// TestLooks: how well a movement was seen depends on the rate of the looks, not on that of the movie.
func TestLooks(t *testing.T) {
	// waving goes up and down with the left wrist, two torso lengths in 0.25 s: half as far between two frames
	// as is too fast, and more than that between two looks.
	waving := standing(0)
	waving.pose = func(t float64, p keypoint.Part, at [3]float64) [3]float64 {
		if p == keypoint.LeftWrist {
			at[1] += 1 - math.Cos(4*math.Pi*t)
		}
		return at
	}
	absent := standing(0) // in every sixth look, so in five of six looks, and in two thirds of the frames
	absent.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
		return at, p != keypoint.LeftElbow || i%18 != 9
	}
	rarer := standing(0)
	rarer.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
		return at, p != keypoint.LeftElbow || i%9 != 0
	}
	trembling := standing(0)
	trembling.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
		if p == keypoint.RightWrist {
			at[0] += 40 * math.Sin(float64(i*i))
		}
		return at, true
	}
	for name, c := range map[string]struct {
		r      recording
		want   quality.Code // "": none
		detail string
		part   keypoint.Part
	}{
		"standing":  {standing(0), "", "", 0},
		"waving":    {waving, quality.CodeLowFrameRate, "from look to look", keypoint.LeftWrist},
		"absent":    {absent, "", "", 0},
		"rarer":     {rarer, quality.CodeLowCoverage, "leftElbow 65 %", keypoint.LeftElbow},
		"trembling": {trembling, quality.CodeJitter, "", keypoint.RightWrist},
	} {
		t.Run(name, func(t *testing.T) {
			seq, report := lookedAt(t, c.r)
			got, err := quality.Assess(quality.Input{Sequence: seq, Cleaning: report})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if len(got.Warnings) != 0 {
					t.Errorf("warnings %+v", got.Warnings)
				}
				return
			}
			if len(got.Warnings) == 0 {
				t.Fatal("no warning")
			}
			last := got.Warnings[len(got.Warnings)-1].To
			for _, w := range got.Warnings {
				if w.Code != c.want || !strings.Contains(w.Detail, c.detail) || w.Parts != keypoint.PartsOf(c.part) || w.From%3 != 0 || w.To%3 != 0 {
					t.Errorf("%+v", w)
				}
			}
			if last < 114 {
				t.Errorf("the last warning ends in frame %d of 121", last)
			}
			seq.Looks = nil // as if each frame had been looked at
			if all, err := quality.Assess(quality.Input{Sequence: seq}); err != nil || c.want == quality.CodeLowFrameRate && len(all.Warnings) != 0 {
				t.Errorf("of all frames: %+v (%v)", all.Warnings, err)
			}
		})
	}
}
