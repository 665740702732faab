package space_test

import (
	"errors"
	"flag"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// off returns the largest difference of a distance of two parts from that of the doll, in the unit of its mean.
func off(t *rapid.T, seq keypoint.Sequence) (most float64) {
	scale := 0.0
	for pass := range 2 {
		n := 0.0
		for i := 0; i < seq.Len(); i += 7 {
			want, s := sample.Doll(seq.Times[i]), seq.Frames[i].Positions()
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
		return sample.Camera(mgl64.Vec3{d * s, h, d * c}, mgl64.Vec3{0, 0.95, 0}, rapid.Float64Range(800, 1000).Draw(t, name+" focal"))
	}
	yaw := rapid.Float64Range(0, 360).Draw(t, "yaw") * math.Pi / 180
	apart := rapid.Float64Range(50, 125).Draw(t, "apart") * math.Pi / 180
	if rapid.Bool().Draw(t, "left") {
		apart = -apart
	}
	a, b = at("first", yaw), at("second", yaw+apart)
	b.Offset = float64(rapid.IntRange(-15, 15).Draw(t, "offset")) / sample.DollRate
	return a, b
}

// TestExact: exact points give the body and the offset, from wherever the cameras stand, and in either order.
func TestExact(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	was := checks.Value.String()
	t.Cleanup(func() { _ = checks.Value.Set(was) })
	number := "2" // each places cameras twice
	if testkit.Long() {
		number = "15"
	}
	_ = checks.Value.Set(number)
	rapid.Check(t, func(t *rapid.T) {
		a, b := pair(t)
		views, opt := []keypoint.Sequence{sample.Film(a, 150), sample.Film(b, 150)}, space.Options{Focal: []float64{a.Focal, b.Focal}}
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
		other, err := space.Join([]keypoint.Sequence{views[1], views[0]}, space.Options{Focal: []float64{b.Focal, a.Focal}})
		if err != nil {
			t.Fatal(err)
		}
		if found := other.Space.Cameras[1].Offset; math.Abs(found+b.Offset) > 1e-6 {
			t.Errorf("exchanged, an offset of %v s, want %v", found, -b.Offset)
		}
		if d := math.Abs(other.Space.Angle - seq.Space.Angle); d > 0.5 { // of other moments
			t.Errorf("exchanged, the cameras are %.2g degrees farther apart", d)
		}
	})
}

func TestRefused(t *testing.T) {
	a, b := sample.Camera(mgl64.Vec3{0, 1, 5}, mgl64.Vec3{0, 1, 0}, 900), sample.Camera(mgl64.Vec3{1, 1, 4.9}, mgl64.Vec3{0, 1, 0}, 900)
	_, err := space.Join([]keypoint.Sequence{sample.Film(a, 150), sample.Film(b, 150)}, space.Options{})
	var refused *space.Error
	if !errors.As(err, &refused) || refused.Reason != "angle" || !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("two cameras 11° apart: %v", err)
	}
}
