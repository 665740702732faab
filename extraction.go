package motion

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// ExtractRequest asks for the keypoints of a movie or an image.
type ExtractRequest struct {
	Source Source // whose keypoints
	FindOptions
	About // what it does not say is that of the Source. The height of the subject is the scale, unless Calibration has another
	Key   Key
}

// Outcome is the rest of an extraction's result, without the keypoints; zero before SUCCESS.
type Outcome struct {
	World      keypoint.World       `json:"world,omitzero"`      // the scale, the floor and the origin that Calibration has found
	Cleaned    clean.Counts         `json:"cleaned,omitzero"`    // what cleaning changed
	Verdict    quality.Verdict      `json:"verdict,omitempty"`   // what the recording is good for
	Summary    *trend.Summary       `json:"summary,omitempty"`   // for GetTrend; of the chosen person; nil before SUCCESS
	Space      *keypoint.Space      `json:"space,omitempty"`     // of a Joined record: what the positions are, and the cameras in their order
	Candidates []Candidate          `json:"candidates,omitzero"` // the people in the first CandidateFrames
	People     []inference.Presence `json:"people,omitzero"`     // with Everybody: those who were found, in order of Track
}

// Extraction is a keypoint record: the keypoints of one movie or image. Its FindOptions are those that were carried out: of a record made
// Again, Rate, Everybody, Feet and Mirrored are those of the other record; of a Joined one all but Everybody are those of the first.
type Extraction struct {
	State
	Origin
	FindOptions
	About
	Outcome
	Track int // of the person that Person has selected; 0 for the chosen one

	result json.RawMessage                      // nil before SUCCESS, and in lists
	record *Extraction                          // the whole, of one of People; else nil
	parsed func() (extraction.Documents, error) // the result without People, parsed once; or nil
}

// Candidate is a person found in one of the first frames of a movie, or in an image.
type Candidate struct {
	Frame int        `json:"frame"` // from 0
	Box   [4]float64 `json:"box"`   // left, top, right and bottom, pixels
	Score float64    `json:"score"` // confidence that this is a person, 0 to 1
	Track int        `json:"track"` // who is the same person, from 1
}

// storedExtraction is the stored request.
type storedExtraction struct {
	Origin
	FindOptions
}

type extractionForm = catalog.Form[storedExtraction, Outcome]

func extractionOf(r storage.Record) (Extraction, error) {
	var d extractionForm
	err := catalog.Decode(r, &d)
	e := Extraction{State: stateOf(r, d.Work), Origin: d.Request.Origin, FindOptions: d.Request.FindOptions, Outcome: d.Outcome}
	e.Uncleaned = e.Clean == none.Clean
	e.About, _ = aboutOf(d.About)
	if len(r.Result) > 0 {
		e.result = r.Result
		e.parsed = sync.OnceValues(func() (extraction.Documents, error) { return extraction.Decode(r.Result, nil) })
	}
	return e, err
}

// Filmed returns when the recording began, as the client says, or else the file; zero if neither does.
func (e Extraction) Filmed() time.Time {
	_, file := aboutOf(e.work.About)
	return cmp.Or(e.RecordedAt, file)
}

// GetExtraction returns a keypoint record with its result.
func (s *Service) GetExtraction(ctx context.Context, owner string, id int64) (Extraction, error) {
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
func (e Extraction) everybody() (extraction.Documents, error) {
	if e.result == nil {
		return extraction.Documents{}, ErrNotReady
	}
	return extraction.Decode(e.result, extraction.Everyone)
}

// documents returns the parts of the result without People, or ErrNotReady.
func (e Extraction) documents() (extraction.Documents, error) {
	if e.parsed == nil {
		return extraction.Documents{}, ErrNotReady
	}
	return e.parsed()
}

// ListExtractions returns a page of the owner's keypoint records without results, newest first, and the number of all that match.
func (s *Service) ListExtractions(ctx context.Context, owner string, page Page) ([]Extraction, int, error) {
	return list(ctx, s, owner, storage.Keypoints, page, extractionOf)
}
