package motion

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
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

	result []byte // JSON of a catalog.Keypoints; in old records without Clean, of a keypoint.Sequence
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
	return sequenceOf(d.Cleaned, err)
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
	return sequenceOf(d.Raw, err)
}

// Changes returns what cleaning changed, one element per frame, or ErrNotReady. It is nil for raw
// keypoints without a Rate, and for records that an older version has made.
func (e Extraction) Changes() ([][keypoint.NumParts]clean.Change, error) {
	d, err := e.documents()
	if err != nil || d.Changes == nil {
		return nil, err
	}
	changes := make([][keypoint.NumParts]clean.Change, len(d.Changes))
	for i, text := range d.Changes {
		b, err := hex.DecodeString(text)
		if err != nil || len(b) > keypoint.NumParts {
			return nil, fmt.Errorf("keypoint %d: the stored changes of frame %d are damaged", e.ID, i)
		}
		for p, c := range b {
			changes[i][p] = clean.Change(c)
		}
	}
	return changes, nil
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
	d, err := e.documents()
	return membersOf(d.Cleaned, err)
}

// RawJSON is like JSON for the keypoints as they were before cleaning.
func (e Extraction) RawJSON() (keypoint, scores, timestamps json.RawMessage) {
	d, err := e.documents()
	keypoint, scores, timestamps = membersOf(d.Raw, err)
	if e.CaptureRate != 0 {
		_, _, timestamps = membersOf(d.Cleaned, err)
	}
	return keypoint, scores, timestamps
}

func membersOf(text []byte, err error) (keypoint, scores, timestamps json.RawMessage) {
	var m struct{ Keypoint, Scores, Timestamps json.RawMessage }
	if err != nil || json.Unmarshal(text, &m) != nil {
		return nil, nil, nil
	}
	return m.Keypoint, m.Scores, m.Timestamps
}

// Quality returns what the keypoints are good for, or ErrNotReady. Records that an older version
// has made have no Verdict and no warnings.
func (e Extraction) Quality() (report quality.Report, err error) {
	d, err := e.documents()
	if err == nil && d.Quality != nil {
		err = json.Unmarshal(d.Quality, &report)
	}
	return report, err
}

// documents returns the parts of the result, or ErrNotReady.
func (e Extraction) documents() (d catalog.Keypoints, err error) {
	switch {
	case len(e.result) == 0:
		return d, ErrNotReady
	case e.Clean == nil && e.Verdict == "":
		return catalog.Keypoints{Cleaned: e.result, Raw: e.result}, nil
	}
	err = json.Unmarshal(e.result, &d)
	if d.Raw == nil {
		d.Raw = d.Cleaned
	}
	return d, err
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
	how := clean.Options{}
	if e.Clean != nil {
		how = *e.Clean
	}
	result, err := resultOf(raw, how, &d)
	if err != nil {
		return worker.Output{}, err
	}
	data, err := json.Marshal(d)
	return worker.Output{Data: data, Result: result}, err
}

// resultOf cleans, calibrates and judges keypoints. It returns the stored result, and sets what the
// record says of it.
func resultOf(raw keypoint.Sequence, how clean.Options, d *catalog.Extraction) ([]byte, error) {
	seq, err := raw, error(nil)
	if d.CaptureRate != 0 {
		seq, err = raw.CapturedAt(d.CaptureRate)
	}
	var report clean.Report
	var judged quality.Report
	if err == nil {
		seq, report, judged, err = cleanAndJudge(seq, how, d.Calibration)
	}
	if err != nil {
		return nil, lasting(err)
	}
	d.World = seq.World
	var k catalog.Keypoints
	if how != (clean.Options{}) || raw.Looks != nil || d.CaptureRate != 0 || d.World != (keypoint.World{}) {
		d.Cleaned = catalog.Counts{
			Swapped: report.Count(clean.Swapped), Rejected: report.Count(clean.Rejected | clean.Coincident),
			Filled: report.Count(clean.Filled), Smoothed: report.Count(clean.Smoothed), Skipped: len(report.Skips),
		}
		for _, parts := range report.Changes {
			b := make([]byte, keypoint.NumBody, keypoint.NumParts)
			for p, c := range parts {
				if p >= keypoint.NumBody && c != 0 {
					b = b[:keypoint.NumParts]
				}
				if p < len(b) {
					b[p] = byte(c)
				}
			}
			k.Changes = append(k.Changes, hex.EncodeToString(b))
		}
		if k.Raw, err = json.Marshal(raw); err != nil {
			return nil, err
		}
	}
	d.Verdict = string(judged.Verdict)
	if k.Quality, err = json.Marshal(judged); err != nil {
		return nil, err
	}
	if k.Cleaned, err = json.Marshal(seq); err != nil {
		return nil, err
	}
	return json.Marshal(k)
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
