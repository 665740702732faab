package keypoint

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"

	"github.com/bodymotion/motion/internal/spelling"
)

// Part is one of the body parts: the 17 of COCO, and three of each foot, which only some networks find. Left and
// right are the person's own. Its text form is the name the v1 API uses, "leftShoulder".
type Part uint8

// The parts in the order of a Frame: the 17 of COCO, then the feet as in COCO-WholeBody by name.
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
	LeftBigToe
	RightBigToe
	LeftSmallToe
	RightSmallToe
	LeftHeel
	RightHeel

	NumBody  = 17 // the number of parts from the nose to the ankles
	NumParts = 23 // the number of all parts
)

var partNames = [NumParts]string{
	"nose", "leftEye", "rightEye", "leftEar", "rightEar",
	"leftShoulder", "rightShoulder", "leftElbow", "rightElbow",
	"leftWrist", "rightWrist", "leftHip", "rightHip",
	"leftKnee", "rightKnee", "leftAnkle", "rightAnkle",
	"leftBigToe", "rightBigToe", "leftSmallToe", "rightSmallToe", "leftHeel", "rightHeel",
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
	return 0, fmt.Errorf("%q is not a body part%s: want one of nose, leftEye, rightEye, leftEar, rightEar, "+
		"and left or right with Shoulder, Elbow, Wrist, Hip, Knee, Ankle, BigToe, SmallToe, Heel", name, spelling.Hint(name, partNames[:]...))
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
	if p == Nose || p >= NumParts {
		return p
	}
	return (p - 1) ^ 1 + 1 // each left part is odd and before its right twin
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

// Head returns nose, eyes and ears.
func Head() Parts { return PartsOf(Nose, LeftEye, RightEye, LeftEar, RightEar) }

// Has reports whether p is in the set.
func (s Parts) Has(p Part) bool { return s>>p&1 != 0 }

// Len returns the number of parts in the set, 0 to 23.
func (s Parts) Len() int { return bits.OnesCount32(uint32(s)) }

// List returns the parts of the set in their order.
func (s Parts) List() []Part {
	list := make([]Part, 0, s.Len())
	for p := range Part(NumParts) {
		if s.Has(p) {
			list = append(list, p)
		}
	}
	return list
}

// MarshalJSON writes the names of the parts in their order.
func (s Parts) MarshalJSON() ([]byte, error) { return json.Marshal(s.List()) }

// UnmarshalJSON reads names of parts.
func (s *Parts) UnmarshalJSON(data []byte) error {
	var list []Part
	err := json.Unmarshal(data, &list)
	*s = PartsOf(list...)
	return err
}

// The groups of parts by name are "pattern" in drawing rules. Only All has the feet.
const (
	Body      Parts = 1<<NumBody - 1 // the 17 parts from the nose to the ankles
	Feet      Parts = All &^ Body    // the six toes and heels
	All       Parts = 1<<NumParts - 1
	UpperBody Parts = 1<<LeftShoulder | 1<<RightShoulder | 1<<LeftElbow | 1<<RightElbow | 1<<LeftWrist | 1<<RightWrist
	LowerBody Parts = 1<<LeftHip | 1<<RightHip | 1<<LeftKnee | 1<<RightKnee | 1<<LeftAnkle | 1<<RightAnkle
	LeftBody  Parts = 1<<LeftShoulder | 1<<LeftElbow | 1<<LeftWrist | 1<<LeftHip | 1<<LeftKnee | 1<<LeftAnkle
	RightBody Parts = 1<<RightShoulder | 1<<RightElbow | 1<<RightWrist | 1<<RightHip | 1<<RightKnee | 1<<RightAnkle
)

var groups = map[string]Parts{
	"all": All, "upperBody": UpperBody, "lowerBody": LowerBody, "leftBody": LeftBody, "rightBody": RightBody,
}

// Group returns the group of that name: all, upperBody, lowerBody, leftBody or rightBody.
func Group(name string) (parts Parts, ok bool) {
	parts, ok = groups[name]
	return parts, ok
}

// Edge is a line of the skeleton between two parts.
type Edge [2]Part

// Skeleton returns the lines of the skeleton: first the 16 of the body, then the 6 of the feet.
func Skeleton() [22]Edge {
	return [22]Edge{
		{Nose, LeftEye}, {Nose, RightEye}, {LeftEye, LeftEar}, {RightEye, RightEar},
		{LeftShoulder, RightShoulder}, {LeftHip, RightHip},
		{LeftShoulder, LeftElbow}, {LeftElbow, LeftWrist},
		{RightShoulder, RightElbow}, {RightElbow, RightWrist},
		{LeftHip, LeftKnee}, {LeftKnee, LeftAnkle},
		{RightHip, RightKnee}, {RightKnee, RightAnkle},
		{LeftShoulder, LeftHip}, {RightShoulder, RightHip},
		{LeftAnkle, LeftHeel}, {LeftAnkle, LeftBigToe}, {LeftHeel, LeftBigToe},
		{RightAnkle, RightHeel}, {RightAnkle, RightBigToe}, {RightHeel, RightBigToe},
	}
}
