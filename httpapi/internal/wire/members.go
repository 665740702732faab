package wire

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// Choice returns who is to be analysed, nil if v is absent.
func Choice(v strictjson.Value) *inference.Choice {
	if !v.Present() || !v.Known("policy", "point", "track", "seconds", "stay") {
		return nil
	}
	c := inference.Choice{Policy: cmp.Or(rulejson.OneOf(v.Get("policy"), inference.Policies()), inference.PolicyCentreFront)}
	for _, member := range []struct {
		name     string
		policies []inference.Policy
	}{
		{"point", []inference.Policy{inference.PolicyNearest}},
		{"track", []inference.Policy{inference.PolicyTrack}},
		{"seconds", []inference.Policy{inference.PolicyMostMovement, inference.PolicyTrack, inference.PolicyNearest}},
	} {
		if m := v.Get(member.name); m.Present() && !slices.Contains(member.policies, c.Policy) {
			m.Errorf("is not for the policy %s", c.Policy)
		}
	}
	if c.Policy == inference.PolicyNearest && v.Get("point").Require("[x, y] in pixels") {
		if p := Pixel(v.Get("point")); p != nil {
			if c.Point = *p; max(math.Abs(p[0]), math.Abs(p[1])) > 1e6 {
				v.Get("point").Errorf("is %v, want a point within a million pixels", *p)
			}
		}
	}
	if c.Policy == inference.PolicyTrack && v.Get("track").Require("the track of a person, from 1") {
		c.Track = Track(v.Get("track"))
	}
	if seconds, ok := v.Get("seconds").Number(); ok {
		if c.Seconds = seconds; !(seconds >= 0 && seconds <= 60) {
			v.Get("seconds").Errorf("is %v, want 0 to 60", seconds)
		}
	}
	c.Stay, _ = v.Get("stay").Bool()
	return &c
}

// Track returns the number of a person, 0 for an absent one.
func Track(v strictjson.Value) int {
	n, ok := v.Int()
	if ok && (n < 1 || n > 1<<31) {
		v.Errorf("is %d, want the track of a person, from 1", n)
	}
	return int(n)
}

// Calibration returns how metres and the floor are found.
func Calibration(scale, floor, origin strictjson.Value) keypoint.Calibration {
	return keypoint.Calibration{Scale: scaleOf(scale), Floor: floorOf(floor), Origin: Pixel(origin)}
}

// scaleOf returns how metres are found, nil if v is absent.
func scaleOf(v strictjson.Value) *keypoint.Scale {
	if !v.Present() || !v.Known("bodyHeight", "length", "from", "to", "metresPerPixel") {
		return nil
	}
	return &keypoint.Scale{
		BodyHeight: v.Get("bodyHeight").Positive(), Length: v.Get("length").Positive(), MetresPerPixel: v.Get("metresPerPixel").Positive(),
		From: Pixel(v.Get("from")), To: Pixel(v.Get("to")),
	}
}

// floorOf returns "auto", an angle or two points, nil if v is absent.
func floorOf(v strictjson.Value) *keypoint.Floor {
	switch {
	case !v.Present():
		return nil
	case v.Kind() == "a number":
		degrees, _ := v.Number()
		return &keypoint.Floor{Degrees: degrees}
	case v.IsString():
		if name, _ := v.Text(); name == "auto" {
			return &keypoint.Floor{Auto: true}
		}
	case v.IsArray():
		if ends, _ := v.Array(); len(ends) == 2 && ends[0].Require("[x, y]") && ends[1].Require("[x, y]") {
			return &keypoint.Floor{From: Pixel(ends[0]), To: Pixel(ends[1])}
		}
	}
	v.Errorf(`is %s, want "auto", an angle in degrees, or two points [[x, y], [x, y]]`, v.Kind())
	return nil
}

// Moment is what a time has to be.
const Moment = "a time with its zone, such as 2026-11-22T14:10:00+09:00"

// Time returns a time, zero for an empty text, and nil for an absent one.
func Time(v strictjson.Value) *time.Time {
	s, ok := v.Text()
	if !ok {
		return nil
	}
	var at time.Time
	if s != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, s); err != nil {
			v.Errorf("is %q, want %s", s, Moment)
		} else if at.IsZero() { // which would take the time away
			v.Errorf("is %s, want a time from 1890 to now", s)
		}
	}
	return &at
}

// Pixel returns a point, nil for an absent one.
func Pixel(v strictjson.Value) *keypoint.Point {
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
