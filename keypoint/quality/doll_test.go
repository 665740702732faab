package quality_test

import (
	"image"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// doll is a person made of sticks: lateral to the left, up and forward, in torso lengths from the middle
// of the hips.
var doll = [keypoint.NumBody][3]float64{
	{0, 1.35, .26}, {.065, 1.42, .22}, {-.065, 1.42, .22}, {.155, 1.4, 0}, {-.155, 1.4, 0},
	{.33, 1, 0}, {-.33, 1, 0}, {.36, .4, 0}, {-.36, .4, 0}, {.37, -.05, .05}, {-.37, -.05, .05},
	{.185, 0, 0}, {-.185, 0, 0}, {.2, -.8, 0}, {-.2, -.8, 0}, {.2, -1.6, 0}, {-.2, -1.6, 0},
}

// recording is a movie of the doll to be changed by options.
type recording struct {
	frames int
	rate   float64
	view   float64 // degrees
	torso  float64 // pixels
	hips   keypoint.Point
	pose   func(t float64, p keypoint.Part, at [3]float64) [3]float64 // nil: standing still
	part   func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool)
	change func(s *keypoint.Sequence)
}

// made returns the keypoints of the recording, 640×640 pixels.
func (r recording) made() keypoint.Sequence {
	s := keypoint.Sequence{Size: image.Pt(640, 640)}
	sin, cos := math.Sincos(r.view * math.Pi / 180)
	for i := range r.frames {
		t := float64(i) / r.rate
		var f keypoint.Frame
		for p := range keypoint.Part(keypoint.NumBody) {
			at := doll[p]
			if r.pose != nil {
				at = r.pose(t, p, at)
			}
			place := r.hips.Add(keypoint.Point{at[0]*cos + at[2]*sin, -at[1]}.Mul(r.torso))
			ok := true
			if r.part != nil {
				place, ok = r.part(i, p, place)
			}
			if ok {
				f.Set(p, place, .75)
			}
		}
		s.Frames = append(s.Frames, f)
		s.Times = append(s.Times, t)
	}
	if r.change != nil {
		r.change(&s)
	}
	return s
}

// standing is the doll in the middle of the picture for two seconds.
func standing(view float64) recording {
	return recording{frames: 60, rate: 30, view: view, torso: 120, hips: keypoint.Point{320, 300}}
}

// squat bends knees and hips in the sagittal plane by up to 90 degrees, down and up in two seconds.
func squat(t float64, p keypoint.Part, at [3]float64) [3]float64 {
	sin, cos := math.Sincos((1 - math.Cos(math.Pi*t)) / 2 * math.Pi / 4) // thigh forward, shank back
	drop := 1.6 * (1 - cos)
	switch p {
	case keypoint.LeftAnkle, keypoint.RightAnkle:
		return at
	case keypoint.LeftKnee, keypoint.RightKnee:
		return [3]float64{at[0], -1.6 + .8*cos, .8 * sin}
	}
	return [3]float64{at[0], at[1] - drop, at[2]}
}
