// Package examine answers several questions about a recording at once: the values of rules, gait, jumps, what the recording
// shows, and how an exercise was done.
//
//	r, err := examine.Request{Overview: true, Exercise: &squat}.Run(seq, report)
//
// The package is pure: no I/O, no clock, no goroutine.
package examine

import (
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Request asks for the values of rules, for gait, for jumps, for an overview, for an exercise, or for several of them. What does not
// apply to a recording is missing in the result, with a warning.
type Request struct {
	Rules    []analyze.Rule
	Gait     *gait.Options        // its Curves are ignored: they are LegAngles and the rules of one side; nil: no gait
	Jump     bool                 // asks for jumps
	Overview bool                 // asks for what the recording shows
	Exercise *exercise.Definition // asks for how it was done; nil: for none
	Neutral  *analyze.Neutral     // the named angles of Rules, Overview and Exercise are against a neutral pose; nil: as they are
	From, To float64              // the part, in seconds, as keypoint.Sequence.Between has it
}

// Result is what an analysis has found. Its JSON is that of the API.
type Result struct {
	Results  []analyze.Result `json:"result"`         // one for each rule
	Gait     *gait.Gait       `json:"gait,omitempty"` // nil if it was not asked for, or not found: a warning says why
	Jumps    []jump.Jump      `json:"jumps,omitzero"` // nil if they were not asked for, or cannot be found
	Warnings []Warning        `json:"warnings,omitzero"`
	Overview *study.Study     `json:"overview,omitempty"` // nil if it was not asked for
	Exercise *exercise.Result `json:"exercise,omitempty"` // nil if it was not asked for
	Neutral  *analyze.Neutral `json:"neutral,omitempty"`  // the seconds that were used; nil: none
}

// Warning tells why something that was asked for is missing.
type Warning struct {
	Code   string `json:"code"`   // noTimes, noSteps, noJumps, noScale or noNeutral
	Detail string `json:"detail"` // one English sentence
}

// Run computes what is asked for. judged is the quality of the sequence, or the zero Report; it is used for Overview,
// Exercise and Gait. An invalid sequence, rule or part is a keypoint.ErrInvalid.
func (req Request) Run(seq keypoint.Sequence, judged quality.Report) (r Result, err error) {
	span, err := seq.Between(req.From, req.To)
	if err != nil {
		return r, err
	}
	if req.Overview || req.Exercise != nil {
		shown, err := study.RunPart(seq, judged, span, req.Neutral)
		if err != nil {
			return r, err
		}
		if req.Overview {
			r.Overview = &shown
		}
		if req.Exercise != nil {
			done, err := exercise.Judge(*req.Exercise, seq.Mask(span), shown)
			if err != nil {
				return r, err
			}
			r.Exercise = &done
		}
	}
	if req.Gait != nil || req.Jump || req.Neutral != nil {
		r.Warnings = []Warning{}
	}
	if req.Neutral != nil {
		if used, err := req.Neutral.Find(seq); err == nil {
			r.Neutral = &used
		} else {
			r.warn("noNeutral", "Named angles are as they are: "+err.Error()+".")
		}
	}
	if r.Results, err = analyze.RunWith(seq, req.Rules, analyze.Options{Part: &span, Neutral: r.Neutral}); err != nil || req.Gait == nil && !req.Jump {
		return r, err
	}
	seq = seq.Slice(span.First, span.Last)
	if seq.Times == nil {
		r.warn("noTimes", "Gait and jumps need the times of the frames, which this record does not have.")
		return r, nil
	}
	if req.Gait != nil {
		err = r.measureGait(seq, req, judged, span.First)
	}
	if err == nil && req.Jump {
		err = r.measureJumps(seq, span.First)
	}
	switch found := r.Gait != nil || len(r.Jumps) > 0; {
	case !found || seq.World.Metric() || seq.Space.Seen() && seq.Space.Unit == keypoint.Metres:
	case seq.Space.Seen():
		r.warn("noScale", "Lengths of gait are multiples of the torso, and rise and drop of jumps are missing: join with the height of the body for metres.")
	default:
		r.warn("noScale", "Lengths of gait are in pixels, and rise and drop of jumps are missing: extract with a scale for metres.")
	}
	return r, err
}

func (r *Result) warn(code, detail string) {
	r.Warnings = append(r.Warnings, Warning{code, detail})
}

// measureGait fills in the gait of frames from first on, nil without steps.
func (r *Result) measureGait(seq keypoint.Sequence, req Request, judged quality.Report, first int) error {
	opt := *req.Gait
	for _, w := range judged.Warnings {
		w.From, w.To = w.From-first, w.To-first
		opt.Quality.Warnings = append(opt.Quality.Warnings, w)
	}
	opt.Curves = gait.LegAngles()
	for _, rule := range req.Rules {
		opt.Curves = append(opt.Curves, analyze.Rule{Type: rule.Type, Points: rule.Points, Side: rule.Side, Symmetry: rule.Symmetry})
	}
	g, err := gait.Analyze(seq, opt)
	switch {
	case err != nil:
		return err
	case g.Mode == "" && len(g.Warnings) > 0:
		r.warn("noSteps", "No steps count: "+g.Warnings[0].Detail)
		return nil
	case g.Mode == "":
		r.warn("noSteps", "No steps were found: gait needs both feet of somebody who walks or runs across the picture, or walks towards the camera or away from it.")
		return nil
	}
	g.Shift(first)
	r.Gait = &g
	return nil
}

// measureJumps fills in the jumps in frames from first on.
func (r *Result) measureJumps(seq keypoint.Sequence, first int) (err error) {
	if r.Jumps, err = jump.Analyze(seq); err != nil {
		return err
	}
	for k := range r.Jumps {
		r.Jumps[k].TakeOff.Frame += first
		r.Jumps[k].Landing.Frame += first
	}
	if r.Jumps == nil {
		r.Jumps = []jump.Jump{}
		r.warn("noJumps", "No jumps were found: both feet must leave the ground together, and the times must be those of the capture, not of slow motion.")
	}
	return nil
}
