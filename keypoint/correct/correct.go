// Package correct applies corrections by hand to the keypoints of a recording: where a part is in a frame, that it is
// not to be seen there, or that it and its mirror part are exchanged over a stretch.
//
//	at := keypoint.Point{412, 655.5}
//	list, err := correct.List(nil).With([]correct.Edit{{Frame: 12, Part: keypoint.LeftAnkle, Point: &at}}, time.Now(), "me")
//	if err != nil {
//		return err
//	}
//	corrected, marks, err := correct.Apply(seq, list)
//
// A corrected point has the confidence 1. The path between two frames follows in which the same part was put somewhere
// by hand, at most half a second apart: the part keeps the movement that was found, moved by a displacement that changes
// linearly in time from that of the first frame to that of the last; if one of the two had no point, the displacement is
// that of the other. Where the part was absent between, it goes straight from the last point to the next, with the
// smaller of their confidences. A path never reaches across a frame from which somebody else is followed.
//
// A correction that is carried over replaces what was found in neighbouring frames, too, up to Edit.Carry each way and
// half a second, so that no jump stays: a part goes along the monotone cubic of Fritsch and Butland (1984) through the
// corrected points and two points as found beyond each end. Where there is none, as at the end of the movie, it
// keeps the movement that was found, moved as in the corrected frame. Of an exchange, both ends of the stretch are led
// so. Exchanges are made before points are put; those that were put in a stretch before are exchanged with it.
//
// The package is pure: no I/O, no clock, no goroutine.
package correct

import (
	"fmt"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// maxPath is how many seconds two corrected frames of a part may be apart for the frames between to follow.
const maxPath = 0.5

// Mark says what a correction has done to a part in a frame.
type Mark uint8

// The marks.
const (
	None         Mark = iota
	Corrected         // put somewhere, or removed, by hand
	Interpolated      // on the path between two corrected frames, or to which one is carried
	Exchanged         // with the mirror part, by hand
)

// String returns the mark's name in the API, "" for None and others.
func (m Mark) String() string {
	return [...]string{"", "corrected", "interpolated", "exchanged", ""}[min(m, 4)]
}

// Apply returns the corrected keypoints of one person, and for each frame what was done. The list holds only
// corrections of that person. An invalid sequence, and corrections outside of it, are a keypoint.ErrInvalid.
func Apply(seq keypoint.Sequence, list List) (keypoint.Sequence, [][keypoint.NumParts]Mark, error) {
	if err := seq.Validate(); err != nil {
		return keypoint.Sequence{}, nil, err
	}
	marks := make([][keypoint.NumParts]Mark, seq.Len())
	found := seq.Clone()
	byPart := map[keypoint.Part]List{}
	list = list.sorted()
	for _, c := range list {
		if err := c.check(seq.Len(), seq.Size, keypoint.All); err != nil {
			return keypoint.Sequence{}, nil, fmt.Errorf("%w correction of frame %d: %w", keypoint.ErrInvalid, c.Frame, err)
		}
		of := []keypoint.Part{c.Part}
		if c.Exchange {
			of = append(of, c.Part.Mirror())
			for frame := c.Frame; frame <= c.Last; frame++ {
				found.Frames[frame].Exchange(c.Part)
				marks[frame][of[0]] ^= Exchanged
				marks[frame][of[1]] ^= Exchanged
			}
		}
		for _, p := range of {
			byPart[p] = append(byPart[p], c)
		}
	}
	out := found.Clone()
	for _, c := range list {
		if c.Exchange {
			continue
		}
		marks[c.Frame][c.Part] = Corrected
		if out.Frames[c.Frame].Unset(c.Part); c.Point != nil {
			put(&out.Frames[c.Frame], c.Part, *c.Point, 1)
		}
	}
	for p, corrections := range byPart {
		put := slices.DeleteFunc(slices.Clone(corrections), func(c Correction) bool { return c.Exchange })
		for i := 1; i < len(put); i++ {
			a, b := put[i-1], put[i] // do the frames between them follow them? Times are rounded
			if a.Point != nil && b.Point != nil && seq.Times != nil && seq.Times[b.Frame]-seq.Times[a.Frame] <= maxPath+1e-6 && onePerson(seq, a.Frame, b.Frame) {
				lead(found, out, p, a.Frame, b.Frame)
				for frame := a.Frame + 1; frame < b.Frame; frame++ {
					marks[frame][p] = Interpolated
				}
			}
		}
		carrier{found: found, out: out, part: p, marks: marks}.carry(corrections)
	}
	return out, marks, nil
}

// onePerson reports whether the same person is followed from one frame to another.
func onePerson(seq keypoint.Sequence, a, b int) bool {
	return len(seq.Slice(min(a, b), max(a, b)).PersonChanges) == 0
}

// lead moves part p in the frames of out between a and b, in which it was corrected.
func lead(found, out keypoint.Sequence, p keypoint.Part, a, b int) {
	first, okA := moved(found, out, p, a)
	last, okB := moved(found, out, p, b)
	switch {
	case !okA && !okB:
		first, last = keypoint.Point{}, keypoint.Point{}
	case !okA:
		first = last
	case !okB:
		last = first
	}
	known := a // the last frame with a point
	for frame := a + 1; frame <= b; frame++ {
		if at, ok := found.Frames[frame].At(p); ok && frame < b {
			share := (found.Times[frame] - found.Times[a]) / (found.Times[b] - found.Times[a])
			put(&out.Frames[frame], p, inside(found, at.Add(first.Mul(1-share)).Add(last.Mul(share))), found.Frames[frame].Confidence(p))
		} else if frame < b {
			continue
		}
		fill(out, p, known, frame)
		known = frame
	}
}

// moved returns how far a part was moved in a frame, if it was found there.
func moved(found, out keypoint.Sequence, p keypoint.Part, frame int) (by keypoint.Point, ok bool) {
	from, ok := found.Frames[frame].At(p)
	to, _ := out.Frames[frame].At(p)
	return to.Sub(from), ok
}

// inside returns the nearest point of the picture.
func inside(seq keypoint.Sequence, at keypoint.Point) keypoint.Point {
	if size := seq.Size; size.X > 0 && size.Y > 0 {
		return keypoint.Point{min(max(at[0], 0), float64(size.X)), min(max(at[1], 0), float64(size.Y))}
	}
	return at
}

// fill leads a part straight from frame a to frame b.
func fill(seq keypoint.Sequence, p keypoint.Part, a, b int) {
	from, _ := seq.Frames[a].At(p)
	to, _ := seq.Frames[b].At(p)
	confidence := min(seq.Frames[a].Confidence(p), seq.Frames[b].Confidence(p))
	for frame := a + 1; frame < b; frame++ {
		share := (seq.Times[frame] - seq.Times[a]) / (seq.Times[b] - seq.Times[a])
		put(&seq.Frames[frame], p, from.Mul(1-share).Add(to.Mul(share)), confidence)
	}
}

// put puts a part where a person has seen it.
func put(f *keypoint.Frame, p keypoint.Part, at keypoint.Point, confidence float64) {
	f.Set(p, at, confidence)
	f.SetVisibility(p, 1)
}
