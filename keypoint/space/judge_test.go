package space_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// TestReasons: recordings that do not belong together are refused, with the reason.
func TestReasons(t *testing.T) {
	a, b := sample.Camera(mgl64.Vec3{0, 1, 5}, mgl64.Vec3{0, 1, 0}, 900), sample.Camera(mgl64.Vec3{4.9, 1.1, 1}, mgl64.Vec3{0, 1, 0}, 950)
	first, second := sample.Film(a, 150), sample.Film(b, 150)
	change := func(seq keypoint.Sequence, do func(s *keypoint.Sequence)) keypoint.Sequence {
		seq = seq.Clone()
		do(&seq)
		return seq
	}
	still := func(s *keypoint.Sequence) {
		for i := range s.Frames {
			s.Frames[i] = s.Frames[0]
		}
	}
	sure := func(s *keypoint.Sequence) { // as points of a network are: those without a confidence say less
		for i := range s.Frames {
			for _, p := range s.Frames[i].Present().List() {
				at, _ := s.Frames[i].At(p)
				s.Frames[i].Set(p, at, 0.95)
			}
		}
	}
	first, second = change(first, sure), change(second, sure)
	for _, c := range []struct {
		name  string
		views [2]keypoint.Sequence
		want  space.Reason
	}{
		{"backwards", [2]keypoint.Sequence{first, change(second, func(s *keypoint.Sequence) { slices.Reverse(s.Frames) })}, "notSame"},
		{"slower", [2]keypoint.Sequence{first, change(second, func(s *keypoint.Sequence) {
			for i := range s.Times {
				s.Times[i] *= 1.4
			}
		})}, "notSame"},
		{"one stands", [2]keypoint.Sequence{first, change(second, still)}, "notSame"},
		{"both stand", [2]keypoint.Sequence{change(first, still), change(second, still)}, "still"},
		{"the same camera", [2]keypoint.Sequence{first, first}, "angle"},
		{"less than a second", [2]keypoint.Sequence{first.Slice(0, 20), second}, "tooLittleSeen"},
	} {
		_, err := space.Join(c.views[:], space.Options{})
		var refused *space.Error
		if !errors.As(err, &refused) || refused.Reason != c.want || !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
