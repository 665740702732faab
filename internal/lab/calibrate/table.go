package main

import (
	"fmt"
	"io"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// sample is one part of one labelled person.
type sample struct {
	part  keypoint.Part
	score float64
	right bool
}

// curve is a row of the table: p = 1 / (1 + exp(−(slope·logit(score) + offset))), after J. Platt,
// Probabilistic outputs for support vector machines (1999). It is monotone since slope is positive.
type curve struct{ slope, offset float64 }

type table [keypoint.NumParts]curve

func (t *table) of(s sample) float64 { return t[s.part].at(s.score) }

func (c curve) at(score float64) float64 { return sigmoid(c.slope*logit(score) + c.offset) }

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// logit keeps away from scores of 0 and 1.
func logit(score float64) float64 {
	score = min(max(score, 0.001), 0.999)
	return math.Log(score / (1 - score))
}

// prior is how many samples the curve of all parts together counts for in that of one part.
const prior = 20

// fit learns a curve for each part and its twin together: networks do not know sides better or worse.
// Parts with few labels stay near the curve of all parts.
func fit(samples []sample) *table {
	var t table
	all := learn(samples, curve{1, 0}, 0)
	for p := range keypoint.Part(keypoint.NumParts) {
		var own []sample
		for _, s := range samples {
			if s.part == p || s.part == p.Mirror() {
				own = append(own, s)
			}
		}
		t[p] = learn(own, all, prior)
	}
	return &t
}

// learn maximises the likelihood of the samples by Newton's method, with a normal prior around a
// curve that weighs as much as that many samples.
func learn(samples []sample, around curve, weight float64) curve {
	c := around
	for range 50 {
		da, db := weight/4*(around.slope-c.slope), weight/4*(around.offset-c.offset)
		aa, ab, bb := weight/4+1e-9, 0.0, weight/4+1e-9
		for _, s := range samples {
			x := logit(s.score)
			p := c.at(s.score)
			d := -p
			if s.right {
				d = 1 - p
			}
			da, db = da+d*x, db+d
			w := p * (1 - p)
			aa, ab, bb = aa+w*x*x, ab+w*x, bb+w
		}
		det := aa*bb - ab*ab
		c.slope += (bb*da - ab*db) / det
		c.offset += (aa*db - ab*da) / det
	}
	return c
}

// expectedError returns the expected calibration error: the difference of the mean value and the
// share of right parts in ten bins of the value, weighted by the number in each (Naeini, Cooper &
// Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, AAAI 2015).
func expectedError(samples []sample, value func(sample) float64) float64 {
	var n, sum, right [10]float64
	for _, s := range samples {
		v := value(s)
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
func write(out io.Writer, name string, t *table) {
	fmt.Fprintf(out, "// %s\n", name)
	for p := range keypoint.Part(keypoint.NumParts) {
		fmt.Fprintf(out, "keypoint.%s%s: {%.3f, %.3f},\n", string(p.String()[0]-'a'+'A'), p.String()[1:], t[p].slope, t[p].offset)
	}
}
