package formats

import (
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// landmarks are the places of the parts among the 33 landmarks, −1 for none.
var landmarks = [keypoint.NumParts]int{0, 2, 5, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28, 31, 32, -1, -1, 29, 30}

const numLandmarks = 33

// MediaPipeOptions configure ReadMediaPipe. The zero value reads landmarks in pixels of a recording without times.
type MediaPipeOptions struct {
	Normalised bool        // x and y are shares of the width and height of the picture, which Size must give; false: pixels
	Size       image.Point // width and height of the picture in pixels, and of the sequence; zero if unknown
	FrameRate  float64     // frames per second: frame i is at i / FrameRate seconds; 0: no times
	Limits     Limits
}

func (o MediaPipeOptions) validate() error {
	switch {
	case o.Size.X < 0 || o.Size.Y < 0:
		return wrong("MediaPipe", "Size", "is %v, want no negative number", o.Size)
	case o.Normalised && (o.Size.X == 0 || o.Size.Y == 0):
		return wrong("MediaPipe", "Size", "is %v, want the size of the picture, of which normalised landmarks are shares", o.Size)
	}
	return checkRate("MediaPipe", o.FrameRate)
}

// ReadMediaPipe reads the landmarks of MediaPipe Pose (BlazePose) from a JSON array with one element per frame: an array
// of the 33 landmarks, or an empty array or null for a frame without a person. A landmark is an array or an object:
//
//	[x, y]   [x, y, z]   [x, y, z, visibility]
//	{"x": 360.1, "y": 238.05, "z": -152.4, "visibility": 0.99}
//
// with "score" instead of "visibility" as in TensorFlow.js. Visibility becomes the confidence, 1 if missing. The foot
// index is the big toe; MediaPipe has no small toes. z, other members and landmarks other than the parts are ignored. A
// landmark that is null, whose x or y is null, or that is at (0, 0) with a visibility of 0 is absent.
//
// A frame of six or more parts that contradicts the unit of the options is an Error that says what to change: read as
// pixels, all lie within 4 of the corner; read as normalised, more than half lie beyond. Landmarks in metres ("world")
// that are read as normalised give wrong results.
func ReadMediaPipe(r io.Reader, opt MediaPipeOptions) (keypoint.Sequence, error) {
	if err := opt.validate(); err != nil {
		return keypoint.Sequence{}, err
	}
	in := opt.Limits.json("MediaPipe", r)
	s := keypoint.Sequence{Size: opt.Size}
	err := in.array("", func(i int, pointer string) error {
		if detail := opt.Limits.tooMany(i + 1); detail != "" {
			return in.wrong(pointer, "%s", detail)
		}
		f, err := opt.frame(in, pointer)
		s.Frames = append(s.Frames, f)
		return err
	})
	if err == nil {
		err = in.end()
	}
	if err != nil {
		return keypoint.Sequence{}, err
	}
	s.Times = atRate(len(s.Frames), opt.FrameRate)
	return s, nil
}

// frame reads the landmarks of a frame.
func (o MediaPipeOptions) frame(in *jsonReader, pointer string) (f keypoint.Frame, err error) {
	token, err := in.Token()
	switch {
	case err != nil:
		return f, in.fault(pointer, err)
	case token == nil:
		return f, nil
	case token != json.Delim('['):
		return f, in.wrong(pointer, "is %s, want an array of 33 landmarks, or null", kindOf(token))
	}
	var raw []keypoint.Point // the parts as they are written
	scale := keypoint.Point{1, 1}
	if o.Normalised {
		scale = keypoint.Point{float64(o.Size.X), float64(o.Size.Y)}
	}
	n := 0
	for ; in.More(); n++ {
		if n == numLandmarks {
			return f, in.wrong(pointer, "has more than 33 landmarks, want 33")
		}
		at := fmt.Sprintf("%s/%d", pointer, n)
		var text json.RawMessage
		if err := in.decode(at, &text); err != nil {
			return f, err
		}
		p := slices.Index(landmarks[:], n)
		if p < 0 {
			continue
		}
		x, y, visibility, err := in.landmark(at, text)
		if err != nil {
			return f, err
		}
		if x != nil && y != nil && (*x != 0 || *y != 0 || visibility != 0) {
			raw = append(raw, keypoint.Point{*x, *y})
			f.Set(keypoint.Part(p), keypoint.Point{*x * scale[0], *y * scale[1]}, visibility)
		}
	}
	if err := in.close(pointer); err != nil {
		return f, err
	}
	if n != 0 && n != numLandmarks {
		return f, in.wrong(pointer, "has %d landmarks, want 33, or none for a frame without a person", n)
	}
	if detail := o.contradiction(raw); detail != "" {
		return f, in.wrong(pointer, "%s", detail)
	}
	return f, nil
}

// The limits of ReadMediaPipe's check of the unit. A person who is 8 pixels high is not found, and
// nobody is mostly 4 pictures away from the corner of the picture in which they were found.
const (
	farAway   = 4  // pixels, or widths and heights of the picture
	fewParts  = 6  // fewer show nothing
	tinyImage = 16 // pixels of the longer side
)

// contradiction says what to change if the parts of a frame cannot be in the unit of the options; "" if they can.
func (o MediaPipeOptions) contradiction(raw []keypoint.Point) string {
	raw = slices.DeleteFunc(raw, func(p keypoint.Point) bool { return p == keypoint.Point{} })
	if len(raw) < fewParts || !slices.ContainsFunc(raw, func(p keypoint.Point) bool { return p != raw[0] }) {
		return ""
	}
	far := 0
	for _, p := range raw {
		if math.Abs(p[0]) > farAway || math.Abs(p[1]) > farAway {
			far++
		}
	}
	switch size := max(o.Size.X, o.Size.Y); {
	case o.Normalised && 2*far > len(raw):
		return fmt.Sprintf("%d of %d parts are more than %d pictures away from the corner: they look like pixels, which need Normalised to be false",
			far, len(raw), farAway)
	case !o.Normalised && far == 0 && (size == 0 || size > tinyImage):
		return fmt.Sprintf("all %d parts are within %d pixels of the corner: they look normalised, so set Normalised and Size, or like metres, which cannot be read",
			len(raw), farAway)
	}
	return ""
}

// landmark reads one landmark; x or y is nil where it is absent.
func (j *jsonReader) landmark(pointer string, text json.RawMessage) (x, y *float64, visibility float64, err error) {
	switch text[0] {
	case 'n': // null
		return nil, nil, 0, nil
	case '[':
		var list numbers
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, nil, 0, j.fault(pointer, err)
		}
		if n := len(list); n < 2 || n > 4 {
			return nil, nil, 0, j.wrong(pointer, "has %d numbers, want x, y, and perhaps z and visibility", n)
		}
		var v *float64
		if len(list) == 4 {
			v = list[3]
		}
		return list[0], list[1], or1(v), nil
	}
	var object struct {
		X, Y              json.RawMessage // nil where missing
		Visibility, Score *float64
	}
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, nil, 0, j.fault(pointer, err)
	}
	if object.X == nil || object.Y == nil {
		return nil, nil, 0, j.wrong(pointer, "lacks x or y, want an object with both")
	}
	if err := json.Unmarshal(object.X, &x); err != nil {
		return nil, nil, 0, j.fault(pointer+"/x", err)
	}
	if err := json.Unmarshal(object.Y, &y); err != nil {
		return nil, nil, 0, j.fault(pointer+"/y", err)
	}
	if object.Visibility == nil {
		object.Visibility = object.Score
	}
	return x, y, or1(object.Visibility), nil
}

// or1 returns a confidence, 1 where there is none.
func or1(v *float64) float64 {
	if v == nil {
		return 1
	}
	return *v
}
