package motion

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/bodymotion/motion/analyze/study"
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

// GetFound returns the keypoints found so far, from a frame on, of a record that is PROCESSING: those that Raw returns in the end,
// with the times of the movie and without PersonChanges and Looks. A job that is tried again starts from its first frame. ok is
// false if this process does not work on the record, all people are followed, or FindOptions.Choose still watches.
func (s *Service) GetFound(owner string, id int64, from int) (seq keypoint.Sequence, ok bool) {
	return s.running.From(storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}, from)
}

// Preliminary is what the keypoints tell that have been found so far. It changes with the frames that come.
type Preliminary struct {
	Frames  int
	Quality quality.Report
	Study   study.Study
}

// GetPreliminary returns what the frames of GetFound tell. It is ErrNotReady where GetFound has none, in the first half of a second, before anybody
// is there, and with a Rate or a calibration that these frames do not show.
func (s *Service) GetPreliminary(owner string, e Extraction) (p Preliminary, err error) {
	seq, ok := s.GetFound(owner, e.ID, 0)
	if !ok || e.Status != storage.Processing || e.Rate != 0 || seq.Duration() < 0.5 {
		return p, ErrNotReady
	}
	r, err := extraction.Run(seq, e.processing())
	if err == nil {
		p = Preliminary{Frames: seq.Len(), Quality: r.Quality}
		p.Study, err = study.Run(r.Sequence, r.Quality)
	}
	if errors.Is(err, ErrInvalid) || err == nil && p.Study.Verdict == quality.Nobody {
		return Preliminary{}, ErrNotReady
	}
	return p, err
}

// CountAhead returns how many records of any owner that take long are worked on, or are likely to be, before the work on one
// begins. ok is false unless that waits, and where the Queue does not count (storage.Counter).
func (s *Service) CountAhead(ctx context.Context, owner string, e Extraction) (n int, ok bool, err error) {
	q, counts := storage.As[storage.Counter](s.cfg.Queue)
	if !counts || e.Status != storage.Unprocessed {
		return 0, false, nil
	}
	return q.Ahead(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID})
}

// GetNewer returns the latest successful measurement of the same person in the same movie, image or given keypoints: a later record
// made Again, or with the same Choose. Its ID is 0 if e is the latest. Joined records are left out.
func (s *Service) GetNewer(ctx context.Context, owner string, e Extraction) (newer Extraction, err error) {
	if e.KeypointIDs != nil {
		return newer, nil
	}
	key := storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID}
	if e.pictured() {
		key = e.media(owner)
	}
	known := map[int64]Extraction{e.ID: e}
	for queue := []storage.Key{key}; len(queue) > 0; queue = queue[1:] {
		made, _, err := s.cfg.Store.List(ctx, owner, storage.Keypoints, storage.Filter{Labels: []string{catalog.FromLabel(queue[0])}, Limit: 1000})
		if err != nil {
			return newer, err
		}
		for _, r := range made {
			if known[r.ID], err = extractionOf(r); err != nil {
				return newer, err
			}
			if !e.pictured() { // those of a movie or image all name it
				queue = append(queue, r.Key)
			}
		}
	}
	chosen := func(e Extraction) inference.Choice {
		for e.KeypointID != 0 && known[e.KeypointID].ID != 0 {
			e = known[e.KeypointID]
		}
		return e.Choose
	}
	for id, other := range known {
		if id > max(e.ID, newer.ID) && other.Status == storage.Success && other.KeypointIDs == nil && chosen(other) == chosen(e) {
			newer = other
		}
	}
	return newer, nil
}
