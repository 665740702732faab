package motion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// Analysis is a set of rules and the values they give for the keypoints of a recording, and the gait and the
// jumps in it.
type Analysis struct {
	State
	KeypointID int64
	Person     int // track in the keypoint record; 0 for the chosen one
	Rules      []analyze.Rule
	RuleAlone  bool          // as in AnalyzeRequest
	Gait       *gait.Options // nil: not asked for
	Jump       bool          // jumps are asked for
	From, To   float64       // the part of the movie, in seconds of the keypoints; To 0 means to the end
	Outdated   bool          // keypoints were corrected since; false in analyses from a list

	result []byte // JSON
	from   []catalog.Corrected
}

func analysisOf(r storage.Record) (Analysis, error) {
	var d catalog.Analysis
	if err := catalog.Decode(r, &d); err != nil {
		return Analysis{}, err
	}
	a := Analysis{State: stateOf(r), KeypointID: d.Keypoint, Person: d.Person, RuleAlone: d.RuleAlone, Jump: d.Jump, From: d.From, To: d.To, result: r.Result, from: d.Corrected}
	var err error
	if d.Rule != nil {
		if err = json.Unmarshal(d.Rule, &a.Rules); err != nil {
			return Analysis{}, fmt.Errorf("stored rules: %w", err)
		}
	}
	if d.Gait != nil {
		if a.Gait, err = gait.ParseOptions(d.Gait); err != nil {
			return Analysis{}, fmt.Errorf("stored gait options: %w", err)
		}
	}
	return a, nil
}

// AnalysisResult is what an analysis has found.
type AnalysisResult struct {
	Results  []analyze.Result // one for each rule
	Gait     *gait.Gait       // nil if it was not asked for, or not found: a warning says why
	Jumps    []jump.Jump
	Warnings []AnalysisWarning
}

// AnalysisWarning tells why something that was asked for is missing.
type AnalysisWarning struct {
	Code   string `json:"code"`   // noTimes, noSteps, noJumps or noScale
	Detail string `json:"detail"` // one English sentence
}

// Results returns one result for each rule. It returns ErrNotReady before SUCCESS and for
// analyses from a list.
func (a Analysis) Results() ([]analyze.Result, error) {
	r, err := a.Result()
	return r.Results, err
}

// Result returns everything that was found, or ErrNotReady as Results does.
func (a Analysis) Result() (r AnalysisResult, err error) {
	if a.result == nil {
		return r, ErrNotReady
	}
	m := a.JSON()
	return r, errors.Join(json.Unmarshal(m.Result, &r.Results),
		decodeOptional(m.Gait, &r.Gait), decodeOptional(m.Jumps, &r.Jumps), decodeOptional(m.Warnings, &r.Warnings))
}

// AnalysisJSON are the members of an analysis's result in JSON. All are nil where Results returns ErrNotReady.
type AnalysisJSON = catalog.AnalysisResult

// JSON returns the members of the API's record.
func (a Analysis) JSON() (m AnalysisJSON) {
	if a.result == nil || a.Gait == nil && !a.Jump {
		return AnalysisJSON{Result: a.result}
	}
	if json.Unmarshal(a.result, &m) != nil {
		return AnalysisJSON{}
	}
	return m
}

// AnalyzeRequest asks for the values of rules, for gait, for jumps, or for several of them. What does not
// apply to a recording is missing in the result, with a warning.
type AnalyzeRequest struct {
	KeypointID int64          // may be unfinished
	Person     int            // track of one of Extraction.People; 0 for the chosen one
	Rules      []analyze.Rule // at least one, or nil for none
	// RuleAlone says that Rules has one rule, which the API shows as an object instead of an array.
	RuleAlone bool
	// Gait asks for steps and what follows from them, and for the LegAngles and the rules of one side over
	// the stride. Its Curves are ignored. nil: no gait. Movies only.
	Gait *gait.Options
	Jump bool // asks for jumps; movies only

	// From and To select the part of a movie that is looked at, in seconds of the keypoints; To 0 means to the
	// end. Values outside are absent, and everything else is found inside alone: a repetition that reaches
	// beyond is incomplete, or none. The work fails if no frame is there.
	From, To float64
}

// Analyze creates an analysis record and queues its job. The job starts when the keypoint
// record has succeeded, and fails if that fails. Wrong rules are a *RequestError that wraps
// keypoint.FieldErrors.
func (s *Service) Analyze(ctx context.Context, owner string, req AnalyzeRequest) (Analysis, error) {
	if len(req.Rules) == 0 && (req.Rules != nil || req.Gait == nil && !req.Jump) {
		return Analysis{}, badRequest("rule", "is empty: want at least one rule")
	}
	e, err := s.reference(ctx, owner, "keypointId", req.KeypointID)
	if err != nil {
		return Analysis{}, err
	}
	if err := e.checkPerson("person", req.Person); err != nil {
		return Analysis{}, err
	}
	if err := checkPart(req.From, req.To); err != nil {
		return Analysis{}, err
	}
	d := catalog.Analysis{Keypoint: req.KeypointID, Person: req.Person, RuleAlone: req.RuleAlone && len(req.Rules) == 1, Jump: req.Jump, Part: catalog.Part{From: req.From, To: req.To}}
	if err := analyze.Check(req.Rules, e.MovieID != 0); err != nil {
		return Analysis{}, &RequestError{"rule", err}
	}
	if req.Rules != nil {
		if d.Rule, err = json.Marshal(req.Rules); err != nil {
			return Analysis{}, err
		}
	}
	if req.Gait != nil {
		if err := req.Gait.Validate(); err != nil {
			return Analysis{}, &RequestError{"gait", err}
		}
		if d.Gait, err = json.Marshal(req.Gait); err != nil {
			return Analysis{}, err
		}
	}
	for _, x := range []struct {
		field string
		asked bool
	}{{"gait", req.Gait != nil}, {"jump", req.Jump}, {"from", req.From != 0}, {"to", req.To != 0}} {
		if x.asked && e.MovieID == 0 {
			return Analysis{}, badRequest(x.field, forMovies)
		}
	}
	return create(ctx, s, owner, storage.Analyses, d, analysisOf)
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
	result, err := a.measure(seq)
	if err != nil {
		return worker.Output{}, err
	}
	d.Corrected = correctionsOf(e)
	data, err := json.Marshal(d)
	return worker.Output{Data: data, Result: result}, err
}

// measure computes the stored result of an analysis.
func (a Analysis) measure(seq keypoint.Sequence) ([]byte, error) {
	var r AnalysisResult
	var m AnalysisJSON
	span, err := seq.Between(a.From, a.To)
	if err != nil {
		return nil, lasting(err)
	}
	if r.Results, err = analyze.RunPart(seq, a.Rules, span); err != nil {
		return nil, err
	}
	seq = seq.Slice(span.First, span.Last)
	if m.Result, err = json.Marshal(r.Results); err != nil || a.Gait == nil && !a.Jump {
		return m.Result, err
	}
	r.Warnings = []AnalysisWarning{}
	warn := func(code, detail string) { r.Warnings = append(r.Warnings, AnalysisWarning{code, detail}) }
	timed := seq.Times != nil
	if !timed {
		warn("noTimes", "Gait and jumps need the times of the frames, which this record does not have.")
	}
	if a.Gait != nil {
		if timed {
			if err := r.measureGait(seq, *a.Gait, a.Rules); err != nil {
				return nil, err
			}
			if r.Gait != nil {
				r.Gait.Shift(span.First)
			} else {
				warn("noSteps", "No steps were found: gait needs both feet of somebody who walks or runs and is seen from the side.")
			}
		}
		if m.Gait, err = json.Marshal(r.Gait); err != nil {
			return nil, err
		}
	}
	if a.Jump {
		if timed {
			if r.Jumps, err = jump.Analyze(seq); err != nil {
				return nil, err
			}
			for k := range r.Jumps {
				r.Jumps[k].TakeOffFrame += span.First
				r.Jumps[k].LandingFrame += span.First
			}
			if r.Jumps == nil {
				r.Jumps = []jump.Jump{}
				warn("noJumps", "No jumps were found: both feet must leave the ground together, and the times must be those of the capture, not of slow motion.")
			}
		}
		if m.Jumps, err = json.Marshal(r.Jumps); err != nil {
			return nil, err
		}
	}
	if !seq.World.Metric() && (r.Gait != nil || len(r.Jumps) > 0) {
		warn("noScale", "Lengths of gait are in pixels, and rise and drop of jumps are missing: extract with a scale for metres.")
	}
	if m.Warnings, err = json.Marshal(r.Warnings); err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

// measureGait fills in the gait, nil without steps.
func (r *AnalysisResult) measureGait(seq keypoint.Sequence, opt gait.Options, rules []analyze.Rule) error {
	opt.Curves = gait.LegAngles()
	for _, rule := range rules {
		opt.Curves = append(opt.Curves, analyze.Rule{Type: rule.Type, Points: rule.Points, Side: rule.Side, Symmetry: rule.Symmetry})
	}
	g, err := gait.Analyze(seq, opt)
	if err == nil && g.Mode != "" {
		r.Gait = &g
	}
	return err
}

// labelled sets the rules and the part of the analysis whose values the labels of a drawing write. It must be
// of these keypoints and have what the labels ask for.
func (s *Service) labelled(ctx context.Context, owner string, d *catalog.Drawing, keypointID int64, person int, labels []draw.Rule) error {
	id := d.AnalysisID
	a, err := s.Analysis(ctx, owner, id)
	if err != nil {
		return referenceError("analysisId", storage.Key{Owner: owner, Kind: storage.Analyses, ID: id}, err)
	}
	if a.KeypointID != keypointID {
		return badRequest("analysisId", "the analysis %d is of the keypoint record %d, the drawing of %d", id, a.KeypointID, keypointID)
	}
	if a.Person != person {
		return badRequest("analysisId", "the analysis %d and the drawing are of different people", id)
	}
	if err := film.CheckLabels(labels, len(a.Rules)); err != nil {
		return &RequestError{"rule", err}
	}
	if a.From != 0 || a.To != 0 {
		d.Analysed = &catalog.Part{From: a.From, To: a.To}
	}
	d.Analysis, err = json.Marshal(a.Rules)
	return err
}

// label sets the analysis whose values the labels of a drawing of seq write.
func (a *Annotator) label(d *catalog.Drawing, seq keypoint.Sequence) (err error) {
	if d.Analysis != nil {
		if err = json.Unmarshal(d.Analysis, &a.Analyses); err != nil {
			return fmt.Errorf("stored rule of the analysis: %w", err)
		}
	}
	if d.Analysed != nil {
		a.analysed, err = seq.Between(d.Analysed.From, d.Analysed.To)
	}
	return lasting(err)
}
