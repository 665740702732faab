package score_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/keypoint"
)

// TestOKS: a perfect match gives 1, everything is within 0 and 1, and neither the place
// nor the scale of the picture matters.
func TestOKS(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		who := drawPerson(t)
		if !who.Parts.Empty() {
			if o := score.OKS(&who, &who.Parts); !near(o, 1) {
				t.Fatalf("a perfect match gives %v", o)
			}
		}
		found := moved(who.Parts, rapid.Float64Range(-20, 20).Draw(t, "dx"), 3)
		o := score.OKS(&who, &found)
		if !(o >= 0 && o <= 1+1e-9) {
			t.Fatalf("OKS %v", o)
		}
		s := rapid.Float64Range(.1, 10).Draw(t, "scale")
		larger, foundLarger := scaledPerson(who, s), scaled(found, s)
		if q := score.OKS(&larger, &foundLarger); math.Abs(o-q) > 1e-6 {
			t.Fatalf("OKS %v, scaled by %v %v", o, s, q)
		}
		far := found
		if missing := found.Present().List(); len(missing) > 0 {
			far.Unset(missing[0])
		}
		if q := score.OKS(&who, &far); q > o+1e-12 {
			t.Fatalf("OKS %v, with a part less %v", o, q)
		}
	})
	var none keypoint.Frame
	for name, p := range map[string]truth.Person{"a person": standing(0, 0, 100), "no area": {Parts: standing(0, 0, 100).Parts}, "no labels": {}} {
		if o := score.OKS(&p, &none); o != 0 {
			t.Errorf("%s and nobody: OKS %v", name, o)
		}
	}
}

func TestTorso(t *testing.T) {
	p := standing(0, 0, 1000)
	want := math.Hypot(230, 340)
	if l, ok := score.Torso(&p.Parts); !ok || !near(l, want) {
		t.Errorf("torso %v, want %v", l, want)
	}
	side := p.Parts
	side.Unset(keypoint.RightShoulder)
	side.Unset(keypoint.RightHip)
	if l, ok := score.Torso(&side); !ok || !near(l, math.Hypot(30, 340)) {
		t.Errorf("torso of one side %v", l)
	}
	side.Unset(keypoint.LeftHip)
	if l, ok := score.Torso(&side); ok {
		t.Errorf("torso without a hip %v", l)
	}
	var point keypoint.Frame
	point.Set(keypoint.LeftHip, keypoint.Point{1, 1}, 1)
	point.Set(keypoint.LeftShoulder, keypoint.Point{1, 1}, 1)
	if l, ok := score.Torso(&point); ok {
		t.Errorf("torso of no length %v", l)
	}
}

func TestPCK(t *testing.T) {
	truth := standing(0, 0, 1000).Parts
	torso, _ := score.Torso(&truth)
	missing := truth
	missing.Unset(keypoint.Nose)
	headless := truth
	headless.Unset(keypoint.LeftHip)
	headless.Unset(keypoint.RightHip)
	for _, c := range []struct {
		name         string
		truth, found keypoint.Frame
		within       float64
		want         score.Share
	}{
		{"the same", truth, truth, 0, score.Share{Count: 17, Of: 17}},
		{"near", truth, moved(truth, .19*torso, 0), .2, score.Share{Count: 17, Of: 17}},
		{"far", truth, moved(truth, .21*torso, 0), .2, score.Share{Count: 0, Of: 17}},
		{"not found", truth, missing, .2, score.Share{Count: 16, Of: 17}},
		{"not labelled", missing, truth, .2, score.Share{Count: 16, Of: 16}},
		{"nobody found", truth, keypoint.Frame{}, .2, score.Share{Count: 0, Of: 17}},
		{"no torso", headless, headless, .2, score.Share{}},
	} {
		if got := score.PCK(&c.truth, &c.found, c.within); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawFrame(t), drawFrame(t)
		within := rapid.Float64Range(0, 3).Draw(t, "within")
		s, wider := score.PCK(&a, &b, within), score.PCK(&a, &b, within*1.5)
		if s.Count < 0 || s.Count > s.Of || s.Of > 17 || wider.Of != s.Of || wider.Count < s.Count {
			t.Fatalf("%v within %v, then %v", s, within, wider)
		}
		twoA, twoB := scaled(a, 2), scaled(b, 2)
		if q := score.PCK(&twoA, &twoB, within); q != s {
			t.Fatalf("%v, twice as large %v", s, q)
		}
	})
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		v            score.Values
		mean, median float64
		ok           bool
	}{
		{nil, 0, 0, false},
		{score.Values{4}, 4, 4, true},
		{score.Values{9, 1, 2}, 4, 2, true},
		{score.Values{8, 1, 2, 3}, 3.5, 2.5, true},
	} {
		mean, ok := c.v.Mean()
		median, ok2 := c.v.Median()
		if mean != c.mean || median != c.median || ok != c.ok || ok2 != c.ok {
			t.Errorf("%v: mean %v, median %v, %v", c.v, mean, median, ok)
		}
	}
	if v, ok := (score.Share{}).Value(); ok {
		t.Errorf("a share of nothing is %v", v)
	}
	if v, ok := (score.Share{Count: 1, Of: 3}).Plus(score.Share{Count: 1, Of: 1}).Value(); !ok || v != .5 {
		t.Errorf("2 of 4 is %v", v)
	}
}

func ExampleOKS() {
	truth := standing(0, 0, 400)
	found := moved(truth.Parts, 8, 0) // every part 8 pixels to the right
	fmt.Printf("%.3f %.3f\n", score.OKS(&truth, &truth.Parts), score.OKS(&truth, &found))
	// Output: 1.000 0.917
}

func ExamplePCK() {
	truth := standing(0, 0, 400).Parts
	found := truth
	found.Unset(keypoint.LeftWrist)
	fmt.Println(score.PCK(&truth, &found, 0.2))
	// Output: 16/17
}

func ExampleTorso() {
	truth := standing(0, 0, 400).Parts
	pixels, ok := score.Torso(&truth)
	fmt.Printf("%.1f %v\n", pixels, ok)
	// Output: 164.2 true
}
