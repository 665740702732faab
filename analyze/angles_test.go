package analyze_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// posture is a person made of sticks, by the angles that the analyses must find again, in degrees.
type posture struct {
	trunk, neck float64
	left, right limbs
}

// limbs are the angles of one side.
type limbs struct{ hip, knee, ankle, shoulder, elbow float64 }

// sagittal are the named angles that a posture has.
var sagittal = map[analyze.Type]func(p posture, l limbs) float64{
	analyze.KneeFlexion:       func(_ posture, l limbs) float64 { return l.knee },
	analyze.HipFlexion:        func(_ posture, l limbs) float64 { return l.hip },
	analyze.AnkleDorsiflexion: func(_ posture, l limbs) float64 { return l.ankle },
	analyze.ShoulderFlexion:   func(_ posture, l limbs) float64 { return l.shoulder },
	analyze.ElbowFlexion:      func(_ posture, l limbs) float64 { return l.elbow },
	analyze.TrunkLean:         func(p posture, _ limbs) float64 { return p.trunk },
	analyze.NeckFlexion:       func(p posture, _ limbs) float64 { return p.neck },
}

// seen returns the posture seen from the side, in a picture of 1000×1000 pixels, facing the right (1) or
// the left (−1). A torso has 150 pixels.
func (p posture) seen(facing float64) keypoint.Frame {
	var f keypoint.Frame
	// from returns the point at a distance from another one, degrees forward from straight down.
	from := func(at keypoint.Point, torsos, degrees float64) keypoint.Point {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return at.Add(keypoint.Point{facing * sin, cos}.Mul(150 * torsos))
	}
	hips := keypoint.Point{500, 500}
	shoulders := from(hips, 1, 180-p.trunk)
	head := 180 - p.trunk - p.neck
	ears := from(shoulders, 0.4, head)
	f.Set(keypoint.LeftEar, ears, 1)
	f.Set(keypoint.RightEar, ears, 1)
	f.Set(keypoint.Nose, from(ears, 0.27, head-90), 1)
	for _, side := range []struct {
		limbs
		mirror bool
	}{{p.left, false}, {p.right, true}} {
		set := func(part keypoint.Part, at keypoint.Point) {
			if side.mirror {
				part = part.Mirror()
			}
			f.Set(part, at, 1)
		}
		thigh := side.hip - p.trunk
		shank := thigh - side.knee
		foot := shank + 90 + side.ankle
		arm := side.shoulder - p.trunk
		knee := from(hips, 0.85, thigh)
		ankle := from(knee, 0.85, shank)
		heel := from(ankle, 0.1, shank)
		elbow := from(shoulders, 0.6, arm)
		set(keypoint.LeftShoulder, shoulders)
		set(keypoint.LeftElbow, elbow)
		set(keypoint.LeftWrist, from(elbow, 0.5, arm+side.elbow))
		set(keypoint.LeftHip, hips)
		set(keypoint.LeftKnee, knee)
		set(keypoint.LeftAnkle, ankle)
		set(keypoint.LeftHeel, heel)
		set(keypoint.LeftBigToe, from(heel, 0.45, foot))
	}
	return f
}

// namedRules are the rules of all named angles, of both sides.
func namedRules() (rules []analyze.Rule) {
	for _, typ := range analyze.Types() {
		switch {
		case typ.Sided():
			rules = append(rules, analyze.Rule{Type: typ, Side: analyze.LeftSide}, analyze.Rule{Type: typ, Side: analyze.RightSide})
		case typ.Points() == 0:
			rules = append(rules, analyze.Rule{Type: typ})
		}
	}
	return rules
}

func runRules(t interface{ Fatal(...any) }, seq keypoint.Sequence, rules ...analyze.Rule) []analyze.Result {
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// changed returns the sequence with every point moved by a function, and the sides exchanged if asked.
func changed(seq keypoint.Sequence, exchange bool, move func(keypoint.Point) keypoint.Point) keypoint.Sequence {
	seq = seq.Clone()
	for i, f := range seq.Frames {
		var g keypoint.Frame
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			to := p
			if exchange {
				to = p.Mirror()
			}
			g.Set(to, move(at), f.Confidence(p))
		}
		seq.Frames[i] = g
	}
	return seq
}

// TestNamedAngles: the angles of any posture are found again, whichever way the person faces, and do not
// change when the picture is mirrored (with the sides exchanged), scaled, moved or, with its floor,
// turned.
func TestNamedAngles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		between := func(low, high float64, name string) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
		side := func() limbs {
			return limbs{
				hip: between(-20, 110, "hip"), knee: between(-8, 130, "knee"), ankle: between(-40, 25, "ankle"),
				shoulder: between(-50, 180, "shoulder"), elbow: between(-8, 140, "elbow"),
			}
		}
		p := posture{trunk: between(-15, 60, "trunk"), neck: between(-25, 35, "neck"), left: side(), right: side()}
		facing := rapid.SampledFrom([]float64{-1, 1}).Draw(t, "facing")
		seq := keypoint.Sequence{Frames: []keypoint.Frame{p.seen(facing)}}

		scale := between(0.2, 5, "scale")
		shift := keypoint.Point{between(-500, 500, "x"), between(-500, 500, "y")}
		roll := between(-80, 80, "roll")
		sin, cos := math.Sincos(roll * math.Pi / 180)
		turned := changed(seq, false, func(q keypoint.Point) keypoint.Point {
			return keypoint.Point{cos*q[0] + sin*q[1], -sin*q[0] + cos*q[1]} // counter-clockwise on screen
		})
		turned.World = keypoint.World{Floor: roll, MetresPerPixel: 0.003, Origin: shift}
		for name, c := range map[string]struct {
			seq      keypoint.Sequence
			exchange bool
		}{
			"as it is": {seq, false},
			"mirrored": {changed(seq, true, func(q keypoint.Point) keypoint.Point { return keypoint.Point{1000 - q[0], q[1]} }), true},
			"scaled":   {changed(seq, false, func(q keypoint.Point) keypoint.Point { return q.Mul(scale) }), false},
			"moved":    {changed(seq, false, func(q keypoint.Point) keypoint.Point { return q.Add(shift) }), false},
			"turned":   {turned, false},
		} {
			for _, r := range namedRules() {
				truth, ok := sagittal[r.Type]
				if !ok {
					continue
				}
				want := truth(p, p.left)
				if r.Side == analyze.RightSide != c.exchange {
					want = truth(p, p.right)
				}
				v := runRules(t, c.seq, r)[0].Values[0]
				if !v.Present || math.Abs(v.X-want) > 1e-6 {
					t.Fatalf("%s: %s %s is %+v, want %v", name, r.Type, r.Side, v, want)
				}
			}
		}
	})
}

// TestFrontalAngles: abduction is positive away from the middle and the tilt of the pelvis positive where
// the left hip is higher, from the front and from behind.
func TestFrontalAngles(t *testing.T) {
	standing := func(facing float64) keypoint.Frame { // 1 from the front
		var f keypoint.Frame
		put := func(p keypoint.Part, left, y float64) { f.Set(p, keypoint.Point{500 + facing*left, y}, 1) }
		put(keypoint.LeftShoulder, 50, 350)
		put(keypoint.RightShoulder, -50, 350)
		put(keypoint.LeftHip, 28, 490) // by atan(20/56) higher
		put(keypoint.RightHip, -28, 510)
		put(keypoint.LeftElbow, 140, 350)
		put(keypoint.RightElbow, -50, 440)
		put(keypoint.Nose, 0, 295)
		put(keypoint.LeftEar, 23, 290)
		put(keypoint.RightEar, -23, 290)
		for left, right := range map[keypoint.Part]keypoint.Part{keypoint.LeftKnee: keypoint.RightKnee, keypoint.LeftAnkle: keypoint.RightAnkle} {
			y := 620.0
			if left == keypoint.LeftAnkle {
				y = 750
			}
			put(left, 28, y)
			put(right, -28, y)
		}
		return f
	}
	for _, facing := range []float64{1, -1} {
		seq := keypoint.Sequence{Frames: []keypoint.Frame{standing(facing)}}
		for _, c := range []struct {
			rule analyze.Rule
			want float64
		}{
			{analyze.Rule{Type: analyze.ShoulderAbduction, Side: analyze.LeftSide}, 90},
			{analyze.Rule{Type: analyze.ShoulderAbduction, Side: analyze.RightSide}, 0},
			{analyze.Rule{Type: analyze.PelvicTilt}, math.Atan(20.0/56) * 180 / math.Pi},
		} {
			r := runRules(t, seq, c.rule)[0]
			if v := r.Values[0]; !v.Present || math.Abs(v.X-c.want) > 1e-9 || len(r.Warnings) != 0 {
				t.Errorf("facing %v: %s %s is %+v, want %v (%v)", facing, c.rule.Type, c.rule.Side, v, c.want, r.Warnings)
			}
		}
		for _, typ := range []analyze.Type{analyze.KneeFlexion, analyze.HipFlexion, analyze.ElbowFlexion, analyze.ShoulderFlexion} {
			r := runRules(t, seq, analyze.Rule{Type: typ, Side: analyze.LeftSide})[0]
			if last := len(r.Warnings) - 1; r.Values[0].Present && typ != analyze.ElbowFlexion || r.Coverage != 0 || typ != analyze.ElbowFlexion && (last < 0 || r.Warnings[last].Code != quality.CodeFacing || !strings.Contains(r.Warnings[last].Detail, "film from the side")) {
				t.Errorf("facing %v: %s is %+v with %v", facing, typ, r.Values, r.Warnings)
			}
		}
	}
	side := keypoint.Sequence{Frames: []keypoint.Frame{posture{}.seen(1)}}
	r := runRules(t, side, analyze.Rule{Type: analyze.ShoulderAbduction, Side: analyze.LeftSide})[0]
	if n := len(r.Warnings); r.Values[0].Present || n == 0 || r.Warnings[n-1].Code != quality.CodeFacing || !strings.Contains(r.Warnings[n-1].Detail, "from the front or from behind") {
		t.Errorf("from the side the abduction is %+v with %v", r.Values, r.Warnings)
	}
}

// walk is somebody who walks to the right, turns round within a second, and walks back; the left knee is
// bent by 40 degrees, the right one by 10.
func walk() (seq keypoint.Sequence) {
	p := posture{trunk: 5, left: limbs{hip: 20, knee: 40}, right: limbs{hip: -5, knee: 10}}
	for i := range 150 {
		facing := math.Cos(math.Pi * min(max(float64(i-60)/30, 0), 1)) // 1 to −1
		seq.Frames = append(seq.Frames, changed(keypoint.Sequence{Frames: []keypoint.Frame{p.seen(1)}}, false, func(q keypoint.Point) keypoint.Point {
			return keypoint.Point{500 + facing*(q[0]-500) + 3*float64(min(i, 149-i)), q[1]}
		}).Frames[0])
		seq.Times = append(seq.Times, float64(i)/30)
	}
	return seq
}

// TestTurning: the sign does not depend on the direction of walking.
func TestTurning(t *testing.T) {
	r := runRules(t, walk(), analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.LeftSide})[0]
	for i, v := range r.Values {
		if (i <= 60 || i >= 90) && (!v.Present || math.Abs(v.X-40) > 1e-6) {
			t.Fatalf("the knee in frame %d is %+v, want 40", i, v)
		}
		if v.Present && v.X < 0 {
			t.Fatalf("the knee in frame %d is bent by %v", i, v.X)
		}
	}
}

// TestUnwrapped: an arm that goes round twice reaches 720 degrees, and unwrapping starts again after a pause.
func TestUnwrapped(t *testing.T) {
	var seq keypoint.Sequence
	for i := range 100 {
		p := posture{left: limbs{shoulder: 720 * float64(i) / 99}}
		seq.Frames = append(seq.Frames, p.seen(-1))
		seq.Times = append(seq.Times, float64(i)/30)
	}
	lost := seq.Clone()
	for i := 40; i < 60; i++ {
		lost.Frames[i] = keypoint.Frame{}
	}
	rule := analyze.Rule{Type: analyze.ShoulderFlexion, Side: analyze.LeftSide}
	low, high := math.Inf(1), math.Inf(-1)
	values := runRules(t, seq, rule)[0].Values
	for i, v := range values {
		low, high = min(low, v.X), max(high, v.X)
		if !v.Present || i > 0 && math.Abs(v.X-values[i-1].X-720.0/99) > 1e-6 {
			t.Fatalf("frame %d: %+v after %+v", i, v, values[max(i-1, 0)])
		}
	}
	if math.Abs(high-low-720) > 1e-6 {
		t.Errorf("from %v to %v degrees", low, high)
	}
	for i, v := range runRules(t, lost, rule)[0].Values {
		if v.Present && math.Abs(v.X-65) > 360 {
			t.Errorf("frame %d after a pause: %v", i, v.X)
		}
	}
}

// TestNoFeet: dorsiflexion says that it needs the feet.
func TestNoFeet(t *testing.T) {
	f := posture{}.seen(1)
	for _, p := range keypoint.Feet.List() {
		f.Unset(p)
	}
	r := runRules(t, keypoint.Sequence{Frames: []keypoint.Frame{f}}, analyze.Rule{Type: analyze.AnkleDorsiflexion, Side: analyze.RightSide})[0]
	if n := len(r.Warnings); r.Coverage != 0 || n != 1 || r.Warnings[0].Code != quality.CodeLowCoverage || r.Warnings[0].Parts != keypoint.PartsOf(keypoint.RightHeel, keypoint.RightBigToe) {
		t.Errorf("%+v", r)
	}
}

// TestNamedStatistics: statistics and uncertainties are those of any other angle.
func TestNamedStatistics(t *testing.T) {
	seq := walk()
	r := runRules(t, seq, analyze.Rule{Type: analyze.TrunkLean, Movie: &analyze.MovieOption{Statistic: analyze.Median}},
		analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.RightSide, Movie: &analyze.MovieOption{Statistic: analyze.Median}})
	if v := r[0].Movie.Value; math.Abs(v.X-5) > 1e-6 || r[0].Unit != "°" || !r[0].Uncertainty[0].Present {
		t.Errorf("%+v in %s", v, r[0].Unit)
	}
	u := quality.NewUncertainty(seq)
	knee := keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	if want, _, _ := u.Angle(3, quality.Sagittal, knee[0], knee[1], knee[2]); math.Abs(r[1].Movie.Value.X-10) > 1e-6 || r[1].Uncertainty[3].X != want {
		t.Errorf("%+v with %v, want %v", r[1].Movie.Value, r[1].Uncertainty[3], want)
	}
}

// TestNamedMistakes: named angles take a side if they have one, and no points.
func TestNamedMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{"analysisType":"kneeFlexion"}`:                                               "/side",
		`{"analysisType":"kneeFlexion","side":"both"}`:                                 "/side",
		`{"analysisType":"trunkLean","side":"left"}`:                                   "/side",
		`{"analysisType":"vectorAngle","points":["nose","nose","nose"],"side":"left"}`: "/side",
		`{"analysisType":"trunkLean","points":["nose"]}`:                               "/points",
	} {
		if _, err := analyze.ParseRules([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, r := range []analyze.Rule{
		{Type: analyze.KneeFlexion}, {Type: analyze.TrunkLean, Side: analyze.LeftSide},
		{Type: analyze.TrunkLean, Points: keypoint.PartSelectors(keypoint.Nose)},
	} {
		if err := analyze.Check([]analyze.Rule{r}, true); err == nil {
			t.Errorf("%+v is taken", r)
		}
	}
}

func ExampleRun_kneeFlexion() {
	var f keypoint.Frame // seen from the side, facing the left of the picture
	f.Set(keypoint.Nose, keypoint.Point{160, 100}, 0.9)
	f.Set(keypoint.LeftEar, keypoint.Point{190, 95}, 0.9)
	f.Set(keypoint.LeftShoulder, keypoint.Point{200, 150}, 0.9)
	f.Set(keypoint.LeftHip, keypoint.Point{220, 280}, 0.9)
	f.Set(keypoint.LeftKnee, keypoint.Point{130, 310}, 0.9)
	f.Set(keypoint.LeftAnkle, keypoint.Point{170, 420}, 0.9)
	rules, err := analyze.ParseRules([]byte(`[
		{"analysisType": "kneeFlexion", "side": "left"},
		{"analysisType": "hipFlexion", "side": "left"},
		{"analysisType": "trunkLean"}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := analyze.Run(keypoint.Sequence{Frames: []keypoint.Frame{f}}, rules)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Printf("%s %.0f%s\n", r.Type, r.Values[0].X, r.Unit)
	}
	// Output:
	// kneeFlexion 92°
	// hipFlexion 80°
	// trunkLean 9°
}

// BenchmarkNamed computes all named angles of both sides of a minute at 30 frames a second.
func BenchmarkNamed(b *testing.B) {
	seq := walk()
	for len(seq.Frames) < 1800 {
		seq.Frames = append(seq.Frames, seq.Frames[:150]...)
	}
	seq.Times = seq.Times[:0]
	for i := range seq.Frames {
		seq.Times = append(seq.Times, float64(i)/30)
	}
	rules := namedRules()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := analyze.Run(seq, rules); err != nil {
			b.Fatal(err)
		}
	}
}

// TestNamedBadInput: whatever the recording, named angles are finite or absent, and there is no panic.
func TestNamedBadInput(t *testing.T) {
	number := rapid.OneOf(rapid.Float64Range(-500, 500), rapid.SampledFrom([]float64{0, math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e154}))
	rapid.Check(t, func(t *rapid.T) {
		var seq keypoint.Sequence
		for i := range rapid.IntRange(1, 4).Draw(t, "frames") {
			var f keypoint.Frame
			for p := range keypoint.Part(keypoint.NumParts) {
				if rapid.IntRange(0, 9).Draw(t, "present") > 0 {
					f.Set(p, keypoint.Point{number.Draw(t, "x"), number.Draw(t, "y")}, 1)
				}
			}
			seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/30)
		}
		seq.World = keypoint.World{Floor: rapid.Float64Range(-180, 180).Draw(t, "floor"), MetresPerPixel: rapid.Float64Range(0, 1e300).Draw(t, "scale")}
		for _, r := range runRules(t, seq, namedRules()...) {
			for _, v := range append(r.Values, r.Uncertainty...) {
				if math.IsNaN(v.X) || math.IsInf(v.X, 0) || math.Abs(v.X) > 720 && r.Unit == "°" || !v.Present && v.X != 0 {
					t.Fatalf("%s gives %+v of %+v", r.Type, v, seq)
				}
			}
			if _, err := r.MarshalJSON(); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []keypoint.Calibration{{Scale: &keypoint.Scale{BodyHeight: 1.7}}, {Floor: &keypoint.Floor{Auto: true}}} {
			if w, err := seq.Calibrate(c); err == nil && w.Validate() != nil {
				t.Fatalf("%+v of %+v", w, seq)
			}
		}
	})
}
