package motion

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/storage"
)

// Comparison is how the person of the target record moves otherwise than the one of
// the source.
type Comparison struct {
	State
	SourceID, TargetID int64 // keypoint records
	Options            compare.Options
	WantScore          bool // the score was asked for

	result []byte // JSON of the compare.Result
}

type comparisonData struct {
	Source  int64           `json:"source"`
	Target  int64           `json:"target"`
	Options compare.Options `json:"options"`
	Score   bool            `json:"score,omitempty"`
}

func comparisonOf(r storage.Record) (Comparison, error) {
	var d comparisonData
	err := decodeData(r, &d)
	return Comparison{State: stateOf(r), SourceID: d.Source, TargetID: d.Target, Options: d.Options, WantScore: d.Score, result: r.Result}, err
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

// JSON returns the members of the result: difference, the API's array of frames,
// and score, each nil before SUCCESS.
func (c Comparison) JSON() (difference, score json.RawMessage) {
	var m struct{ Difference, Score json.RawMessage }
	if c.result == nil || json.Unmarshal(c.result, &m) != nil {
		return nil, nil
	}
	return m.Difference, m.Score
}

// CompareRequest asks how far a target is from a source.
type CompareRequest struct {
	SourceID, TargetID int64           // keypoint records, which may be unfinished
	Options            compare.Options // the zero value is the default
	WantScore          bool            // the API's record shall show the score
}

// Compare makes a comparison record and queues the work, which begins when both keypoint
// records are finished, and fails where one of them has failed. Options that cannot be are a
// *RequestError.
func (s *Service) Compare(ctx context.Context, owner string, req CompareRequest) (Comparison, error) {
	if err := req.Options.Validate(); err != nil {
		return Comparison{}, &RequestError{"alignment", err}
	}
	if _, err := s.reference(ctx, owner, "sourceId", req.SourceID); err != nil {
		return Comparison{}, err
	}
	if _, err := s.reference(ctx, owner, "targetId", req.TargetID); err != nil {
		return Comparison{}, err
	}
	r, err := s.create(ctx, owner, storage.Comparisons, storage.Unprocessed, comparisonData{req.SourceID, req.TargetID, req.Options, req.WantScore})
	if err != nil {
		return Comparison{}, err
	}
	return comparisonOf(r)
}

// Comparison returns a comparison record with its result.
func (s *Service) Comparison(ctx context.Context, owner string, id int64) (Comparison, error) {
	return find(ctx, s, storage.Key{Owner: owner, Kind: storage.Comparisons, ID: id}, comparisonOf)
}

// Comparisons lists the owner's comparisons without results, newest first, and says
// how many match.
func (s *Service) Comparisons(ctx context.Context, owner string, page Page) ([]Comparison, int, error) {
	return list(ctx, s, owner, storage.Comparisons, page, comparisonOf)
}

func (s *Service) workCompare(ctx context.Context, r storage.Record) (output, error) {
	var d comparisonData
	if err := decodeData(r, &d); err != nil {
		return output{}, err
	}
	source, err := s.Extraction(ctx, r.Owner, d.Source)
	if err != nil {
		return output{}, err
	}
	target, err := s.Extraction(ctx, r.Owner, d.Target)
	if err != nil {
		return output{}, err
	}
	a, err := source.Sequence()
	if err != nil {
		return output{}, err
	}
	b, err := target.Sequence()
	if err != nil {
		return output{}, err
	}
	res, err := compare.Diff(a, b, d.Options)
	if errors.Is(err, ErrInvalid) {
		// What cannot be compared now cannot be compared later.
		detail := bytes.ToUpper([]byte(err.Error())[:1])
		return output{}, &failure{string(detail) + err.Error()[1:] + ".", nil}
	}
	if err != nil {
		return output{}, err
	}
	result, err := json.Marshal(res)
	return output{result: result}, err
}
