// Package study says what a recording shows: the movement, which measure to read first, how far to trust each measure,
// and the repetitions, steps or jumps.
//
//	s, err := study.Run(seq, report) // report is of quality.Assess, or the zero Report
//	if err != nil {
//		return err
//	}
//	for _, m := range s.Measures {
//		fmt.Println(m.Name, m.Trust, m.Why)
//	}
//
// The uncertainty of a value in its frame decides its trust: good up to 10 degrees, care up to 20. Others
// are withheld: absent, with the reasons in Why. For lengths the limits are 0.1 and 0.2 torso lengths.
// docs/how/quality.md has the rules and where their numbers come from.
//
// The package is pure: no I/O, no clock, no goroutine.
package study

import (
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// Movement is what the person does, one of Movements, or "other" if the study cannot tell.
type Movement string

const (
	moveSquat      Movement = "squat"
	moveSitToStand Movement = "sitToStand"
	moveLunge      Movement = "lunge"
	moveHinge      Movement = "hinge"
	movePushUp     Movement = "pushUp"
	moveCurl       Movement = "curl"
	moveRaise      Movement = "raise"
	moveJump       Movement = "jump"
	moveWalking    Movement = "walking"
	moveRunning    Movement = "running"
	moveStill      Movement = "still"
	moveOther      Movement = "other"
)

// Movements returns the movements that a study can tell.
func Movements() []Movement {
	return []Movement{
		moveSquat, moveSitToStand, moveLunge, moveHinge, movePushUp, moveCurl, moveRaise, moveJump, moveWalking, moveRunning, moveStill,
	}
}

// Known reports whether the study can tell what the person does.
func (m Movement) Known() bool { return m != "" && m != moveOther }

// Study is what a recording shows. Its JSON is the member overview of analyses in the API.
type Study struct {
	Movement Movement        `json:"movement"`
	Verdict  quality.Verdict `json:"verdict"` // of what matters for the movement
	Summary  Summary         `json:"summary"`
	Facing   quality.Facing  `json:"facing,omitzero"` // from where it is seen; zero: that is unknown
	Lead     *Lead           `json:"lead"`            // what to read first; nil: nothing moves, or nothing is sure
	Show     []analyze.Type  `json:"show"`            // the lead and its neighbour, or without a lead what moves most though it is withheld
	Measures []Measure       `json:"measures"`
	// Estimates are of measures that the view withholds, with other uncertainties; nil: none. See Estimated.
	Estimates []Measure `json:"estimates,omitempty"`

	// Repetitions are those of the lead, and have the values of all measures at their turns; nil: none. Without a lead they are those of
	// Show[0], of which too little is shown: then their values and depths are shares, 0 at rest and 1 at the turn of a usual one, and no
	// hold is told.
	Repetitions *analyze.Repetitions `json:"repetitions"`
	Ways        []string             `json:"ways,omitempty"` // of a repetition, to its turn and from there: "down" and "up", or "out" and "back"; nil without repetitions

	Gait  *gait.Gait  `json:"gait"`  // nil if the person does not walk or run in at least half of the recording
	Jumps []jump.Jump `json:"jumps"` // nil: none
	// Standing is the longest time of quiet standing, against which angles can be given: see analyze.Neutral. nil: none.
	Standing *analyze.Neutral `json:"standing"`
	// Notes are the warnings of the recording that concern what is shown, and why values are withheld.
	Notes []quality.Warning `json:"notes"`
}

// Lead names a measure.
type Lead struct {
	Type analyze.Type `json:"analysisType"`
	Side analyze.Side `json:"side,omitempty"`
}

// Run studies a recording. judged is its quality, or the zero Report. An invalid sequence is a keypoint.ErrInvalid.
func Run(seq keypoint.Sequence, judged quality.Report) (Study, error) {
	return RunPart(seq, judged, keypoint.Span{Last: seq.Len() - 1}, nil)
}

// RunPart studies the frames of a span alone. Frames keep their numbers, and values outside are absent. Angles are against the
// neutral pose, if it is not nil and the sequence has such a time. A part that the sequence does not have is a keypoint.ErrInvalid.
func RunPart(seq keypoint.Sequence, judged quality.Report, span keypoint.Span, neutral *analyze.Neutral) (Study, error) {
	if _, err := seq.Cut(span); err != nil {
		return Study{}, err
	}
	view, err := space.Seen(seq.Mask(span))
	if err != nil {
		return Study{}, err
	}
	p := &person{seq: view, span: span, whole: seq, views: judged.Views}
	if neutral != nil {
		if found, err := neutral.Find(seq); err == nil {
			p.neutral = &found
		}
	}
	for _, w := range judged.Warnings {
		if w.To >= span.First && w.From <= span.Last {
			p.warnings = append(p.warnings, w)
		}
	}
	return p.study()
}

// person is a recording with what the parts of a study need of it.
type person struct {
	seq      keypoint.Sequence
	span     keypoint.Span
	whole    keypoint.Sequence // of which seq is the span
	neutral  *analyze.Neutral  // nil: none was asked for, or found
	warnings []quality.Warning // that concern the span
	views    quality.Views
	pixels   float64      // median length of the torso; 0 if unknown
	torso    float64      // the same in the unit of lengths
	seen     int          // frames with somebody
	unsure   *measure     // what matters in a picture and is not good; nil: all is
	moving   analyze.Type // what moves most in the picture, without a lead
	bones    []*measure   // how far their ends are above each other in the picture
}

func (p *person) study() (s Study, err error) {
	s.Facing = p.views.Facing()
	p.measureBody()
	all, err := p.measures()
	if err != nil {
		return s, err
	}
	if standing, err := (analyze.Neutral{}).Find(p.whole); err == nil {
		s.Standing = &standing
	}
	if p.seq.Times != nil {
		if err := p.locomotion(&s); err != nil {
			return s, err
		}
	}
	leading := all
	if p.moved() != "" { // what leans or stirs with an arm or a leg does not lead
		leading = slices.DeleteFunc(slices.Clone(all), func(m *measure) bool {
			rule := m.Rule()
			return rule.Plane() == quality.Frontal && !m.Type.Sided() || m.Type == analyze.NeckFlexion || m.degree == 1 && m.Range.Present && m.Range.X < 2*leastRange
		})
	}
	lead := choose(leading, nil)
	found, err := p.count(all, lead)
	if err != nil {
		return s, err
	}
	s.Movement = p.movement(&s, all, lead, found)
	hips := choose(all, []analyze.Type{analyze.HipHeight})
	var sinking analyze.Repetitions
	if hips != nil {
		if sinking, err = p.count(all, hips); err != nil {
			return s, err
		}
		if s.Movement == moveOther {
			s.Movement = p.movement(&s, all, hips, sinking)
		}
	}
	if types := matter[s.Movement]; types != nil {
		if of := choose(all, types); of != lead && (of != nil || s.Gait != nil) {
			lead = of
			if found, err = p.count(all, lead); err != nil {
				return s, err
			}
		} else if of == nil && s.Jumps == nil { // it only looks like that
			s.Movement = moveOther
		}
		if slices.Contains(types, analyze.HipHeight) && sinking.Complete > found.Complete { // the legs take turns
			lead, found = hips, sinking
		}
	}
	if s.Gait == nil && s.Jumps == nil && (s.Movement == moveOther || found.Complete == 0) {
		if lead, found, err = p.surest(all, leading, lead, found, s.Movement != moveOther); err != nil {
			return s, err
		}
	}
	if lead == nil {
		inShares(&found)
	}
	if s.Gait == nil && s.Jumps == nil && len(found.List) > 0 {
		s.Repetitions = &found
	}
	if lead != nil {
		s.Lead = &Lead{lead.Type, lead.Side}
	}
	for _, m := range all {
		s.Measures = append(s.Measures, m.Measure)
	}
	s.Notes = p.notes(&s, lead, all)
	s.Verdict = p.verdict(&s, lead, all)
	if s.Estimates, err = p.estimate(&s); err != nil {
		return s, err
	}
	p.show(&s, lead)
	if p.summarize(&s, lead); p.seq.Len() == 1 && s.Movement == moveStill { // a picture stands still whatever it shows
		s.Movement = moveOther
	}
	return s, nil
}

// locomotion fills in gait, if the person walks or runs in at least half of the frames, or else jumps.
func (p *person) locomotion(s *Study) error {
	g, err := gait.Analyze(p.seq, gait.Options{Curves: gait.LegAngles(), Quality: quality.Report{Warnings: p.warnings}})
	if err != nil {
		return err
	}
	frames := 0
	for _, pass := range g.Passes {
		frames += keypoint.Span{First: pass.First, Last: pass.Last}.Len()
	}
	if g.StrideTime.Both.Count > 1 && 2*frames >= p.seen {
		s.Gait = &g
		return nil
	}
	s.Jumps, err = jump.Analyze(p.seq)
	return err
}

// Results returns the measures that are not withheld as results, for files.
func (s *Study) Results() (list []analyze.Result) {
	for _, m := range s.Measures {
		if m.Trust != quality.TrustWithheld {
			list = append(list, analyze.Result{Type: m.Rule().Type, Name: m.Name, Side: m.Side, Unit: m.Unit, Values: m.Values, Uncertainty: m.Uncertainty, Constant: m.Constant})
		}
	}
	return list
}

// MarshalJSON writes the API's form, with numbers of at most four decimals.
func (s Study) MarshalJSON() ([]byte, error) {
	type plain Study
	s.Measures, s.Notes = append([]Measure{}, s.Measures...), append([]quality.Warning{}, s.Notes...)
	return jsonappend.Marshal(plain(s), 4)
}
