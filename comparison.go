package motion

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// CompareRequest asks how far the target is from the source.
type CompareRequest struct {
	SourceID     int64           `json:"sourceId"` // keypoint records, which may be unfinished
	TargetID     int64           `json:"targetId"`
	Person       int             `json:"person,omitempty"`       // track of one of the source's Outcome.People; 0 for the chosen one
	TargetPerson int             `json:"targetPerson,omitempty"` // the same for the target
	Options      compare.Options `json:"options"`                // the zero value is the default
	WantScore    bool            `json:"score,omitempty"`        // the API's record shows the score; see Options.AlwaysScore
	WantShift    bool            `json:"shift,omitempty"`        // and how much later the target is in each frame
	Key          Key             `json:"-"`                      // of requests; a record has none
}

// Comparison is the difference between the movements in two keypoint records: how far the
// person of the target is from the person of the source.
type Comparison struct {
	State
	CompareRequest

	result []byte // JSON of the compare.Result
}

type comparisonForm = catalog.Form[CompareRequest, struct{}]

func comparisonOf(r storage.Record) (Comparison, error) {
	var d comparisonForm
	err := catalog.Decode(r, &d)
	return Comparison{stateOf(r, d.Work), d.Request, r.Result}, err
}

// Result returns the differences, or ErrNotReady.
func (c Comparison) Result() (compare.Result, error) {
	var res compare.Result
	if c.result == nil {
		return res, ErrNotReady
	}
	err := json.Unmarshal(c.result, &res)
	return res, err
}

// JSON returns the compare.Result as JSON, nil before SUCCESS.
func (c Comparison) JSON() json.RawMessage { return c.result }

// CompareKeypoints creates a comparison record and queues its job. The job starts when both keypoint
// records have succeeded, and fails if one of them fails. Invalid options are a
// *RequestError.
func (s *Service) CompareKeypoints(ctx context.Context, owner string, req CompareRequest) (Comparison, error) {
	if err := inFirstField(req.Options.Validate()); err != nil {
		return Comparison{}, err
	}
	source, err1 := s.reference(ctx, owner, "sourceId", req.SourceID)
	target, err2 := s.reference(ctx, owner, "targetId", req.TargetID)
	if err := cmp.Or(err1, err2); err != nil {
		return Comparison{}, err
	}
	if err := cmp.Or(source.checkPerson("person", req.Person), target.checkPerson("targetPerson", req.TargetPerson)); err != nil {
		return Comparison{}, err
	}
	work := catalog.Work{From: madeFrom(storage.Keypoints, req.SourceID, req.TargetID)}
	return create(ctx, s, owner, storage.Comparisons, req.Key, comparisonForm{Work: work, Request: req}, comparisonOf)
}

// GetComparison returns a comparison record with its result.
func (s *Service) GetComparison(ctx context.Context, owner string, id int64) (Comparison, error) {
	return typedOf(comparisonOf)(s.cfg.Store.Get(ctx, storage.Key{Owner: owner, Kind: storage.Comparisons, ID: id}))
}

// ListComparisons returns a page of the owner's comparisons without results, newest first, and the number of all that match.
func (s *Service) ListComparisons(ctx context.Context, owner string, page Page) ([]Comparison, int, error) {
	return list(ctx, s, owner, storage.Comparisons, page, comparisonOf)
}

func (s *Service) workCompare(ctx context.Context, r storage.Record, _ func(done, total int)) (worker.Output, error) {
	var d comparisonForm
	if err := catalog.Decode(r, &d); err != nil {
		return worker.Output{}, err
	}
	of, source, err1 := s.keypoints(ctx, r.Owner, d.Request.SourceID, d.Request.Person)
	to, target, err2 := s.keypoints(ctx, r.Owner, d.Request.TargetID, d.Request.TargetPerson)
	err := cmp.Or(err1, err2)
	if err != nil {
		return worker.Output{}, err
	}
	opt := d.Request.Options
	if opt.SourceQuality, err = of.Quality(); err == nil {
		opt.TargetQuality, err = to.Quality()
	}
	if err != nil {
		return worker.Output{}, err
	}
	res, err := compare.Diff(source, target, opt)
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	d.Corrected = correctionsOf(of, to)
	return output(d, res)
}
