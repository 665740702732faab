package motion

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// Analysis is what rules found in the keypoints of a recording.
type Analysis struct {
	State
	KeypointID int64
	Rule       json.RawMessage // as submitted, bare part names expanded to objects
	Result     json.RawMessage // the API's array, one element a rule; nil before SUCCESS and in lists
}

func analysisOf(r storage.Record) (Analysis, error) {
	var d catalog.Analysis
	err := catalog.Decode(r, &d)
	return Analysis{State: stateOf(r, d.Work), KeypointID: d.Keypoint, Rule: d.Rule, Result: r.Result}, err
}

// AnalyzeRequest asks for the values of rules.
type AnalyzeRequest struct {
	KeypointID int64
	Rule       json.RawMessage // a rule or an array of rules, in the form analyze.ParseRules reads
}

// Analyze makes an analysis record and queues the work, which begins when the keypoint
// record is finished, and fails where that has failed. The rules are checked here: a
// *RequestError that wraps analyze.Errors says what is wrong with them.
func (s *Service) Analyze(ctx context.Context, owner string, req AnalyzeRequest) (Analysis, error) {
	if len(req.Rule) == 0 {
		return Analysis{}, badRequest("rule", "is required: want a rule object or an array of rule objects")
	}
	rules, err := analyze.ParseRules(req.Rule)
	if err != nil {
		return Analysis{}, &RequestError{"rule", err}
	}
	e, err := s.reference(ctx, owner, "keypointId", req.KeypointID)
	if err != nil {
		return Analysis{}, err
	}
	if err := analyze.Check(rules, e.MovieID != 0); err != nil {
		return Analysis{}, &RequestError{"rule", err}
	}
	expanded, err := rulejson.Expand(req.Rule)
	if err != nil {
		return Analysis{}, &RequestError{"rule", err}
	}
	r, err := s.create(ctx, owner, storage.Analyses, storage.Unprocessed, catalog.Analysis{Keypoint: req.KeypointID, Rule: expanded})
	if err != nil {
		return Analysis{}, err
	}
	return analysisOf(r)
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
	return find(ctx, s, storage.Key{Owner: owner, Kind: storage.Analyses, ID: id}, analysisOf)
}

// Analyses lists the owner's analyses without results, newest first, and says how
// many match.
func (s *Service) Analyses(ctx context.Context, owner string, page Page) ([]Analysis, int, error) {
	return list(ctx, s, owner, storage.Analyses, page, analysisOf)
}

func (s *Service) workAnalyze(ctx context.Context, r storage.Record, _ func(done, total int)) (worker.Output, error) {
	var d catalog.Analysis
	if err := catalog.Decode(r, &d); err != nil {
		return worker.Output{}, err
	}
	seq, err := s.sequence(ctx, r.Owner, d.Keypoint)
	if err != nil {
		return worker.Output{}, err
	}
	rules, err := analyze.ParseRules(d.Rule)
	if err != nil {
		return worker.Output{}, fmt.Errorf("stored rule: %w", err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		return worker.Output{}, err
	}
	b, err := json.Marshal(results)
	return worker.Output{Result: b}, err
}
