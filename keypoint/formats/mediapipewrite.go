package formats

import (
	"bufio"
	"io"

	"github.com/bodymotion/motion/internal/tables"
	"github.com/bodymotion/motion/keypoint"
)

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
