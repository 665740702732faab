package inference

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Choice selects the person who is analysed in a movie or image. The zero value is the person
// in the centre and in the foreground.
type Choice struct {
	Policy Policy     `json:"policy,omitempty"`
	Point  [2]float64 `json:"point,omitzero"`  // of PolicyNearest: pixels
	Track  int        `json:"track,omitempty"` // of PolicyTrack: the number that ExtractAll gives, from 1
	// Seconds, at most 60, is for PolicyMostMovement the time in which movement is measured, where
	// 0 means 2 s; for PolicyTrack the time when the person first appears.
	Seconds float64 `json:"seconds,omitempty"`

	// Stay leaves the rest of a movie empty once the person is gone, instead of following
	// somebody else.
	Stay bool `json:"stay,omitempty"`
}

// Policy is a rule for choosing a person.
type Policy string

// The policies. The Chooser of each says more.
const (
	PolicyCentreFront  Policy = "centreFront" // the default
	PolicyLargest      Policy = "largest"
	PolicyHighestScore Policy = "highestScore"
	PolicyNearest      Policy = "nearest"      // to Choice.Point
	PolicyMostMovement Policy = "mostMovement" // in the first seconds of a movie
	PolicyTrack        Policy = "track"        // who had Choice.Track before
)

// Policies returns all policies.
func Policies() []Policy {
	return []Policy{PolicyCentreFront, PolicyLargest, PolicyHighestScore, PolicyNearest, PolicyMostMovement, PolicyTrack}
}

// Chooser returns the Chooser of a choice. An unknown policy or a number out of range
// is keypoint.ErrInvalid.
func (c Choice) Chooser() (Chooser, error) {
	if !(c.Seconds >= 0 && c.Seconds <= 60) {
		return nil, fmt.Errorf("%w choice: %v seconds, want 0 to 60", keypoint.ErrInvalid, c.Seconds)
	}
	switch c.Policy {
	case "", PolicyCentreFront:
		return CentreFront{}, nil
	case PolicyLargest:
		return Largest{}, nil
	case PolicyHighestScore:
		return HighestScore{}, nil
	case PolicyNearest:
		if !(max(math.Abs(c.Point[0]), math.Abs(c.Point[1])) <= 1e6) {
			return nil, fmt.Errorf("%w choice: the point %v is not within a million pixels", keypoint.ErrInvalid, c.Point)
		}
		return Nearest{Point: keypoint.Point(c.Point)}, nil
	case PolicyMostMovement:
		return MostMovement{Seconds: c.Seconds}, nil
	case PolicyTrack:
		if c.Track < 1 {
			return nil, fmt.Errorf("%w choice: track %d, want 1 or more", keypoint.ErrInvalid, c.Track)
		}
		return Track{ID: c.Track, Seconds: c.Seconds}, nil
	}
	return nil, fmt.Errorf("%w choice: policy %q, want centreFront, largest, highestScore, nearest, mostMovement or track", keypoint.ErrInvalid, c.Policy)
}
