package space

import (
	"image"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

const (
	perMetre = 500 // pixels of a View
	perTorso = 250
	border   = 100 // pixels around everybody
)

// PixelsOf returns how many pixels of a View a length in the unit of a space is.
func PixelsOf(s *keypoint.Space) float64 {
	if s.Unit == keypoint.Metres {
		return perMetre
	}
	return perTorso
}

// View returns the sequence as a camera would show it that goes along on the person's right and sees without perspective: x
// forwards and y down, so that the person always faces the right. Frames have the parts that have positions, and World is
// in metres if Space is. Times, positions and Space stay. A sequence that no cameras see in space is returned as it is.
//
// With c the middle of the hips and F the heading (Headings), a part at p is seen at
//
//	x = ∫ F · dc + F · (p − c)      y = −p.y
//
// so that a foot that rests stays where it is while the person goes straight on, and the length of a stride along a bend is
// that of the way of the hips.
func View(seq keypoint.Sequence) keypoint.Sequence {
	if !seq.Space.Seen() {
		return seq
	}
	headings, hips, scale := filled(Headings(seq)), filled(middles(seq)), PixelsOf(seq.Space)
	way, low, high := 0.0, keypoint.Point{math.Inf(1), math.Inf(1)}, keypoint.Point{math.Inf(-1), math.Inf(-1)}
	frames := make([]keypoint.Frame, seq.Len())
	for i := range frames {
		if i > 0 {
			if ahead := headings[i-1].Add(headings[i]); ahead.Len() > 0 {
				way += hips[i].Sub(hips[i-1]).Dot(ahead.Normalize())
			}
		}
		places := seq.Frames[i].Positions()
		frames[i].SetPositions(places)
		for _, p := range places.Present().List() {
			at, _ := places.At(p)
			pt := keypoint.Point{way + at.Sub(hips[i]).Dot(headings[i]), -at[1]}.Mul(scale)
			frames[i].Set(p, pt, 1)
			low = keypoint.Point{min(low[0], pt[0]), min(low[1], pt[1])}
			high = keypoint.Point{max(high[0], pt[0]), max(high[1], pt[1])}
		}
	}
	seq.Frames, seq.World = frames, keypoint.World{}
	if seq.Empty() {
		return seq
	}
	corner := keypoint.Point{border, border}.Sub(low)
	for i := range frames {
		for _, p := range frames[i].Present().List() {
			pt, _ := frames[i].At(p)
			frames[i].Set(p, pt.Add(corner), 1)
		}
	}
	seq.Size = image.Pt(int(high[0]-low[0])+2*border, int(high[1]-low[1])+2*border)
	seq.World.Origin = corner
	if seq.Space.Unit == keypoint.Metres {
		seq.World.MetresPerPixel = 1 / scale
	}
	return seq
}

// middles returns the middle of the hips in each frame, zero if it is unknown.
func middles(seq keypoint.Sequence) []keypoint.Position {
	all := make([]keypoint.Position, seq.Len())
	for i := range all {
		l, okL := seq.Frames[i].Positions().At(keypoint.LeftHip)
		if r, okR := seq.Frames[i].Positions().At(keypoint.RightHip); okL && okR {
			all[i] = l.Add(r).Mul(0.5)
		}
	}
	return all
}

// filled gives those that are zero the value of the last one before, or else of the first one after.
func filled(all []keypoint.Position) []keypoint.Position {
	var last keypoint.Position
	if k := slices.IndexFunc(all, func(v keypoint.Position) bool { return v != (keypoint.Position{}) }); k >= 0 {
		last = all[k]
	}
	for i, v := range all {
		if v == (keypoint.Position{}) {
			all[i] = last
		}
		last = all[i]
	}
	return all
}
