package motion

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/document"
	"github.com/bodymotion/motion/internal/process"
	"github.com/bodymotion/motion/internal/still"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// ExtractRequest asks for the keypoints of a movie or an image.
type ExtractRequest struct {
	MovieID int64 `json:"movieId,omitempty"` // exactly one of MovieID, ImageID, KeypointID and KeypointIDs, but for Keypoints
	ImageID int64 `json:"imageId,omitempty"`

	// KeypointID is a keypoint record whose raw keypoints are cleaned and calibrated again, without decoding its
	// movie or image again. Rate, Choose, Everybody, Feet, Depth, Mirrored and CandidateFrames must be zero then: the looks, the
	// people, the feet and the depth are those of that record. Its Clean, CaptureRate and Calibration do not count.
	KeypointID int64 `json:"keypointId,omitempty"`

	// KeypointIDs are two to four keypoint records of one movement that cameras have seen from different sides, which may
	// be unfinished: their keypoints, cleaned and corrected, are joined in space (package keypoint/space). The record is that
	// of the first with positions in space. All else must be zero but a Scale with BodyHeight, which makes metres.
	KeypointIDs []int64 `json:"keypointIds,omitempty"`

	// Keypoints are those that another program has found: they are cleaned, calibrated and judged, and the record has
	// SUCCESS at once. They need a Size and, of more than one frame, Times. A MovieID or ImageID is what is drawn on; it must
	// have that size and a frame for each. Rate, Choose, Everybody, Depth and CandidateFrames must be zero. In a record,
	// Keypoints has no frames: only the Size, and Times that are not nil if it is of a recording.
	Keypoints *keypoint.Sequence `json:"keypoints,omitempty"`

	// Mirrored says that the picture was mirrored, as by a selfie camera. It is put right before all else: keypoints, boxes,
	// drawings and reports are those of the picture as others see the person. Keypoints are put right as
	// keypoint.Sequence.Unmirrored does.
	Mirrored bool `json:"mirrored,omitempty"`

	Rate float64 `json:"rate,omitempty"` // looks per second at a movie, as in Extractor; 0 for every frame

	// Everybody follows all people, at most 20 of them: Extracted.People. The record itself is of the
	// person that Choose selects. Frames in which that person is missing are empty.
	Everybody bool `json:"everybody,omitempty"`

	// Clean is how the keypoints are cleaned; nil for Config.Clean, zero Options for not at all.
	Clean  *clean.Options    `json:"clean,omitempty"`
	Choose *inference.Choice `json:"choose,omitempty"` // who is analysed; nil for the person in the centre and in the foreground

	// Feet keeps heels and toes, if the estimator finds them; else the record has the 17 parts
	// from the nose to the ankles.
	Feet bool `json:"feet,omitempty"`

	// Depth keeps where the networks guess the parts to be in space, if they do: what a view does not show can be
	// estimated then.
	Depth bool `json:"depth,omitempty"`

	// CaptureRate is the number of frames per second at which the camera recorded a movie that is played
	// slower or faster, 0.001 to 10000; 0 for the movie's own. All seconds and speeds follow it. Drawings
	// keep the times of the movie.
	CaptureRate float64 `json:"captureRate,omitempty"`

	// Calibration says how metres and the floor are found, from the cleaned keypoints. The work fails on
	// a recording that does not show them.
	Calibration keypoint.Calibration `json:"calibration,omitzero"`

	// CandidateFrames is the number of initial frames in which every detected person is recorded, 0 to 100, so
	// that a later request can choose another one: with Nearest and the middle of a box.
	CandidateFrames int `json:"candidateFrames,omitempty"`
	// CandidatesEvery is the least time between two of these frames, 0 to 60 s, as inference.ExtractOptions has it.
	CandidatesEvery float64 `json:"candidatesEvery,omitempty"`

	// The height of the subject is the scale, unless Calibration has another. A recording that does not show it stays in pixels.
	Recording `json:"-"`
	Notes     []Note `json:"-"` // at most 100; nil for those of the record that it is made from
}

// Extracted is the rest of an extraction's result, without the keypoints; zero before SUCCESS.
type Extracted struct {
	World      keypoint.World       `json:"world,omitzero"`      // the scale, the floor and the origin that Calibration has found
	Cleaned    clean.Counts         `json:"cleaned,omitzero"`    // what cleaning changed
	Verdict    quality.Verdict      `json:"verdict,omitempty"`   // what the recording is good for
	Summary    *trend.Summary       `json:"summary,omitempty"`   // for Trend; of the chosen person, nil if the record was made before there were any
	Space      *keypoint.Space      `json:"space,omitempty"`     // with KeypointIDs: what the positions are, and the cameras in their order
	Candidates []Candidate          `json:"candidates,omitzero"` // the people in the first CandidateFrames
	People     []inference.Presence `json:"people,omitzero"`     // with Everybody: those who were found, in order of Track
}

// Extraction is a keypoint record: the keypoints of one movie or image. Its request is the one that was
// carried out: with a KeypointID, it has the MovieID or ImageID, Rate, Everybody, Feet and Depth of that record, with
// KeypointIDs those of the first but Everybody, and its Clean and CaptureRate; Clean is nil for raw keypoints.
type Extraction struct {
	State
	ExtractRequest
	Extracted
	Track int // of the person that Person has selected; 0 for the chosen one

	result json.RawMessage                    // nil before SUCCESS, and in lists
	record *Extraction                        // the whole, of one of People; else nil
	parsed func() (document.Documents, error) // the result without People, parsed once; or nil
}

// Candidate is a person found in one of the first frames of a movie, or in an image.
type Candidate struct {
	Frame int        `json:"frame"` // from 0
	Box   [4]float64 `json:"box"`   // left, top, right and bottom, pixels
	Score float64    `json:"score"` // confidence that this is a person, 0 to 1
	Track int        `json:"track"` // who is the same person, from 1; 0 in records that were made before there were any
}

// maxCandidateFrames bounds ExtractRequest.CandidateFrames, whose people are stored in the record.
const maxCandidateFrames = 100

type extractionForm = catalog.Form[ExtractRequest, Extracted]

func extractionOf(r storage.Record) (Extraction, error) {
	var d extractionForm
	err := catalog.Decode(r, &d)
	e := Extraction{State: stateOf(r, d.Work), ExtractRequest: d.Request, Extracted: d.Outcome}
	e.Recording, e.Notes, _ = recordingOf(d.About)
	if len(r.Result) > 0 {
		e.result = r.Result
		e.parsed = sync.OnceValues(func() (document.Documents, error) { return document.Decode(r.Result, nil) })
	}
	return e, err
}

func (req ExtractRequest) check(frames int) error {
	again := req.KeypointID != 0
	fixed := req.MovieID != 0 || req.ImageID != 0 || req.Rate != 0 || req.Choose != nil || req.Everybody || req.Feet || req.Depth || req.Mirrored || req.CandidateFrames != 0
	if every := req.CandidatesEvery; !(every >= 0 && every <= 60) || every > 0 && req.CandidateFrames == 0 {
		return badRequest("candidatesEvery", "%v s, want 0 to 60, and nothing without candidates", every)
	}
	if req.Keypoints != nil {
		found := req.Rate != 0 || req.Choose != nil || req.Everybody || req.Depth || req.CandidateFrames != 0
		if err := req.checkGiven(found, frames); err != nil {
			return err
		}
	}
	switch {
	case req.KeypointIDs != nil:
		return req.checkJoined(fixed)
	case again && fixed:
		return badRequest("keypointId", "excludes movieId, imageId, rate, choose, everybody, feet, depth, mirrored and candidates")
	case !again && (req.MovieID == 0) == (req.ImageID == 0) && (req.Keypoints == nil || req.MovieID != 0):
		return badRequest("movieId", "exactly one of movieId and imageId is required")
	case !(req.Rate >= 0 && req.Rate <= math.MaxFloat64):
		return badRequest("rate", "%v looks per second, want a positive number, or 0 for every frame", req.Rate)
	case req.CaptureRate != 0 && !(req.CaptureRate >= 0.001 && req.CaptureRate <= 10_000):
		return badRequest("capture", "%v frames per second, want 0.001 to 10000", req.CaptureRate)
	case req.CandidateFrames < 0 || req.CandidateFrames > maxCandidateFrames:
		return badRequest("candidates", "%d frames, want 0 to %d", req.CandidateFrames, maxCandidateFrames)
	}
	var err error
	if req.Clean != nil {
		err = inField("clean", req.Clean.Validate())
	}
	if err == nil && req.Choose != nil {
		err = inField("choose", req.Choose.Validate())
	}
	if err != nil {
		return err
	}
	return cmp.Or(req.checkCalibration(), req.checkImage())
}

// Filmed returns when the recording began, as the client says, or else the file; zero if neither does.
func (e Extraction) Filmed() time.Time {
	_, _, file := recordingOf(e.work.About)
	return filmed(e.RecordedAt, file)
}

func (req ExtractRequest) checkCalibration() error {
	var wrong keypoint.FieldErrors
	if errors.As(req.Calibration.Validate(), &wrong) {
		return badRequest(wrong[0].Pointer[1:], "%s", wrong[0].Detail)
	}
	return nil
}

// checkImage refuses what only movies have, for an image.
func (req ExtractRequest) checkImage() error {
	switch floor := req.Calibration.Floor; {
	case !req.still():
		return nil
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

// Extract creates a keypoint record and queues its job. The media must have been uploaded, and KeypointID and
// KeypointIDs name no record with KeypointIDs: ErrConflict otherwise. Options that are out of range are a *RequestError.
func (s *Service) Extract(ctx context.Context, owner string, req ExtractRequest) (Extraction, error) {
	if err := cmp.Or(req.check(s.cfg.Limits.Frames), req.Recording.check(), checkNotes(req.Notes)); err != nil {
		return Extraction{}, err
	}
	var told *catalog.About
	var err error
	switch {
	case req.KeypointIDs != nil:
		req, told, err = s.joining(ctx, owner, req)
	case req.KeypointID != 0:
		req, told, err = s.cleaning(ctx, owner, req)
	case req.pictured():
		told, err = s.uploaded(ctx, owner, req)
	}
	if err != nil {
		return Extraction{}, err
	}
	about, err := s.about(ctx, owner, told, &req)
	if err != nil {
		return Extraction{}, err
	}
	if req.Clean == nil && req.KeypointIDs == nil {
		req.Clean = &s.cfg.Clean
	}
	if req.Clean != nil && *req.Clean == (clean.Options{}) {
		req.Clean = nil
	}
	if req.Keypoints != nil && req.KeypointID == 0 && req.KeypointIDs == nil {
		return s.given(ctx, owner, req, about)
	}
	from := slices.Concat(madeFrom(storage.Movies, req.MovieID), madeFrom(storage.Images, req.ImageID),
		madeFrom(storage.Keypoints, req.KeypointID), madeFrom(storage.Keypoints, req.KeypointIDs...))
	slow := req.MovieID != 0 && req.KeypointID == 0 && req.KeypointIDs == nil
	return create(ctx, s, owner, storage.Keypoints, extractionForm{Work: catalog.Work{From: from, Slow: slow, About: about}, Request: req}, extractionOf)
}

// cleaning returns a request with a KeypointID with what is that record's.
func (s *Service) cleaning(ctx context.Context, owner string, req ExtractRequest) (ExtractRequest, *catalog.About, error) {
	e, err := s.reference(ctx, owner, "keypointId", req.KeypointID)
	if err == nil && e.KeypointIDs != nil {
		err = joinedConflict(e, "clean those again, and join what comes of it")
	}
	if err != nil {
		return req, nil, err
	}
	req.Keypoints, req.Mirrored = e.Keypoints, e.Mirrored
	req.MovieID, req.ImageID, req.Rate, req.Everybody, req.Feet, req.Depth = e.MovieID, e.ImageID, e.Rate, e.Everybody, e.Feet, e.Depth
	return req, e.work.About, req.checkImage()
}

// decoder returns the decoder of the movie or image of a request.
func (s *Service) decoder(req ExtractRequest) inference.Decoder {
	if req.Mirrored {
		return still.Mirrored{Decoder: s.cfg.Decoder}
	}
	return s.cfg.Decoder
}

// media returns the key of the movie or image.
func (req ExtractRequest) media(owner string) storage.Key {
	if req.ImageID != 0 {
		return storage.Key{Owner: owner, Kind: storage.Images, ID: req.ImageID}
	}
	return storage.Key{Owner: owner, Kind: storage.Movies, ID: req.MovieID}
}

// uploaded returns what is known of the media of an extraction, which must have been uploaded, and fit the Keypoints.
func (s *Service) uploaded(ctx context.Context, owner string, req ExtractRequest) (*catalog.About, error) {
	field, key := "movieId", req.media(owner)
	if req.ImageID != 0 {
		field = "imageId"
	}
	m, err := typedOf(mediaOf)(s.cfg.Store.Head(ctx, key))
	switch {
	case err != nil:
		return nil, referenceError(field, key, err)
	case !m.Uploaded:
		return nil, notUploaded(key)
	case req.Keypoints != nil:
		err = m.fits(*req.Keypoints)
	}
	return m.about(nil, &catalog.About{Filmed: m.Recorded}), err
}

// Extraction returns a keypoint record with its result.
func (s *Service) Extraction(ctx context.Context, owner string, id int64) (Extraction, error) {
	return typedOf(extractionOf)(s.cfg.Store.Get(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}))
}

// reference returns the keypoint record that a field of a request names, without its result.
func (s *Service) reference(ctx context.Context, owner, field string, id int64) (Extraction, error) {
	if id == 0 {
		return Extraction{}, badRequest(field, "is required: want the id of a keypoint record")
	}
	key := storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}
	e, err := typedOf(extractionOf)(s.cfg.Store.Head(ctx, key))
	return e, referenceError(field, key, err)
}

// everybody returns the parts of the result with People, or ErrNotReady.
func (e Extraction) everybody() (document.Documents, error) {
	if e.result == nil {
		return document.Documents{}, ErrNotReady
	}
	return document.Decode(e.result, document.Everyone)
}

// documents returns the parts of the result without People, or ErrNotReady.
func (e Extraction) documents() (document.Documents, error) {
	if e.parsed == nil {
		return document.Documents{}, ErrNotReady
	}
	return e.parsed()
}

// Extractions returns a page of the owner's keypoint records without results, newest first,
// and the number of all that match.
func (s *Service) Extractions(ctx context.Context, owner string, page Page) ([]Extraction, int, error) {
	return list(ctx, s, owner, storage.Keypoints, page, extractionOf)
}

// processing is how the keypoints of the request are processed.
func (req ExtractRequest) processing() process.Options {
	opt := process.Options{CaptureRate: req.CaptureRate, Calibration: req.Calibration}
	if req.Clean != nil {
		opt.Clean = *req.Clean
	}
	return opt
}

// workExtract does the work on a keypoint record.
func (s *Service) workExtract(ctx context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
	var d extractionForm
	if err := catalog.Decode(r, &d); err != nil {
		return worker.Output{}, err
	}
	if d.Request.KeypointIDs != nil {
		return s.workJoin(ctx, r.Owner, d)
	}
	people, corrections, err := s.found(ctx, r.Key, &d, progress)
	if err != nil {
		return worker.Output{}, err
	}
	opt := d.Request.processing()
	documents, made, err := document.Make(people, opt, corrections)
	if d.Request.pixels(d.About, err) {
		opt.Calibration.Scale = nil
		documents, made, err = document.Make(people, opt, corrections)
	}
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	out := &d.Outcome
	out.World, out.Cleaned, out.Verdict, out.Summary = made.Sequence.World, made.Cleaning.Counts(), made.Quality.Verdict, &made.Summary
	if d.Request.Everybody {
		out.People = people.Presence()
	}
	d.Corrections = document.Digests(corrections, people.Presence(), made.Moved)
	return output(d, documents)
}

// found returns the people whose keypoints are processed, and their corrections: those of another record,
// or those in its media.
func (s *Service) found(ctx context.Context, key storage.Key, d *extractionForm, progress func(done, total int)) (people inference.People, list correct.List, err error) {
	if d.Request.KeypointID == 0 {
		people, err = s.extract(ctx, key, d, progress)
		return people, nil, err
	}
	from, err := s.Extraction(ctx, key.Owner, d.Request.KeypointID)
	if err != nil {
		return people, nil, err
	}
	documents, err := from.everybody()
	if err != nil {
		return people, nil, err
	}
	people, err = documents.Everybody(from.People)
	return people, documents.AllCorrections(), err
}

// extract finds the keypoints in the media of a record, and its candidates. Those of one person in a
// movie can be read with Found meanwhile.
func (s *Service) extract(ctx context.Context, key storage.Key, d *extractionForm, progress func(done, total int)) (people inference.People, err error) {
	req, file := d.Request, d.Request.media(key.Owner)
	media, err := s.mediaRecord(ctx, file.Owner, file.Kind, file.ID)
	if err != nil {
		return people, err
	}
	blob, err := s.keeper.OpenFile(ctx, media, notUploaded(file))
	if err != nil {
		return people, err
	}
	defer blob.Close()
	var known mediaForm
	if err := catalog.Decode(media, &known); err != nil {
		return people, err
	}
	add, end := s.running.Begin(key, known.Outcome.Size)
	defer end()
	x := Extractor{Estimator: s.cfg.Estimator, Decoder: s.decoder(req), Limits: s.cfg.Limits, turn: s.turn}
	x.Rate, x.Feet, x.Depth, x.Progress, x.OnFrame = req.Rate, req.Feet, req.Depth, progress, add
	x.Candidates, x.CandidatesEvery = req.CandidateFrames, req.CandidatesEvery
	if req.Choose != nil {
		x.Choose = *req.Choose
	}
	if req.CandidateFrames > 0 {
		d.Outcome.Candidates = []Candidate{}
	}
	var thumbnail []byte
	if !req.Mirrored {
		x.thumbnail = func(jpeg []byte) { thumbnail = jpeg }
	}
	x.OnCandidates = func(frame int, people []inference.Candidate) {
		d.Outcome.Candidates = append(d.Outcome.Candidates, candidatesOf(frame, people)...)
	}
	if people, err = x.people(ctx, blob, req.ImageID != 0, req.Everybody); err != nil {
		return people, s.mediaFailure(ctx, file, err)
	}
	if req.MovieID != 0 {
		if thumbnail != nil {
			s.keepThumbnail(ctx, file, thumbnail)
		}
		// What its headers promised is replaced by what was decoded.
		_, err = s.changeMedia(ctx, media, func(m *mediaForm) { m.Outcome = decoded(m.Outcome, people.Chosen.Sequence) })
		if errors.Is(err, ErrNotFound) { // deleted in the meantime
			err = s.keeper.DeleteFiles(ctx, file)
		}
	}
	return people, err
}

// decoded returns what is known of a movie once its frames have been decoded.
func decoded(info inference.Info, seq keypoint.Sequence) inference.Info {
	info.Size = seq.Size
	if fps, ok := seq.FrameRate(); ok {
		info.FrameRate = fps
	}
	if seq.Len() == info.Frames {
		return info
	}
	info.Frames = seq.Len()
	if info.Duration = seq.Duration(); info.FrameRate > 0 {
		info.Duration += 1 / info.FrameRate
	}
	return info
}

func candidatesOf(frame int, people []inference.Candidate) (list []Candidate) {
	round := func(v, unit float64) float64 { return math.Round(v*unit) / unit }
	for _, p := range people {
		low, high := p.Box.Min, p.Box.Max
		box := [4]float64{round(low[0], 100), round(low[1], 100), round(high[0], 100), round(high[1], 100)}
		list = append(list, Candidate{Frame: frame, Box: box, Score: round(p.Score, 1e4), Track: p.Track})
	}
	return list
}
