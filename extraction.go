package motion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

// Extraction is a keypoint record: the keypoints of one movie or image.
type Extraction struct {
	State
	MovieID, ImageID int64 // one of them; the other is 0

	Clean   *clean.Options // how the keypoints were cleaned; nil for raw keypoints
	Cleaned Cleaned        // what cleaning changed

	Choose     *Choice     // who was to be analysed; nil for the default
	Candidates []Candidate // the people found, if ExtractRequest.Candidates asked for them

	result []byte // JSON of a keypoint.Sequence; with Clean, of a catalog.Cleaned
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
	e := Extraction{State: stateOf(r), MovieID: d.Movie, ImageID: d.Image, Cleaned: Cleaned(d.Cleaned), result: r.Result}
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
	return sequenceOf(d.Cleaned, err)
}

// Raw returns the keypoints as they were before cleaning, or ErrNotReady.
func (e Extraction) Raw() (keypoint.Sequence, error) {
	d, err := e.documents()
	return sequenceOf(d.Raw, err)
}

func sequenceOf(text []byte, err error) (seq keypoint.Sequence, _ error) {
	if err == nil {
		err = json.Unmarshal(text, &seq)
	}
	return seq, err
}

// JSON returns the parts of the result as JSON: keypoint, the API's array of
// frames; scores, an array of objects from part name to confidence; timestamps, an
// array of seconds, nil for an image. All are nil before SUCCESS.
func (e Extraction) JSON() (keypoint, scores, timestamps json.RawMessage) {
	var m struct{ Keypoint, Scores, Timestamps json.RawMessage }
	d, err := e.documents()
	if err != nil || json.Unmarshal(d.Cleaned, &m) != nil {
		return nil, nil, nil
	}
	return m.Keypoint, m.Scores, m.Timestamps
}

// documents returns the keypoints after and before cleaning, or ErrNotReady.
func (e Extraction) documents() (d catalog.Cleaned, err error) {
	switch {
	case len(e.result) == 0:
		return d, ErrNotReady
	case e.Clean == nil:
		return catalog.Cleaned{Cleaned: e.result, Raw: e.result}, nil
	}
	err = json.Unmarshal(e.result, &d)
	return d, err
}

// ExtractRequest asks for the keypoints of a movie or an image.
type ExtractRequest struct {
	MovieID int64 // exactly one of MovieID, ImageID and KeypointID
	ImageID int64

	// KeypointID is a keypoint record whose raw keypoints are cleaned again, without decoding
	// its movie or image again. Choose and Candidates must be zero then.
	KeypointID int64

	Clean  *clean.Options // how the keypoints are cleaned; nil for not at all
	Choose *Choice        // who is analysed; nil for the person in the centre and in the foreground

	// Candidates is the number of initial frames in which every detected person is recorded,
	// 0 to 100, so that a later request can choose another one: with Nearest and the middle
	// of a box.
	Candidates int
}

// Extract creates a keypoint record and queues its job. The media must have been uploaded:
// ErrConflict otherwise. Options that are out of range are a *RequestError.
func (s *Service) Extract(ctx context.Context, owner string, req ExtractRequest) (Extraction, error) {
	if err := req.check(); err != nil {
		return Extraction{}, err
	}
	d := catalog.Extraction{Movie: req.MovieID, Image: req.ImageID, Keypoint: req.KeypointID, CandidateFrames: req.Candidates}
	var err error
	if req.KeypointID != 0 {
		var e Extraction
		e, err = s.reference(ctx, owner, "keypointId", req.KeypointID)
		d.Movie, d.Image = e.MovieID, e.ImageID
	} else {
		err = s.checkUploaded(ctx, owner, d)
	}
	if err == nil && req.Clean != nil {
		d.Clean, err = json.Marshal(req.Clean)
	}
	if err == nil && req.Choose != nil {
		d.Choose, err = json.Marshal(req.Choose)
	}
	if err != nil {
		return Extraction{}, err
	}
	return create(ctx, s, owner, storage.Keypoints, d, extractionOf)
}

func (req ExtractRequest) check() error {
	again := req.KeypointID != 0
	switch {
	case again && (req.MovieID != 0 || req.ImageID != 0 || req.Choose != nil || req.Candidates != 0):
		return badRequest("keypointId", "excludes movieId, imageId, choose and candidates")
	case !again && (req.MovieID == 0) == (req.ImageID == 0):
		return badRequest("movieId", "exactly one of movieId and imageId is required")
	case req.Candidates < 0 || req.Candidates > maxCandidateFrames:
		return badRequest("candidates", "%d frames, want 0 to %d", req.Candidates, maxCandidateFrames)
	}
	if req.Clean != nil {
		if err := req.Clean.Validate(); err != nil {
			return &RequestError{"clean", err}
		}
	}
	if req.Choose != nil {
		if _, err := req.Choose.Chooser(); err != nil {
			return &RequestError{"choose", err}
		}
	}
	return nil
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
			raw, err = from.Raw()
		}
	} else {
		raw, err = s.extract(ctx, r.Owner, e.Choose, &d, progress)
	}
	if err != nil {
		return worker.Output{}, err
	}
	result, err := json.Marshal(raw)
	if err == nil && e.Clean != nil {
		result, d.Cleaned, err = cleanResult(raw, result, *e.Clean)
	}
	if err != nil {
		return worker.Output{}, err
	}
	data, err := json.Marshal(d)
	return worker.Output{Data: data, Result: result}, err
}

// cleanResult cleans keypoints, and returns the stored result.
func cleanResult(raw keypoint.Sequence, rawJSON []byte, opt clean.Options) (result []byte, counts catalog.Counts, err error) {
	seq, report, err := clean.Run(raw, opt)
	if err != nil {
		return nil, counts, err
	}
	if seq.Size != (image.Point{}) { // known
		for i := range seq.Frames { // filling and smoothing may leave the picture
			seq.Frames[i].Clamp(keypoint.Point{}, keypoint.Point{float64(seq.Size.X), float64(seq.Size.Y)})
		}
	}
	counts = catalog.Counts{
		Swapped: report.Count(clean.Swapped), Rejected: report.Count(clean.Rejected),
		Filled: report.Count(clean.Filled), Smoothed: report.Count(clean.Smoothed), Skipped: len(report.Skips),
	}
	cleaned, err := json.Marshal(seq)
	if err != nil {
		return nil, counts, err
	}
	result, err = json.Marshal(catalog.Cleaned{Cleaned: cleaned, Raw: rawJSON})
	return result, counts, err
}

// extract finds the keypoints in the media of a record, and sets its candidates.
func (s *Service) extract(ctx context.Context, owner string, choose *Choice, d *catalog.Extraction, progress func(done, total int)) (keypoint.Sequence, error) {
	key := mediaOfExtraction(owner, d.Movie, d.Image)
	blob, err := s.openMedia(ctx, key)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	defer blob.Close()
	x := Extractor{Estimator: s.cfg.Estimator, Decoder: s.cfg.Decoder, Limits: s.cfg.Limits, Progress: progress, turn: s.turn}
	if choose != nil {
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

// Choice selects the person who is analysed in a movie or image. The zero value is the person
// in the centre and in the foreground.
type Choice struct {
	Policy Policy     `json:"policy,omitempty"`
	Point  [2]float64 `json:"point,omitzero"`  // of Nearest: pixels
	Track  int        `json:"track,omitempty"` // of ByTrack: the number that inference.ExtractAll gives, from 1
	// Seconds, at most 60, is for MostMovement the time in which movement is measured, where
	// 0 means 2 s; for ByTrack the time when the person first appears.
	Seconds float64 `json:"seconds,omitempty"`
}

// Policy is a rule for choosing a person.
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

// Chooser returns the inference.Chooser of a choice. An unknown policy or a number out of range
// is ErrInvalid.
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
			return nil, fmt.Errorf("%w choice: the point %v is not finite", ErrInvalid, c.Point)
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
