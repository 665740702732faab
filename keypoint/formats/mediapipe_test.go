package formats_test

import (
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// TestMediaPipeOfTensorFlow reads the landmarks that TensorFlow.js expects of a movie, and
// holds them against the keypoints that were made of them.
func TestMediaPipeOfTensorFlow(t *testing.T) {
	f, err := os.Open(testkit.Data(t, "videos/tfjs_squats/blazepose_33_px.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := formats.ReadMediaPipe(f, formats.MediaPipeOptions{Size: image.Pt(720, 1280), FrameRate: 5})
	if err != nil {
		t.Fatal(err)
	}
	near(t, reference(t, "tfjs_squats/reference_keypoints.json"), s.Frames)
	if s.Size != image.Pt(720, 1280) || len(s.Times) != 65 || s.Times[64] != 12.8 {
		t.Errorf("%v, %v", s.Size, s.Times)
	}
}

// TestMediaPipeOrder holds the places of the parts against MediaPipe's own list of names.
func TestMediaPipeOrder(t *testing.T) {
	names := strings.Fields("nose - leftEye - - rightEye - leftEar rightEar - - leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist " +
		"- - - - - - leftHip rightHip leftKnee rightKnee leftAnkle rightAnkle - - - -")
	s, err := formats.ReadMediaPipe(strings.NewReader("["+pose(func(i int) string { return fmt.Sprintf("[%d,%d.5,7,0.25]", i, i) })+"]"), formats.MediaPipeOptions{})
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
		opt        formats.MediaPipeOptions
		want       keypoint.Point
		confidence float64 // 0 for absent
	}{
		"x and y":    {`[3,4]`, formats.MediaPipeOptions{}, keypoint.Point{3, 4}, 1},
		"z":          {`[3,4,5]`, formats.MediaPipeOptions{}, keypoint.Point{3, 4}, 1},
		"visibility": {`[3,4,null,0.5]`, formats.MediaPipeOptions{}, keypoint.Point{3, 4}, 0.5},
		"object":     {`{"x":3,"y":4,"z":5,"visibility":0.5,"presence":0.1}`, formats.MediaPipeOptions{}, keypoint.Point{3, 4}, 0.5},
		"score":      {`{"x":3,"y":4,"score":0.75,"name":"nose"}`, formats.MediaPipeOptions{}, keypoint.Point{3, 4}, 0.75},
		"normalised": {`{"x":0.25,"y":-0.5}`, formats.MediaPipeOptions{Normalised: true, Size: image.Pt(640, 480)}, keypoint.Point{160, -240}, 1},
		"null":       {`null`, formats.MediaPipeOptions{}, keypoint.Point{}, 0},
		"null x":     {`[null,4]`, formats.MediaPipeOptions{}, keypoint.Point{}, 0},
		"null y":     {`{"x":3,"y":null}`, formats.MediaPipeOptions{}, keypoint.Point{}, 0},
		"too far":    {`[1e308,4]`, formats.MediaPipeOptions{Normalised: true, Size: image.Pt(640, 480)}, keypoint.Point{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text := "[null, [], " + pose(func(int) string { return c.landmark }) + "]"
			s, err := formats.ReadMediaPipe(strings.NewReader(text), c.opt)
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

func TestMediaPipeWrong(t *testing.T) {
	read := func(text string) error {
		_, err := formats.ReadMediaPipe(strings.NewReader(text), formats.MediaPipeOptions{})
		return err
	}
	all := func(landmark string) string { return "[" + pose(func(int) string { return landmark }) + "]" }
	wrongs(t, read, map[string][2]string{
		"empty":          {"", "the document ends too early"},
		"an object":      {"{}", "is an object, want an array"},
		"a number":       {"[1]", "/0: is a number, want an array of 33 landmarks"},
		"too few":        {"[[[1,2]]]", "/0: has 1 landmarks, want 33"},
		"too many":       {"[[" + strings.Repeat("[1,2],", 33) + "[1,2]]]", "/0: has more than 33 landmarks"},
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
		"not to its end": {"[[[1,2]", "the document ends too early"},
	})
	for name, c := range map[string]struct {
		opt  formats.MediaPipeOptions
		want string
	}{
		"no size":    {formats.MediaPipeOptions{Normalised: true}, "Size: is (0,0), want the size"},
		"size":       {formats.MediaPipeOptions{Size: image.Pt(-1, 1)}, "Size: is (-1,1)"},
		"frame rate": {formats.MediaPipeOptions{FrameRate: math.NaN()}, "FrameRate: is NaN"},
		"frames":     {formats.MediaPipeOptions{Limits: formats.Limits{Frames: 1}}, "/1: there are more than 1 frames"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := formats.ReadMediaPipe(strings.NewReader("[null,null]"), c.opt)
			if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q in it", err, c.want)
			}
		})
	}
	if _, err := formats.ReadMediaPipe(broken{}, formats.MediaPipeOptions{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

func FuzzReadMediaPipe(f *testing.F) {
	f.Add("[null,[],"+pose(func(i int) string { return fmt.Sprintf("[%d,%d]", i, i) })+"]", false)
	f.Add("["+pose(func(i int) string { return `{"x":0.5,"y":0.25,"visibility":0.5}` })+"]", true)
	f.Fuzz(func(t *testing.T, text string, normalised bool) {
		opt := formats.MediaPipeOptions{Normalised: normalised, Size: image.Pt(640, 480), FrameRate: 30, Limits: formats.Limits{Frames: 1000}}
		s, err := formats.ReadMediaPipe(strings.NewReader(text), opt)
		sound(t, s, err)
	})
}
