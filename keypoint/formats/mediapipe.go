package formats

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"math"

	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
)

// landmarks are the places of the parts among the 33 landmarks, −1 for none.
var landmarks = [keypoint.NumParts]int{0, 2, 5, 7, 8, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28, 31, 32, -1, -1, 29, 30}

const numLandmarks = 33

// readMediaPipe reads landmarks in the unit that most of them show.
func readMediaPipe(r io.Reader, o Options) (keypoint.Sequence, error) {
	s, err := readLandmarks(r, o.Limits)
	if err != nil {
		return s, err
	}
	all, far := 0, 0
	for i := range s.Frames {
		n, k := telling(&s.Frames[i])
		all, far = all+n, far+k
	}
	return o.placed(s, 2*far <= all)
}

// placed returns landmarks in pixels: those that are normalised are shares of the size of the picture.
func (o Options) placed(s keypoint.Sequence, normalised bool) (keypoint.Sequence, error) {
	if normalised && o.Size == (image.Point{}) {
		return keypoint.Sequence{}, wrong("MediaPipe", "Size", "is %v, want the size of the picture, of which normalised landmarks are shares", o.Size)
	}
	scale := keypoint.Point{1, 1}
	if normalised {
		scale = keypoint.Point{float64(o.Size.X), float64(o.Size.Y)}
	}
	frames, world, told := make([]keypoint.Frame, s.Len()), 0, 0
	for i := range s.Frames {
		raw := &s.Frames[i]
		if detail := o.contradiction(raw, normalised); detail != "" {
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
	if normalised && 2*world > told {
		return keypoint.Sequence{}, wrong("MediaPipe", "",
			"the middle of the hips is the origin in %d of %d frames: these are landmarks in metres (world), want those of the picture", world, told)
	}
	if detail := o.exchanged(frames); normalised && detail != "" {
		return keypoint.Sequence{}, wrong("MediaPipe", "Size", "%s", detail)
	}
	return keypoint.Sequence{Frames: frames, Times: s.Times, Size: o.Size}, nil
}

// The limits of the check of the unit. A person who is 8 pixels high is not found, and
// nobody is mostly 4 pictures away from the corner of the picture in which they were found.
const (
	farAway    = 4    // pixels, or widths and heights of the picture
	fewParts   = 6    // fewer show nothing
	tinyImage  = 16   // pixels of the longer side
	nearOrigin = 0.03 // metres, as far as the middle of the hips is found from it
)

// contradiction says why the parts of a frame cannot be in the unit of most frames; "" if they can.
func (o Options) contradiction(raw *keypoint.Frame, normalised bool) string {
	n, far := telling(raw)
	if n == 0 {
		return ""
	}
	switch size := max(o.Size.X, o.Size.Y); {
	case normalised && 2*far > n:
		return fmt.Sprintf("%d of %d parts are more than %d pictures away from the corner: they look like pixels, unlike those of most frames",
			far, n, farAway)
	case !normalised && far == 0 && (size == 0 || size > tinyImage):
		return fmt.Sprintf("all %d parts are within %d pixels of the corner: they look normalised, or like metres, unlike those of most frames",
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

// writeMediaPipe writes normalised landmarks.
func writeMediaPipe(w io.Writer, seq keypoint.Sequence) error {
	if seq.Size.X == 0 || seq.Size.Y == 0 {
		return wrong("MediaPipe", "Size", "is %v, want the size of the picture, of which landmarks are shares", seq.Size)
	}
	out := bufio.NewWriter(w)
	for i := range seq.Frames {
		out.WriteString(separator(i, "[\n", ",\n"))
		out.WriteByte('[')
		if f := &seq.Frames[i]; !f.Empty() {
			var all [numLandmarks]struct{ x, y, visibility float64 }
			for p, n := range landmarks {
				if at, ok := f.At(keypoint.Part(p)); ok && n >= 0 {
					all[n].x, all[n].y = at[0]/float64(seq.Size.X), at[1]/float64(seq.Size.Y)
					all[n].visibility = f.Confidence(keypoint.Part(p))
				}
			}
			for n, l := range all {
				out.WriteString(separator(n, "", ",") + `{"x":` + tables.Number(l.x) + `,"y":` + tables.Number(l.y) + `,"z":0,"visibility":` + tables.Number(l.visibility) + "}")
			}
		}
		out.WriteByte(']')
	}
	out.WriteString(separator(seq.Len(), "[", "\n") + "]\n")
	return out.Flush()
}

// separator returns what comes before element i of a list.
func separator(i int, first, later string) string {
	if i == 0 {
		return first
	}
	return later
}
