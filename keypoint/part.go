package keypoint

import (
	"fmt"
	"math/bits"
	"slices"
)

// Part is one of the 17 body parts of the COCO order. Left and right are the
// person's own. Its text form is the name the v1 API uses, "leftShoulder".
type Part uint8

// The parts in the COCO order, which is also the order of a Frame.
const (
	Nose Part = iota
	LeftEye
	RightEye
	LeftEar
	RightEar
	LeftShoulder
	RightShoulder
	LeftElbow
	RightElbow
	LeftWrist
	RightWrist
	LeftHip
	RightHip
	LeftKnee
	RightKnee
	LeftAnkle
	RightAnkle

	NumParts = 17 // how many parts there are
)

var partNames = [NumParts]string{
	"nose", "leftEye", "rightEye", "leftEar", "rightEar",
	"leftShoulder", "rightShoulder", "leftElbow", "rightElbow",
	"leftWrist", "rightWrist", "leftHip", "rightHip",
	"leftKnee", "rightKnee", "leftAnkle", "rightAnkle",
}

// String returns the part's name, such as "leftShoulder", or "Part(n)" if it is not a part.
func (p Part) String() string {
	if p < NumParts {
		return partNames[p]
	}
	return fmt.Sprintf("Part(%d)", uint8(p))
}

// ParsePart returns the part of that exact name.
func ParsePart(name string) (Part, error) {
	if p := slices.Index(partNames[:], name); p >= 0 {
		return Part(p), nil
	}
	return 0, fmt.Errorf("%q is not a body part: want one of nose, leftEye, rightEye, leftEar, rightEar, "+
		"and left or right with Shoulder, Elbow, Wrist, Hip, Knee, Ankle", name)
}

// MarshalText returns the part's name; other numbers are an error.
func (p Part) MarshalText() ([]byte, error) {
	if p >= NumParts {
		return nil, fmt.Errorf("%v is not a body part", p)
	}
	return []byte(partNames[p]), nil
}

// UnmarshalText parses a part's name.
func (p *Part) UnmarshalText(text []byte) error {
	q, err := ParsePart(string(text))
	if err == nil {
		*p = q
	}
	return err
}

// Mirror returns the same part on the other side of the body. The nose is its own mirror part.
func (p Part) Mirror() Part {
	switch {
	case p == Nose || p >= NumParts:
		return p
	case p&1 == 1: // the left parts are the odd ones, each before its right twin
		return p + 1
	default:
		return p - 1
	}
}

// Parts is a set of parts, bit p for part p. The zero value is the empty set.
type Parts uint32

// PartsOf returns the set of the given parts.
func PartsOf(parts ...Part) Parts {
	var s Parts
	for _, p := range parts {
		s |= 1 << p
	}
	return s
}

// Has reports whether p is in the set.
func (s Parts) Has(p Part) bool { return s>>p&1 != 0 }

// Len returns the number of parts in the set, 0 to 17.
func (s Parts) Len() int { return bits.OnesCount32(uint32(s)) }

// List returns the parts of the set in the COCO order.
func (s Parts) List() []Part {
	list := make([]Part, 0, s.Len())
	for p := range Part(NumParts) {
		if s.Has(p) {
			list = append(list, p)
		}
	}
	return list
}

// The named groups of parts, "pattern" in drawing rules.
const (
	All       Parts = 1<<NumParts - 1
	UpperBody Parts = 1<<LeftShoulder | 1<<RightShoulder | 1<<LeftElbow | 1<<RightElbow | 1<<LeftWrist | 1<<RightWrist
	LowerBody Parts = 1<<LeftHip | 1<<RightHip | 1<<LeftKnee | 1<<RightKnee | 1<<LeftAnkle | 1<<RightAnkle
	LeftBody  Parts = 1<<LeftShoulder | 1<<LeftElbow | 1<<LeftWrist | 1<<LeftHip | 1<<LeftKnee | 1<<LeftAnkle
	RightBody Parts = 1<<RightShoulder | 1<<RightElbow | 1<<RightWrist | 1<<RightHip | 1<<RightKnee | 1<<RightAnkle
)

var groups = map[string]Parts{
	"all": All, "upperBody": UpperBody, "lowerBody": LowerBody, "leftBody": LeftBody, "rightBody": RightBody,
}

// Group returns the group of that name: all, upperBody, lowerBody, leftBody or
// rightBody.
func Group(name string) (parts Parts, ok bool) {
	parts, ok = groups[name]
	return parts, ok
}

// Edge is a line of the skeleton between two parts.
type Edge [2]Part

// Skeleton returns the 16 lines of the skeleton: nose to each eye, eye to ear,
// the shoulders, the hips, shoulder to elbow to wrist, hip to knee to ankle, and
// shoulder to hip, each on both sides.
func Skeleton() [16]Edge {
	return [16]Edge{
		{Nose, LeftEye}, {Nose, RightEye}, {LeftEye, LeftEar}, {RightEye, RightEar},
		{LeftShoulder, RightShoulder}, {LeftHip, RightHip},
		{LeftShoulder, LeftElbow}, {LeftElbow, LeftWrist},
		{RightShoulder, RightElbow}, {RightElbow, RightWrist},
		{LeftHip, LeftKnee}, {LeftKnee, LeftAnkle},
		{RightHip, RightKnee}, {RightKnee, RightAnkle},
		{LeftShoulder, LeftHip}, {RightShoulder, RightHip},
	}
}
