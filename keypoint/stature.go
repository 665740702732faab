package keypoint

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
)

// The heights above the ground as shares of the body height. The ankle and the eyes are those of
// Drillis and Contini, Body Segment Parameters (1966); the ear is the tragion, and the nose its tip, of
// Gordon et al., 1988 Anthropometric Survey of U.S. Army Personnel (1989).
const (
	ankleHeight = 0.039
	noseHeight  = 0.912
	earHeight   = 0.925
	eyeHeight   = 0.936
)

const (
	upright     = 0.75  // rank of the frames that count: bent or foreshortened ones seem shorter
	proportions = 0.015 // standard deviation of people's proportions and the networks' offsets, as a share of the height
	lyingError  = 0.04  // that of a person who never stands or sits: networks find head and ankles less well
	standing    = 0.7   // cosine of the largest angle of somebody who stands or sits from the vertical
)

// standingHeight estimates the standing height of the MainPerson without shoes in pixels, with one standard error as a
// share of it. In each frame the body is measured along its bones, so that bent knees and hips do not matter:
//
//	height = (shank + thigh + trunk + head) / (head's height − 0.039)
//
// Shank and thigh are the means of the complete legs, the trunk is the TorsoLength of middles, and head is how far the
// middle of the ears (without these, of the eyes, or the nose) is beyond the shoulders along the trunk. The result is
// the 75th percentile over the frames in which the line from ankles to shoulders is within 45 degrees of the vertical. Where heights go
// with the ankles in the picture, the person comes nearer on a floor: that is taken out, so that it is as large as at the median place.
// The error is √(0.015² + s²), with s half of the difference between the 60th and the 90th percentile of the heights as they are. If the person
// lies in all frames, these count, and 0.04 takes the place of 0.015. ok is false if no frame has all of these parts.
func (s Sequence) standingHeight() (pixels, share float64, ok bool) {
	var heights, feet, lying []float64
	main, level := s.MainPerson(), World{Floor: s.World.Floor}
	for i := main.First; i <= main.Last; i++ {
		h, ok := s.Frames[i].bonesHeight()
		across, okA := s.Frames[i].Across()
		switch {
		case !ok || !okA:
		case math.Abs(across.Dot(s.World.Right())) >= standing:
			ankles, _ := s.Frames[i].Centroid(s.Frames[i].present & PartsOf(LeftAnkle, RightAnkle))
			heights, feet = append(heights, h), append(feet, level.Point(ankles)[1])
		default:
			lying = append(lying, h)
		}
	}
	share = proportions
	if len(heights) == 0 {
		heights, share = lying, lyingError
	}
	if len(heights) == 0 {
		return 0, 0, false
	}
	placed := slices.Clone(heights)
	if size, ok := rank.Line(feet, heights); ok {
		middle := size(rank.Median(slices.Clone(feet)))
		for k, y := range feet {
			placed[k] *= middle / size(y)
		}
	}
	at := func(list []float64, rank float64) float64 {
		slices.Sort(list)
		return list[int(rank*float64(len(list)-1)+0.5)]
	}
	pixels = at(placed, upright)
	return pixels, math.Hypot(share, (at(heights, 0.9)-at(heights, 0.6))/2/pixels), true
}

// bonesHeight is the estimate of one frame.
func (f *Frame) bonesHeight() (pixels float64, ok bool) {
	var flat Positions
	for _, p := range f.present.List() {
		flat.Set(p, f.points[p].Vec3(0), 0)
	}
	return flat.BodyHeight()
}

// BodyHeight estimates the standing height of the person without shoes along the bones, in the unit of the positions:
//
//	height = (shank + thigh + trunk + head) / (head's height − 0.039)
//
// as Sequence.Calibrate does in the picture. ok is false if a leg, the trunk or the head is missing.
func (s *Positions) BodyHeight() (height float64, ok bool) {
	shoulders, okS := s.Centroid(PartsOf(LeftShoulder, RightShoulder))
	hips, okH := s.Centroid(PartsOf(LeftHip, RightHip))
	trunk := shoulders.Sub(hips)
	if !okS || !okH || trunk.Len() == 0 {
		return 0, false
	}
	bones, n := 0.0, 0
	for _, leg := range legs {
		if want := PartsOf(leg.hip, leg.knee, leg.ankle); s.present&want == want {
			bones += s.at[leg.hip].Sub(s.at[leg.knee]).Len() + s.at[leg.knee].Sub(s.at[leg.ankle]).Len()
			n++
		}
	}
	for _, top := range [...]struct {
		parts  Parts
		height float64
	}{{PartsOf(LeftEar, RightEar), earHeight}, {PartsOf(LeftEye, RightEye), eyeHeight}, {PartsOf(Nose), noseHeight}} {
		if head, ok := s.Centroid(top.parts); ok && n > 0 {
			along := head.Sub(shoulders).Dot(trunk) / trunk.Len()
			height = (bones/float64(n) + trunk.Len() + along) / (top.height - ankleHeight)
			return height, height > 0 && finite(height)
		}
	}
	return 0, false
}
