package formats

import (
	"fmt"
	"image"
	"io"
	"math"

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
	return checkRate("MediaPipe", "FrameRate", o.FrameRate)
}

// ReadMediaPipe reads the landmarks of MediaPipe Pose (BlazePose) from JSON with one element per frame, in an array or
// one after another as in JSON Lines. An element is an array of the 33 landmarks, an array of such arrays for several
// people, of whom the large and clear one is kept, or an object as MediaPipe's programs write their results, with one
// of the members
//
//	pose_landmarks  poseLandmarks  landmarks  landmark  keypoints
//
// and perhaps with its time in milliseconds: timestamp_ms, timestampMs or timestampInMilliseconds, in all frames or in
// none. null or an empty array is a frame without a person. A landmark is an array or an object:
//
//	[x, y]   [x, y, z]   [x, y, z, visibility]
//	{"x": 360.1, "y": 238.05, "z": -152.4, "visibility": 0.99}
//
// with "score" (TensorFlow.js) or "inFrameLikelihood" (ML Kit, which has x and y in "position") instead of
// "visibility". Visibility becomes the confidence, 1 if missing. The foot index is the big toe; MediaPipe has no small
// toes. z, other members and landmarks other than the parts are ignored. A landmark that is null, whose x or y is null,
// or that is at (0, 0) with a visibility of 0 is absent.
//
// A frame of six or more parts that contradicts the unit of the options is an Error that says what to change: read as
// pixels, all lie within 4 of the corner; read as normalised, more than half lie beyond. Landmarks in metres ("world"),
// whose origin is the middle of the hips in most frames, are an Error. So are normalised landmarks of a Size whose width
// and height must have been exchanged.
func ReadMediaPipe(r io.Reader, opt MediaPipeOptions) (keypoint.Sequence, error) {
	if err := opt.validate(); err != nil {
		return keypoint.Sequence{}, err
	}
	s, err := readLandmarks(r, opt.Limits)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	return opt.placed(s)
}

// placed returns landmarks as they were read in pixels.
func (o MediaPipeOptions) placed(s keypoint.Sequence) (keypoint.Sequence, error) {
	scale := keypoint.Point{1, 1}
	if o.Normalised {
		scale = keypoint.Point{float64(o.Size.X), float64(o.Size.Y)}
	}
	frames, world, told := make([]keypoint.Frame, s.Len()), 0, 0
	for i := range s.Frames {
		raw := &s.Frames[i]
		if detail := o.contradiction(raw); detail != "" {
			return keypoint.Sequence{}, wrong("MediaPipe", fmt.Sprintf("/%d", i), "%s", detail)
		}
		if n, _ := telling(raw); n > 0 {
			told++
			if centred(raw) {
				world++
			}
		}
		for _, p := range raw.Present().List() {
			at, _ := raw.At(p)
			frames[i].Set(p, keypoint.Point{at[0] * scale[0], at[1] * scale[1]}, raw.Confidence(p))
		}
	}
	if o.Normalised && 2*world > told {
		return keypoint.Sequence{}, wrong("MediaPipe", "",
			"the middle of the hips is the origin in %d of %d frames: these are landmarks in metres (world), want those of the picture", world, told)
	}
	if detail := o.exchanged(frames); o.Normalised && detail != "" {
		return keypoint.Sequence{}, wrong("MediaPipe", "Size", "%s", detail)
	}
	times := s.Times
	if o.FrameRate != 0 {
		times = atRate(len(frames), o.FrameRate)
	}
	return keypoint.Sequence{Frames: frames, Times: times, Size: o.Size}, nil
}

// The limits of ReadMediaPipe's check of the unit. A person who is 8 pixels high is not found, and
// nobody is mostly 4 pictures away from the corner of the picture in which they were found.
const (
	farAway    = 4    // pixels, or widths and heights of the picture
	fewParts   = 6    // fewer show nothing
	tinyImage  = 16   // pixels of the longer side
	nearOrigin = 0.03 // metres, as far as the middle of the hips is found from it
)

// contradiction says what to change if the parts of a frame cannot be in the unit of the options; "" if they can.
func (o MediaPipeOptions) contradiction(raw *keypoint.Frame) string {
	n, far := telling(raw)
	if n == 0 {
		return ""
	}
	switch size := max(o.Size.X, o.Size.Y); {
	case o.Normalised && 2*far > n:
		return fmt.Sprintf("%d of %d parts are more than %d pictures away from the corner: they look like pixels, which need Normalised to be false",
			far, n, farAway)
	case !o.Normalised && far == 0 && (size == 0 || size > tinyImage):
		return fmt.Sprintf("all %d parts are within %d pixels of the corner: they look normalised, so set Normalised and Size, or like metres, which cannot be read",
			n, farAway)
	}
	return ""
}

// telling returns the number of the parts of a frame from which the unit can be told, 0 if there are too few or all are
// at one point, and how many of them are far away from the corner.
func telling(raw *keypoint.Frame) (n, far int) {
	low, high, _ := raw.Bounds()
	for _, p := range raw.Present().List() {
		at, _ := raw.At(p)
		if at != (keypoint.Point{}) {
			n++
		}
		if math.Abs(at[0]) > farAway || math.Abs(at[1]) > farAway {
			far++
		}
	}
	if n < fewParts || low == high {
		return 0, 0
	}
	return n, far
}

// centred reports whether a frame looks like landmarks in metres: the middle of the hips is the origin, and most parts
// are to the left of it or above.
func centred(raw *keypoint.Frame) bool {
	hips, ok := keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip).At(raw)
	negative := 0
	for _, p := range raw.Present().List() {
		if at, _ := raw.At(p); at[0] < 0 || at[1] < 0 {
			negative++
		}
	}
	return ok && max(math.Abs(hips[0]), math.Abs(hips[1])) < nearOrigin && 2*negative > raw.Len()
}
