package analyze

import (
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// The named angles. The planes and the signs of knee, hip, ankle and pelvis follow the ISB's recommendation (Wu et al., J Biomech
// 35, 2002, 543–548: flexion is the first rotation, about the medio-lateral axis), those of shoulder and elbow Wu et al., J Biomech
// 38, 2005, 981–992, in so far as one plane has them; extension is negative here at every joint. ISB measures the hip against the
// pelvis, which 17 parts do not show: here it is the trunk, as usual in two dimensions.
var (
	kneeFlexion = &angle{sided: true, hinge: 1, plane: quality.Sagittal, sign: -1, middle: 65,
		from: between(hip, knee), to: between(knee, ankle), points: []keypoint.Selector{hip, knee, ankle}}
	hipFlexion = &angle{sided: true, plane: quality.Sagittal, sign: 1, middle: 50,
		from: between(shoulders, hips), to: between(hip, knee), points: []keypoint.Selector{shoulder, hip, knee}}
	ankleDorsiflexion = &angle{sided: true, hinge: -1, plane: quality.Sagittal, zero: 90, sign: 1,
		from: between(ankle, knee), to: between(heel, toe), points: []keypoint.Selector{knee, ankle, toe}}
	elbowFlexion = &angle{sided: true, hinge: 1, plane: quality.Sagittal, sign: 1, middle: 65,
		from: between(shoulder, elbow), to: between(elbow, wrist), points: []keypoint.Selector{shoulder, elbow, wrist}}
	shoulderFlexion = &angle{sided: true, plane: quality.Sagittal, sign: 1, middle: 65,
		from: between(shoulders, hips), to: between(shoulder, elbow), points: []keypoint.Selector{hip, shoulder, elbow}}
	shoulderAbduction = &angle{sided: true, plane: quality.Frontal, sign: 1, middle: 75,
		from: between(shoulders, hips), to: between(shoulder, elbow), points: []keypoint.Selector{hip, shoulder, elbow}}
	trunkLean = &angle{upright: true, plane: quality.Sagittal, sign: -1, middle: 45,
		from: upwards, to: between(hips, shoulders), points: []keypoint.Selector{hips, shoulders}}
	pelvicTilt = &angle{upright: true, plane: quality.Frontal, sign: 1,
		from: rightward, to: between(otherHip, hip), points: []keypoint.Selector{otherHip, hip}}
	neckFlexion = &angle{plane: quality.Sagittal, sign: -1,
		from: between(hips, shoulders), to: between(shoulders, ears), points: []keypoint.Selector{hips, shoulders, ears}}

	// The frontal-plane projection angle of the knee: Willson and Davis, J Orthop Sports Phys Ther 38, 2008, 606–615.
	kneeValgus = &angle{sided: true, upright: true, narrow: true, plane: quality.Frontal, sign: 1,
		from: between(hip, knee), to: between(knee, ankle), points: []keypoint.Selector{hip, knee, ankle}}
	hipAbduction = &angle{sided: true, narrow: true, plane: quality.Frontal, sign: 1,
		from: between(shoulders, hips), to: between(hip, knee), points: []keypoint.Selector{shoulder, hip, knee}}
	trunkSideLean = &angle{upright: true, narrow: true, plane: quality.Frontal, sign: 1,
		from: upwards, to: between(hips, shoulders), points: []keypoint.Selector{hips, shoulders}}
	shoulderLevel = &angle{upright: true, narrow: true, plane: quality.Frontal, sign: 1,
		from: rightward, to: between(otherShoulder, shoulder), points: []keypoint.Selector{otherShoulder, shoulder}}
)
