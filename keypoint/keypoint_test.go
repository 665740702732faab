package keypoint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
)

func TestParts(t *testing.T) {
	names := []string{
		"nose", "leftEye", "rightEye", "leftEar", "rightEar", "leftShoulder", "rightShoulder", "leftElbow", "rightElbow",
		"leftWrist", "rightWrist", "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle", "rightAnkle",
		"leftBigToe", "rightBigToe", "leftSmallToe", "rightSmallToe", "leftHeel", "rightHeel",
	}
	if len(names) != keypoint.NumParts || names[keypoint.NumBody] != "leftBigToe" {
		t.Errorf("%d parts, %d of the body", keypoint.NumParts, keypoint.NumBody)
	}
	for i, name := range names {
		p, err := keypoint.ParsePart(name)
		if err != nil || int(p) != i || p.String() != name {
			t.Errorf("%s is part %d, %v (%v)", name, p, p, err)
		}
		m := p.Mirror()
		if m.Mirror() != p || (i == 0) != (m == p) {
			t.Errorf("%v is mirrored to %v", p, m)
		}
		if i > 0 && (name[:4] == "left") != (m.String()[:5] == "right") {
			t.Errorf("%v is mirrored to %v", p, m)
		}
	}
	if _, err := keypoint.ParsePart("Nose"); err == nil {
		t.Error("names are exact")
	}
	if _, err := keypoint.Part(23).MarshalText(); err == nil {
		t.Error("part 23 has a name")
	}
}

func TestGroups(t *testing.T) {
	for name, n := range map[string]int{"all": 23, "upperBody": 6, "lowerBody": 6, "leftBody": 6, "rightBody": 6} {
		g, ok := keypoint.Group(name)
		if !ok || g.Len() != n || len(g.List()) != n {
			t.Errorf("%s has %d parts, want %d", name, g.Len(), n)
		}
	}
	if !keypoint.RightBody.Has(keypoint.RightElbow) || keypoint.RightBody.Has(keypoint.LeftElbow) {
		t.Error("the right body has the right elbow")
	}
	if _, ok := keypoint.Group("legs"); ok {
		t.Error("legs is a group")
	}
	if keypoint.Body.Len() != 17 || keypoint.Feet.Len() != 6 || keypoint.Body&keypoint.Feet != 0 || keypoint.Body|keypoint.Feet != keypoint.All {
		t.Error("body and feet are not the two halves of all")
	}
	for _, name := range []string{"upperBody", "lowerBody", "leftBody", "rightBody"} {
		if g, _ := keypoint.Group(name); g&keypoint.Feet != 0 {
			t.Errorf("%s has feet, which the interface does not list", name)
		}
	}
	seen := map[keypoint.Edge]bool{}
	for _, e := range keypoint.Skeleton() {
		seen[e] = true
	}
	for e := range seen {
		if m := (keypoint.Edge{e[0].Mirror(), e[1].Mirror()}); !seen[m] && !seen[keypoint.Edge{m[1], m[0]}] {
			t.Errorf("%v has no twin on the other side", e)
		}
	}
	if len(seen) != 22 {
		t.Errorf("%d edges", len(seen))
	}
	for i, e := range keypoint.Skeleton() {
		if foot := keypoint.Feet.Has(e[0]) || keypoint.Feet.Has(e[1]); foot != (i >= 16) {
			t.Errorf("edge %d is %v: the 16 of the body come first", i, e)
		}
	}
}

func TestOnly(t *testing.T) {
	var f keypoint.Frame
	for p := range keypoint.Part(keypoint.NumParts) {
		f.Set(p, keypoint.Point{float64(p), 1}, 0.5)
	}
	g := f.Only(keypoint.Body)
	if g.Present() != keypoint.Body || f.Present() != keypoint.All || g.Confidence(keypoint.LeftHeel) != 0 {
		t.Errorf("%v of %v", g.Present().List(), f.Present().List())
	}
	for _, p := range keypoint.Feet.List() {
		f.Unset(p)
	}
	if f != g {
		t.Error("a frame without feet differs from one whose feet were dropped")
	}
	if none := f.Only(0); none != (keypoint.Frame{}) {
		t.Error("no parts are left")
	}
}

func TestFrame(t *testing.T) {
	var f keypoint.Frame
	if _, ok := f.At(keypoint.Nose); ok || !f.Empty() {
		t.Error("the zero value has a nose")
	}
	f.Set(keypoint.Nose, keypoint.Point{1, 2}, 3)
	if p, ok := f.At(keypoint.Nose); !ok || p != (keypoint.Point{1, 2}) || f.Confidence(keypoint.Nose) != 1 || f.Len() != 1 {
		t.Errorf("%v %v", p, f.Confidence(keypoint.Nose))
	}
	g := f
	if g != f {
		t.Error("equal frames differ")
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		g.Set(keypoint.Nose, keypoint.Point{bad, 0}, 1)
		if g != (keypoint.Frame{}) {
			t.Errorf("%v enters the frame", bad)
		}
	}
	if _, ok := f.At(99); ok || f.Confidence(99) != 0 {
		t.Error("part 99 is there")
	}
}

func TestSelectors(t *testing.T) {
	var f keypoint.Frame
	f.Set(keypoint.LeftHip, keypoint.Point{10, 40}, 1)
	f.Set(keypoint.RightHip, keypoint.Point{30, 20}, 1)
	hips := []keypoint.Part{keypoint.LeftHip, keypoint.Nose, keypoint.RightHip}
	for _, c := range []struct {
		of   keypoint.Selector
		want keypoint.Point
	}{
		{keypoint.PartSelector(keypoint.LeftHip), keypoint.Point{10, 40}},
		{keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip), keypoint.Point{20, 30}},
		{keypoint.Selector{Type: keypoint.VerticalTop, Parts: hips}, keypoint.Point{30, 20}},
		{keypoint.Selector{Type: keypoint.VerticalDown, Parts: hips}, keypoint.Point{10, 40}},
		{keypoint.Selector{Type: keypoint.HorizontalLeft, Parts: hips}, keypoint.Point{10, 40}},
		{keypoint.Selector{Type: keypoint.HorizontalRight, Parts: hips}, keypoint.Point{30, 20}},
		{keypoint.Selector{Type: keypoint.Centroid, Parts: hips}, keypoint.Point{20, 30}},
	} {
		if got, ok := c.of.At(&f); !ok || got != c.want || c.of.Validate() != nil {
			t.Errorf("%v: %v (%v), want %v", c.of, got, ok, c.want)
		}
	}
	for _, s := range []keypoint.Selector{{}, {Type: keypoint.Midpoint, Parts: hips}, {Type: 99, Parts: hips}, {Type: keypoint.Centroid}, keypoint.PartSelector(23)} {
		if err := s.Validate(); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%v: %v", s, err)
		}
	}
	if _, ok := keypoint.MidpointSelector(keypoint.LeftHip, keypoint.Nose).At(&f); ok {
		t.Error("a midpoint needs both")
	}
}

func TestSequence(t *testing.T) {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 4), Times: []float64{0, 0.25, 0.5, 0.6}}
	if fps, ok := s.FrameRate(); !ok || math.Abs(fps-5) > 1e-9 || math.Abs(s.Duration()-0.6) > 1e-12 {
		t.Errorf("%v frames/s, %v s", fps, s.Duration())
	}
	// In whole milliseconds, as in WebM, and of movies whose rate varies.
	for want, times := range map[float64][]float64{
		30: {0, 0.033, 0.067, 0.1, 0.133, 0.167}, 60: {0.017, 0.033, 0.05, 0.067},
		37.5: {0, 0.04, 0.06, 0.08}, 24: {0, 1. / 30, 2. / 30, 3. / 30, 5. / 30},
	} {
		s := keypoint.Sequence{Frames: make([]keypoint.Frame, len(times)), Times: times}
		if fps, ok := s.FrameRate(); !ok || math.Abs(fps-want) > 1e-12 {
			t.Errorf("%v: %v frames/s, want %v", times, fps, want)
		}
	}
	// Rounded to microseconds, frames of 30 a second are 33,333 or 33,334 apart, those of 29.97 33,366 or 33,367.
	for step, want := range map[float64]float64{0.033333: 30, 0.033334: 30, 0.033366: 30000.0 / 1001, 0.033367: 30000.0 / 1001, 0.04001: 1 / 0.04001, 2: 0.5, 1e-5: 1e5} {
		s := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, step}}
		if fps, ok := s.FrameRate(); !ok || fps != want {
			t.Errorf("%v s: %v frames/s, want %v", step, fps, want)
		}
	}
	for name, bad := range map[string]keypoint.Sequence{
		"number": {Frames: make([]keypoint.Frame, 2), Times: []float64{0}},
		"order":  {Frames: make([]keypoint.Frame, 2), Times: []float64{1, 1}},
		"NaN":    {Frames: make([]keypoint.Frame, 1), Times: []float64{math.NaN()}},
		"size":   {Size: image.Pt(-1, 2)},
	} {
		if err := bad.Validate(); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := json.Marshal(bad); err == nil {
			t.Errorf("%s is written", name)
		}
	}
}

// sequence draws a sequence whose numbers have the decimals that JSON keeps.
func sequence(t *rapid.T) keypoint.Sequence {
	n := rapid.IntRange(0, 4).Draw(t, "frames")
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, n)}
	if rapid.Bool().Draw(t, "sized") {
		s.Size = image.Pt(rapid.IntRange(1, 9999).Draw(t, "width"), rapid.IntRange(1, 9999).Draw(t, "height"))
	}
	hundredth := rapid.IntRange(-10_000_000, 10_000_000)
	for i := range s.Frames {
		for p := range keypoint.Part(keypoint.NumParts) {
			if rapid.Bool().Draw(t, "present") {
				s.Frames[i].Set(p, keypoint.Point{float64(hundredth.Draw(t, "x")) / 100, float64(hundredth.Draw(t, "y")) / 100},
					float64(rapid.IntRange(0, 10_000).Draw(t, "confidence"))/1e4)
			}
		}
	}
	if n > 0 && rapid.Bool().Draw(t, "timed") {
		at := 0
		for range n {
			at += rapid.IntRange(1, 1_000_000).Draw(t, "step")
			s.Times = append(s.Times, float64(at)/1e6)
		}
	}
	return s
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sequence(t)
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back keypoint.Sequence
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if d := cmp.Diff(s, back, cmpopts.EquateComparable(keypoint.Frame{}), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%s\n%s", b, d)
		}
	})
}

func TestJSONForm(t *testing.T) {
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{10.005, -0.001}, 0.87654)
	f.Set(keypoint.LeftKnee, keypoint.Point{1, 2.5}, 1)
	b, err := json.Marshal(keypoint.Sequence{Frames: []keypoint.Frame{f, {}}, Times: []float64{0, 1.0 / 30}, Size: image.Pt(640, 480)})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"width":640,"height":480,"timestamps":[0,0.033333],"keypoint":[{"nose":[10.01,0],"leftKnee":[1,2.5]},{}],` +
		`"scores":[{"nose":0.8765,"leftKnee":1},{}]}`
	if string(b) != want {
		t.Errorf("%s\nwant\n%s", b, want)
	}
	for _, bad := range []string{
		`{"keypoint":[{"knee":[1,2]}]}`, `{"keypoint":[{"nose":[1]}]}`, `{"keypoint":[{"nose":[1,2,3]}]}`, `{"keypoint":[{"nose":"x"}]}`,
		`{"keypoint":[],"colour":1}`, `{"keypoint":[{}],"scores":[]}`, `{"keypoint":[{}],"scores":[{"nose":1}]}`,
		`{"keypoint":[{},{}],"timestamps":[1,0]}`, `[]`, `{`,
	} {
		var s keypoint.Sequence
		if err := json.Unmarshal([]byte(bad), &s); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// TestForms checks that other forms of the same JSON read the same.
func TestForms(t *testing.T) {
	var want keypoint.Sequence
	want.Size = image.Pt(640, 480)
	want.Times = []float64{0.5}
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{-12.25, 0.1}, 0.75)
	want.Frames = []keypoint.Frame{f}
	for _, form := range []string{
		`{"width":640,"height":480,"timestamps":[0.5],"keypoint":[{"nose":[-12.25,0.1]}],"scores":[{"nose":0.75}]}`,
		" {\n\t\"height\" : 480 , \"width\":640,\"keypoint\":[ { \"nose\" : [ -12.25 , 0.1 ] } ],\"scores\":[{\"nose\":0.75}],\"timestamps\":[ 0.5 ] } ",
		`{"width":640,"height":480,"timestamps":[5e-1],"scores":[{"nose":0.75}],"keypoint":[{"nose":[-1225E-2,0.1]}]}`,
		`{"\u0077idth":640,"height":480,"timestamps":[0.50000000000000000000],"keypoint":[{"nose":[-12.25,0.1000000000000000055]}],"scores":[{"nose":0.75}]}`,
	} {
		var got keypoint.Sequence
		if err := json.Unmarshal([]byte(form), &got); err != nil {
			t.Errorf("%s: %v", form, err)
		} else if d := cmp.Diff(want, got, cmpopts.EquateComparable(keypoint.Frame{})); d != "" {
			t.Errorf("%s: %s", form, d)
		}
	}
	for _, bad := range []string{`{"width":01,"keypoint":[]}`, `{"width":1.,"keypoint":[]}`, `{"width":1.5,"keypoint":[]}`, `{"keypoint":[{"nose":[.5,1]}]}`, `{"keypoint":[],}`, `{"keypoint":[]}}`} {
		var got keypoint.Sequence
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s is read", bad)
		}
		if err := got.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s is read by the method", bad)
		}
	}
}

// TestNullScores checks that a null is not read as a confidence.
func TestNullScores(t *testing.T) {
	for bad, where := range map[string][]string{
		`{"keypoint":[{},{"nose":[1,5]}],"scores":[{},null]}`:                                {"frame 1", "null"},
		`{"keypoint":[{}],"scores":[null]}`:                                                  {"frame 0", "null"},
		`{"keypoint":[{"nose":[1,5],"leftEye":[1,2]}],"scores":[{"nose":1,"leftEye":null}]}`: {"frame 0", "leftEye", "null"},
		`{"keypoint":[{}],"scores":[{"nose":null}]}`:                                         {"frame 0", "nose", "null"},
	} {
		var s keypoint.Sequence
		err := json.Unmarshal([]byte(bad), &s)
		for _, w := range where {
			if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v, want an ErrInvalid about %s", bad, err, w)
			}
		}
	}
}

func FuzzSequence(f *testing.F) {
	f.Add([]byte(`{"width":640,"height":480,"timestamps":[0,0.5],"keypoint":[{"nose":[10.01,0]},{}],"scores":[{"nose":0.5},{}]}`))
	f.Add([]byte(`{"timestamps":[0],"keypoint":[{"leftAnkle":[1,2],"leftBigToe":[3,4],"rightHeel":[5,6]}],"scores":[{"leftAnkle":1,"leftBigToe":0.5,"rightHeel":0}]}`))
	f.Add([]byte(`{"keypoint":[{"nose":[1,2]}],"scores":[null]}`))
	f.Add([]byte(`{"keypoint":[{"nose":[1,2]}],"scores":[{"nose":null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s keypoint.Sequence
		if json.Unmarshal(data, &s) != nil {
			return
		}
		var raw struct{ Scores []map[string]any }
		json.Unmarshal(data, &raw)
		for i, scores := range raw.Scores {
			if scores == nil {
				t.Fatalf("the scores of frame %d are null and were read", i)
			}
			for part, v := range scores {
				if v == nil {
					t.Fatalf("the score of %s in frame %d is null and was read", part, i)
				}
			}
		}
		if err := s.Validate(); err != nil {
			t.Fatalf("an invalid sequence was read: %v", err)
		}
		for i := range s.Frames {
			for p := range keypoint.Part(keypoint.NumParts) {
				if pt, ok := s.Frames[i].At(p); ok && (math.IsNaN(pt[0]) || math.IsInf(pt[1], 0)) {
					t.Fatalf("%v entered a frame", pt)
				}
			}
		}
	})
}

func ExampleFrame() {
	var f keypoint.Frame
	f.Set(keypoint.LeftKnee, keypoint.Point{120.5, 300}, 0.9)
	if p, ok := f.At(keypoint.LeftKnee); ok {
		fmt.Println(p[0], p[1], f.Confidence(keypoint.LeftKnee))
	}
	_, ok := f.At(keypoint.RightKnee)
	fmt.Println(ok)
	// Output:
	// 120.5 300 0.9
	// false
}

func BenchmarkSequenceJSON(b *testing.B) {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 1800), Times: make([]float64, 1800)}
	for i := range s.Frames {
		s.Times[i] = float64(i) / 30
		for p := range keypoint.Part(keypoint.NumParts) {
			s.Frames[i].Set(p, keypoint.Point{float64(i) * 0.37, float64(p) * 11.13}, 0.5)
		}
	}
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.MarshalJSON(); err != nil {
				b.Fatal(err)
			}
		}
	})
	data, err := s.MarshalJSON()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var t keypoint.Sequence
			if err := t.UnmarshalJSON(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestUnmirrored: left and right change places, in the picture too, and twice gives the keypoints again.
func TestUnmirrored(t *testing.T) {
	var f keypoint.Frame
	f.Set(keypoint.LeftWrist, keypoint.Point{10, 20}, 0.5)
	f.SetVisibility(keypoint.LeftWrist, 0.25)
	f.Set(keypoint.Nose, keypoint.Point{30, 5}, 1)
	s := keypoint.Sequence{Frames: []keypoint.Frame{f}, Size: image.Pt(100, 50)}
	g := s.Unmirrored().Frames[0]
	at, _ := g.At(keypoint.RightWrist)
	share, _ := g.Visibility(keypoint.RightWrist)
	if nose, _ := g.At(keypoint.Nose); at != (keypoint.Point{90, 20}) || nose != (keypoint.Point{70, 5}) || g.Has(keypoint.LeftWrist) ||
		g.Confidence(keypoint.RightWrist) != 0.5 || share != 0.25 {
		t.Errorf("%v %v %v", at, nose, share)
	}
	s.World = keypoint.World{MetresPerPixel: 0.01, Floor: 3, Origin: keypoint.Point{20, 40}}
	if w := s.Unmirrored().World; w != (keypoint.World{MetresPerPixel: 0.01, Floor: -3, Origin: keypoint.Point{80, 40}}) {
		t.Errorf("%+v", w)
	}
	if s.Unmirrored().Unmirrored().Frames[0] != f {
		t.Error("twice is something else")
	}
}
