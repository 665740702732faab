package score

import (
	"cmp"
	"slices"
	"sort"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

// Detection is one person that was found in a picture.
type Detection struct {
	Parts keypoint.Frame // pixels; one without a part is no detection and is left out
	Score float64        // how sure it is, finite; only the order of scores counts
}

// Confidence returns a score for a detection without one: the mean confidence of the 17 parts, 0 to 1,
// with 0 for absent ones.
func Confidence(f *keypoint.Frame) float64 {
	sum := 0.0
	for p := range keypoint.Part(keypoint.NumBody) {
		sum += f.Confidence(p)
	}
	return sum / keypoint.NumBody
}

// Picture has the labels and detections of one picture.
type Picture struct {
	People []truth.Person
	Found  []Detection
}

const (
	// MaxDetections is how many detections of a picture count, those with the highest
	// score.
	MaxDetections = 20
	thresholds    = 10  // .50, .55, … .95
	recallPoints  = 101 // 0, .01, … 1
)

// oksThresholds are the very floats of pycocotools, where numpy's linspace makes a little
// less than .9.
func oksThresholds() [thresholds]float64 {
	return [thresholds]float64{.5, .55, .6, .65, .7, .75, .8, .85, .8999999999999999, .95}
}

// Precision is the result of the COCO evaluation; all numbers are 0 to 1.
type Precision struct {
	AP float64 // mean over the OKS thresholds .50, .55, … .95
	AR float64 // recall with all detections, mean over the thresholds
}

// AveragePrecision returns average precision and average recall over pictures as
// COCO's evaluation of keypoints does.
//
// In each picture and at each OKS threshold, detections choose in the order of their
// score: each takes the free person with the highest OKS that reaches the threshold,
// people who count before those who do not. Crowds and people without a labelled part do not
// count: what matches them is neither right nor wrong. Then, with all detections in the order of their score,
//
//	recall_i = TP_i / n,  precision_i = max over j ≥ i of TP_j / (TP_j + FP_j)
//	AP = mean over r = 0, .01, … 1 of the precision at the first i with recall_i ≥ r, or 0
//	AR = recall of the last i
//
// with n the number of people who count. If n is 0, ok is false; pycocotools returns -1.
//
// Of equal scores the earlier picture comes first: give pictures in the order of their COCO ids to
// get exactly the same results.
//
// Source: COCOeval in pycocotools 2.0 (cocoeval.py), with iouType "keypoints".
func AveragePrecision(pictures []Picture) (result Precision, ok bool) {
	var all judged
	for i := range pictures {
		all.add(&pictures[i])
	}
	if all.people == 0 {
		return Precision{}, false
	}
	slices.SortStableFunc(all.detections, func(a, b verdict) int { return cmp.Compare(b.score, a.score) })
	for t := range thresholds {
		ap, ar := all.at(t)
		result.AP += ap / thresholds
		result.AR += ar / thresholds
	}
	result.AP, result.AR = min(result.AP, 1), min(result.AR, 1) // ten tenths are a little more than 1
	return result, true
}

// at returns average precision and recall at the t-th threshold.
func (j *judged) at(t int) (ap, ar float64) {
	var recall, precision []float64
	tp, fp := 0.0, 0.0
	for i := range j.detections {
		switch j.detections[i].outcome[t] {
		case right:
			tp++
		case wrong:
			fp++
		}
		recall = append(recall, tp/float64(j.people))
		precision = append(precision, tp/(fp+tp+tiny))
	}
	for i := len(precision) - 1; i > 0; i-- {
		precision[i-1] = max(precision[i-1], precision[i])
	}
	for r := range recallPoints {
		if i := sort.SearchFloat64s(recall, float64(r)*0.01); i < len(precision) {
			ap += precision[i]
		}
	}
	if len(recall) > 0 {
		ar = recall[len(recall)-1]
	}
	return ap / recallPoints, ar
}
