package main

import "github.com/bodymotion/motion/internal/lab/eval/evalpose"

// peaks returns the errors of the peaks of angles and speeds, what they tremble by, in thousandths of a torso length, and the
// cut-off in hertz by which they are smoothed.
func peaks(r recording) ([]sample, error) {
	jitter, _ := evalpose.Jitter(r.Sequence)
	return []sample{
		{what: "peak angles", errors: evalpose.PeakAngleErrors(r.truth, r.Sequence, r.pairs)},
		{what: "peak speeds", errors: evalpose.PeakSpeedErrors(r.truth, r.Sequence, r.pairs)},
		{what: "jitter", errors: []float64{1000 * jitter}},
		{what: "cut-off", errors: []float64{r.cleaning.Cutoff}},
	}, nil
}
