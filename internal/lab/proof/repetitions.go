package main

import (
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// exercise is how the repetitions of a kind of movement are found.
type exercise struct {
	rule  analyze.Rule // of the left side
	whole bool         // the joint moves throughout, so that its repetitions begin and end with those of the body
}

func bend(kind analyze.Type, parts ...keypoint.Part) analyze.Rule {
	return analyze.Rule{Type: kind, Points: keypoint.PartSelectors(parts...)}
}

// exercises are by Truth.Motion.
var exercises = map[string]exercise{
	"squat":         {rule: bend(analyze.JointFlexion, keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle), whole: true},
	"forward lunge": {rule: bend(analyze.JointFlexion, keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)},
	"sit-to-stand":  {rule: bend(analyze.JointFlexion, keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)},
	"hip hinge":     {rule: bend(analyze.JointFlexion, keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee), whole: true},
	"push-up":       {rule: bend(analyze.JointFlexion, keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist), whole: true},
	"biceps curl":   {rule: bend(analyze.JointFlexion, keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist), whole: true},
	"lateral raise": {rule: bend(analyze.VectorAngle, keypoint.LeftHip, keypoint.LeftShoulder, keypoint.LeftElbow), whole: true},
	"side step":     {rule: bend(analyze.EuclideanDistance, keypoint.LeftAnkle, keypoint.RightAnkle)},
	"standing":      {rule: bend(analyze.JointFlexion, keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)},
}

// leastCoverage is the share of the frames with a value below which a side is not counted: it is hidden, as
// the verdict says.
const leastCoverage = 0.6

// repetitionsOf returns the repetitions by the values of the left and of the right side, as far as they are seen.
func repetitionsOf(r recording) (found map[string]analyze.Repetitions, x exercise, err error) {
	x, ok := exercises[r.truth.Motion]
	if !ok {
		return nil, x, nil
	}
	found = map[string]analyze.Repetitions{}
	results := map[string]analyze.Result{}
	both := x.rule
	both.Symmetry = true
	if all, err := analyze.Run(r.Sequence, []analyze.Rule{both}); err == nil {
		other := all[0].Symmetry.OtherSide
		results[string(all[0].Side)], results[string(other.Side)] = all[0], other
	} else {
		all, err := analyze.Run(r.Sequence, []analyze.Rule{x.rule})
		if err != nil {
			return nil, x, err
		}
		results["both"] = all[0]
	}
	for side, result := range results {
		if result.Coverage < leastCoverage {
			continue
		}
		if found[side], err = analyze.FindRepetitions(r.Sequence, result, analyze.RepetitionOptions{}); err != nil {
			return nil, x, err
		}
	}
	return found, x, nil
}

// repetitions returns by how many repetitions each side is off.
func repetitions(r recording) ([]sample, error) {
	found, _, err := repetitionsOf(r)
	var s sample
	s.what = "repetitions"
	for _, side := range []string{"both", "left", "right"} {
		if x, ok := found[side]; ok {
			s.errors = append(s.errors, float64(len(x.List)-len(r.truth.Reps)))
		}
	}
	return []sample{s}, err
}

// tempo returns the errors of the times of the repetitions in milliseconds, where their number is right.
func tempo(r recording) ([]sample, error) {
	found, x, err := repetitionsOf(r)
	ms := func(s *sample, found, want float64) { s.errors = append(s.errors, 1000*(found-want)) }
	turn, out, hold, back := sample{what: "turn"}, sample{what: "out"}, sample{what: "hold"}, sample{what: "back"}
	for _, side := range []string{"both", "left", "right"} {
		if len(found[side].List) != len(r.truth.Reps) {
			continue
		}
		for k, got := range found[side].List {
			want := r.truth.Reps[k]
			ms(&turn, r.Times[got.Turn.Frame], want.Turn)
			if x.whole && want.TurnTo > 0 {
				ms(&out, got.Out, want.TurnFrom-want.Start)
				ms(&hold, got.Hold, want.TurnTo-want.TurnFrom)
				ms(&back, got.Back, want.End-want.TurnTo)
			}
		}
	}
	return []sample{turn, out, hold, back}, err
}

// nearest returns the error of the nearest of the times, and whether it is within 0.2 s.
func nearest(times []float64, want float64) (seconds float64, ok bool) {
	seconds = math.Inf(1)
	for _, t := range times {
		if math.Abs(t-want) < math.Abs(seconds) {
			seconds = t - want
		}
	}
	return seconds, math.Abs(seconds) <= 0.2
}
