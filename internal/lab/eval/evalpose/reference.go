package evalpose

import (
	"io"

	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// ReadReference reads the reference keypoints of a movie:
//
//	{"frames": [{"t": 0.04, "keypoints": {"nose": [367, 81], "leftEye": [374, 73, 0.9]}}]}
//
// t is in seconds from the start of the movie and increases; coordinates are pixels of
// the upright picture; a third number is the confidence, 0 to 1, without it 1. A frame
// without keypoints has nobody. Other members are ignored.
//
// The JSON form of a keypoint.Sequence with times, an object with keypoint and
// timestamps, is also accepted.
//
// An error wraps keypoint.ErrInvalid and has each mistake with its JSON Pointer. A file of more than
// 64 MiB is an error.
func ReadReference(r io.Reader) (keypoint.Sequence, error) {
	data, err := readOwn(r)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	doc, err := strictjson.Parse(data)
	if err != nil {
		return keypoint.Sequence{}, invalid("%w", err)
	}
	root := doc.Root()
	if root.Get("keypoint").Present() {
		var s keypoint.Sequence
		if err := s.UnmarshalJSON(data); err != nil {
			return keypoint.Sequence{}, err
		}
		if err := timed("the sequence", s); err != nil {
			return keypoint.Sequence{}, err
		}
		return s, nil
	}
	var s keypoint.Sequence
	if root.Require("an object with frames") && isObject(root) {
		if frames := root.Get("frames"); frames.Require("an array of frames") {
			list, _ := frames.Array()
			for _, v := range list {
				referenceFrame(&s, v)
			}
		}
	}
	if err := doc.Err(); err != nil {
		return keypoint.Sequence{}, invalid("%w", err)
	}
	return s, nil
}

// referenceFrame appends a frame to s.
func referenceFrame(s *keypoint.Sequence, v strictjson.Value) {
	if !v.Require("a frame") || !isObject(v) {
		return
	}
	t := v.Get("t")
	if !t.Require("seconds from the start of the movie") {
		return
	}
	at, ok := t.Number()
	if !ok {
		return
	}
	if n := len(s.Times); at < 0 || n > 0 && at <= s.Times[n-1] {
		t.Errorf("is %v, want 0 or more, and more than in the frame before", at)
		return
	}
	var f keypoint.Frame
	if parts := v.Get("keypoints"); parts.Require("an object from part name to [x, y]") && parts.Known(partNames()...) {
		for p := range keypoint.Part(keypoint.NumParts) {
			if m := parts.Get(p.String()); m.Present() {
				referencePart(&f, p, m)
			}
		}
	}
	s.Times = append(s.Times, at)
	s.Frames = append(s.Frames, f)
}

// referencePart reads [x, y] or [x, y, confidence].
func referencePart(f *keypoint.Frame, p keypoint.Part, v strictjson.Value) {
	count := 2
	if list, ok := v.Array(); ok && len(list) == 3 {
		count = 3
	} else if !ok {
		return
	}
	n, ok := pixels(v, count, "[x, y] or [x, y, confidence]")
	if !ok {
		return
	}
	confidence := 1.0
	if count == 3 {
		confidence = n[2]
		if confidence < 0 || confidence > 1 {
			v.Errorf("has the confidence %v, want 0 to 1", confidence)
			return
		}
	}
	f.Set(p, keypoint.Point{n[0], n[1]}, confidence)
}
