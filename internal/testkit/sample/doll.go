package sample

import (
	"image"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/keypoint"
)

// Doll returns where a doll of rigid parts is at a time: it walks in a circle, swings its limbs and bends its knees.
func Doll(t float64) (at [keypoint.NumParts]mgl64.Vec3) {
	turned := mgl64.Rotate3DY(0.7 * t)
	hips := mgl64.Vec3{0.8 * math.Cos(0.7*t), 0.95 + 0.03*math.Sin(9*t), -0.8 * math.Sin(0.7*t)}
	set := func(p keypoint.Part, from mgl64.Vec3, x, y, z float64) {
		at[p] = from.Add(turned.Mul3x1(mgl64.Vec3{x, y, z}))
	}
	set(keypoint.Nose, hips, 0, 0.7, 0.12)
	for k := range keypoint.Part(2) {
		left := 1 - 2*float64(k)
		hip := keypoint.LeftHip + k
		set(keypoint.LeftEye+k, hips, 0.03*left, 0.74, 0.1)
		set(keypoint.LeftEar+k, hips, 0.07*left, 0.72, 0)
		set(keypoint.LeftShoulder+k, hips, 0.19*left, 0.5, 0)
		set(hip, hips, 0.1*left, 0, 0)
		swing, bend := 0.5*left*math.Sin(5*t), 0.4+0.35*math.Sin(5*t+left)
		limb := func(from, to keypoint.Part, length, angle float64) {
			set(to, at[from], 0.05*left*length, -length*math.Cos(angle), length*math.Sin(angle))
		}
		limb(hip, keypoint.LeftKnee+k, 0.44, swing)
		limb(keypoint.LeftKnee+k, keypoint.LeftAnkle+k, 0.43, swing-bend)
		limb(keypoint.LeftShoulder+k, keypoint.LeftElbow+k, 0.3, -swing)
		limb(keypoint.LeftElbow+k, keypoint.LeftWrist+k, 0.27, bend-swing)
	}
	return at
}

// Camera returns one at a place in metres that looks at a place.
func Camera(eye, at mgl64.Vec3, focal float64) keypoint.Camera {
	forward := at.Sub(eye).Normalize()
	right := forward.Cross(mgl64.Vec3{0, 1, 0}).Normalize()
	r := mgl64.Mat3FromRows(right, forward.Cross(right), forward)
	return keypoint.Camera{Focal: focal, Rotation: r, Translation: r.Mul3x1(eye).Mul(-1), Size: image.Pt(1280, 720)}
}

// DollRate is that of a Film, frames per second.
const DollRate = 30

// Film returns what a camera sees of the doll.
func Film(c keypoint.Camera, frames int) keypoint.Sequence {
	seq := keypoint.Sequence{Size: c.Size}
	for i := range frames {
		t := float64(i) / DollRate
		var f keypoint.Frame
		for p, at := range Doll(t + c.Offset) {
			if pt, ok := c.Project(at); ok && keypoint.Body.Has(keypoint.Part(p)) {
				f.Set(keypoint.Part(p), pt, 1)
			}
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, t)
	}
	return seq
}
