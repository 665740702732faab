package testkit

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// inSpace are the names of the truth files (Movie.Angles, after the side) of named angles. The angles between trunk and arm
// have no meaning in a plane while it is more than 60 degrees out of it, by the second name.
var inSpace = map[string][2]string{
	"kneeFlexion": {"knee"}, "hipFlexion": {"hip"}, "ankleDorsiflexion": {"ankle"}, "elbowFlexion": {"elbow"},
	"shoulderFlexion": {"shoulder", "shoulder_abduction"}, "shoulderAbduction": {"shoulder_abduction", "shoulder"}, "trunkLean": {"trunk_forward"},
}

// Wanted returns what a named angle (degrees) or length (torso lengths) of package analyze is in truth in each frame, NaN where
// it has no meaning. side is left, right or, of both, "". Measures of the frontal plane are those in the plane through both
// hips and the vertical.
func (m *Movie) Wanted(kind, side string) []float64 {
	prefix := ""
	if side != "" {
		prefix = side + "_"
	}
	list := make([]float64, len(m.places))
	names, ok := inSpace[kind]
	torso := m.Torso()
	for i := range list {
		switch {
		case !ok:
			list[i] = m.projected(kind, side, i, torso)
		case names[1] != "" && math.Abs(m.Angles[prefix+names[1]][i]) > 60:
			list[i] = math.NaN()
		default:
			list[i] = m.Angles[prefix+names[0]][i]
		}
	}
	return list
}

// Torso returns the greatest length from the middle of the hips to that of the shoulders, in metres.
func (m *Movie) Torso() (length float64) {
	for i := range m.places {
		length = max(length, m.middle(i, keypoint.LeftShoulder).Sub(m.middle(i, keypoint.LeftHip)).Len())
	}
	return length
}

// Hips returns where the middle of the hips is in a frame, in metres: x, y up, z.
func (m *Movie) Hips(i int) keypoint.Position { return m.middle(i, keypoint.LeftHip) }

// middle returns the middle of a left part and its twin.
func (m *Movie) middle(i int, left keypoint.Part) keypoint.Position {
	l, _ := m.places[i].At(left)
	r, _ := m.places[i].At(left.Mirror())
	return l.Add(r).Mul(0.5)
}

// projected returns a measure of the plane through both hips and the vertical: to the person's left, and up.
func (m *Movie) projected(kind, side string, i int, torso float64) float64 {
	at := func(p keypoint.Part) keypoint.Position {
		if side == "right" {
			p = p.Mirror()
		}
		place, _ := m.places[i].At(p)
		return place
	}
	l, _ := m.places[i].At(keypoint.LeftHip)
	r, _ := m.places[i].At(keypoint.RightHip)
	left := l.Sub(r)
	breadth := math.Hypot(left[0], left[2])
	flat := func(p keypoint.Position) keypoint.Point {
		return keypoint.Point{(p[0]*left[0] + p[2]*left[2]) / breadth, p[1]}
	}
	apart := func(p keypoint.Part) keypoint.Point {
		a, _ := m.places[i].At(p)
		b, _ := m.places[i].At(p.Mirror())
		return flat(a.Sub(b))
	}
	sign := 1.0
	if side == "right" {
		sign = -1
	}
	shoulders, hips := flat(m.middle(i, keypoint.LeftShoulder)), flat(m.middle(i, keypoint.LeftHip))
	hip, knee, ankle := flat(at(keypoint.LeftHip)), flat(at(keypoint.LeftKnee)), flat(at(keypoint.LeftAnkle))
	switch kind {
	case "kneeValgus":
		return sign * turned(knee.Sub(hip), ankle.Sub(knee))
	case "hipAbduction":
		return sign * turned(hips.Sub(shoulders), knee.Sub(hip))
	case "trunkSideLean":
		return turned(keypoint.Point{0, 1}, shoulders.Sub(hips))
	case "shoulderLevel":
		return turned(keypoint.Point{1, 0}, apart(keypoint.LeftShoulder))
	case "pelvicTilt":
		return turned(keypoint.Point{1, 0}, apart(keypoint.LeftHip))
	case "stepWidth":
		return apart(keypoint.LeftAnkle)[0] / torso
	case "kneeSeparation":
		return apart(keypoint.LeftKnee)[0] / torso
	case "handHeight":
		return at(keypoint.LeftWrist)[1] / torso
	case "hipHeight":
		return hips[1] / torso
	case "neckFlexion":
		trunk := m.middle(i, keypoint.LeftShoulder).Sub(m.middle(i, keypoint.LeftHip))
		neck := m.middle(i, keypoint.LeftEar).Sub(m.middle(i, keypoint.LeftShoulder))
		forward := left.Cross(trunk)
		if nose, _ := m.places[i].At(keypoint.Nose); nose.Sub(m.middle(i, keypoint.LeftEar)).Dot(forward) < 0 { // the picture is mirrored
			forward = forward.Mul(-1)
		}
		return math.Atan2(neck.Dot(forward)/forward.Len(), neck.Dot(trunk)/trunk.Len()) * 180 / math.Pi
	}
	return math.NaN()
}

// turned returns the turn from a to b in degrees, anticlockwise for somebody who looks at the person's back.
func turned(a, b keypoint.Point) float64 {
	return math.Atan2(a[0]*b[1]-a[1]*b[0], a.Dot(b)) * 180 / math.Pi
}
