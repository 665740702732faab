package space_test

import (
	"errors"
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// doll returns where a doll of rigid parts is at a time: it walks in a circle, swings its limbs and bends its knees.
func doll(t float64) (at [keypoint.NumParts]mgl64.Vec3) {
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

// camera returns one at a place in metres that looks at a place.
func camera(eye, at mgl64.Vec3, focal float64) keypoint.Camera {
	forward := at.Sub(eye).Normalize()
	right := forward.Cross(mgl64.Vec3{0, 1, 0}).Normalize()
	r := mgl64.Mat3FromRows(right, forward.Cross(right), forward)
	return keypoint.Camera{Focal: focal, Rotation: r, Translation: r.Mul3x1(eye).Mul(-1), Size: image.Pt(1280, 720)}
}

const rate = 30

// film returns what a camera sees of the doll.
func film(c keypoint.Camera, frames int) keypoint.Sequence {
	seq := keypoint.Sequence{Size: c.Size}
	for i := range frames {
		t := float64(i) / rate
		var f keypoint.Frame
		for p, at := range doll(t + c.Offset) {
			if pt, ok := c.Project(at); ok && keypoint.Body.Has(keypoint.Part(p)) {
				f.Set(keypoint.Part(p), pt, 1)
			}
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, t)
	}
	return seq
}

// off returns the largest difference of a distance of two parts from that of the doll, in the unit of its mean.
func off(t *rapid.T, seq keypoint.Sequence) (most float64) {
	scale := 0.0
	for pass := range 2 {
		n := 0.0
		for i := 0; i < seq.Len(); i += 7 {
			want, s := doll(seq.Times[i]), seq.Frames[i].Positions()
			for p := range keypoint.Part(keypoint.NumBody) {
				for q := range p {
					a, okA := s.At(p)
					b, okB := s.At(q)
					if !okA || !okB {
						continue
					}
					found, true := a.Sub(b).Len(), want[p].Sub(want[q]).Len()
					if pass == 0 {
						scale, n = scale+found/true, n+1
					} else {
						most = math.Max(most, math.Abs(found/scale-true))
					}
				}
			}
		}
		if pass == 0 {
			if n == 0 {
				t.Fatal("there are no positions")
			}
			scale /= n
		}
	}
	return most
}

// pair draws two cameras about the doll, 50 to 140 degrees apart.
func pair(t *rapid.T) (a, b keypoint.Camera) {
	at := func(name string, yaw float64) keypoint.Camera {
		d, h := rapid.Float64Range(4, 6).Draw(t, name+" distance"), rapid.Float64Range(0.8, 1.6).Draw(t, name+" height")
		s, c := math.Sincos(yaw)
		return camera(mgl64.Vec3{d * s, h, d * c}, mgl64.Vec3{0, 0.95, 0}, rapid.Float64Range(800, 1000).Draw(t, name+" focal"))
	}
	yaw := rapid.Float64Range(0, 360).Draw(t, "yaw") * math.Pi / 180
	apart := rapid.Float64Range(50, 140).Draw(t, "apart") * math.Pi / 180
	if rapid.Bool().Draw(t, "left") {
		apart = -apart
	}
	a, b = at("first", yaw), at("second", yaw+apart)
	b.Offset = float64(rapid.IntRange(-15, 15).Draw(t, "offset")) / rate
	return a, b
}

func TestExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := pair(t)
		views, opt := []keypoint.Sequence{film(a, 150), film(b, 150)}, space.Options{Focal: []float64{a.Focal, b.Focal}}
		seq, err := space.Join(views, opt)
		if err != nil {
			t.Fatal(err)
		}
		if found := seq.Space.Cameras[1].Offset; math.Abs(found-b.Offset) > 1e-6 {
			t.Errorf("an offset of %v s, want %v", found, b.Offset)
		}
		if d := off(t, seq); d > 1e-6 {
			t.Errorf("the body is %.2g m off", d)
		}
	})
}

func TestRefused(t *testing.T) {
	a, b := camera(mgl64.Vec3{0, 1, 5}, mgl64.Vec3{0, 1, 0}, 900), camera(mgl64.Vec3{1, 1, 4.9}, mgl64.Vec3{0, 1, 0}, 900)
	_, err := space.Join([]keypoint.Sequence{film(a, 150), film(b, 150)}, space.Options{})
	var refused *space.Error
	if !errors.As(err, &refused) || refused.Reason != space.Angle || !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("two cameras 11° apart: %v", err)
	}
}
