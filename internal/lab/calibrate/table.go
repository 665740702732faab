package main

import (
	"fmt"
	"io"
	"math"

	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/keypoint"
)

// sample is one part of one labelled person.
type sample struct {
	part  keypoint.Part
	score float64
	right bool
}

// of returns the probability that a curve gives a score; see movenet.Curve.
func of(c movenet.Curve, score float64) float64 {
	return 1 / (1 + math.Exp(-c.Slope*logit(score)-c.Offset))
}

// logit keeps away from scores of 0 and 1.
func logit(score float64) float64 {
	score = min(max(score, 0.001), 0.999)
	return math.Log(score / (1 - score))
}

// prior is how many samples the curve of all parts together counts for in that of one part.
const prior = 100

// fit learns a curve for each part and its mirror part together. Parts with few labels stay near the
// curve of all parts.
func fit(samples []sample) (table movenet.Calibration) {
	all := learn(samples, movenet.Curve{Slope: 1}, 0)
	for k := range table {
		var own []sample
		for _, s := range samples {
			if int(s.part+1)/2 == k {
				own = append(own, s)
			}
		}
		table[k] = learn(own, all, prior)
	}
	return table
}

// learn maximises the likelihood of the samples by Newton's method, with a normal prior around a
// curve that weighs as much as that many samples.
func learn(samples []sample, around movenet.Curve, weight float64) movenet.Curve {
	c := around
	for range 50 {
		da, db := weight/4*(around.Slope-c.Slope), weight/4*(around.Offset-c.Offset)
		aa, ab, bb := weight/4+1e-9, 0.0, weight/4+1e-9
		for _, s := range samples {
			x := logit(s.score)
			p := of(c, s.score)
			d := -p
			if s.right {
				d = 1 - p
			}
			da, db = da+d*x, db+d
			w := p * (1 - p)
			aa, ab, bb = aa+w*x*x, ab+w*x, bb+w
		}
		det := aa*bb - ab*ab
		c.Slope += (bb*da - ab*db) / det
		c.Offset += (aa*db - ab*da) / det
	}
	return c
}

// expectedError returns the expected calibration error: the difference of the mean score and the
// share of right parts in ten bins of the score, weighted by the number in each (Naeini, Cooper &
// Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, AAAI 2015).
func expectedError(samples []sample) float64 {
	var n, sum, right [10]float64
	for _, s := range samples {
		v := s.score
		k := min(int(v*10), 9)
		n[k]++
		sum[k] += v
		if s.right {
			right[k]++
		}
	}
	e := 0.0
	for k := range n {
		e += math.Abs(sum[k] - right[k])
	}
	return e / float64(max(len(samples), 1))
}

// write prints the table as Go.
func write(out io.Writer, network string, table movenet.Calibration) {
	fmt.Fprintf(out, "// %s\nvar calibration = movenet.Calibration{\n", network)
	for k, name := range [len(table)]string{"nose", "eyes", "ears", "shoulders", "elbows", "wrists", "hips", "knees", "ankles"} {
		fmt.Fprintf(out, "\t{Slope: %.3f, Offset: %.3f}, // %s\n", table[k].Slope, table[k].Offset, name)
	}
	fmt.Fprintln(out, "}")
}
