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
// the upright picture; a third number is the confidence, 0 to 1, without it 1. Some tools write
// scores above 1, which count as 1: clipped is their number. A frame without keypoints has nobody.
// Other members are ignored.
//
// The JSON form of a keypoint.Sequence with times, an object with keypoint and
// timestamps, is also accepted; its scores are clamped and not counted.
//
// An error wraps keypoint.ErrInvalid and has each mistake with its JSON Pointer. A file of more than
// 64 MiB is an error.
func ReadReference(r io.Reader) (s keypoint.Sequence, clipped int, err error) {
	data, err := readOwn(r)
	if err != nil {
		return keypoint.Sequence{}, 0, err
	}
	doc, err := strictjson.Parse(data)
	if err != nil {
		return keypoint.Sequence{}, 0, invalid("%w", err)
	}
	root := doc.Root()
	if root.Get("keypoint").Present() {
		if err := s.UnmarshalJSON(data); err != nil {
			return keypoint.Sequence{}, 0, err
		}
		if err := timed("the sequence", s); err != nil {
			return keypoint.Sequence{}, 0, err
		}
		return s, 0, nil
	}
	if root.Require("an object with frames") && isObject(root) {
		if frames := root.Get("frames"); frames.Require("an array of frames") {
			list, _ := frames.Array()
			for _, v := range list {
				clipped += referenceFrame(&s, v)
			}
		}
	}
	if err := doc.Err(); err != nil {
		return keypoint.Sequence{}, 0, invalid("%w", err)
	}
	return s, clipped, nil
}

// referenceFrame appends a frame to s, and returns the number of confidences above 1.
func referenceFrame(s *keypoint.Sequence, v strictjson.Value) (clipped int) {
	if !v.Require("a frame") || !isObject(v) {
		return 0
	}
	t := v.Get("t")
	if !t.Require("seconds from the start of the movie") {
		return 0
	}
	at, ok := t.Number()
	if !ok {
		return 0
	}
	if n := len(s.Times); at < 0 || n > 0 && at <= s.Times[n-1] {
		t.Errorf("is %v, want 0 or more, and more than in the frame before", at)
		return 0
	}
	var f keypoint.Frame
	if parts := v.Get("keypoints"); parts.Require("an object from part name to [x, y]") && parts.Known(partNames()...) {
		for p := range keypoint.Part(keypoint.NumBody) {
			if m := parts.Get(p.String()); m.Present() {
				if referencePart(&f, p, m) {
					clipped++
				}
			}
		}
	}
	s.Times = append(s.Times, at)
	s.Frames = append(s.Frames, f)
	return clipped
}

// referencePart reads [x, y] or [x, y, confidence], and reports whether the confidence is above 1.
func referencePart(f *keypoint.Frame, p keypoint.Part, v strictjson.Value) (clipped bool) {
	count := 2
	if list, ok := v.Array(); ok && len(list) == 3 {
		count = 3
	} else if !ok {
		return false
	}
	n, ok := pixels(v, count, "[x, y] or [x, y, confidence]")
	if !ok {
		return false
	}
	confidence := 1.0
	if count == 3 {
		confidence = n[2]
		if confidence < 0 {
			v.Errorf("has the confidence %v, want 0 to 1", confidence)
			return false
		}
	}
	f.Set(p, keypoint.Point{n[0], n[1]}, confidence) // clamps it
	return confidence > 1
}
