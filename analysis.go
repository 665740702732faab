package motion

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// Analysis is a set of rules and the values they give for the keypoints of a recording.
type Analysis struct {
	State
	KeypointID int64
	Person     int // track in the keypoint record; 0 for the chosen one
	Rules      []analyze.Rule
	Outdated   bool // keypoints were corrected since; false in analyses from a list

	rule, result []byte // JSON
	from         []catalog.Corrected
}

func analysisOf(r storage.Record) (Analysis, error) {
	var d catalog.Analysis
	if err := catalog.Decode(r, &d); err != nil {
		return Analysis{}, err
	}
	rules, err := analyze.ParseRules(d.Rule)
	if err != nil {
		return Analysis{}, fmt.Errorf("stored rules: %w", err)
	}
	return Analysis{State: stateOf(r), KeypointID: d.Keypoint, Person: d.Person, Rules: rules, rule: d.Rule, result: r.Result, from: d.Corrected}, nil
}

// Results returns one result for each rule. It returns ErrNotReady before SUCCESS and for
// analyses from a list.
func (a Analysis) Results() ([]analyze.Result, error) {
	if a.result == nil {
		return nil, ErrNotReady
	}
	var results []analyze.Result
	err := json.Unmarshal(a.result, &results)
	return results, err
}

// JSON returns the members of the API's record: the rules, and the array of results, which
// is nil where Results returns ErrNotReady.
func (a Analysis) JSON() (rule, result json.RawMessage) { return a.rule, a.result }

// AnalyzeRequest asks for the values of rules.
type AnalyzeRequest struct {
	KeypointID int64          // may be unfinished
	Person     int            // track of one of Extraction.People; 0 for the chosen one
	Rules      []analyze.Rule // at least one
}

// Analyze creates an analysis record and queues its job. The job starts when the keypoint
// record has succeeded, and fails if that fails. Wrong rules are a *RequestError that wraps
// keypoint.FieldErrors.
func (s *Service) Analyze(ctx context.Context, owner string, req AnalyzeRequest) (Analysis, error) {
	if len(req.Rules) == 0 {
		return Analysis{}, badRequest("rule", "is empty: want at least one rule")
	}
	e, err := s.reference(ctx, owner, "keypointId", req.KeypointID)
	if err != nil {
		return Analysis{}, err
	}
	if err := e.checkPerson("person", req.Person); err != nil {
		return Analysis{}, err
	}
	if err := analyze.Check(req.Rules, e.MovieID != 0); err != nil {
		return Analysis{}, &RequestError{"rule", err}
	}
	rule, err := analyze.MarshalRules(req.Rules)
	if err != nil {
		return Analysis{}, &RequestError{"rule", err}
	}
	return create(ctx, s, owner, storage.Analyses, catalog.Analysis{Keypoint: req.KeypointID, Person: req.Person, Rule: rule}, analysisOf)
}

// reference returns the keypoint record that a field of a request names.
func (s *Service) reference(ctx context.Context, owner, field string, id int64) (Extraction, error) {
	if id == 0 {
		return Extraction{}, badRequest(field, "is required: want the id of a keypoint record")
	}
	e, err := s.Extraction(ctx, owner, id)
	return e, referenceError(field, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}, err)
}

// Analysis returns an analysis record with its result.
func (s *Service) Analysis(ctx context.Context, owner string, id int64) (Analysis, error) {
	a, err := find(ctx, s, storage.Key{Owner: owner, Kind: storage.Analyses, ID: id}, analysisOf)
	if err == nil && a.Status == storage.Success {
		a.Outdated, err = s.outdated(ctx, owner, a.from, catalog.Corrected{Keypoint: a.KeypointID, Person: a.Person})
	}
	return a, err
}

// Analyses returns a page of the owner's analyses without results, newest first, and the
// number of all that match.
func (s *Service) Analyses(ctx context.Context, owner string, page Page) ([]Analysis, int, error) {
	return list(ctx, s, owner, storage.Analyses, page, analysisOf)
}

// workAnalyze does the work on an analysis.
func (s *Service) workAnalyze(ctx context.Context, r storage.Record, _ func(done, total int)) (worker.Output, error) {
	var d catalog.Analysis
	a, err := analysisOf(r)
	if err = errors.Join(err, catalog.Decode(r, &d)); err != nil {
		return worker.Output{}, err
	}
	e, seq, err := s.keypoints(ctx, r.Owner, a.KeypointID, a.Person)
	if err != nil {
		return worker.Output{}, err
	}
	results, err := analyze.Run(seq, a.Rules)
	if err != nil {
		return worker.Output{}, err
	}
	b, err := json.Marshal(results)
	if err != nil {
		return worker.Output{}, err
	}
	d.Corrected = correctionsOf(e)
	data, err := json.Marshal(d)
	return worker.Output{Data: data, Result: b}, err
}

// labelText writes the value of frame i with its unit, rounded to a whole number, or to centimetres.
func labelText(r analyze.Result, i int) (text string, ok bool) {
	v := r.Values[i]
	if !v.Present {
		return "", false
	}
	switch unit := cmp.Or(r.Unit, r.Type.Unit()); {
	case unit == "m" && r.Type.Pair():
		return fmt.Sprintf("%.2f, %.2f m", v.X, v.Y), true
	case strings.HasPrefix(unit, "m"):
		return fmt.Sprintf("%.2f %s", v.X, unit), true
	case r.Type.Pair():
		return fmt.Sprintf("%.0f, %.0f", v.X, v.Y), true
	case unit == "°":
		return fmt.Sprintf("%.0f°", v.X), true
	default:
		return fmt.Sprintf("%.0f %s", v.X, unit), true
	}
}
