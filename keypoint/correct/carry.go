package correct

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"

	"github.com/bodymotion/motion/keypoint"
)

// carrier carries corrections of a part over neighbouring frames.
type carrier struct {
	found, out keypoint.Sequence
	part       keypoint.Part
	marks      [][keypoint.NumParts]Mark
	carried    []bool
}

// carry leads the part along a curve through the frames to which its corrections are carried.
func (c carrier) carry(corrections List) {
	if c.found.Times == nil {
		return
	}
	c.carried = make([]bool, c.out.Len())
	for _, e := range corrections {
		switch {
		case !e.Exchange:
			c.spread(e.Frame, -1, e.Carry)
			c.spread(e.Frame, 1, e.Carry)
		case e.Carry > 0:
			within := min(e.Carry, (e.Last-e.Frame+1)/3)
			if e.Frame > 0 {
				c.spread(e.Frame, -1, e.Carry)
				c.spread(e.Frame-1, 1, within)
			}
			if e.Last < c.out.Len()-1 {
				c.spread(e.Last, 1, e.Carry)
				c.spread(e.Last+1, -1, within)
			}
		}
	}
	for i := 0; i < len(c.carried); i++ {
		if first := i; c.carried[i] {
			for i+1 < len(c.carried) && c.carried[i+1] && onePerson(c.found, i, i+1) {
				i++
			}
			c.curve(first, i)
		}
	}
}

// spread notes up to n frames after (step 1) or before (step -1) a frame: none behind another correction or of somebody
// else, and the one behind them is on the path as well.
func (c carrier) spread(from, step, n int) {
	for i := from + step; n > 0 && c.reaches(from, i) && c.marks[i][c.part] != Corrected; i += step {
		if next := i + step; next >= 0 && next < len(c.carried) && !c.reaches(from, next) {
			return
		}
		c.carried[i] = true
		n--
	}
}

// reaches reports whether a path may lead from one frame to another.
func (c carrier) reaches(a, b int) bool {
	return b >= 0 && b < len(c.carried) && math.Abs(c.found.Times[b]-c.found.Times[a]) <= maxPath+1e-6 && onePerson(c.found, a, b)
}

// curve leads the part from frame first to frame last.
func (c carrier) curve(first, last int) {
	byHand := -1 // the corrected frame beside
	for _, i := range [...]int{first - 1, last + 1} {
		if i >= 0 && i < len(c.carried) && c.marks[i][c.part] == Corrected {
			byHand = i
		}
	}
	before, after := c.known(first, -1), c.known(last, 1)
	if len(before) == 0 || len(after) == 0 {
		c.follow(first, last, byHand)
		return
	}
	confidence := min(c.out.Frames[before[0]].Confidence(c.part), c.out.Frames[after[0]].Confidence(c.part))
	slices.Reverse(before)
	var times []float64
	var axes [2][]float64
	for _, i := range append(before, after...) {
		at, _ := c.out.Frames[i].At(c.part)
		times = append(times, c.found.Times[i])
		axes[0], axes[1] = append(axes[0], at[0]), append(axes[1], at[1])
	}
	var x, y interp.FritschButland
	x.Fit(times, axes[0]) // fails for no times that increase
	y.Fit(times, axes[1])
	for i := first; i <= last; i++ {
		t := c.found.Times[i]
		c.put(i, keypoint.Point{x.Predict(t), y.Predict(t)}, confidence, byHand >= 0)
	}
}

// known returns up to two frames with the part beyond the end of a run, the nearest first.
func (c carrier) known(end, step int) (frames []int) {
	for i := end + step; len(frames) < 2 && c.reaches(end, i); i += step {
		if !c.carried[i] && c.out.Frames[i].Has(c.part) {
			frames = append(frames, i)
		}
	}
	return frames
}

// follow moves what was found as in the corrected frame, if there is one in which the part was found.
func (c carrier) follow(first, last, byHand int) {
	if byHand < 0 {
		return
	}
	by, ok := moved(c.found, c.out, c.part, byHand)
	for i := first; i <= last && ok; i++ {
		if at, found := c.found.Frames[i].At(c.part); found {
			c.put(i, inside(c.found, at.Add(by)), c.found.Frames[i].Confidence(c.part), true)
		}
	}
}

// put puts the part on the path in a frame. Whether it is to be seen there, only a point that was put beside says.
func (c carrier) put(i int, at keypoint.Point, confidence float64, seen bool) {
	if c.out.Frames[i].Set(c.part, at, confidence); seen {
		c.out.Frames[i].SetVisibility(c.part, 1)
	}
	c.marks[i][c.part] = Interpolated
}
