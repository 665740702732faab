// Package score compares keypoints with what is known: COCO's similarity and average precision, correct parts, and measures
// for movies.
//
// Units are those of package keypoint: pixels of the upright picture and seconds. Distances are measured in torso lengths
// (Torso) to be independent of a person's size. The Value of an empty share or mean returns ok == false.
package score

import (
	"math"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

// Sigmas returns the spread of each part in the COCO order, a share of the square root
// of the area: how far apart several people place it. The numbers are those of COCO's
// keypoint evaluation (https://cocodataset.org/#keypoints-eval).
func Sigmas() [keypoint.NumBody]float64 {
	return [keypoint.NumBody]float64{
		.026, .025, .025, .035, .035, // nose, eyes, ears
		.079, .079, .072, .072, .062, .062, // shoulders, elbows, wrists
		.107, .107, .087, .087, .089, .089, // hips, knees, ankles
	}
}

// tiny is the spacing of float64 at 1, which pycocotools adds so as not to divide by 0.
const tiny = 1.0 / (1 << 52)

// OKS returns the object keypoint similarity of a found person with a labelled one, 0
// to 1:
//
//	OKS = Σ exp(−d² / (2·area·(2σ)²)) / n
//
// over the n labelled parts, with d the distance in pixels and σ from Sigmas. A
// labelled part that was not found adds 0, a found part that is not labelled counts
// nothing.
//
// If nothing is labelled, as in a crowd, d is the distance of each of the 17 parts
// from the box made three times as wide and high, as in COCO.
//
// Source: computeOks in pycocotools 2.0 (cocoeval.py). It has no absent parts: files of
// results write them as (0, 0), which is as far away as absent unless the person is
// there.
func OKS(who *truth.Person, found *keypoint.Frame) float64 {
	sigmas := Sigmas()
	area := max(who.Area, 0) + tiny
	labelled := who.Parts.Present() & keypoint.Body
	near := func(p keypoint.Part, dx, dy float64) float64 {
		s := 2 * sigmas[p]
		return math.Exp(-(dx*dx + dy*dy) / (s * s) / area / 2)
	}
	sum := 0.0
	if labelled == 0 {
		b := who.Box
		for _, p := range (found.Present() & keypoint.Body).List() {
			pt, _ := found.At(p)
			sum += near(p,
				outside(pt[0], b.X-b.Width, b.X+2*b.Width),
				outside(pt[1], b.Y-b.Height, b.Y+2*b.Height))
		}
		return sum / keypoint.NumBody
	}
	for _, p := range (labelled & found.Present()).List() {
		want, _ := who.Parts.At(p)
		got, _ := found.At(p)
		sum += near(p, got[0]-want[0], got[1]-want[1])
	}
	return sum / float64(labelled.Len())
}

// outside returns how far v lies outside of low to high.
func outside(v, low, high float64) float64 {
	return max(0, low-v) + max(0, v-high)
}
