package httpapi

import (
	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// calibration is how seconds, metres and the floor of a keypoint record are found.
type calibration struct {
	Capture *capture `json:"capture,omitempty"`
	keypoint.Calibration
}

// capture is how the movie was recorded.
type capture struct {
	FrameRate float64 `json:"frameRate"` // frames per second
}

func calibrationOf(e motion.Extraction) calibration {
	c := calibration{Calibration: e.Calibration}
	if e.CaptureRate != 0 {
		c.Capture = &capture{e.CaptureRate}
	}
	return c
}

// worldOf is what was found, nil if nothing was asked for or it is not known yet.
func worldOf(e motion.Extraction) *keypoint.World {
	if e.Calibration == (keypoint.Calibration{}) || e.Status != storage.Success {
		return nil
	}
	return &e.World
}

// calibration returns the members capture, scale, floor and origin.
func (b *body) calibration() (captureRate float64, c keypoint.Calibration) {
	if v := b.get("capture"); v.Present() && v.Known("frameRate") && v.Get("frameRate").Require("frames per second") {
		captureRate = wire.Positive(v.Get("frameRate"))
	}
	c.Scale, c.Floor = wire.Scale(b.get("scale")), wire.Floor(b.get("floor"))
	c.Origin = wire.Pixel(b.get("origin"))
	return captureRate, c
}
