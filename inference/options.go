package inference

import (
	"context"
	"fmt"

	"github.com/bodymotion/motion/keypoint"
)

// ExtractOptions say who is found, and how, by Extract, ExtractAll, ExtractImage, ExtractAllImage and a
// Follower. All fields are optional.
type ExtractOptions struct {
	// MaxFrames limits the movie: MaxFrames frames or more give ErrTooManyFrames. 0 or less: no limit.
	MaxFrames int
	// Choose selects the person, for ExtractAll as soon as it selects anybody. A Choice that watches
	// needs an Estimator that is a Finder.
	Choose Choice
	// MaxPeople limits how many people ExtractAll follows at a time, and how many are in the result:
	// those who are visible longest, and the chosen one. 0 or less: no limit.
	MaxPeople int
	// Candidates is the number of initial frames in which every detected person is passed
	// to OnCandidates, so that a later extraction can choose another one. Of these, only the
	// frames that are looked at count. It needs an Estimator that is a Finder.
	Candidates   int
	OnCandidates func(frame int, people []Candidate) // called with the people in each of these frames, in order
	// Feet keeps the six parts of the feet, if the Estimator finds them; else the result has only the 17 parts from
	// the nose to the ankles. Following the person is the same with and without.
	Feet bool
	// Depth keeps where the network guesses the parts to be in space (keypoint.Frame.Positions), if it does. Keypoints are
	// the same with and without.
	Depth bool
	// InFlight is the number of frames estimated at once, 1 to 5; 0: 2. The position of
	// the person is extrapolated over as many looks. The result depends on InFlight, but
	// not on the machine's speed.
	InFlight int
	// Rate is the number of looks per second; 0: every frame is looked at. Of a movie of a higher frame rate, Extract
	// looks at the frames that are 1/Rate apart by their times, less a tenth because times are rounded, at the first
	// and the last frame of each scene, and at the last frame before a pause of the movie. It decodes the others, but
	// does not estimate them: they are empty in the result, which says where it has looked (keypoint.Sequence.Looks).
	// clean.Run fills them. A Rate that is negative or not finite is a keypoint.ErrInvalid.
	Rate float64
	// Progress is called after each look with the number of frames done and the number in
	// the movie's headers (0: unknown).
	Progress func(done, total int)
	// OnFrame is called with each frame of the result as soon as it is final: every one, in order,
	// from the goroutine of Extract, before the Progress of its look. Those between the looks of a Rate
	// are empty, and come with the next look. While the Choice watches, nothing is final; then all of
	// its frames come at once. Which frames are PersonChanges, only the result tells.
	OnFrame func(frame int, f keypoint.Frame, seconds float64)
}

// tellCandidates finds the people in a frame and passes them on, if it is an initial one. finder may be nil.
func (opt *ExtractOptions) tellCandidates(ctx context.Context, finder Finder, frame int, pic Picture) error {
	if frame >= opt.Candidates || opt.OnCandidates == nil {
		return nil
	}
	if finder == nil {
		return ErrNoFinder
	}
	people, err := finder.Find(ctx, pic.Image)
	if err != nil {
		return fmt.Errorf("frame %d: %w", frame, err)
	}
	opt.OnCandidates(frame, people)
	return nil
}
