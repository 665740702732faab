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
	"github.com/bodymotion/motion/storage"
)

// State is what extractions, comparisons, analyses and drawings have in common.
type State struct {
	ID                   int64
	Status               storage.Status
	Failure              string // the reason, when Status is storage.Failure
	CreatedAt, UpdatedAt time.Time
}

func stateOf(r storage.Record) State {
	return State{ID: r.ID, Status: r.Status, Failure: r.Failure, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
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

	result []byte // JSON of the keypoint.Sequence
}

type extractionData struct {
	Movie int64 `json:"movie,omitempty"`
	Image int64 `json:"image,omitempty"`
}

func extractionOf(r storage.Record) (Extraction, error) {
	var d extractionData
	err := decodeData(r, &d)
	return Extraction{State: stateOf(r), MovieID: d.Movie, ImageID: d.Image, result: r.Result}, err
}

// ErrNotReady is the error of reading a result that is not there: the record has
// not reached SUCCESS, or comes from a list. It is an ErrConflict.
var ErrNotReady = fmt.Errorf("%w: there is no result yet", ErrConflict)

// Sequence returns the keypoints, or ErrNotReady.
func (e Extraction) Sequence() (keypoint.Sequence, error) {
	var seq keypoint.Sequence
	if e.result == nil {
		return seq, ErrNotReady
	}
	err := json.Unmarshal(e.result, &seq)
	return seq, err
}

// JSON returns the parts of the result as JSON: keypoint, the API's array of
// frames; scores, an array of objects from part name to confidence; timestamps, an
// array of seconds, nil for an image. All are nil before SUCCESS.
func (e Extraction) JSON() (keypoint, scores, timestamps json.RawMessage) {
	// The three are cut out of the text that Sequence.MarshalJSON wrote: none of the
	// separators below occurs inside a part.
	rest := e.result
	if _, t, ok := bytes.Cut(rest, []byte(`"timestamps":`)); ok {
		timestamps, rest, _ = bytes.Cut(t, []byte(`,"keypoint":`))
	} else if _, rest, ok = bytes.Cut(rest, []byte(`"keypoint":`)); !ok {
		return nil, nil, nil
	}
	keypoint, rest, ok := bytes.Cut(rest, []byte(`,"scores":`))
	if !ok {
		return nil, nil, nil
	}
	return keypoint, bytes.TrimSuffix(rest, []byte("}")), timestamps
}

// ExtractRequest asks for the keypoints of a movie or an image.
type ExtractRequest struct {
	MovieID int64 // exactly one of the two
	ImageID int64
}

// Extract makes a keypoint record and queues the work. The media must have been
// uploaded: ErrConflict otherwise.
func (s *Service) Extract(ctx context.Context, owner string, req ExtractRequest) (Extraction, error) {
	if (req.MovieID == 0) == (req.ImageID == 0) {
		return Extraction{}, badRequest("movieId", "exactly one of movieId and imageId is required")
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
		return Extraction{}, fmt.Errorf("%w: the file of %s %d has not been uploaded yet", ErrConflict, singular(key.Kind), key.ID)
	}
	r, err := s.create(ctx, owner, storage.Keypoints, storage.Unprocessed, extractionData{Movie: req.MovieID, Image: req.ImageID})
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
	r, err := s.cfg.Store.Get(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id})
	if err != nil {
		return Extraction{}, err
	}
	return extractionOf(r)
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
	key := storage.Key{Owner: r.Owner, Kind: storage.Movies, ID: d.Movie}
	if d.Image != 0 {
		key.Kind, key.ID = storage.Images, d.Image
	}
	blob, err := s.cfg.Blobs.Open(ctx, mediaKey(key))
	if err != nil {
		return output{}, err
	}
	defer blob.Close()
	x := Extractor{Estimator: s.cfg.Estimator, Decoder: s.cfg.Decoder, Limits: s.cfg.Limits}
	if s.cfg.Progress != nil {
		x.Progress = func(done, total int) { s.cfg.Progress(Progress{Record: r.Key, Done: done, Total: total}) }
	}
	var seq keypoint.Sequence
	if d.Image != 0 {
		seq, err = x.image(ctx, blob)
	} else {
		seq, err = x.movie(ctx, blob)
	}
	if err != nil {
		return output{}, s.cfg.Limits.mediaFailure(key.Kind, err)
	}
	if err := s.correctMedia(ctx, key, seq); err != nil {
		return output{}, err
	}
	result, err := json.Marshal(seq)
	return output{result: result}, err
}

// correctMedia replaces what a movie's headers promised by what was decoded.
func (s *Service) correctMedia(ctx context.Context, key storage.Key, seq keypoint.Sequence) error {
	if key.Kind != storage.Movies {
		return nil
	}
	var d mediaData
	r, err := s.get(ctx, key, &d)
	if err != nil {
		return ignoreConflict(err) // deleted in the meantime
	}
	info := inference.Info{Size: seq.Size, Frames: seq.Len(), FrameRate: d.FrameRate, Duration: d.Duration}
	before := d
	d.setInfo(info)
	if d == before {
		return nil
	}
	_, err = s.update(ctx, r, r.Status, d)
	return ignoreConflict(err)
}
