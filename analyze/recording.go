package analyze

import (
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// recording is a sequence with what several rules need of it.
type recording struct {
	keypoint.Sequence
	*quality.Uncertainty
	facing []keypoint.Facing // Sideways; nil until a rule needs it
	// headings are where the person faces in space, by which named angles read the positions; nil: they read the picture.
	headings []keypoint.Position

	floors []Value          // the level of the floor, down in the picture in pixels; nil until a rule needs it
	hidden []keypoint.Parts // quality.Hidden; nil until a rule needs it

	zero map[Side]float64 // what is taken from the values of the rule that runs, by side
}

// movie reports whether the recording is not an image.
func (rec *recording) movie() bool { return rec.Times != nil || rec.Len() != 1 }

// inSpace returns the recording that named angles and lengths are of: as seen from the person's own side, if cameras know
// where the parts are in space.
func (rec *recording) inSpace(estimated bool) *recording {
	if !estimated && !rec.Space.Seen() {
		return rec
	}
	view := space.View(rec.Sequence)
	own := &recording{Sequence: view, headings: space.Headings(rec.Sequence)}
	own.Uncertainty = quality.NewUncertainty(own.Sequence)
	return own
}

// against takes the neutral pose from the values of a named angle.
func (rec *recording) against(values []Value, side Side) {
	zero := rec.zero[side]
	for i := range values {
		if values[i].Present {
			values[i].X -= zero
		}
	}
}

// unit returns what a pixel of frame i is in the unit of named lengths; 0 if the size of the body is not known.
func (rec *recording) unit(i int) float64 {
	if rec.World.Metric() {
		return rec.World.MetresPerPixel
	}
	if torso := rec.Torso(i); torso > 0 {
		return 1 / torso
	}
	return 0
}
