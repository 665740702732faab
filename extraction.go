package motion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// Extraction is a keypoint record: the keypoints of one movie or image.
type Extraction struct {
	State
	MovieID, ImageID int64 // one of them; the other is 0

	Rate    float64        // looks per second at the movie; 0 for every frame
	Clean   *clean.Options // how the keypoints are cleaned; nil for raw keypoints
	Cleaned Cleaned        // what cleaning changed

	CaptureRate float64              // frames per second of the camera, if not those of the movie; else 0
	Calibration keypoint.Calibration // how the World was to be found
	World       keypoint.World       // what was found: the scale, the floor and the origin; zero before SUCCESS

	Verdict quality.Verdict // what the recording is good for; "" before SUCCESS, and in records of older versions

	Feet       bool        // whether heels and toes are kept, if the estimator finds them
	Choose     *Choice     // who was to be analysed; nil for the default
	Candidates []Candidate // the people found, if ExtractRequest.Candidates asked for them

	result []byte // JSON of extraction.Documents; in old records without Clean, of a keypoint.Sequence
}

// Cleaned counts the points that cleaning changed, and the runs of points that were too short
// to smooth.
type Cleaned struct {
	Swapped, Rejected, Filled, Smoothed int // points
	Skipped                             int // runs
}

func extractionOf(r storage.Record) (Extraction, error) {
	var d catalog.Extraction
	err := catalog.Decode(r, &d)
	e := Extraction{State: stateOf(r), MovieID: d.Movie, ImageID: d.Image, Rate: d.Rate, Feet: d.Feet, Cleaned: Cleaned(d.Cleaned), Verdict: quality.Verdict(d.Verdict), result: r.Result}
	e.CaptureRate, e.Calibration, e.World = d.CaptureRate, d.Calibration, d.World
	err = errors.Join(err, decodeOptional(d.Clean, &e.Clean), decodeOptional(d.Choose, &e.Choose), decodeOptional(d.Candidates, &e.Candidates))
	return e, err
}

// decodeOptional decodes a stored member, if it is present.
func decodeOptional(text json.RawMessage, into any) error {
	if text == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

// Sequence returns the keypoints, or ErrNotReady.
func (e Extraction) Sequence() (keypoint.Sequence, error) {
	d, err := e.documents()
	if err != nil {
		return keypoint.Sequence{}, err
	}
	return d.Sequence()
}

// Raw returns the keypoints as they were before cleaning, or ErrNotReady. Frames that were not
// looked at are empty. Times and World are those of Sequence.
func (e Extraction) Raw() (keypoint.Sequence, error) {
	raw, err := e.found()
	if err == nil && e.CaptureRate != 0 {
		raw, err = raw.CapturedAt(e.CaptureRate)
	}
	raw.World = e.World
	return raw, err
}

// found returns the keypoints as they were found, with the times of the movie and without a World.
func (e Extraction) found() (keypoint.Sequence, error) {
	d, err := e.documents()
	if err != nil {
		return keypoint.Sequence{}, err
	}
	return d.Found()
}

// Changes returns what cleaning changed, one element per frame, or ErrNotReady. It is nil for raw
// keypoints without a Rate, and for records that an older version has made.
func (e Extraction) Changes() ([][keypoint.NumParts]clean.Change, error) {
	d, err := e.documents()
	if err != nil {
		return nil, err
	}
	changes, err := d.Changed()
	if err != nil {
		return nil, fmt.Errorf("keypoint %d: %w", e.ID, err)
	}
	return changes, nil
}

// JSON returns the parts of the result as JSON: keypoint, the API's array of
// frames; scores, an array of objects from part name to confidence; timestamps, an
// array of seconds, nil for an image. All are nil before SUCCESS.
func (e Extraction) JSON() (keypoint, scores, timestamps json.RawMessage) {
	d, _ := e.documents()
	m := extraction.MembersOf(d.Cleaned)
	return m.Keypoint, m.Scores, m.Timestamps
}

// RawJSON is like JSON for the keypoints as they were before cleaning.
func (e Extraction) RawJSON() (keypoint, scores, timestamps json.RawMessage) {
	d, _ := e.documents()
	m := extraction.MembersOf(d.Raw)
	if e.CaptureRate != 0 {
		m.Timestamps = extraction.MembersOf(d.Cleaned).Timestamps
	}
	return m.Keypoint, m.Scores, m.Timestamps
}

// Quality returns what the keypoints are good for, or ErrNotReady. Records that an older version
// has made have no Verdict and no warnings.
func (e Extraction) Quality() (quality.Report, error) {
	d, err := e.documents()
	if err != nil {
		return quality.Report{}, err
	}
	return d.Report()
}

// documents returns the parts of the result, or ErrNotReady.
func (e Extraction) documents() (extraction.Documents, error) {
	if len(e.result) == 0 {
		return extraction.Documents{}, ErrNotReady
	}
	return extraction.Parse(e.result, e.Clean == nil && e.Verdict == "")
}

// Extract creates a keypoint record and queues its job. The media must have been uploaded:
// ErrConflict otherwise. Options that are out of range are a *RequestError.
func (s *Service) Extract(ctx context.Context, owner string, req ExtractRequest) (Extraction, error) {
	if err := req.check(); err != nil {
		return Extraction{}, err
	}
	d := catalog.Extraction{Movie: req.MovieID, Image: req.ImageID, Keypoint: req.KeypointID, Rate: req.Rate, Feet: req.Feet, CandidateFrames: req.Candidates, CaptureRate: req.CaptureRate, Calibration: req.Calibration}
	var err error
	if req.KeypointID != 0 {
		var e Extraction
		e, err = s.reference(ctx, owner, "keypointId", req.KeypointID)
		d.Movie, d.Image, d.Rate, d.Feet = e.MovieID, e.ImageID, e.Rate, e.Feet
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

// Extraction returns a keypoint record with its result.
func (s *Service) Extraction(ctx context.Context, owner string, id int64) (Extraction, error) {
	return find(ctx, s, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}, extractionOf)
}

// Extractions returns a page of the owner's keypoint records without results, newest first,
// and the number of all that match.
func (s *Service) Extractions(ctx context.Context, owner string, page Page) ([]Extraction, int, error) {
	return list(ctx, s, owner, storage.Keypoints, page, extractionOf)
}

// workExtract does the work on a keypoint record.
func (s *Service) workExtract(ctx context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
	var d catalog.Extraction
	e, err := extractionOf(r)
	if err = errors.Join(err, catalog.Decode(r, &d)); err != nil {
		return worker.Output{}, err
	}
	var raw keypoint.Sequence
	if d.Keypoint != 0 {
		var from Extraction
		if from, err = s.Extraction(ctx, r.Owner, d.Keypoint); err == nil {
			raw, err = from.found()
		}
	} else {
		raw, err = s.extract(ctx, r.Owner, e.Choose, &d, progress)
	}
	if err != nil {
		return worker.Output{}, err
	}
	opt := extraction.Options{CaptureRate: d.CaptureRate, Calibration: d.Calibration}
	if e.Clean != nil {
		opt.Clean = *e.Clean
	}
	processed, err := extraction.Process(raw, opt)
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	documents, err := extraction.NewDocuments(raw, opt, processed)
	if err != nil {
		return worker.Output{}, err
	}
	d.World, d.Cleaned, d.Verdict = processed.Sequence.World, processed.Counts(), string(processed.Quality.Verdict)
	result, err := json.Marshal(documents)
	if err != nil {
		return worker.Output{}, err
	}
	data, err := json.Marshal(d)
	return worker.Output{Data: data, Result: result}, err
}

// extract finds the keypoints in the media of a record, and sets its candidates.
func (s *Service) extract(ctx context.Context, owner string, choose *Choice, d *catalog.Extraction, progress func(done, total int)) (keypoint.Sequence, error) {
	key := mediaOfExtraction(owner, d.Movie, d.Image)
	blob, err := s.OpenMedia(ctx, key.Owner, key.Kind, key.ID)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	defer blob.Close()
	x := Extractor{Estimator: s.cfg.Estimator, Decoder: s.cfg.Decoder, Limits: s.cfg.Limits, Rate: d.Rate, Feet: d.Feet, Progress: progress, turn: s.turn}
	if choose != nil {
		x.Stay = choose.Stay
		if x.Choose, err = choose.Chooser(); err != nil {
			return keypoint.Sequence{}, err
		}
	}
	var candidates []Candidate
	x.candidates = d.CandidateFrames
	x.onCandidates = func(frame int, people []inference.Candidate) {
		candidates = append(candidates, candidatesOf(frame, people)...)
	}
	read := x.movie
	if d.Image != 0 {
		read = x.image
	}
	seq, err := read(ctx, blob)
	if err != nil {
		return keypoint.Sequence{}, s.mediaFailure(ctx, key, err)
	}
	if candidates != nil {
		if d.Candidates, err = json.Marshal(candidates); err != nil {
			return keypoint.Sequence{}, err
		}
	}
	return seq, s.correctMedia(ctx, key, seq)
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
