package motion

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// Choice says who is analysed in a movie or image, in a form that can be kept with a
// record. The zero value is the person in the centre and in the foreground.
type Choice struct {
	Policy Policy     `json:"policy,omitempty"`
	Point  [2]float64 `json:"point,omitzero"`  // of Nearest: pixels
	Track  int        `json:"track,omitempty"` // of ByTrack: the number that inference.ExtractAll gives, from 1
	// Seconds is, of MostMovement, how long everybody is watched, where 0 means 2 s; of
	// ByTrack when the person is first seen, where 0 means in the first frame. At most 60.
	Seconds float64 `json:"seconds,omitempty"`
}

// Policy is a way to choose.
type Policy string

// The policies; inference has a Chooser for each, which says more.
const (
	CentreFront  Policy = "centreFront" // the default
	Largest      Policy = "largest"
	HighestScore Policy = "highestScore"
	Nearest      Policy = "nearest"      // to Choice.Point
	MostMovement Policy = "mostMovement" // in the first seconds of a movie
	ByTrack      Policy = "track"        // who had Choice.Track before
)

// Chooser returns the inference.Chooser of a choice. An unknown policy, and a number that is
// out of its range, are an ErrInvalid.
func (c Choice) Chooser() (inference.Chooser, error) {
	if !(c.Seconds >= 0 && c.Seconds <= 60) {
		return nil, fmt.Errorf("%w choice: %v seconds, want 0 to 60", ErrInvalid, c.Seconds)
	}
	switch c.Policy {
	case "", CentreFront:
		return inference.CentreFront{}, nil
	case Largest:
		return inference.Largest{}, nil
	case HighestScore:
		return inference.HighestScore{}, nil
	case Nearest:
		if v := c.Point[0] + c.Point[1]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w choice: the point %v is none", ErrInvalid, c.Point)
		}
		return inference.Nearest{Point: keypoint.Point(c.Point)}, nil
	case MostMovement:
		return inference.MostMovement{Seconds: c.Seconds}, nil
	case ByTrack:
		if c.Track < 1 {
			return nil, fmt.Errorf("%w choice: track %d, want 1 or more", ErrInvalid, c.Track)
		}
		return inference.Track{ID: c.Track, Seconds: c.Seconds}, nil
	}
	return nil, fmt.Errorf("%w choice: policy %q, want centreFront, largest, highestScore, nearest, mostMovement or track", ErrInvalid, c.Policy)
}

// Candidate is somebody in one of the first frames of a movie, or in an image.
type Candidate struct {
	Frame int        `json:"frame"` // from 0
	Box   [4]float64 `json:"box"`   // left, top, right and bottom, pixels
	Score float64    `json:"score"` // how surely this is a person, 0 to 1
}

// maxCandidateFrames bounds ExtractRequest.Candidates: they are kept with the record.
const maxCandidateFrames = 100

func candidatesOf(frame int, people []inference.Candidate) []Candidate {
	var list []Candidate
	for _, p := range people {
		round := func(v float64) float64 { return math.Round(v*100) / 100 }
		list = append(list, Candidate{
			Frame: frame, Score: math.Round(p.Score*1e4) / 1e4,
			Box: [4]float64{round(p.Box.Min[0]), round(p.Box.Min[1]), round(p.Box.Max[0]), round(p.Box.Max[1])},
		})
	}
	return list
}
