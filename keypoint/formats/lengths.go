package formats

import (
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

const (
	unitPixels = 1000 // of the plane, for a metre or a torso length
	maxMetres  = 4    // the largest height of a person in a file of metres; those of Sports2D say metres for pixels too
)

// lengths are what the coordinates of a file of markers are.
type lengths struct {
	name   string  // of the unit in the file
	unit   string  // of positions; "" for pixels
	length float64 // of the file's unit in that
}

// lengthsOf returns the lengths of a unit by its name in files.
func lengthsOf(name string) lengths {
	unit, lower := keypoint.Metres, strings.ToLower(name)
	length := map[string]float64{
		"m": 1, "meters": 1, "metres": 1, "cm": 0.01, "centimeters": 0.01, "centimetres": 0.01,
		"mm": 0.001, "millimeters": 0.001, "millimetres": 0.001, keypoint.Torso: 1,
	}[lower]
	switch {
	case length == 0:
		unit = ""
	case lower == keypoint.Torso:
		unit = keypoint.Torso
	}
	return lengths{name: name, unit: unit, length: length}
}

// inPlane returns markers that are as the file has them, those in lengths with y up, in pixels and perhaps in space.
func (l lengths) inPlane(format string, seq keypoint.Sequence) (keypoint.Sequence, error) {
	height, deep := 0.0, false
	for i := range seq.Frames {
		f := &seq.Frames[i]
		low, high, _ := f.Bounds()
		height = max(height, high[1]-low[1])
		for _, p := range f.Positions().Present().List() {
			at, _ := f.Positions().At(p)
			deep = deep || at[2] != 0
		}
	}
	switch {
	case l.unit == "" && deep:
		return seq, wrong(format, "Units", "is %s, and there is a third coordinate: want m, cm or mm", quote(l.name))
	case !deep && l.length == 1 && height > maxMetres:
		l.unit = ""
	case deep: // no camera is known, and nothing is guessed
		seq.Space = &keypoint.Space{Unit: l.unit, Cameras: []keypoint.Camera{}}
	case l.unit == keypoint.Metres:
		seq.World = keypoint.World{MetresPerPixel: 1. / unitPixels}
	}
	for i := range seq.Frames {
		f, places := &seq.Frames[i], keypoint.Positions{}
		for _, p := range f.Present().List() {
			if at, _ := f.At(p); l.unit != "" {
				f.Set(p, keypoint.Point{at[0], -at[1]}.Mul(l.length*unitPixels), f.Confidence(p))
			}
			if at, ok := f.Positions().At(p); ok && deep {
				places.Set(p, at.Mul(l.length), f.Positions().Error(p)*l.length)
			}
		}
		f.SetPositions(&places)
	}
	return seq, nil
}
