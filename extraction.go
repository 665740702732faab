package motion

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

// State is what extractions, comparisons, analyses and drawings have in common.
type State struct {
	ID                   int64
	Status               storage.Status
	Failure              string // the reason, when Status is storage.Failure
	CreatedAt, UpdatedAt time.Time

	progress float64 // 0 where unknown
}

func stateOf(r storage.Record) State {
	s := State{ID: r.ID, Status: r.Status, Failure: r.Failure, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
	if r.Status == storage.Processing {
		s.progress = progressIn(r.Data)
	}
	return s
}

func decodeData(r storage.Record, v any) error {
	if err := json.Unmarshal(r.Data, v); err != nil {
		return fmt.Errorf("record %s/%d: %w", r.Kind, r.ID, err)
	}
	return nil
}

// Extraction is a keypoint record: the keypoints of one movie or image.
type Extraction struct {
	State
	MovieID, ImageID int64 // one of them; the other is 0

	Clean   *clean.Options // how the keypoints were cleaned; nil when they are raw
	Cleaned Cleaned        // what cleaning did

	Choose     *Choice     // who was to be analysed; nil for the default
	Candidates []Candidate // who was there, where ExtractRequest.Candidates asked for it

	result []byte // JSON of the keypoint.Sequence
	raw    []byte // the same before cleaning; nil when result is raw
}

// Cleaned says to how many points cleaning did what, and how many runs of points were too
// short to be smoothed.
type Cleaned struct {
	Swapped  int `json:"swapped,omitempty"`
	Rejected int `json:"rejected,omitempty"`
	Filled   int `json:"filled,omitempty"`
	Smoothed int `json:"smoothed,omitempty"`
	Skipped  int `json:"skipped,omitempty"`
}

type extractionData struct {
	Movie   int64          `json:"movie,omitempty"`
	Image   int64          `json:"image,omitempty"`
	Raw     int64          `json:"keypoint,omitempty"` // the record whose raw keypoints are cleaned
	Clean   *clean.Options `json:"clean,omitempty"`
	Cleaned Cleaned        `json:"cleaned,omitzero"`

	Choose     *Choice     `json:"choose,omitempty"`
	Frames     int         `json:"candidateFrames,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
}

// slow reports whether the work is on every frame of a movie.
func (d extractionData) slow() bool { return d.Movie != 0 && d.Raw == 0 }

func extractionOf(r storage.Record) (Extraction, error) {
	var d extractionData
	err := decodeData(r, &d)
	e := Extraction{State: stateOf(r), MovieID: d.Movie, ImageID: d.Image, Clean: d.Clean, Cleaned: d.Cleaned, Choose: d.Choose, Candidates: d.Candidates}
	// A cleaned result is two documents in two lines: the cleaned one and the raw one.
	if e.result, e.raw, _ = bytes.Cut(r.Result, []byte("\n")); len(e.result) == 0 {
		e.result = nil
	}
	return e, err
}

// ErrNotReady is the error of reading a result that is not there: the record has
// not reached SUCCESS, or comes from a list. It is an ErrConflict.
var ErrNotReady = fmt.Errorf("%w: there is no result yet: wait until the record is SUCCESS, and read it by its id", ErrConflict)

// Sequence returns the keypoints, or ErrNotReady.
func (e Extraction) Sequence() (keypoint.Sequence, error) {
	var seq keypoint.Sequence
	if e.result == nil {
		return seq, ErrNotReady
	}
	err := json.Unmarshal(e.result, &seq)
	return seq, err
}

// Raw returns the keypoints as they were before cleaning, or ErrNotReady.
func (e Extraction) Raw() (keypoint.Sequence, error) {
	if e.raw == nil {
		return e.Sequence()
	}
	var seq keypoint.Sequence
	err := json.Unmarshal(e.raw, &seq)
	return seq, err
}

// JSON returns the parts of the result as JSON: keypoint, the API's array of
// frames; scores, an array of objects from part name to confidence; timestamps, an
// array of seconds, nil for an image. All are nil before SUCCESS.
func (e Extraction) JSON() (keypoint, scores, timestamps json.RawMessage) {
	// The three are cut out of the text that Sequence.MarshalJSON wrote: none of the
	// separators below occurs inside a part.
	rest := e.result
	// Nothing but the picture's size comes before the timestamps.
	if i := bytes.Index(rest[:min(len(rest), 100)], []byte(`"timestamps":`)); i >= 0 {
		timestamps, rest, _ = bytes.Cut(rest[i+len(`"timestamps":`):], []byte(`,"keypoint":`))
	} else if _, t, ok := bytes.Cut(rest, []byte(`"keypoint":`)); ok {
		rest = t
	} else {
		return nil, nil, nil
	}
	keypoint, rest, ok := cutScores(rest)
	if !ok {
		return nil, nil, nil
	}
	return keypoint, bytes.TrimSuffix(rest, []byte("}")), timestamps
}

// cutScores cuts frames from the scores behind them. It looks for the letter c, which is rare
// in frames, where bytes.Cut would stop at every comma.
func cutScores(s []byte) (frames, scores []byte, ok bool) {
	const separator, before = `,"scores":`, len(`,"s`)
	for i := 0; ; i++ {
		n := bytes.IndexByte(s[i:], 'c')
		if n < 0 {
			return nil, nil, false
		}
		i += n
		if i >= before && bytes.HasPrefix(s[i-before:], []byte(separator)) {
			return s[:i-before], s[i-before+len(separator):], true
		}
	}
}

// ExtractRequest asks for the keypoints of a movie or an image.
type ExtractRequest struct {
	MovieID int64 // exactly one of the two
	ImageID int64

	Clean  *clean.Options // how the keypoints are cleaned; nil for not at all
	Choose *Choice        // who is analysed; nil for the one in the centre and in the foreground

	// Candidates is in how many of the first frames everybody is noted, 0 to 100, so that
	// somebody else can be asked for: with Nearest and the middle of a box.
	Candidates int
}

// Extract makes a keypoint record and queues the work. The media must have been
// uploaded: ErrConflict otherwise. Options that cannot be are a *RequestError.
func (s *Service) Extract(ctx context.Context, owner string, req ExtractRequest) (Extraction, error) {
	if (req.MovieID == 0) == (req.ImageID == 0) {
		return Extraction{}, badRequest("movieId", "exactly one of movieId and imageId is required")
	}
	if err := errors.Join(req.checkClean(), req.checkChoice()); err != nil {
		return Extraction{}, err
	}
	field, key := "movieId", storage.Key{Owner: owner, Kind: storage.Movies, ID: req.MovieID}
	if req.ImageID != 0 {
		field, key = "imageId", storage.Key{Owner: owner, Kind: storage.Images, ID: req.ImageID}
	}
	m, err := s.media(ctx, key)
	if err != nil {
		return Extraction{}, referenceError(field, key, err)
	}
	if !m.Uploaded {
		return Extraction{}, fmt.Errorf("%w: the file of %s %d has not been uploaded yet: put it to its uploadUrl first", ErrConflict, singular(key.Kind), key.ID)
	}
	r, err := s.create(ctx, owner, storage.Keypoints, storage.Unprocessed, extractionData{
		Movie: req.MovieID, Image: req.ImageID, Clean: req.Clean, Choose: req.Choose, Frames: req.Candidates,
	})
	if err != nil {
		return Extraction{}, err
	}
	return extractionOf(r)
}

func (req ExtractRequest) checkClean() error {
	if req.Clean == nil {
		return nil
	}
	if err := req.Clean.Validate(); err != nil {
		return &RequestError{"clean", err}
	}
	return nil
}

func (req ExtractRequest) checkChoice() error {
	if req.Candidates < 0 || req.Candidates > maxCandidateFrames {
		return badRequest("candidates", "%d frames, want 0 to %d", req.Candidates, maxCandidateFrames)
	}
	if req.Choose != nil {
		if _, err := req.Choose.Chooser(); err != nil {
			return &RequestError{"choose", err}
		}
	}
	return nil
}

// Reclean makes a keypoint record of the raw keypoints of another one, cleaned with other
// options, or not at all when opt is nil. The media is not looked at again.
func (s *Service) Reclean(ctx context.Context, owner string, keypointID int64, opt *clean.Options) (Extraction, error) {
	if err := (ExtractRequest{Clean: opt}).checkClean(); err != nil {
		return Extraction{}, err
	}
	e, err := s.reference(ctx, owner, "keypointId", keypointID)
	if err != nil {
		return Extraction{}, err
	}
	d := extractionData{Movie: e.MovieID, Image: e.ImageID, Raw: keypointID, Clean: opt}
	r, err := s.create(ctx, owner, storage.Keypoints, storage.Unprocessed, d)
	if err != nil {
		return Extraction{}, err
	}
	return extractionOf(r)
}

// referenceError says which field names the record that err is about.
func referenceError(field string, key storage.Key, err error) error {
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%s: %s %d: %w", field, singular(key.Kind), key.ID, ErrNotFound)
	}
	return err
}

// Extraction returns a keypoint record with its result.
func (s *Service) Extraction(ctx context.Context, owner string, id int64) (Extraction, error) {
	return find(ctx, s, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}, extractionOf)
}

// Extractions lists the owner's keypoint records without results, newest first, and
// says how many match.
func (s *Service) Extractions(ctx context.Context, owner string, page Page) ([]Extraction, int, error) {
	return list(ctx, s, owner, storage.Keypoints, page, extractionOf)
}

func (s *Service) workExtract(ctx context.Context, r storage.Record) (output, error) {
	var d extractionData
	if err := decodeData(r, &d); err != nil {
		return output{}, err
	}
	var raw keypoint.Sequence
	var err error
	if d.Raw != 0 {
		var from Extraction
		if from, err = s.Extraction(ctx, r.Owner, d.Raw); err == nil {
			raw, err = from.Raw()
		}
	} else {
		raw, err = s.extract(ctx, r, &d)
	}
	if err != nil {
		return output{}, err
	}
	result, err := json.Marshal(raw)
	if err != nil {
		return output{}, err
	}
	if d.Clean == nil {
		data, err := json.Marshal(d)
		return output{data: data, result: result}, err
	}
	seq, report, err := clean.Run(raw, *d.Clean)
	if err != nil {
		return output{}, err
	}
	d.Cleaned = Cleaned{
		Swapped: report.Count(clean.Swapped), Rejected: report.Count(clean.Rejected),
		Filled: report.Count(clean.Filled), Smoothed: report.Count(clean.Smoothed), Skipped: len(report.Skips),
	}
	cleaned, err := json.Marshal(seq)
	if err != nil {
		return output{}, err
	}
	data, err := json.Marshal(d)
	return output{data: data, result: append(append(cleaned, '\n'), result...)}, err
}

// extract finds the keypoints in the media of a record, and notes the candidates.
func (s *Service) extract(ctx context.Context, record storage.Record, d *extractionData) (keypoint.Sequence, error) {
	key := storage.Key{Owner: record.Owner, Kind: storage.Movies, ID: d.Movie}
	if d.Image != 0 {
		key.Kind, key.ID = storage.Images, d.Image
	}
	blob, err := s.cfg.Blobs.Open(ctx, mediaKey(key))
	if err != nil {
		return keypoint.Sequence{}, err
	}
	defer blob.Close()
	x := Extractor{Estimator: s.cfg.Estimator, Decoder: s.cfg.Decoder, Limits: s.cfg.Limits}
	if d.Choose != nil {
		if x.Choose, err = d.Choose.Chooser(); err != nil {
			return keypoint.Sequence{}, err
		}
	}
	d.Candidates = nil
	x.candidates = d.Frames
	x.onCandidates = func(frame int, people []inference.Candidate) {
		d.Candidates = append(d.Candidates, candidatesOf(frame, people)...)
	}
	m := s.newMeter(record)
	x.Progress = func(done, total int) { m.tell(ctx, done, total) }
	read := x.movie
	if d.Image != 0 {
		read = x.image
	}
	seq, err := read(ctx, blob)
	if err != nil {
		return keypoint.Sequence{}, s.cfg.Limits.mediaFailure(key.Kind, err)
	}
	return seq, s.correctMedia(ctx, key, seq)
}

// correctMedia replaces what a movie's headers promised by what was decoded.
func (s *Service) correctMedia(ctx context.Context, key storage.Key, seq keypoint.Sequence) error {
	if key.Kind != storage.Movies {
		return nil
	}
	_, err := s.changeMedia(ctx, key, func(d *mediaData) {
		d.setInfo(inference.Info{Size: seq.Size, Frames: seq.Len(), FrameRate: d.FrameRate, Duration: d.Duration})
	})
	return ignoreConflict(err) // it may have been deleted in the meantime
}
