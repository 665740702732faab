// Package exercise judges the repetitions of an exercise by its targets, and reads the result of a clinical test:
//
//	squat, _ := exercise.Shipped("squat")
//	shown, err := study.Run(seq, report)
//	if err != nil {
//		return err
//	}
//	r, err := exercise.Judge(squat, seq, shown)
//	if err != nil {
//		return err
//	}
//	fmt.Println(r.Headline) // 2 of 3 repetitions meet all targets that could be judged.
//
// A value is missed only if it is beyond its limit by more than its uncertainty, and met only if it is within it by as
// much. In between it is near: could not be judged. What the recording does not show is withheld, with the reason.
//
// The package is pure: no I/O, no clock, no goroutine.
package exercise

import (
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// Definition is an exercise: what counts as a repetition, and its targets. Its JSON is what Parse reads.
type Definition struct {
	Name  string   `json:"name"`           // of a shipped one "squat"
	Title say.Text `json:"title,omitzero"` // for people; without it the name
	// Movement is what the person does. If the recording shows another movement, there is a warning. "": any.
	Movement study.Movement `json:"movement,omitempty"`
	// Lead is the measure whose repetitions count; without a side the one that is surer. nil: that of study.Study.
	Lead *study.Lead `json:"lead,omitempty"`
	// Phases are three of down, up, out, back and hold: the way out, the hold, the way back; nil: out, hold, back.
	Phases  []string `json:"phases,omitempty"`
	Counts  Counts   `json:"counts,omitempty"`
	View    View     `json:"view,omitempty"` // which shows most targets
	Targets []Target `json:"targets,omitempty"`
	Test    Test     `json:"test,omitempty"`
	Norms   []Norm   `json:"norms,omitempty"` // of the number of the Test
	Sources []string `json:"sources,omitempty"`
}

// Counts says which repetitions are counted: "all", which is the zero value, too, with shallow ones marked; "full", complete ones
// that are not shallow; and of these "near" those that miss no target, where one at least can be judged, and "met" those that meet all
// targets that can be.
type Counts string

const (
	countsAll  Counts = "all"
	countsFull Counts = "full"
	countsNear        = Counts(Near)
	countsMet         = Counts(Met)
)

// graded reports whether it depends on the targets what counts.
func (c Counts) graded() bool { return c == countsNear || c == countsMet }

// takes reports whether a repetition that was judged counts.
func (c Counts) takes(r *Repetition) bool {
	full := r.Complete && !r.Shallow
	switch c {
	case countsFull:
		return full
	case countsNear:
		return full && (r.Outcome == Near || r.Outcome == Met)
	case countsMet:
		return full && r.Outcome == Met
	}
	return true
}

// View is from where the camera should see the person: "side", 80 to 100 degrees from the front, or "front", up to 20; "" means any.
type View string

const (
	fromSide  View = "side"
	fromFront View = "front"
)

// At says when the value of a target is taken: at the "turn" of a repetition, which is the zero value, too, at its "start", or
// "throughout", in every frame from start to end.
type At string

const (
	atTurn     At = "turn"
	atStart    At = "start"
	throughout At = "throughout"
)

// The measures of tempo.
const (
	outTime  analyze.Type = "out"
	holdTime analyze.Type = "hold"
	backTime analyze.Type = "back"
	duration analyze.Type = "duration"
)

// Target limits a measure in each repetition: a named angle or length of package analyze, or a tempo in seconds, "out", "hold",
// "back" or "duration". At least one of Min and Max is there, in the unit of the measure.
type Target struct {
	Measure analyze.Type  `json:"measure"`
	Side    analyze.Side  `json:"side,omitempty"` // "": each side of a measure that has sides
	At      At            `json:"at,omitempty"`   // not for tempo
	Min     analyze.Value `json:"min,omitzero"`
	Max     analyze.Value `json:"max,omitzero"`
	// Tolerance is how far beyond the limits a value still is as wanted, in their unit.
	Tolerance float64 `json:"tolerance,omitempty"`
}

// Norm is the range of most healthy people of an age and sex, both inclusive, in the unit of the test.
type Norm struct {
	Sex    string  `json:"sex"` // "female" or "male"
	From   int     `json:"ageFrom"`
	To     int     `json:"ageTo"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Source string  `json:"source"`
}

// Result says how an exercise was done.
type Result struct {
	Exercise    Definition   `json:"exercise"`
	Headline    say.Text     `json:"headline"`
	Detail      say.Text     `json:"detail,omitzero"` // what the headline leaves out: misses, what is withheld and why
	Repetitions []Repetition `json:"repetitions"`
	Numbers     []Number     `json:"numbers,omitempty"` // the result of the Test, the most important one first
	Advice      say.Text     `json:"advice,omitzero"`   // how to film, if that would show more
}

// Repetition is a judged one.
type Repetition struct {
	Start           analyze.Moment `json:"start"`
	Turn            analyze.Moment `json:"turn"`
	End             analyze.Moment `json:"end"`
	Counted         bool           `json:"counted"` // by Definition.Counts
	Out             float64        `json:"out"`     // seconds, as analyze.Repetition has them
	Hold            float64        `json:"hold"`
	Back            float64        `json:"back"`
	TimeUncertainty float64        `json:"timeUncertainty,omitempty"` // of Out, Hold and Back: one standard deviation, seconds
	Complete        bool           `json:"complete"`
	Shallow         bool           `json:"shallow"`
	// Outcome is the worst of its targets: missed, near, met; withheld if all are or there are none.
	Outcome  Outcome   `json:"outcome"`
	Targets  []Verdict `json:"targets"` // those of Definition.Targets in their order, one for each side
	Sentence say.Text  `json:"sentence"`
}

// Outcome says what became of a target.
type Outcome string

// The outcomes.
const (
	Met      Outcome = "met"
	Missed   Outcome = "missed"
	Near     Outcome = "near" // too near to the limit to tell
	Withheld Outcome = "withheld"
)

// Verdict is what became of a target in a repetition. If it is withheld it has no numbers.
type Verdict struct {
	Target  int          `json:"target"` // index in Definition.Targets
	Side    analyze.Side `json:"side,omitempty"`
	Outcome Outcome      `json:"outcome"`
	Unit    string       `json:"unit"`
	// Value is what is judged, at Frame and Time. Uncertainty is one standard deviation, bias included.
	Value       analyze.Value `json:"value"`
	Uncertainty analyze.Value `json:"uncertainty"`
	// By is how far the value is beyond the limit that it misses; below 0 within it.
	By        analyze.Value  `json:"by"`
	Trust     quality.Trust  `json:"trust"`               // of the value, by its uncertainty in its frame
	Estimated bool           `json:"estimated,omitempty"` // as study.Measure.Estimated
	Frame     int            `json:"frame"`
	Time      float64        `json:"time"`
	Why       []quality.Code `json:"why,omitempty"` // withheld; "incomplete": the repetition does not come back

	facing quality.Facing // at the Frame
}

// Number is the result of a test, or a part of it.
type Number struct {
	Name        string        `json:"name"` // time, count, height, rise, sway
	Side        analyze.Side  `json:"side,omitempty"`
	Unit        string        `json:"unit"`
	Value       analyze.Value `json:"value"` // absent: withheld
	Uncertainty analyze.Value `json:"uncertainty"`
	AtLeast     bool          `json:"atLeast,omitempty"` // the recording begins or ends before it does
	From        float64       `json:"from"`              // seconds: where in the recording
	To          float64       `json:"to"`
	Why         say.Text      `json:"why,omitzero"` // withheld
}

// MarshalJSON writes numbers of at most four decimals.
func (r Result) MarshalJSON() ([]byte, error) {
	type plain Result
	r.Repetitions = append([]Repetition{}, r.Repetitions...)
	return jsonappend.Marshal(plain(r), 4)
}
