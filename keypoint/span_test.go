package keypoint_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

func TestBetween(t *testing.T) {
	movie := keypoint.Sequence{Frames: make([]keypoint.Frame, 5), Times: []float64{0, 0.1, 0.2, 0.300000333, 0.4}}
	image := keypoint.Sequence{Frames: make([]keypoint.Frame, 1)}
	for _, c := range []struct {
		seq      keypoint.Sequence
		from, to float64
		want     keypoint.Span
		ok       bool
	}{
		{movie, 0, 0, keypoint.Span{Last: 4}, true},
		{movie, 0.1, 0.3, keypoint.Span{First: 1, Last: 3}, true}, // the written time is rounded
		{movie, 0.15, 0, keypoint.Span{First: 2, Last: 4}, true},
		{movie, 0, 9, keypoint.Span{Last: 4}, true},
		{movie, 0.5, 0, keypoint.Span{}, false},
		{movie, 0.11, 0.19, keypoint.Span{}, false},
		{image, 0, 0, keypoint.Span{}, true},
		{image, 0, 1, keypoint.Span{}, false},
		{keypoint.Sequence{}, 0, 0, keypoint.Span{Last: -1}, true},
	} {
		got, err := c.seq.Between(c.from, c.to)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, keypoint.ErrInvalid) || c.ok && got != c.want {
			t.Errorf("%d frames, %v s to %v s: %v (%v), want %v (%v)", c.seq.Len(), c.from, c.to, got, err, c.want, c.ok)
		}
		if part, err := c.seq.Cut(got); c.ok && (err != nil || part.Len() != c.want.Last-c.want.First+1) {
			t.Errorf("%d frames of %v: %v", part.Len(), got, err)
		}
	}
}

func TestCut(t *testing.T) {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 5)}
	for _, wrong := range []keypoint.Span{{First: -1, Last: 2}, {First: 2, Last: 1}, {First: 0, Last: -1}, {First: 2, Last: 5}, {First: 5, Last: 5}} {
		if _, err := seq.Cut(wrong); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	b, err := json.Marshal(keypoint.Span{First: 2, Last: 7})
	if err != nil || string(b) != `{"from":2,"to":7}` {
		t.Errorf("%s (%v)", b, err)
	}
}
