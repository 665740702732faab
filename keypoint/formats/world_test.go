package formats_test

import (
	"bytes"
	"errors"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// frames generates frames with any finite coordinates and confidences above a limit.
func frames(least float64) *rapid.Generator[keypoint.Frame] {
	return rapid.Custom(func(t *rapid.T) keypoint.Frame {
		var f keypoint.Frame
		any := rapid.OneOf(rapid.Float64Range(-2000, 2000), rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64))
		for _, p := range rapid.SliceOfDistinct(rapid.IntRange(0, keypoint.NumParts-1), rapid.ID).Draw(t, "parts") {
			at := keypoint.Point{any.Draw(t, "x"), any.Draw(t, "y")}
			f.Set(keypoint.Part(p), at, rapid.Float64Range(least, 1).Draw(t, "confidence"))
		}
		return f
	})
}

// sequences generates recordings; timed says whether they have times.
func sequences(least float64, timed bool) *rapid.Generator[keypoint.Sequence] {
	return rapid.Custom(func(t *rapid.T) keypoint.Sequence {
		s := keypoint.Sequence{Frames: rapid.SliceOfN(frames(least), 1, 6).Draw(t, "frames")}
		if timed {
			at := rapid.Float64Range(-10, 10).Draw(t, "start")
			for range s.Frames {
				s.Times = append(s.Times, at)
				at += rapid.Float64Range(1e-3, 2).Draw(t, "step")
			}
		}
		if rapid.Bool().Draw(t, "sized") {
			s.Size = image.Pt(rapid.IntRange(1, 9000).Draw(t, "width"), rapid.IntRange(1, 9000).Draw(t, "height"))
		}
		return s
	})
}

// sure gives every part the confidence 1, as formats without confidences do.
func sure(s keypoint.Sequence) keypoint.Sequence {
	s = s.Clone()
	for i := range s.Frames {
		f := &s.Frames[i]
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			f.Set(p, at, 1)
		}
	}
	return s
}

// diff compares recordings.
func diff(want, got keypoint.Sequence) string {
	return cmp.Diff(want, got, cmp.Comparer(func(a, b keypoint.Frame) bool { return a == b }))
}

// written returns the output of a writer.
func written(t interface{ Fatal(...any) }, write func(*bytes.Buffer) error) string {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wrongs checks that inputs are refused with messages that contain a text.
func wrongs(t *testing.T, read func(text string) error, cases map[string][2]string) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := read(c[0])
			if err == nil || !strings.Contains(err.Error(), c[1]) {
				t.Fatalf("%v, want %q in it", err, c[1])
			}
			var place *formats.Error
			if !errors.Is(err, keypoint.ErrInvalid) || !errors.As(err, &place) {
				t.Errorf("%T is no formats.Error of the kind ErrInvalid", err)
			}
		})
	}
}

// sound checks what is true of every sequence that was read.
func sound(t *testing.T, s keypoint.Sequence, err error) {
	t.Helper()
	if err != nil {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Fatalf("%v is no ErrInvalid", err)
		}
		return
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	for i := range s.Frames {
		for p := range keypoint.Part(keypoint.NumParts) {
			at, ok := s.Frames[i].At(p)
			if !ok && at != (keypoint.Point{}) || math.IsNaN(at[0]+0*at[1]) || math.IsInf(at[0], 0) || math.IsInf(at[1], 0) {
				t.Fatalf("frame %d has %v at %v", i, p, at)
			}
		}
	}
}

// short is a movie of three frames, one of them empty.
func short() keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 3), Times: []float64{0, 0.04, 0.08}, Size: image.Pt(640, 480)}
	s.Frames[0].Set(keypoint.Nose, keypoint.Point{317.4, 88.12}, 0.91)
	s.Frames[0].Set(keypoint.LeftShoulder, keypoint.Point{340, 130.5}, 0.8)
	s.Frames[2].Set(keypoint.LeftShoulder, keypoint.Point{341, 130}, 0.75)
	return s
}

var errBroken = errors.New("broken")

// broken fails to read and to write.
type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }
