package sheet

import (
	"cmp"
	"fmt"
	"math"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// Options configures a sheet. All fields are optional.
type Options struct {
	Count    int         // number of evenly spaced frames with the first and the last, at most 200; 0 means 12
	Frames   []int       // the frames to show, in this order, at most 200; empty means Count frames
	CellSize int         // longer side of a cell's picture in pixels, 48 to 2048; 0 means 240
	Rules    []draw.Rule // what is drawn; nil means the default drawing, empty means nothing
}

// Limits of a sheet.
const (
	maxCells         = 200
	minCell, maxCell = 48, 2048
	maxPixels        = 64_000_000
	maxReach         = 1_000_000_000 // pixels between keypoints
)

// complete validates the options, fills in the defaults and chooses the frames.
func (o Options) complete(seq keypoint.Sequence) (Options, error) {
	for _, c := range []struct {
		name                   string
		value, least, greatest int
	}{{"Count", o.Count, 1, maxCells}, {"CellSize", o.CellSize, minCell, maxCell}} {
		if c.value != 0 && (c.value < c.least || c.value > c.greatest) {
			return o, fmt.Errorf("%w sheet: %s is %d, want %d to %d, or 0", keypoint.ErrInvalid, c.name, c.value, c.least, c.greatest)
		}
	}
	if len(o.Frames) > 0 && o.Count > 0 {
		return o, fmt.Errorf("%w sheet: Count and Frames are both given, want one", keypoint.ErrInvalid)
	}
	if len(o.Frames) > maxCells {
		return o, fmt.Errorf("%w sheet: %d Frames, want at most %d", keypoint.ErrInvalid, len(o.Frames), maxCells)
	}
	for i, f := range o.Frames {
		if f < 0 || f >= seq.Len() {
			return o, fmt.Errorf("%w sheet: Frames[%d] is %d, want 0 to %d", keypoint.ErrInvalid, i, f, seq.Len()-1)
		}
	}
	o.CellSize = cmp.Or(o.CellSize, 240)
	if len(o.Frames) == 0 {
		o.Frames = even(seq.Len(), cmp.Or(o.Count, 12))
	}
	return o, nil
}

// columns returns the number of cells in a row, for cells of a size including the gap: the sheet is close
// to 16:9 and its last row has few empty places.
func (o *Options) columns(width, height int) int {
	n := len(o.Frames)
	best, off := 1, math.Inf(1)
	for c := 1; c <= n; c++ {
		rows := (n + c - 1) / c
		aspect := float64(c*width) / float64(rows*height)
		empty := 1 - float64(n)/float64(c*rows)
		if d := math.Abs(math.Log(aspect*9/16)) + 2*empty; d < off-1e-9 {
			best, off = c, d
		}
	}
	return best
}

// even returns the numbers of n evenly spaced frames of a movie with the given number of frames, including the
// first and the last: the middle one for n = 1, and all if there are at most n.
func even(frames, n int) []int {
	if frames < 1 || n < 1 {
		return nil
	}
	if n = min(n, frames); n == 1 {
		return []int{(frames - 1) / 2}
	}
	chosen := make([]int, n)
	for i := range chosen {
		chosen[i] = (2*i*(frames-1) + n - 1) / (2 * (n - 1)) // rounded
	}
	return chosen
}
