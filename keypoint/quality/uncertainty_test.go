package quality_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

var knee = keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)

// kneeFlexion is the flexion of the doll's knee in its squat at a time, degrees.
func kneeFlexion(t float64) float64 {
	at := func(p keypoint.Part) [3]float64 { return squat(t, p, doll[p]) }
	h, k, a := at(keypoint.LeftHip), at(keypoint.LeftKnee), at(keypoint.LeftAnkle)
	dot, u, v := 0.0, 0.0, 0.0
	for i := range 3 {
		x, y := h[i]-k[i], a[i]-k[i]
		dot, u, v = dot+x*y, u+x*x, v+y*y
	}
	return 180 - math.Acos(dot/math.Sqrt(u*v))*180/math.Pi
}

// TestAngleCovers: from every view and with errors of the size that is left after cleaning, the knee of a squat in
// space is within two uncertainties of what the picture shows.
func TestAngleCovers(t *testing.T) {
	noise := rand.New(rand.NewPCG(5, 6))
	for view := 0.0; view <= 90; view += 15 {
		r := standing(view)
		r.pose = squat
		r.part = func(i int, p keypoint.Part, at keypoint.Point) (keypoint.Point, bool) {
			return at.Add(keypoint.Point{noise.NormFloat64(), noise.NormFloat64()}.Mul(.01 * r.torso)), true
		}
		s := r.made()
		u := quality.NewUncertainty(s)
		covered, sum := 0, 0.0
		for i := range s.Frames {
			got, _ := s.Frames[i].Angle(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
			sigma, _, ok := u.Angle(i, quality.Sagittal, knee[0], knee[1], knee[2])
			if !ok {
				t.Fatalf("frame %d has no uncertainty", i)
			}
			sum += sigma
			if math.Abs(180-got-kneeFlexion(s.Times[i])) <= 2*sigma {
				covered++
			}
		}
		if covered < 51 {
			t.Errorf("view %v: the truth is covered in %d of 60 frames", view, covered)
		}
		if mean := sum / 60; view == 90 && mean > 10 || view == 0 && mean < 15 {
			t.Errorf("view %v: mean uncertainty %v degrees", view, mean)
		}
	}
}

// TestTurnsAreLessSure: where a joint turns faster than smoothing lets pass, and while it is fast, it is less sure.
func TestTurnsAreLessSure(t *testing.T) {
	sigma := func(period float64, i int) float64 {
		r := standing(90)
		r.pose = func(time float64, p keypoint.Part, at [3]float64) [3]float64 { return squat(time/period, p, at) }
		v, _, _ := quality.NewUncertainty(r.made()).Angle(i, quality.Sagittal, knee[0], knee[1], knee[2])
		return v
	}
	for _, i := range []int{15, 30, 45} {
		if slow, fast := sigma(1, i), sigma(0.25, i); !(fast > slow) {
			t.Errorf("frame %d: %v, and four times as fast %v", i, slow, fast)
		}
	}
}

// whole leaves out the constant.
func whole(degrees, _ float64, ok bool) (float64, bool) { return degrees, ok }

// TestUncertaintyGrows: unsure parts, and short limbs, are less certain.
func TestUncertaintyGrows(t *testing.T) {
	sure := standing(90).made()
	unsure := sure.Clone()
	at, _ := unsure.Frames[0].At(keypoint.LeftKnee)
	unsure.Frames[0].Set(keypoint.LeftKnee, at, .3)
	a, b := quality.NewUncertainty(sure), quality.NewUncertainty(unsure)
	pair := func(name string, f func(u *quality.Uncertainty) (float64, bool)) {
		x, okX := f(a)
		y, okY := f(b)
		if !okX || !okY || !(y > x && x > 0) {
			t.Errorf("%s: %v, %v if sure and %v, %v if unsure", name, x, okX, y, okY)
		}
	}
	pair("point", func(u *quality.Uncertainty) (float64, bool) { return u.Point(0, knee[1]) })
	pair("distance", func(u *quality.Uncertainty) (float64, bool) { return u.Distance(0, knee[0], knee[1]) })
	pair("direction", func(u *quality.Uncertainty) (float64, bool) {
		return whole(u.Direction(0, quality.Sagittal, knee[0], knee[1]))
	})
	pair("angle", func(u *quality.Uncertainty) (float64, bool) {
		return whole(u.Angle(0, quality.Sagittal, knee[0], knee[1], knee[2]))
	})

	heel := keypoint.PartSelector(keypoint.LeftHeel)
	for i, c := range []float64{.9, .3} {
		s := []keypoint.Sequence{sure, unsure}[i]
		s.Frames[0].Set(keypoint.LeftHeel, keypoint.Point{300, 500}, c)
	}
	a, b = quality.NewUncertainty(sure), quality.NewUncertainty(unsure)
	pair("heel", func(u *quality.Uncertainty) (float64, bool) { return u.Point(0, heel) })

	// A hidden ankle may be anywhere; feet are only found where the ankle is sure.
	unsure.Frames[0].Set(keypoint.LeftBigToe, keypoint.Point{320, 500}, .3)
	ankleAt, _ := unsure.Frames[0].At(keypoint.LeftAnkle)
	unsure.Frames[0].Set(keypoint.LeftAnkle, ankleAt, .3)
	b = quality.NewUncertainty(unsure)
	ankle, _ := b.Point(0, keypoint.PartSelector(keypoint.LeftAnkle))
	for _, p := range []keypoint.Part{keypoint.LeftBigToe, keypoint.LeftHeel} {
		if foot, ok := b.Point(0, keypoint.PartSelector(p)); !ok || !(foot < .6*ankle) {
			t.Errorf("%v ± %v pixels, ankle ± %v", p, foot, ankle)
		}
	}

	small := standing(90)
	small.torso /= 2
	half := quality.NewUncertainty(small.made())
	x, _ := a.Point(0, knee[1])
	if y, _ := half.Point(0, knee[1]); math.Abs(y-x/2) > 1e-9 {
		t.Errorf("point of half the size: %v, want half of %v", y, x)
	}
	x, _, _ = a.Angle(0, quality.Sagittal, knee[0], knee[1], knee[2])
	if y, _, _ := half.Angle(0, quality.Sagittal, knee[0], knee[1], knee[2]); math.Abs(y-x) > 1e-9 {
		t.Errorf("angle of half the size: %v, want %v", y, x)
	}
}

// TestUncertaintyAbsent: there is none for frames and parts that are missing, and without a scale.
func TestUncertaintyAbsent(t *testing.T) {
	s := standing(0).made()
	s.Frames[3].Unset(keypoint.LeftKnee)
	u := quality.NewUncertainty(s)
	var face keypoint.Frame
	face.Set(keypoint.Nose, keypoint.Point{1, 2}, 1)
	for name, f := range map[string]func() (float64, bool){
		"before the first frame": func() (float64, bool) { return u.Point(-1, knee[0]) },
		"after the last":         func() (float64, bool) { return whole(u.Angle(60, quality.Sagittal, knee[0], knee[1], knee[2])) },
		"point":                  func() (float64, bool) { return u.Point(3, knee[1]) },
		"distance":               func() (float64, bool) { return u.Distance(3, knee[0], knee[1]) },
		"direction":              func() (float64, bool) { return whole(u.Direction(3, quality.Sagittal, knee[0], knee[1])) },
		"angle":                  func() (float64, bool) { return whole(u.Angle(3, quality.Sagittal, knee[0], knee[1], knee[2])) },
		"no torso": func() (float64, bool) {
			return quality.NewUncertainty(keypoint.Sequence{Frames: []keypoint.Frame{face}}).Point(0, keypoint.PartSelector(keypoint.Nose))
		},
	} {
		if v, ok := f(); ok {
			t.Errorf("%s: %v", name, v)
		}
	}
}
