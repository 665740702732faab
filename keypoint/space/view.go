package space

import (
	"image"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

const (
	proportions = 0.015 // one standard deviation of metres by the body height, as a share, as of keypoint.Sequence.Calibrate
)

// View returns the sequence as a camera would show it that goes along at the person's side and sees without perspective.
// Frames have the parts that have positions, from where the hips are at first, 0 at the floor; Size is not known, and World is in
// metres if Space is. Times, positions and Space stay. A sequence that no cameras see in space is returned as it is.
//
// With c the middle of the hips and u the direction to the right of the picture, a part at p is seen at
//
//	x = ∫ u · dc + u · (p − c)      y = −p.y
//
// so that a foot that rests stays where it is while the person goes straight on, and the length of a stride along a bend is
// that of the way of the hips. At first u is the heading (Headings), and the person faces the right. It turns with the body by
// up to 90 degrees a second: who turns round faster is seen from the other side from there on, and comes back.
func View(seq keypoint.Sequence) keypoint.Sequence {
	if !seq.Space.Seen() || seq.Validate() != nil {
		return seq
	}
	right, hips, scale := follow(seq.Times, filled(Headings(seq))), filled(middles(seq)), seq.Space.ViewPixels()
	way, frames := 0.0, make([]keypoint.Frame, seq.Len())
	for i := range frames {
		if i > 0 {
			if ahead := right[i-1].Add(right[i]); ahead.Len() > 0 {
				way += hips[i].Sub(hips[i-1]).Dot(ahead.Normalize())
			}
		}
		places := seq.Frames[i].Positions()
		frames[i].SetPositions(places)
		for _, p := range places.Present().List() {
			at, _ := places.At(p)
			frames[i].Set(p, keypoint.Point{way + at.Sub(hips[i]).Dot(right[i]), -at[1]}.Mul(scale), 1)
		}
	}
	seq.Frames, seq.World, seq.Size = frames, keypoint.World{}, image.Point{}
	if seq.Space.Unit == keypoint.Metres {
		seq.World.MetresPerPixel = 1 / scale
		if len(seq.Space.Cameras) > 0 { // else a laboratory's
			seq.World.ScaleError = proportions
		}
	}
	return seq
}

// fastest is how fast the camera of a View goes round, radians per second.
const fastest = math.Pi / 2

// follow returns the directions to the right of the picture by the headings: these or their opposites, whichever is nearer.
func follow(times []float64, headings []keypoint.Position) []keypoint.Position {
	right := slices.Clone(headings)
	for i := 1; i < len(right) && times != nil; i++ {
		at := math.Atan2(right[i-1][2], right[i-1][0])
		turn := math.Remainder(math.Atan2(headings[i][2], headings[i][0])-at, math.Pi)
		most := fastest * (times[i] - times[i-1])
		sin, cos := math.Sincos(at + min(max(turn, -most), most))
		right[i] = keypoint.Position{cos, 0, sin}
	}
	return right
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

// Seen returns a sequence as its picture shows it, or as View does: what is measured in pictures is measured in those. An invalid
// sequence is a keypoint.ErrInvalid.
func Seen(seq keypoint.Sequence) (keypoint.Sequence, error) { return View(seq), seq.Validate() }
