package httpapi

import (
	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/strictjson"
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
		captureRate = positive(v.Get("frameRate"))
	}
	if v := b.get("scale"); v.Present() && v.Known("bodyHeight", "length", "from", "to", "metresPerPixel") {
		c.Scale = &keypoint.Scale{
			BodyHeight: positive(v.Get("bodyHeight")), Length: positive(v.Get("length")), MetresPerPixel: positive(v.Get("metresPerPixel")),
			From: pixel(v.Get("from")), To: pixel(v.Get("to")),
		}
	}
	if v := b.get("floor"); v.Present() {
		c.Floor = floor(v)
	}
	c.Origin = pixel(b.get("origin"))
	return captureRate, c
}

// positive returns a number above 0, and 0 for an absent one.
func positive(v strictjson.Value) float64 {
	f, ok := v.Number()
	if ok && f <= 0 {
		v.Errorf("is %v, want a number above 0", f)
	}
	return f
}

// pixel returns a point, nil for an absent one.
func pixel(v strictjson.Value) *keypoint.Point {
	list, ok := v.Array()
	if !ok {
		return nil
	}
	var p keypoint.Point
	if len(list) != len(p) {
		v.Errorf("has %d numbers, want [x, y] in pixels", len(list))
		return nil
	}
	for i, number := range list {
		number.Require("a number of pixels")
		p[i], _ = number.Number()
	}
	return &p
}

// floor returns "auto", an angle or two points.
func floor(v strictjson.Value) *keypoint.Floor {
	switch {
	case v.Kind() == "a number":
		degrees, _ := v.Number()
		return &keypoint.Floor{Degrees: degrees}
	case v.IsString():
		if name, _ := v.Text(); name == "auto" {
			return &keypoint.Floor{Auto: true}
		}
	case v.IsArray():
		if ends, _ := v.Array(); len(ends) == 2 && ends[0].Require("[x, y]") && ends[1].Require("[x, y]") {
			return &keypoint.Floor{From: pixel(ends[0]), To: pixel(ends[1])}
		}
	}
	v.Errorf(`is %s, want "auto", an angle in degrees, or two points [[x, y], [x, y]]`, v.Kind())
	return nil
}
