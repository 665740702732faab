package motion

import (
	"errors"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// FindOptions say who is found in a movie or image, and how the keypoints are made ready for use. All are optional.
type FindOptions struct {
	// Rate is the number of looks per second at a movie, 0 for every frame. The frames between two looks that both found a
	// part are filled in along a cubic spline; before the first look at a person and after the last one they stay empty.
	// docs/how/accuracy.md recommends rates.
	Rate float64 `json:"rate,omitempty"`

	Choose inference.Choice `json:"choose,omitzero"` // who is analysed; zero for the person in the centre and in the foreground

	// Everybody follows all people, at most 20 of them: Outcome.People. The keypoints themselves are of the person that
	// Choose selects. Frames in which that person is missing are empty.
	Everybody bool `json:"everybody,omitempty"`

	// Feet keeps heels and toes, if the estimator finds them; else there are the 17 parts from the nose to the ankles.
	Feet bool `json:"feet,omitempty"`

	// Mirrored says that the picture was mirrored, as by a selfie camera. It is reversed first: keypoints, boxes, drawings and
	// reports are those of the picture as others see the person. Given keypoints are reversed by keypoint.Sequence.Unmirrored.
	Mirrored bool `json:"mirrored,omitempty"`

	// Shrink decodes a movie whose frames have too many pixels for Limits.FramePixels into the largest size below, instead of refusing it.
	// Keypoints stay pixels of the movie itself. It needs a Decoder with a method Within(pixels int) inference.Decoder, as ffmpeg.Decoder has.
	Shrink bool `json:"shrink,omitempty"`

	// CandidateFrames is the number of initial frames in which every detected person is recorded, 0 to 100, so
	// that a later request can choose another one: with Nearest and the middle of a box.
	CandidateFrames int `json:"candidateFrames,omitempty"`
	// CandidatesEvery is the least time between two of these frames, 0 to 60 s, as inference.ExtractOptions has it.
	CandidatesEvery float64 `json:"candidatesEvery,omitempty"`

	// Clean is how the keypoints are cleaned; zero for Config.Clean of a Service, and for clean.Default of an Extractor.
	Clean     clean.Options `json:"clean,omitzero"`
	Uncleaned bool          `json:"-"` // leaves the keypoints as they are found; Clean must be zero then

	// CaptureRate is the number of frames per second at which the camera recorded a movie that is played slower or faster, 0.001 to
	// 10000; 0 for the movie's own. All seconds and speeds follow it. Drawings keep the times of the movie.
	CaptureRate float64 `json:"captureRate,omitempty"`

	// Calibration says how metres and the floor are found, from the cleaned keypoints: keypoint.Sequence.World. A recording that
	// does not show them is an ErrInvalid. Zero for pixels.
	Calibration keypoint.Calibration `json:"calibration,omitzero"`
}

// none are no options.
var none FindOptions

const (
	maxPeople          = 20  // of Everybody
	maxCandidateFrames = 100 // whose people are stored in the record
)

// check reports what is wrong with the options; still: they are for a picture, not for a recording.
func (o FindOptions) check(still bool) error {
	switch every := o.CandidatesEvery; {
	case !(every >= 0 && every <= 60) || every > 0 && o.CandidateFrames == 0:
		return badRequest("candidatesEvery", "%v s, want 0 to 60, and nothing without candidates", every)
	case !(o.Rate >= 0 && o.Rate <= math.MaxFloat64):
		return badRequest("rate", "%v looks per second, want a positive number, or 0 for every frame", o.Rate)
	case o.CaptureRate != 0 && !(o.CaptureRate >= 0.001 && o.CaptureRate <= 10_000):
		return badRequest("capture", "%v frames per second, want 0.001 to 10000", o.CaptureRate)
	case o.CandidateFrames < 0 || o.CandidateFrames > maxCandidateFrames:
		return badRequest("candidates", "%d frames, want 0 to %d", o.CandidateFrames, maxCandidateFrames)
	case o.Uncleaned && o.Clean != none.Clean:
		return badRequest("clean", "is given together with uncleaned: want one of them")
	}
	if err := o.Clean.Validate(); err != nil {
		return inField("clean", err)
	}
	if err := o.Choose.Validate(); err != nil {
		return inField("choose", err)
	}
	if wrong, ok := errors.AsType[keypoint.FieldErrors](o.Calibration.Validate()); ok {
		return badRequest(wrong[0].Pointer[1:], "%s", wrong[0].Detail)
	}
	if still {
		return o.checkStill()
	}
	return nil
}

// checkStill refuses what only movies have.
func (o FindOptions) checkStill() error {
	switch floor := o.Calibration.Floor; {
	case o.Rate != 0:
		return badRequest("rate", "is for movies only")
	case o.CaptureRate != 0:
		return badRequest("capture", "is for movies only")
	case o.Choose.Stay:
		return badRequest("choose", "stay is for movies only")
	case o.Shrink:
		return badRequest("shrink", "is for movies only")
	case o.Choose.Policy == inference.PolicyTrack && !o.Everybody:
		return badRequest("choose", "the policy track is for movies only, and for images with everybody")
	case floor != nil && floor.Auto:
		return badRequest("floor", "auto is for movies only: give two points or an angle")
	}
	return nil
}

// cleaned returns the options with what Clean stands for.
func (o FindOptions) cleaned(standard clean.Options) FindOptions {
	if !o.Uncleaned && o.Clean == none.Clean {
		o.Clean = standard
	}
	o.Uncleaned = o.Clean == none.Clean
	return o
}

// looked returns the options of a record whose keypoints are used once more, without those that choose the person.
func (o FindOptions) looked() FindOptions {
	o.Choose, o.CandidateFrames, o.CandidatesEvery = none.Choose, 0, 0
	return o
}

func (o FindOptions) processing() extraction.Options {
	return extraction.Options{Clean: o.Clean, CaptureRate: o.CaptureRate, Calibration: o.Calibration}
}

func (o FindOptions) extracting() inference.ExtractOptions {
	x := inference.ExtractOptions{
		Rate: o.Rate, Choose: o.Choose, Feet: o.Feet, Candidates: o.CandidateFrames, CandidatesEvery: o.CandidatesEvery,
	}
	if o.Everybody {
		x.MaxPeople = maxPeople
	}
	return x
}

// shrunk returns the options for frames x times as wide and y times as high as those of the movie. The callbacks are given pixels of the movie.
func shrunk(o inference.ExtractOptions, x, y float64) inference.ExtractOptions {
	o.Choose.Point = [2]float64{o.Choose.Point[0] * x, o.Choose.Point[1] * y}
	if onFrame := o.OnFrame; onFrame != nil {
		o.OnFrame = func(frame int, f keypoint.Frame, seconds float64) { onFrame(frame, film.Scaled(f, 1/x, 1/y), seconds) }
	}
	if tell := o.OnCandidates; tell != nil {
		o.OnCandidates = func(frame int, people []inference.Candidate) {
			for i := range people {
				p := &people[i]
				p.Keypoints = film.Scaled(p.Keypoints, 1/x, 1/y)
				low, high := p.Box.Min, p.Box.Max
				p.Box = inference.Box{Min: keypoint.Point{low[0] / x, low[1] / y}, Max: keypoint.Point{high[0] / x, high[1] / y}}
			}
			tell(frame, people)
		}
	}
	return o
}

// decoder returns the decoder of the movie or image, which puts a mirrored one right.
func (o FindOptions) decoder(d inference.Decoder) inference.Decoder {
	if o.Mirrored {
		return film.Mirrored{Decoder: d}
	}
	return d
}
