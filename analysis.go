package motion

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// AnalyzeRequest asks for the values of rules, for gait, for jumps, for an overview, for an exercise, or for several of them. What does not
// apply to a recording is missing in the result, with a warning.
type AnalyzeRequest struct {
	KeypointID int64          `json:"keypointId"`       // may be unfinished
	Person     int            `json:"person,omitempty"` // track of one of Outcome.People; 0 for the chosen one
	Rules      []analyze.Rule `json:"-"`                // at least one, or nil for none

	// RuleJSON is the JSON of Rules that the record keeps: an array, or one rule alone. In a request, nil is the array.
	RuleJSON json.RawMessage `json:"rule,omitempty"`

	// Gait asks for steps and what follows from them, and for the LegAngles and the rules of one side over
	// the stride. Its Curves are ignored. nil: no gait. Movies only.
	Gait *gait.Options `json:"gait,omitempty"`
	Jump bool          `json:"jump,omitempty"` // asks for jumps; movies only

	Overview bool `json:"overview,omitempty"` // asks for what the recording shows

	// Exercise asks for how an exercise was done; nil: for none. Movies only.
	Exercise *exercise.Definition `json:"exercise,omitempty"`

	// Neutral asks for the named angles of Rules, Overview and Exercise against a neutral pose; nil: none. If the recording shows no
	// such time, the angles stay as they are, with a warning. Movies only.
	Neutral *analyze.Neutral `json:"neutral,omitempty"`

	// From and To select the part of a movie that is analysed, in seconds of the keypoints; To 0 means to the
	// end. Values outside are absent, and everything else is found in that part alone: a repetition that continues
	// outside is incomplete. The job fails if the part has no frames.
	From float64 `json:"from,omitempty"`
	To   float64 `json:"to,omitempty"`

	Key Key `json:"-"` // of requests; a record has none
}

// Analysis is a set of rules and the values they give for the keypoints of a recording, and the gait and the
// jumps in it. Analyses from a list have no Rules.
type Analysis struct {
	State
	AnalyzeRequest

	result []byte // JSON
}

// Rules of the stored form are parsed when they are needed.
type analysisForm = catalog.Form[AnalyzeRequest, struct{}]

// listedAnalysis returns an analysis without its rules.
func listedAnalysis(r storage.Record) (Analysis, error) {
	var d analysisForm
	err := catalog.Decode(r, &d)
	return Analysis{stateOf(r, d.Work), d.Request, r.Result}, err
}

func analysisOf(r storage.Record) (Analysis, error) {
	a, err := listedAnalysis(r)
	if err == nil && a.RuleJSON != nil {
		if a.Rules, err = analyze.ParseRules(a.RuleJSON); err != nil {
			err = fmt.Errorf("stored rules: %w", err)
		}
	}
	return a, err
}

// Result returns what was found. It is ErrNotReady before SUCCESS and for analyses from a list.
func (a Analysis) Result() (r examine.Result, err error) {
	if a.result == nil {
		return r, ErrNotReady
	}
	err = json.Unmarshal(a.result, &r)
	return r, err
}

// JSON returns the result as JSON, nil where Result returns ErrNotReady.
func (a Analysis) JSON() json.RawMessage { return a.result }

func (req AnalyzeRequest) check() error {
	if len(req.Rules) == 0 && (req.Rules != nil || req.Gait == nil && !req.Jump && !req.Overview && req.Exercise == nil) {
		return badRequest("rule", "is empty: want at least one rule")
	}
	err := checkPart(req.From, req.To)
	if err == nil && req.Gait != nil {
		err = inField("gait", req.Gait.Validate())
	}
	if err == nil && req.Exercise != nil {
		err = inField("exercise", req.Exercise.Check())
	}
	return err
}

// checkImage refuses what only movies have.
func (req AnalyzeRequest) checkImage() error {
	switch {
	case req.Gait != nil:
		return badRequest("gait", forMovies)
	case req.Jump:
		return badRequest("jump", forMovies)
	case req.Exercise != nil:
		return badRequest("exercise", forMovies)
	case req.Neutral != nil:
		return badRequest("neutral", forMovies)
	}
	return partOfImage(req.From, req.To)
}

const forMovies = "is for movies only, and this is an image"

// checkPart checks the fields from and to of a request for a part of a movie; to 0 means to the end.
func checkPart(from, to float64) error {
	switch {
	case !(from >= 0 && from <= math.MaxFloat64):
		return badRequest("from", "is %v, want 0 or more seconds", from)
	case to != 0 && !(to > from && to <= math.MaxFloat64):
		return badRequest("to", "is %v, want more seconds than from", to)
	}
	return nil
}

// partOfImage refuses these fields of a request about an image.
func partOfImage(from, to float64) error {
	switch {
	case from != 0:
		return badRequest("from", forMovies)
	case to != 0:
		return badRequest("to", forMovies)
	}
	return nil
}

// AnalyzeKeypoints creates an analysis record and queues its job. The job starts when the keypoint record has succeeded,
// and fails if that fails. Wrong rules are a *RequestError that wraps keypoint.FieldErrors.
func (s *Service) AnalyzeKeypoints(ctx context.Context, owner string, req AnalyzeRequest) (Analysis, error) {
	if err := req.check(); err != nil {
		return Analysis{}, err
	}
	e, err := s.reference(ctx, owner, "keypointId", req.KeypointID)
	if err == nil {
		err = e.checkPerson("person", req.Person)
	}
	if err == nil {
		err = inField("rule", analyze.Check(req.Rules, !e.still()))
	}
	if err == nil && e.still() {
		err = req.checkImage()
	}
	if err != nil {
		return Analysis{}, err
	}
	if req.RuleJSON, err = rulesJSON(req.Rules, req.RuleJSON); err != nil {
		return Analysis{}, inField("rule", err)
	}
	d := analysisForm{Work: catalog.Work{From: madeFrom(storage.Keypoints, req.KeypointID)}, Request: req}
	return create(ctx, s, owner, storage.Analyses, req.Key, d, analysisOf)
}

// rulesJSON returns the JSON of rules, if there are any: that of a request, else an array.
func rulesJSON[R any](rules []R, asked json.RawMessage) (json.RawMessage, error) {
	if rules == nil || asked != nil {
		return asked, nil
	}
	return rulejson.Marshal(rules, false)
}

// GetAnalysis returns an analysis record with its result.
func (s *Service) GetAnalysis(ctx context.Context, owner string, id int64) (Analysis, error) {
	return typedOf(analysisOf)(s.cfg.Store.Get(ctx, storage.Key{Owner: owner, Kind: storage.Analyses, ID: id}))
}

// ListAnalyses returns a page of the owner's analyses without rules and results, newest first, and the number of all that match.
func (s *Service) ListAnalyses(ctx context.Context, owner string, page Page) ([]Analysis, int, error) {
	return list(ctx, s, owner, storage.Analyses, page, listedAnalysis)
}

func (s *Service) workAnalyze(ctx context.Context, r storage.Record, _ func(done, total int)) (worker.Output, error) {
	a, err := analysisOf(r)
	if err != nil {
		return worker.Output{}, err
	}
	e, seq, err := s.keypoints(ctx, r.Owner, a.KeypointID, a.Person)
	if err != nil {
		return worker.Output{}, err
	}
	var judged quality.Report
	if (a.Overview || a.Exercise != nil || a.Gait != nil) && e.Verdict != "" {
		if judged, err = e.Quality(); err != nil {
			return worker.Output{}, err
		}
	}
	result, err := examine.Request{
		Rules: a.Rules, Gait: a.Gait, Jump: a.Jump, Overview: a.Overview, Exercise: a.Exercise, Neutral: a.Neutral, From: a.From, To: a.To,
	}.Run(seq, judged)
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	a.work.Corrected = correctionsOf(e)
	return output(analysisForm{Work: a.work, Request: a.AnalyzeRequest}, result)
}
