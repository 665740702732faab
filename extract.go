package motion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/storage"
)

// ExtractRequest asks for the keypoints of a movie or an image.
type ExtractRequest struct {
	MovieID int64 // exactly one of MovieID, ImageID and KeypointID
	ImageID int64

	// KeypointID is a keypoint record whose raw keypoints are cleaned and calibrated anew, without
	// decoding its movie or image again. Rate, Choose, Everybody, Feet and Candidates must be zero
	// then: the looks, the people and the feet are those of that record. Its Clean, CaptureRate and Calibration do not count.
	KeypointID int64

	Rate float64 // looks per second at a movie, as in Extractor; 0 for every frame

	// Everybody follows all people, at most 20 of them: Extraction.People. The record itself is of the
	// one whom Choose selects, and of nobody else when that person is gone.
	Everybody bool

	Clean  *clean.Options // how the keypoints are cleaned; nil for Config.Clean, zero Options for not at all
	Choose *Choice        // who is analysed; nil for the person in the centre and in the foreground

	// Feet keeps heels and toes, if the estimator finds them; else the record has the 17 parts
	// from the nose to the ankles.
	Feet bool

	// CaptureRate is the number of frames per second at which the camera recorded a movie that is played
	// slower or faster, 0.001 to 10000; 0 for the movie's own. All seconds and speeds follow it. Drawings
	// keep the times of the movie.
	CaptureRate float64

	// Calibration says how metres and the floor are found, from the cleaned keypoints. The work fails on
	// a recording that does not show them.
	Calibration keypoint.Calibration

	// Candidates is the number of initial frames in which every detected person is recorded,
	// 0 to 100, so that a later request can choose another one: with Nearest and the middle
	// of a box.
	Candidates int
}

func (req ExtractRequest) check() error {
	again := req.KeypointID != 0
	switch {
	case again && (req.MovieID != 0 || req.ImageID != 0 || req.Rate != 0 || req.Choose != nil || req.Everybody || req.Feet || req.Candidates != 0):
		return badRequest("keypointId", "excludes movieId, imageId, rate, choose, everybody, feet and candidates")
	case !again && (req.MovieID == 0) == (req.ImageID == 0):
		return badRequest("movieId", "exactly one of movieId and imageId is required")
	case !(req.Rate >= 0 && req.Rate <= math.MaxFloat64):
		return badRequest("rate", "%v looks per second, want a positive number, or 0 for every frame", req.Rate)
	case req.CaptureRate != 0 && !(req.CaptureRate >= 0.001 && req.CaptureRate <= 10_000):
		return badRequest("capture", "%v frames per second, want 0.001 to 10000", req.CaptureRate)
	case req.Candidates < 0 || req.Candidates > maxCandidateFrames:
		return badRequest("candidates", "%d frames, want 0 to %d", req.Candidates, maxCandidateFrames)
	}
	if req.Clean != nil {
		if err := req.Clean.Validate(); err != nil {
			return &RequestError{"clean", err}
		}
	}
	if req.Choose != nil {
		if err := req.Choose.Validate(); err != nil {
			return &RequestError{"choose", err}
		}
	}
	c := req.Calibration
	for i, one := range [...]keypoint.Calibration{{Scale: c.Scale}, {Floor: c.Floor}, {Origin: c.Origin}} {
		if err := one.Validate(); err != nil {
			return &RequestError{[...]string{"scale", "floor", "origin"}[i], err}
		}
	}
	if req.ImageID != 0 {
		return req.checkImage()
	}
	return nil
}

// checkImage refuses what only movies have.
func (req ExtractRequest) checkImage() error {
	switch floor := req.Calibration.Floor; {
	case req.Rate != 0:
		return badRequest("rate", "is for movies only")
	case req.CaptureRate != 0:
		return badRequest("capture", "is for movies only")
	case req.Choose != nil && req.Choose.Stay:
		return badRequest("choose", "stay is for movies only")
	case req.Choose != nil && req.Choose.Policy == inference.PolicyTrack && !req.Everybody:
		return badRequest("choose", "the policy track is for movies only, and for images with everybody")
	case floor != nil && floor.Auto:
		return badRequest("floor", "auto is for movies only: give two points or an angle")
	}
	return nil
}

// Choice selects the person who is analysed in a movie or image. The zero value is the person
// in the centre and in the foreground.
type Choice = inference.Choice

// Candidate is a person found in one of the first frames of a movie, or in an image.
type Candidate struct {
	Frame int        `json:"frame"` // from 0
	Box   [4]float64 `json:"box"`   // left, top, right and bottom, pixels
	Score float64    `json:"score"` // confidence that this is a person, 0 to 1
}

// maxCandidateFrames bounds ExtractRequest.Candidates, which are stored in the record.
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

// Extract creates a keypoint record and queues its job. The media must have been uploaded:
// ErrConflict otherwise. Options that are out of range are a *RequestError.
func (s *Service) Extract(ctx context.Context, owner string, req ExtractRequest) (Extraction, error) {
	if err := req.check(); err != nil {
		return Extraction{}, err
	}
	d := catalog.Extraction{Movie: req.MovieID, Image: req.ImageID, Keypoint: req.KeypointID, Rate: req.Rate, Everybody: req.Everybody, Feet: req.Feet, CandidateFrames: req.Candidates, CaptureRate: req.CaptureRate, Calibration: req.Calibration}
	var err error
	if req.KeypointID != 0 {
		var e Extraction
		e, err = s.reference(ctx, owner, "keypointId", req.KeypointID)
		d.Movie, d.Image, d.Rate, d.Everybody, d.Feet = e.MovieID, e.ImageID, e.Rate, e.Everybody, e.Feet
		if err == nil && d.Image != 0 {
			err = req.checkImage()
		}
	} else {
		err = s.checkUploaded(ctx, owner, d)
	}
	how := req.Clean
	if how == nil {
		how = &s.cfg.Clean
	}
	if err == nil && *how != (clean.Options{}) {
		d.Clean, err = json.Marshal(how)
	}
	if err == nil && req.Choose != nil {
		d.Choose, err = json.Marshal(req.Choose)
	}
	if err != nil {
		return Extraction{}, err
	}
	return create(ctx, s, owner, storage.Keypoints, d, extractionOf)
}

// workExtract does the work on a keypoint record.
func (s *Service) workExtract(ctx context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
	var d catalog.Extraction
	e, err := extractionOf(r)
	if err = errors.Join(err, catalog.Decode(r, &d)); err != nil {
		return worker.Output{}, err
	}
	var people inference.People
	var corrections correct.List
	if d.Keypoint != 0 {
		var from Extraction
		if from, err = s.Extraction(ctx, r.Owner, d.Keypoint); err == nil {
			people, err = from.everybody()
		}
		if err == nil {
			corrections, _, err = from.Corrections()
		}
	} else {
		add, end := s.running.Begin(r.Key)
		defer end()
		people, err = s.extract(ctx, r.Owner, e.Choose, &d, progress, add)
	}
	if err != nil {
		return worker.Output{}, err
	}
	opt := extraction.Options{CaptureRate: d.CaptureRate, Calibration: d.Calibration, Corrections: corrections}
	if e.Clean != nil {
		opt.Clean = *e.Clean
	}
	documents, processed, err := extraction.Make(people, opt)
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	d.World, d.Cleaned, d.Verdict = processed.Sequence.World, processed.Counts(), string(processed.Quality.Verdict)
	d.Corrections = extraction.Digests(corrections, people.Presence(), processed.Moved)
	if d.Everybody {
		if d.People, err = json.Marshal(people.Presence()); err != nil {
			return worker.Output{}, err
		}
	}
	result, err := json.Marshal(documents)
	if err != nil {
		return worker.Output{}, err
	}
	data, err := json.Marshal(d)
	return worker.Output{Data: data, Result: result}, err
}

// extract finds the keypoints in the media of a record, and sets its candidates. Those of one person in a
// movie are passed to onFrame.
func (s *Service) extract(ctx context.Context, owner string, choose *Choice, d *catalog.Extraction, progress func(done, total int), onFrame func(int, keypoint.Frame, float64)) (people inference.People, err error) {
	key := mediaOfExtraction(owner, d.Movie, d.Image)
	blob, err := s.OpenMedia(ctx, key.Owner, key.Kind, key.ID)
	if err != nil {
		return people, err
	}
	defer blob.Close()
	x := Extractor{Estimator: s.cfg.Estimator, Decoder: s.cfg.Decoder, Limits: s.cfg.Limits, Rate: d.Rate, Feet: d.Feet, Progress: progress, onFrame: onFrame, turn: s.turn}
	if choose != nil {
		x.Choose = *choose
	}
	candidates := []Candidate{}
	x.candidates = d.CandidateFrames
	x.onCandidates = func(frame int, people []inference.Candidate) {
		candidates = append(candidates, candidatesOf(frame, people)...)
	}
	switch {
	case d.Everybody:
		people, err = x.everybody(ctx, blob, d.Image != 0)
	case d.Image != 0:
		people.Chosen.Sequence, err = x.image(ctx, blob)
	default:
		people.Chosen.Sequence, err = x.movie(ctx, blob)
	}
	if err != nil {
		return people, s.mediaFailure(ctx, key, err)
	}
	if d.CandidateFrames > 0 {
		if d.Candidates, err = json.Marshal(candidates); err != nil {
			return people, err
		}
	}
	return people, s.correctMedia(ctx, key, people.Chosen.Sequence)
}

// mediaOfExtraction returns the movie or image of an extraction.
func mediaOfExtraction(owner string, movieID, imageID int64) storage.Key {
	if imageID != 0 {
		return storage.Key{Owner: owner, Kind: storage.Images, ID: imageID}
	}
	return storage.Key{Owner: owner, Kind: storage.Movies, ID: movieID}
}

// checkUploaded returns an error unless the media of an extraction were uploaded.
func (s *Service) checkUploaded(ctx context.Context, owner string, d catalog.Extraction) error {
	field, key := "movieId", mediaOfExtraction(owner, d.Movie, d.Image)
	if d.Image != 0 {
		field = "imageId"
	}
	m, err := find(ctx, s, key, mediaOf)
	if err != nil {
		return referenceError(field, key, err)
	}
	if !m.Uploaded {
		return notUploaded(key)
	}
	return nil
}

// mediaFailure returns the error of work on the file of a movie or image: that the file is damaged,
// or else what Limits.mediaFailure makes of the error. It reads the file.
func (s *Service) mediaFailure(ctx context.Context, key storage.Key, err error) error {
	if ctx.Err() != nil || errors.Is(err, ErrUnavailable) {
		return err
	}
	if damage := s.keeper.CheckFile(ctx, key); damage != nil {
		return fmt.Errorf("%w (%w)", damage, err)
	}
	return s.cfg.Limits.mediaFailure(key.Kind, err)
}
