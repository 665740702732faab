package main

import (
	"io"
	"math"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/keypoint"
)

// metres returns the errors of lengths in per cent: those of the scale from the person's height, in each
// frame, and those of the path of the hips over half a second, if they move by 0.2 m or more meanwhile.
func metres(r recording) ([]sample, error) {
	world, err := r.Calibrate(keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: r.truth.Height}})
	if err != nil {
		return nil, nil // the whole body is never seen
	}
	scale, path := sample{what: "scale from the height"}, sample{what: "path of the hips"}
	hips := keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip)
	for k, p := range r.pairs {
		if r.truth.Inside[p.Reference] < 0.9 {
			continue
		}
		scale.errors = append(scale.errors, 100*(world.MetresPerPixel/r.truth.Scale[p.Reference]-1))
		for _, q := range r.pairs[k:] {
			if r.Times[q.Result]-r.Times[p.Result] < 0.5 {
				continue
			}
			a, okA := hips.At(&r.Frames[p.Result])
			b, okB := hips.At(&r.Frames[q.Result])
			want := r.truth.World[q.Reference].Middle(keypoint.LeftHip)[0] - r.truth.World[p.Reference].Middle(keypoint.LeftHip)[0]
			if okA && okB && math.Abs(want) > 0.2 && r.truth.Inside[q.Reference] >= 0.9 {
				got := world.Point(b)[0] - world.Point(a)[0]
				path.errors = append(path.errors, 100*(math.Abs(got/want)-1))
			}
			break
		}
	}
	return []sample{scale, path}, nil
}

// floor returns the error of the floor that the feet show.
func floor(r recording) ([]sample, error) {
	world, err := r.Calibrate(keypoint.Calibration{Floor: &keypoint.Floor{Auto: true}})
	if err != nil {
		return nil, nil // nobody walks across the picture
	}
	return []sample{{what: "floor from the feet", errors: []float64{world.Floor - r.truth.Roll}}}, nil
}

// peaks returns the errors of the peaks of angles and speeds, what they tremble by, in thousandths of a torso length, and the
// cut-off in hertz by which they are smoothed.
func peaks(r recording) ([]sample, error) {
	jitter, _ := score.Jitter(r.Sequence)
	return []sample{
		{what: "peak angles", errors: score.PeakAngleErrors(r.truth, r.Sequence, r.pairs)},
		{what: "peak speeds", errors: score.PeakSpeedErrors(r.truth, r.Sequence, r.pairs)},
		{what: "jitter", errors: []float64{1000 * jitter}},
		{what: "cut-off", errors: []float64{r.cleaning.Cutoff}},
	}, nil
}

// measures is what is proved, in the order of the tables.
var measures = []measure{
	{"angles", "°", angles}, {"peaks", "° or torso lengths/s", peaks}, {"metres", "%", metres}, {"floor", "°", floor},
	{"repetitions", "number", repetitions}, {"tempo", "ms", tempo}, {"steps", "ms", events}, {"gait", "%", pace},
	{"flights", "ms", flights}, {"jumps", "cm", jumps},
}

// everything prints all measures.
func everything(out io.Writer, list []recording) error { return report(out, list, measures) }
