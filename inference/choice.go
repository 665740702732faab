package inference

import (
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Choice selects the person who is analysed in a movie or image. The zero value is the person in the centre and in the foreground.
type Choice struct {
	Policy Policy     `json:"policy,omitempty"`
	Point  [2]float64 `json:"point,omitzero"`  // of PolicyNearest: pixels
	Track  int        `json:"track,omitempty"` // of PolicyTrack: the number that ExtractAll gives, from 1
	// Seconds, at most 60, is for PolicyMostMovement the time in which movement is measured, where 0 means 2 s; for PolicyTrack the
	// time when the person first appears; for PolicyNearest that of the picture that has the Point, from the first picture on.
	Seconds float64 `json:"seconds,omitempty"`

	// Stay leaves the rest of a movie empty once the person is gone, instead of following somebody else.
	Stay bool `json:"stay,omitempty"`
}

// Policy is a rule for choosing a person.
type Policy string

// The policies.
const (
	// PolicyCentreFront chooses the person in the centre foreground. It is the default. It maximises
	//
	//	area × min(score, 0.3) / (1 + dx² + dy²)
	//
	// where (dx, dy) is the box's distance from the picture's centre, in half widths and heights.
	PolicyCentreFront Policy = "centreFront"
	// PolicyLargest chooses the person with the largest box, by area.
	PolicyLargest Policy = "largest"
	// PolicyHighestScore chooses the person with the highest Score.
	PolicyHighestScore Policy = "highestScore"
	// PolicyNearest chooses the person whose box is nearest to Choice.Point; if several boxes contain it, the one with the nearest centre.
	PolicyNearest Policy = "nearest"
	// PolicyMostMovement chooses the person who moves farthest in the first seconds of a movie, and in a picture as PolicyCentreFront does.
	PolicyMostMovement Policy = "mostMovement"
	// PolicyTrack chooses the person with a track number that ExtractAll or an earlier extraction gave.
	PolicyTrack Policy = "track"
)

// Policies returns all policies.
func Policies() []Policy {
	return []Policy{PolicyCentreFront, PolicyLargest, PolicyHighestScore, PolicyNearest, PolicyMostMovement, PolicyTrack}
}

// Validate returns a keypoint.ErrInvalid if the policy is unknown or a number out of range.
func (c Choice) Validate() error {
	switch {
	case !(c.Seconds >= 0 && c.Seconds <= 60):
		return fmt.Errorf("%w choice: %v seconds, want 0 to 60", keypoint.ErrInvalid, c.Seconds)
	case c.Policy == PolicyNearest && !(max(math.Abs(c.Point[0]), math.Abs(c.Point[1])) <= 1e6):
		return fmt.Errorf("%w choice: the point %v is not within a million pixels", keypoint.ErrInvalid, c.Point)
	case c.Policy == PolicyTrack && c.Track < 1:
		return fmt.Errorf("%w choice: track %d, want 1 or more", keypoint.ErrInvalid, c.Track)
	case c.Policy != "" && !slices.Contains(Policies(), c.Policy):
		return fmt.Errorf("%w choice: policy %q, want centreFront, largest, highestScore, nearest, mostMovement or track", keypoint.ErrInvalid, c.Policy)
	}
	return nil
}

// Watch returns for how many seconds of a movie all people must be tracked before Choose is asked with
// Track and Travel set; ok is false if the choice needs no movement. A choice that watches needs a Finder.
func (c Choice) Watch() (seconds float64, ok bool) {
	switch {
	case c.Policy == PolicyMostMovement && c.Seconds == 0:
		return 2, true
	case c.Policy == PolicyMostMovement || c.Policy == PolicyTrack || c.Policy == PolicyNearest && c.Seconds > 0:
		return c.Seconds, true
	}
	return 0, false
}

// sureScore is the score above which PolicyCentreFront treats scores alike.
const sureScore = 0.3

// Choose returns the index of the chosen person, −1 for nobody. Boxes are pixels of img, in the
// coordinates of bounds; Point is from the picture's top left corner.
func (c Choice) Choose(bounds image.Rectangle, people []Candidate) int {
	corner := corner(bounds.Min)
	centreFront := func(p Candidate) float64 {
		m, w, h := p.Box.Centre().Sub(corner), float64(bounds.Dx())/2, float64(bounds.Dy())/2
		dx, dy := (m[0]-w)/w, (m[1]-h)/h
		return p.Box.Width() * p.Box.Height() / (1 + dx*dx + dy*dy) * min(p.Score, sureScore)
	}
	switch c.Policy {
	case PolicyLargest:
		return best(people, func(p Candidate) float64 { return p.Box.Width() * p.Box.Height() })
	case PolicyHighestScore:
		return best(people, func(p Candidate) float64 { return p.Score })
	case PolicyNearest:
		at := keypoint.Point(c.Point).Add(corner)
		return best(people, func(p Candidate) float64 {
			dx := max(p.Box.Min[0]-at[0], 0, at[0]-p.Box.Max[0])
			dy := max(p.Box.Min[1]-at[1], 0, at[1]-p.Box.Max[1])
			outside, middle := math.Hypot(dx, dy), p.Box.Centre().Sub(at).Len()
			return 1 / (1 + outside*1e3 + middle)
		})
	case PolicyMostMovement:
		if i := best(people, func(p Candidate) float64 { return p.Travel }); i >= 0 {
			return i
		}
	case PolicyTrack:
		return slices.IndexFunc(people, func(p Candidate) bool { return p.Track == c.Track })
	}
	return best(people, centreFront)
}

// best returns the index of the largest positive value, −1 if there is none.
func best(people []Candidate, value func(Candidate) float64) int {
	index, most := -1, 0.0
	for i, p := range people {
		if v := value(p); v > most {
			index, most = i, v
		}
	}
	return index
}
