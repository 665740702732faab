package keypoint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
)

// upright is a person of 1,000 pixels who stands with the soles at y = 0, seen from the side, facing the
// right, with bent knees if asked. The heights are those of the tables that Calibrate uses.
func upright(bend float64) (f keypoint.Frame) {
	put := func(p keypoint.Part, x, height float64) {
		f.Set(p, keypoint.Point{x, -height}, 1)
		if p != keypoint.Nose {
			f.Set(p.Mirror(), keypoint.Point{x, -height}, 1)
		}
	}
	sin, cos := math.Sincos(bend * math.Pi / 180)
	knee := 39 + 246*cos
	hip := knee + 245*cos
	put(keypoint.LeftAnkle, 0, 39)
	put(keypoint.LeftKnee, 246*sin, knee)
	put(keypoint.LeftHip, 246*sin-245*sin, hip)
	put(keypoint.LeftShoulder, 1*sin, hip+288)
	put(keypoint.LeftEar, 1*sin, hip+395)
	put(keypoint.LeftEye, 60, hip+406)
	put(keypoint.Nose, 75, hip+382)
	put(keypoint.LeftHeel, -50, 0)
	put(keypoint.LeftBigToe, 90, 0)
	return f
}

func moved(f keypoint.Frame, move func(keypoint.Point) keypoint.Point) (g keypoint.Frame) {
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		g.Set(p, move(at), f.Confidence(p))
	}
	return g
}

// across is somebody who walks to the right for five seconds: one foot stands while the other moves to the
// next place, 600 pixels away. The floor rises by degrees to the right.
func across(degrees float64) (seq keypoint.Sequence) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	turn := func(p keypoint.Point) keypoint.Point {
		return keypoint.Point{cos*p[0] + sin*p[1], -sin*p[0] + cos*p[1]}
	}
	for i := range 150 {
		t := float64(i) / 30
		f := moved(upright(0), func(p keypoint.Point) keypoint.Point { return keypoint.Point{p[0] + 600*t, p[1]} })
		for k, foot := range [2][3]keypoint.Part{
			{keypoint.LeftAnkle, keypoint.LeftHeel, keypoint.LeftBigToe}, {keypoint.RightAnkle, keypoint.RightHeel, keypoint.RightBigToe},
		} {
			phase := t + 0.5*float64(k)
			x := 600 * (math.Floor(phase) + max(math.Mod(phase, 1)-0.5, 0)*2 - 0.5*float64(k))
			lift := 60 * math.Sin(math.Pi*max(math.Mod(phase, 1)-0.5, 0)*2)
			for j, part := range foot {
				f.Set(part, keypoint.Point{x + [3]float64{0, -50, 90}[j], -[3]float64{39, 0, 0}[j] - lift}, 1)
			}
		}
		seq.Frames = append(seq.Frames, moved(f, turn))
		seq.Times = append(seq.Times, t)
	}
	return seq
}

func calibrate(t interface{ Fatal(...any) }, seq keypoint.Sequence, text string) keypoint.World {
	var c keypoint.Calibration
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(text, err)
	}
	w, err := seq.Calibrate(c)
	if err != nil {
		t.Fatal(text, err)
	}
	return w
}

// TestScale: the three ways to know the scale, and what they leave unsure.
func TestScale(t *testing.T) {
	standing := keypoint.Sequence{Frames: []keypoint.Frame{upright(0), upright(25), upright(0), upright(0)}}
	noEars := moved(upright(0), func(p keypoint.Point) keypoint.Point { return p })
	noEars.Unset(keypoint.LeftEar)
	noEars.Unset(keypoint.RightEar)
	onlyNose := noEars
	onlyNose.Unset(keypoint.LeftEye)
	onlyNose.Unset(keypoint.RightEye)
	oneLeg := upright(0)
	oneLeg.Unset(keypoint.RightAnkle)
	lying := moved(upright(0), func(p keypoint.Point) keypoint.Point { return keypoint.Point{-p[1], p[0]} })
	bent := keypoint.Sequence{Frames: []keypoint.Frame{upright(0), upright(0)}}
	for _, p := range []keypoint.Part{keypoint.LeftShoulder, keypoint.RightShoulder, keypoint.LeftEar, keypoint.RightEar, keypoint.LeftEye, keypoint.RightEye, keypoint.Nose} {
		at, _ := bent.Frames[1].At(p) // towards the camera
		bent.Frames[1].Set(p, keypoint.Point{at[0], at[1] + 150}, 1)
	}
	for _, c := range []struct {
		name, options string
		seq           keypoint.Sequence
		scale, share  float64
	}{
		{"body", `{"scale":{"bodyHeight":1.8}}`, standing, 0.0018, 0.015},
		{"bent knees", `{"scale":{"bodyHeight":1.8}}`, keypoint.Sequence{Frames: []keypoint.Frame{upright(30)}}, 0.0018, 0.015},
		{"eyes", `{"scale":{"bodyHeight":1.8}}`, keypoint.Sequence{Frames: []keypoint.Frame{noEars}}, 0.0018, 0.015},
		{"nose", `{"scale":{"bodyHeight":1.8}}`, keypoint.Sequence{Frames: []keypoint.Frame{onlyNose}}, 0.0018, 0.015},
		{"one leg", `{"scale":{"bodyHeight":1.8}}`, keypoint.Sequence{Frames: []keypoint.Frame{oneLeg}}, 0.0018, 0.015},
		{"lying", `{"scale":{"bodyHeight":1.8}}`, keypoint.Sequence{Frames: []keypoint.Frame{lying}}, 0.0018, 0.04},
		{"half of the frames foreshortened", `{"scale":{"bodyHeight":1.8}}`, bent, 0.0018, 0.015},
		{"length", `{"scale":{"length":2,"from":[100,100],"to":[400,500]}}`, standing, 0.004, math.Sqrt2 / 500},
		{"given", `{"scale":{"metresPerPixel":0.003}}`, standing, 0.003, 0},
	} {
		w := calibrate(t, c.seq, c.options)
		if math.Abs(w.MetresPerPixel/c.scale-1) > 1e-3 || math.Abs(w.ScaleError-c.share) > 1e-9 {
			t.Errorf("%s: %v ± %v metres per pixel, want %v ± %v", c.name, w.MetresPerPixel, w.ScaleError, c.scale, c.share)
		}
	}
	near := keypoint.Sequence{}
	for i := range 20 { // comes nearer before a camera 1,000 pixels above the floor
		near.Frames = append(near.Frames, moved(upright(0), func(p keypoint.Point) keypoint.Point { return p.Add(keypoint.Point{0, 1000}).Mul(1 + float64(i)/20) }))
	}
	if w := calibrate(t, near, `{"scale":{"bodyHeight":1.8}}`); w.ScaleError < 0.05 || math.Abs(w.MetresPerPixel*1.475/0.0018-1) > 1e-3 {
		t.Errorf("somebody who comes nearer: %v ± %v metres per pixel, want those of the median place", w.MetresPerPixel, w.ScaleError)
	}
	if _, err := (keypoint.Sequence{Frames: make([]keypoint.Frame, 2)}).Calibrate(keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: 1.8}}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("nobody has a height: %v", err)
	}
}

// TestFloor: the three ways to know what is horizontal.
func TestFloor(t *testing.T) {
	for _, degrees := range []float64{0, 4, -7} {
		seq := across(degrees)
		w := calibrate(t, seq, `{"floor":"auto"}`)
		first, _ := seq.Frames[0].At(keypoint.LeftHeel)
		if math.Abs(w.Floor-degrees) > 0.01 || math.Abs(keypoint.World{Floor: w.Floor, Origin: w.Origin}.Point(first)[1]) > 3 {
			t.Errorf("the floor rises by %v from %v, want %v and under the feet at %v", w.Floor, w.Origin, degrees, first)
		}
		for i := range seq.Frames {
			for _, p := range keypoint.Feet.List() {
				seq.Frames[i].Unset(p)
			}
		}
		w = calibrate(t, seq, `{"floor":"auto"}`)
		if math.Abs(w.Floor-degrees) > 0.01 || math.Abs(keypoint.World{Floor: w.Floor, Origin: w.Origin}.Point(first)[1]) > 3 {
			t.Errorf("by the ankles: %v from %v, want %v", w.Floor, w.Origin, degrees)
		}
	}
	var seq keypoint.Sequence
	for text, want := range map[string]keypoint.World{
		`{"floor":2.5}`:                                  {Floor: 2.5},
		`{"floor":[[100,700],[200,600]]}`:                {Floor: 45, Origin: keypoint.Point{100, 700}},
		`{"floor":[[200,600],[100,700]],"origin":[1,2]}`: {Floor: 45, Origin: keypoint.Point{1, 2}},
		`{}`: {},
	} {
		if w := calibrate(t, seq, text); math.Abs(w.Floor-want.Floor) > 1e-9 || w.Origin != want.Origin {
			t.Errorf("%s: %+v, want %+v", text, w, want)
		}
	}
	standing := keypoint.Sequence{}
	treadmill := across(0)
	oblique := across(0)
	for i := range treadmill.Frames {
		standing.Frames, standing.Times = append(standing.Frames, upright(0)), append(standing.Times, float64(i)/30)
		treadmill.Frames[i] = moved(treadmill.Frames[i], func(p keypoint.Point) keypoint.Point { return p.Sub(keypoint.Point{20 * float64(i)}) })
		oblique.Frames[i] = moved(oblique.Frames[i], func(p keypoint.Point) keypoint.Point { return p.Mul(1 + float64(i)/500) })
	}
	for name, seq := range map[string]keypoint.Sequence{"standing": standing, "treadmill": treadmill, "oblique": oblique, "nobody": {}} {
		if w, err := seq.Calibrate(keypoint.Calibration{Floor: &keypoint.Floor{Auto: true}}); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: floor %+v (%v)", name, w, err)
		}
	}
}

// TestCalibrationMistakes: options that say nothing, too much or nonsense are refused.
func TestCalibrationMistakes(t *testing.T) {
	for _, text := range []string{
		`{"scale":{}}`, `{"scale":{"bodyHeight":178}}`, `{"scale":{"bodyHeight":1.8,"metresPerPixel":0.1}}`, `{"scale":{"length":2}}`,
		`{"scale":{"length":2,"from":[1,1],"to":[1,1]}}`, `{"scale":{"length":-2,"from":[1,1],"to":[2,1]}}`, `{"scale":{"metresPerPixel":-1}}`,
		`{"scale":{"bodyHeight":1.8,"from":[1,1]}}`, `{"floor":91}`, `{"floor":[[1,1],[1,1]]}`, `{"cameraPitch":61}`,
	} {
		var c keypoint.Calibration
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := (keypoint.Sequence{}).Calibrate(c); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`{"floor":"level"}`, `{"floor":[[1,1]]}`, `{"floor":[[1,1],[2]]}`, `{"floor":{}}`, `{"floor":[1,2]}`} {
		var c keypoint.Calibration
		if err := json.Unmarshal([]byte(text), &c); err == nil {
			t.Errorf("%s is read as %+v", text, *c.Floor)
		}
	}
	for _, w := range []keypoint.World{{MetresPerPixel: -1}, {MetresPerPixel: math.NaN()}, {ScaleError: -1}, {Floor: 181}, {Floor: math.NaN()}, {Origin: keypoint.Point{math.Inf(1)}}, {Pitch: 12}, {Pitch: 61, PitchError: 4}, {PitchError: -1}} {
		if err := (keypoint.Sequence{World: w}).Validate(); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%+v: %v", w, err)
		}
	}
	for _, text := range []string{`{"scale":{"bodyHeight":1.78},"floor":"auto"}`, `{"floor":[[1,2],[3,4]],"origin":[5,6]}`, `{"floor":-2.5}`, `{"cameraPitch":0}`} {
		var c keypoint.Calibration
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		if b, err := json.Marshal(c); err != nil || string(b) != text {
			t.Errorf("%s is written as %s (%v)", text, b, err)
		}
	}
}

// TestWorldProperties: distances are the same in every world but for the scale, and what lies along
// the floor is level.
func TestWorldProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-1000, 1000)
		point := func(name string) keypoint.Point { return keypoint.Point{number.Draw(t, name), number.Draw(t, name)} }
		w := keypoint.World{MetresPerPixel: rapid.Float64Range(1e-4, 1).Draw(t, "scale"), Floor: rapid.Float64Range(-90, 90).Draw(t, "floor"), Origin: point("origin")}
		a, b := point("a"), point("b")
		if got, want := w.Point(a).Sub(w.Point(b)).Len(), w.MetresPerPixel*a.Sub(b).Len(); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v metres, want %v", got, want)
		}
		if at := w.Point(w.Origin); at != (keypoint.Point{}) {
			t.Fatalf("the origin is at %v", at)
		}
		level := w.Point(a.Add(w.Right().Mul(100))).Sub(w.Point(a))
		if math.Abs(level[1]) > 1e-9 || math.Abs(level[0]-100*w.MetresPerPixel) > 1e-9 {
			t.Fatalf("along the floor is %v", level)
		}
	})
}

// TestCapturedAt: places follow the scale, and times the rate of capture.
func TestCapturedAt(t *testing.T) {
	seq := keypoint.Sequence{World: keypoint.World{MetresPerPixel: 0.01}, Size: image.Pt(10, 10)}
	for i := range 11 {
		var f keypoint.Frame
		f.Set(keypoint.Nose, keypoint.Point{float64(10 * i), 0}, 1)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/30)
	}
	slow, err := seq.CapturedAt(240)
	if err != nil {
		t.Fatal(err)
	}
	for want, s := range map[float64]keypoint.Sequence{3: seq, 24: slow} {
		at, _ := s.Frames[10].At(keypoint.Nose)
		if metres := s.World.Point(at).Len(); math.Abs(metres-1) > 1e-9 || math.Abs(metres/s.Duration()-want) > 1e-9 {
			t.Errorf("%v m/s over %v m, want %v over 1", metres/s.Duration(), metres, want)
		}
	}
	holes := seq // the frame rate of the movie is that of its frames, not what is left where some are lost
	holes.Times = []float64{0, 1. / 30, 2. / 30, 3. / 30, 5. / 30, 6. / 30, 7. / 30, 2, 2 + 1./30, 2 + 2./30, 2 + 3./30}
	if got, err := holes.CapturedAt(240); err != nil || math.Abs(got.Duration()*8-holes.Duration()) > 1e-9 {
		t.Errorf("of %v s with lost frames, %v s are left (%v), want an eighth", holes.Duration(), got.Duration(), err)
	}
	if seq.Times[10] == slow.Times[10] {
		t.Error("the times of the sequence have changed")
	}
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := seq.CapturedAt(rate); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%v frames per second: %v", rate, err)
		}
	}
	b, err := json.Marshal(slow)
	if err != nil {
		t.Fatal(err)
	}
	var back keypoint.Sequence
	if err := json.Unmarshal(b, &back); err != nil || back.World != slow.World {
		t.Errorf("%s: %+v (%v)", b, back.World, err)
	}
}

func ExampleSequence_Calibrate() {
	seq := keypoint.Sequence{Frames: []keypoint.Frame{upright(0)}} // 1,000 pixels high
	var c keypoint.Calibration
	if err := json.Unmarshal([]byte(`{"scale": {"bodyHeight": 1.78}, "floor": [[0, 700], [1000, 700]]}`), &c); err != nil {
		fmt.Println(err)
		return
	}
	world, err := seq.Calibrate(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	seq.World = world // analyses, speeds and exports are in metres from here on
	ear := world.Point(keypoint.Point{500, 200})
	fmt.Printf("%.4f m a pixel ± %.1f %%, %.2f m above the floor\n", world.MetresPerPixel, 100*world.ScaleError, -ear[1])
	// Output:
	// 0.0018 m a pixel ± 1.5 %, 0.89 m above the floor
}

// BenchmarkCalibrate finds the scale and the floor of a minute at 30 frames a second.
func BenchmarkCalibrate(b *testing.B) {
	still, walk := keypoint.Sequence{}, across(0)
	for i := range 1800 {
		f := upright(0)
		if i >= 1650 {
			f = walk.Frames[i-1650]
		}
		still.Frames, still.Times = append(still.Frames, f), append(still.Times, float64(i)/30)
	}
	c := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: 1.8}, Floor: &keypoint.Floor{Auto: true}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := still.Calibrate(c); err != nil {
			b.Fatal(err)
		}
	}
}
