package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// landmarks are read in a unit that is not told from them.
type landmarks struct {
	normalised bool
	opt        formats.Options
}

func (l landmarks) read(r io.Reader) (keypoint.Sequence, error) {
	return formats.ReadLandmarks(r, l.normalised, l.opt)
}

// TestMediaPipeOfTensorFlow reads the landmarks that TensorFlow.js expects for a movie, and compares
// them with the keypoints that were made from them.
func TestMediaPipeOfTensorFlow(t *testing.T) {
	f, err := os.Open(testkit.Data(t, "videos/tfjs_squats/blazepose_33_px.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := formats.Read(f, "", formats.Options{Size: image.Pt(720, 1280), Rate: 5})
	if err != nil {
		t.Fatal(err)
	}
	near(t, reference(t, "tfjs_squats/reference_keypoints.json"), s.Frames)
	if s.Size != image.Pt(720, 1280) || len(s.Times) != 65 || s.Times[64] != 12.8 {
		t.Errorf("%v, %v", s.Size, s.Times)
	}
}

// TestMediaPipeUnitsOfTensorFlow reads landmarks of real recordings in the wrong unit.
func TestMediaPipeUnitsOfTensorFlow(t *testing.T) {
	for name, c := range map[string]struct {
		opt  landmarks
		want string
	}{
		"blazepose_33_px.json":        {landmarks{true, formats.Options{Size: image.Pt(720, 1280)}}, "they look like pixels"},
		"blazepose_33_world_m.json #": {landmarks{true, formats.Options{Size: image.Pt(720, 1280)}}, "these are landmarks in metres"},
		"blazepose_33_world_m.json":   {landmarks{opt: formats.Options{Size: image.Pt(720, 1280)}}, "they look normalised"},
	} {
		b, err := os.ReadFile(testkit.Data(t, "videos/tfjs_squats/"+strings.TrimSuffix(name, " #")))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.opt.read(bytes.NewReader(b)); !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// somebody draws the 33 landmarks, in pixels, of a person of at least 10 pixels. Less than half of
// the parts may be far outside the picture, and some at (0, 0), as if they had not been found.
func somebody(t *rapid.T) (size image.Point, landmarks [33]keypoint.Point) {
	size = image.Pt(rapid.IntRange(32, 4000).Draw(t, "width"), rapid.IntRange(32, 4000).Draw(t, "height"))
	w, h := float64(size.X), float64(size.Y)
	outside, missing := rapid.IntRange(0, 8).Draw(t, "outside"), rapid.IntRange(0, 5).Draw(t, "missing")
	for i := range landmarks {
		at := keypoint.Point{rapid.Float64Range(5, w).Draw(t, "x"), rapid.Float64Range(5, h).Draw(t, "y")}
		switch {
		case i < outside:
			at = keypoint.Point{rapid.Float64Range(-9*w, 10*w).Draw(t, "x"), rapid.Float64Range(-9*h, 10*h).Draw(t, "y")}
		case i < outside+missing:
			at = keypoint.Point{}
		}
		landmarks[i] = at
	}
	// Two parts that are inside, for the size of the person.
	landmarks[27], landmarks[28] = keypoint.Point{5, 5}, keypoint.Point{15, 15}
	return size, landmarks
}

// TestMediaPipeUnits: people are read in the unit in which they are written, wherever they stand,
// and refused in the other one.
func TestMediaPipeUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, landmarks := somebody(t)
		read := func(unit keypoint.Point, normalised bool) error {
			text := "[null," + pose(func(i int) string {
				return fmt.Sprintf("[%g,%g]", landmarks[i][0]/unit[0], landmarks[i][1]/unit[1])
			}) + "]"
			_, err := formats.ReadLandmarks(strings.NewReader(text), normalised, formats.Options{Size: size})
			return err
		}
		pixels, shares := keypoint.Point{1, 1}, keypoint.Point{float64(size.X), float64(size.Y)}
		if err := read(pixels, false); err != nil {
			t.Fatalf("pixels: %v", err)
		}
		if err := read(shares, true); err != nil {
			t.Fatalf("normalised: %v", err)
		}
		var wrong *formats.Error
		if err := read(pixels, true); !errors.As(err, &wrong) || wrong.Member != "/1" || !strings.Contains(wrong.Detail, "they look like pixels") {
			t.Fatalf("pixels read as normalised: %v", err)
		}
		inside := true // no part beyond 4 widths and heights
		for i, p := range landmarks {
			inside = inside && (i > 8 || math.Abs(p[0]) <= 4*shares[0] && math.Abs(p[1]) <= 4*shares[1])
		}
		err := read(shares, false)
		if inside && (!errors.As(err, &wrong) || wrong.Member != "/1" || !strings.Contains(wrong.Detail, "they look normalised")) {
			t.Fatalf("normalised read as pixels: %v", err)
		}
	})
}

// TestMediaPipeUnitsUnknown: landmarks that show no unit are read in the unit of the options.
func TestMediaPipeUnitsUnknown(t *testing.T) {
	small := func(n int) string { // n parts within a pixel
		return pose(func(i int) string {
			if i < 11 && i > 8 || i > 10+n {
				return "[0,0]"
			}
			return fmt.Sprintf("[%g,0.5]", float64(i)/33)
		})
	}
	for name, c := range map[string]struct {
		text string
		opt  landmarks
		bad  bool
	}{
		"few parts":        {pose(func(i int) string { return map[bool]string{true: fmt.Sprintf("[0.%d,1]", i), false: "null"}[i < 8] }), landmarks{}, false},
		"enough parts":     {small(4), landmarks{}, true},
		"a tiny picture":   {small(4), landmarks{opt: formats.Options{Size: image.Pt(16, 9)}}, false},
		"a small picture":  {small(4), landmarks{opt: formats.Options{Size: image.Pt(17, 9)}}, true},
		"nobody":           {pose(func(int) string { return "[0,0]" }), landmarks{}, false},
		"all at one point": {pose(func(int) string { return "[0.5,0.5]" }), landmarks{}, false},
		"far at one point": {pose(func(int) string { return "[50,50]" }), landmarks{true, formats.Options{Size: image.Pt(64, 64)}}, false},
	} {
		if _, err := c.opt.read(strings.NewReader("[" + c.text + "]")); (err != nil) != c.bad {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMediaPipeOrder compares the order of the parts with MediaPipe's own list of names.
func TestMediaPipeOrder(t *testing.T) {
	names := strings.Fields("nose - leftEye - - rightEye - leftEar rightEar - - leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist " +
		"- - - - - - leftHip rightHip leftKnee rightKnee leftAnkle rightAnkle - - - -")
	s, err := formats.ReadLandmarks(strings.NewReader("["+pose(func(i int) string { return fmt.Sprintf("[%d,%d.5,7,0.25]", i, i) })+"]"), false, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if name == "-" {
			continue
		}
		p, err := keypoint.ParsePart(name)
		if err != nil {
			t.Fatal(err)
		}
		if at, ok := s.Frames[0].At(p); !ok || at != (keypoint.Point{float64(i), float64(i) + 0.5}) || s.Frames[0].Confidence(p) != 0.25 {
			t.Errorf("%v is at %v, want landmark %d", p, at, i)
		}
	}
}

// pose writes 33 landmarks.
func pose(landmark func(i int) string) string {
	list := make([]string, 33)
	for i := range list {
		list[i] = landmark(i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

func TestMediaPipeForms(t *testing.T) {
	for name, c := range map[string]struct {
		landmark   string
		opt        landmarks
		want       keypoint.Point
		confidence float64 // 0 for absent
	}{
		"x and y":    {`[3,4]`, landmarks{}, keypoint.Point{3, 4}, 1},
		"z":          {`[3,4,5]`, landmarks{}, keypoint.Point{3, 4}, 1},
		"visibility": {`[3,4,null,0.5]`, landmarks{}, keypoint.Point{3, 4}, 0.5},
		"object":     {`{"x":3,"y":4,"z":5,"visibility":0.5,"presence":0.1}`, landmarks{}, keypoint.Point{3, 4}, 0.5},
		"score":      {`{"x":3,"y":4,"score":0.75,"name":"nose"}`, landmarks{}, keypoint.Point{3, 4}, 0.75},
		"normalised": {`{"x":0.25,"y":-0.5}`, landmarks{true, formats.Options{Size: image.Pt(640, 480)}}, keypoint.Point{160, -240}, 1},
		"null":       {`null`, landmarks{}, keypoint.Point{}, 0},
		"null x":     {`[null,4]`, landmarks{}, keypoint.Point{}, 0},
		"null y":     {`{"x":3,"y":null}`, landmarks{}, keypoint.Point{}, 0},
		"too far":    {`[1e308,4]`, landmarks{true, formats.Options{Size: image.Pt(640, 480)}}, keypoint.Point{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text := "[null, [], " + pose(func(int) string { return c.landmark }) + "]"
			s, err := c.opt.read(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			f := s.Frames[2]
			if at, ok := f.At(keypoint.LeftKnee); s.Len() != 3 || !s.Frames[0].Empty() || !s.Frames[1].Empty() ||
				at != c.want || f.Confidence(keypoint.LeftKnee) != c.confidence || ok != (c.confidence > 0) {
				t.Errorf("%v %v, want %v", s.Frames, at, c.want)
			}
		})
	}
}

// TestMediaPipeFrames reads what programs dump: an object with the frames of a movie and their rate.
func TestMediaPipeFrames(t *testing.T) {
	landmarks := pose(func(i int) string { return fmt.Sprintf(`{"x":0.%02d,"y":0.5,"z":-0.1,"visibility":0.75}`, i+10) })
	size := image.Pt(1000, 500)
	frames := `"frames":[{"frame":0,"landmarks":` + landmarks + `},{"frame":1,"landmarks":null},{"frame":2,"landmarks":[]},null]`
	for name, c := range map[string]struct {
		text string
		rate float64 // of the options
		step float64 // seconds
	}{
		"rate behind": {"{" + frames + `,"fps":25,"model":{"name":"full"}}`, 0, 0.04},
		"rate before": {` {"video":{"name":"a \"frames\" film","size":[1,2]},"fps":12.5,` + frames + "}\n", 0, 0.08},
		"rate twice":  {`{"fps":25,` + frames + "}", 25, 0.04},
		"no rate":     {"{" + frames + "}", 50, 0.02},
		"null rate":   {`{"fps":null,` + frames + "}", 50, 0.02},
		"own times": {`{"fps":25,"frames":[{"timestamp_ms":10,"landmarks":` + landmarks + `},{"timestamp_ms":20,"landmarks":null},
			{"timestamp_ms":30,"landmarks":null},{"timestamp_ms":40,"landmarks":null}]}`, 0, 0.01},
	} {
		s, err := formats.Read(strings.NewReader(c.text), "", formats.Options{Size: size, Rate: c.rate})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		at, _ := s.Frames[0].At(keypoint.RightAnkle)
		if s.Len() != 4 || at != (keypoint.Point{380, 250}) || s.Frames[0].Confidence(keypoint.RightAnkle) != 0.75 {
			t.Errorf("%s: %d frames, the ankle at %v", name, s.Len(), at)
		}
		for i := range s.Frames {
			if i > 0 && !s.Frames[i].Empty() || math.Abs(s.Times[i]-float64(i)*c.step) > 1e-12 {
				t.Errorf("%s: frame %d at %v s has %v", name, i, s.Times[i], s.Frames[i])
			}
		}
	}
	for name, c := range map[string][2]string{
		"a text as rate": {`{"fps":"25",` + frames + "}", "/fps: is a string, want a number"},
		"no such rate":   {`{"fps":-1,` + frames + "}", "/fps: is -1, want 0.001"},
		"another rate":   {`{"fps":60,` + frames + "}", "Rate: is 25, but the file has times of 60"},
		"no array":       {`{"landmarks":1,"frames":7}`, "/0/landmarks: is a number"},
		"frames no list": {`{"frames":{"landmarks":null}}`, "/frames: is an object, want an array"},
		"no landmarks":   {`{"fps":25,"frames":[{"landmarks":null},{"pose":[]}]}`, "/frames/1: has no landmarks"},
		"few landmarks":  {`{"frames":[{"landmarks":[{"x":1,"y":1}]}],"fps":25}`, "/frames/0/landmarks: has 1 landmarks, want 33"},
		"more":           {`{"frames":[]}{"frames":[]}`, "there is more after the document"},
	} {
		_, err := formats.Read(strings.NewReader(c[0]), "mediapipe", formats.Options{Size: size, Rate: 25})
		if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q", name, err, c[1])
		}
	}
	_, err := formats.Read(strings.NewReader("{"+frames+"}"), "", formats.Options{Size: size, Rate: 25, Limits: formats.Limits{Frames: 3}})
	if err == nil || !strings.Contains(err.Error(), "/frames/3: there are more than 3 frames") {
		t.Errorf("too many frames: %v", err)
	}
}

func TestMediaPipeWrong(t *testing.T) {
	read := func(text string) error {
		_, err := formats.ReadLandmarks(strings.NewReader(text), false, formats.Options{})
		return err
	}
	all := func(landmark string) string { return "[" + pose(func(int) string { return landmark }) + "]" }
	wrongs(t, read, map[string][2]string{
		"empty":          {"", "the document ends too early"},
		"an object":      {"{}", "/0: has no landmarks, want one of pose_landmarks"},
		"a number":       {"[1]", "/0: is a number, want an array of 33 landmarks"},
		"too few":        {"[[[1,2]]]", "/0: has 1 landmarks, want 33"},
		"too many":       {"[[" + strings.Repeat("[1,2],", 33) + "[1,2]]]", "/0: has 34 landmarks, want 33"},
		"no landmark":    {all("1"), "/0/0: is a number, want an object"},
		"one number":     {all("[1]"), "/0/0: has 1 numbers, want x, y"},
		"five numbers":   {all("[1,2,3,4,5]"), "/0/0: has 5 numbers"},
		"a text":         {all(`["1",2]`), "/0/0: is a string, want a number"},
		"a text in x":    {all(`{"x":"1","y":2}`), "/0/0/x: is a string, want a number"},
		"a text in y":    {all(`{"x":1,"y":[2]}`), "/0/0/y: is an array, want a number"},
		"no y":           {all(`{"x":1}`), "/0/0: lacks x or y"},
		"out of range":   {all("[1e999,2]"), "/0/0: is the number 1e999, want a number"},
		"more":           {"[] []", "there is more after the document"},
		"no JSON":        {"[[}", "is not JSON"},
		"nested":         {"[[[[[[[1,2]]]]]]]", "/0/0/0/0: is nested too deeply"},
		"not to its end": {"[[[1,2]", "the document ends too early"},
	})
	for name, c := range map[string]struct {
		opt  landmarks
		want string
	}{
		"no size": {landmarks{normalised: true}, "Size: is (0,0), want the size"},
		"frames":  {landmarks{opt: formats.Options{Limits: formats.Limits{Frames: 1}}}, "/1: there are more than 1 frames"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.opt.read(strings.NewReader("[null,null]"))
			if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q in it", err, c.want)
			}
		})
	}
	if _, err := formats.ReadLandmarks(broken{}, false, formats.Options{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

func FuzzReadMediaPipe(f *testing.F) {
	f.Add("[null,[],"+pose(func(i int) string { return fmt.Sprintf("[%d,%d]", i, i) })+"]", false)
	f.Add("["+pose(func(i int) string { return `{"x":0.5,"y":0.25,"visibility":0.5}` })+"]", true)
	f.Add(`{"fps":25,"frames":[{"landmarks":null},{"landmarks":`+pose(func(i int) string { return fmt.Sprintf("[%d,%d]", i, i) })+"}]}", false)
	f.Fuzz(func(t *testing.T, text string, normalised bool) {
		opt := landmarks{normalised, formats.Options{Size: image.Pt(640, 480), Limits: formats.Limits{Frames: 1000}}}
		s, err := opt.read(strings.NewReader(text))
		sound(t, s, err)
	})
}
