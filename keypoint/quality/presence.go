package quality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

const (
	lostTime      = 0.1  // seconds without a person that are a gap, which cleaning fills, and not a loss
	joinTime      = 0.5  // seconds between two runs of frames with the same warning that become one
	smallHeight   = 120  // the least height of a person in pixels
	leastCoverage = 0.8  // the share of the frames that should have a part
	edge          = 0.05 // torso lengths from the edge of the picture at which a part is cut off
)

// lost warns of frames without a person.
func (b *body) lost() []Warning {
	runs := b.spans(func(i int) bool { return b.seq.Frames[i].Empty() }, 1, 1)
	return warn(CodeLost, "Nobody is found.", slices.DeleteFunc(runs, func(s Warning) bool {
		return b.rate != 0 && float64(s.To-s.From+1)/b.rate <= lostTime
	}))
}

// personChanged warns of the frames from which the tracker followed somebody else (Sequence.PersonChanges), and of a
// body that jumps: from one frame to the next, at most lostTime later, the boxes around it do not meet.
func (b *body) personChanged() []Warning {
	var w []Warning
	known := b.seq.PersonChanges
	for i := range b.seq.Frames {
		if _, told := slices.BinarySearch(known, i); !told && !b.jumps(i) {
			continue
		}
		if n := len(w); n > 0 {
			w[n-1].To = i - 1
		}
		w = append(w, Warning{Code: CodePersonChanged, Detail: "From here on it may be somebody else.", From: i, To: b.seq.Len() - 1})
	}
	return w
}

// jumps reports whether the body of frame i is apart from that of the frame before.
func (b *body) jumps(i int) bool {
	if i == 0 || b.rate == 0 || b.seq.Times[i]-b.seq.Times[i-1] > lostTime {
		return false
	}
	low, high, ok := b.seq.Frames[i-1].Bounds()
	l, h, found := b.seq.Frames[i].Bounds()
	return ok && found && (l[0] > high[0] || h[0] < low[0] || l[1] > high[1] || h[1] < low[1])
}

// small warns of a person whose estimated standing height is less than smallHeight.
func (b *body) small() []Warning {
	return warn(CodeSmall, fmt.Sprintf("The person is lower than %d pixels.", smallHeight),
		b.spans(func(i int) bool { return b.height[i] > 0 && b.height[i] < smallHeight && !b.seq.Frames[i].Empty() }, b.frames(joinTime), 1))
}

// cutOff warns of frames in which the person is partly outside the picture.
func (b *body) cutOff() []Warning {
	if b.seq.Size.X == 0 || b.seq.Size.Y == 0 {
		return nil
	}
	parts := make([]keypoint.Parts, b.seq.Len())
	for i := range parts {
		parts[i] = b.outside(i)
		if b.places != 0 { // what another camera sees
			parts[i] &^= b.seq.Frames[i].Positions().Present()
		}
	}
	return warn(CodeCutOff, "The person is partly outside the picture.", b.marked(parts, b.frames(joinTime), b.frames(lostTime)))
}

// outside returns the parts of frame i that are at the edge of the picture or beyond, and pairs of
// which neither part is found though the limb reaches the edge from where it begins.
func (b *body) outside(i int) (cut keypoint.Parts) {
	f := &b.seq.Frames[i]
	for _, p := range (f.Present() & limbs).List() {
		if b.beyond(f, p, edge*b.torso[i]) {
			cut |= keypoint.PartsOf(p)
		}
	}
	for _, l := range legs {
		pair := keypoint.PartsOf(l.to, l.to.Mirror())
		if f.Present()&pair != 0 {
			continue
		}
		for _, p := range [...]keypoint.Part{l.from, l.from.Mirror()} {
			if f.Has(p) && b.beyond(f, p, l.length*b.torso[i]) {
				cut |= pair
			}
		}
	}
	return cut
}

// beyond reports whether a part is less than a distance from the edge of the picture.
func (b *body) beyond(f *keypoint.Frame, p keypoint.Part, distance float64) bool {
	at, _ := f.At(p)
	return at[0] < distance || at[1] < distance || at[0] > float64(b.seq.Size.X)-distance || at[1] > float64(b.seq.Size.Y)-distance
}

// limbs are the parts below the head.
const limbs = keypoint.UpperBody | keypoint.LowerBody

// segment is a bone of the left side with its length in torso lengths, from the joint heights of
// Drillis and Contini, Body Segment Parameters (1966), as in keypoint.Frame.BodyHeight.
type segment struct {
	from, to keypoint.Part
	length   float64
}

var (
	legs = [...]segment{{keypoint.LeftHip, keypoint.LeftKnee, .245 / .288}, {keypoint.LeftKnee, keypoint.LeftAnkle, .246 / .288}}
	arms = [...]segment{{keypoint.LeftShoulder, keypoint.LeftElbow, .186 / .288}, {keypoint.LeftElbow, keypoint.LeftWrist, .146 / .288}}
)

// lowCoverage warns of parts that too few frames have.
func (b *body) lowCoverage() []Warning {
	found, n := [keypoint.NumParts]int{}, 0
	for i := range b.seq.Frames {
		present := b.seq.Frames[i].Present()
		if b.places != 0 {
			if present = b.seq.Frames[i].Positions().Present(); present == 0 {
				continue // the other cameras do not record yet, or no longer
			}
		}
		n++
		for _, p := range (present & limbs).List() {
			found[p]++
		}
	}
	var parts keypoint.Parts
	var names []string
	for _, p := range limbs.List() {
		if float64(found[p]) < leastCoverage*float64(n) {
			parts |= keypoint.PartsOf(p)
			names = append(names, fmt.Sprintf("%v %d %%", p, 100*found[p]/n))
		}
	}
	if parts == 0 {
		return nil
	}
	return []Warning{{
		Code: CodeLowCoverage, Detail: "Parts are missing in many frames; found are " + strings.Join(names, ", ") + ".", To: b.seq.Len() - 1, Parts: parts,
	}}
}
