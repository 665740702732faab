// Package quality judges the keypoints of a recording: whether the camera saw what the numbers need, and how far they may be off.
//
//	report, err := quality.Assess(quality.Input{Sequence: cleaned, Cleaning: changes}) // as clean.Run returns them
//	if err != nil {
//		return err
//	}
//	fmt.Println(report.Verdict) // good, usable or poor
//	for _, w := range report.Warnings {
//		fmt.Println(w)
//	}
//	fmt.Println("knee angles:", report.OutOfPlane(quality.Sagittal, 0, cleaned.Len()-1)) // [] if the view shows them
//
// docs/how/quality.md has the formula and the threshold of each code.
//
// The package is pure: no I/O, no clock, no goroutine.
package quality

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// Input is a recording with what only others can know about it. Only Sequence is required.
type Input struct {
	// Sequence is the keypoints to judge: as found, or cleaned if values are computed from those.
	Sequence keypoint.Sequence
	// Cleaning is what cleaning did to Sequence; the zero Report: nothing. It knows where left and
	// right were exchanged or cannot be told apart.
	Cleaning clean.Report
	// CameraMoves are the frames in which the background moves. Assess itself sees only a camera that sways while the person stands still.
	CameraMoves []keypoint.Span
}

// Verdict says what a recording is good for.
type Verdict string

// The verdicts.
const (
	Good   Verdict = "good"   // nothing is wrong but what every side view hides
	Usable Verdict = "usable" // look at the warnings before using a number
	Poor   Verdict = "poor"   // at least a third of the frames, or a whole measurement, is unreliable
	Nobody Verdict = "nobody" // no frame has anybody
)

// Code is the kind of a warning.
type Code string

// The codes of warnings.
const (
	CodeOutOfPlane    Code = "outOfPlane"    // the view is not the one that the angle needs; only from Report.OutOfPlane
	CodeHiddenSide    Code = "hiddenSide"    // the far side of the body is hidden behind the near one
	CodeCutOff        Code = "cutOff"        // the person is partly outside the picture
	CodeSmall         Code = "small"         // the person is lower than 120 px
	CodeLowFrameRate  Code = "lowFrameRate"  // the movement is too fast for the frame rate
	CodePersonChanged Code = "personChanged" // from here on it is somebody else
	CodeLost          Code = "lost"          // nobody is found
	CodeSwapped       Code = "swapped"       // left and right were exchanged or cannot be told apart
	CodeJitter        Code = "jitter"        // the points tremble
	CodeCameraMoves   Code = "cameraMoves"   // the camera is not fixed
	CodeLowCoverage   Code = "lowCoverage"   // parts are missing in many frames
	CodeFacing        Code = "facing"        // it cannot be told where the person faces; only of a named angle
	CodeImplausible   Code = "implausible"   // no body does this; only of gait and in studies
	CodeDamaged       Code = "damaged"       // frames of the movie are missing, or decoded with faults
	codeUnseen        Code = "unseen"        // the keypoints are another program's: the picture was not seen
	codeWeak          Code = "weak"          // two cameras stand near to each other
	codeSideways      Code = "sideways"      // the movie lies on its side
)

// Warning is something that makes values unreliable.
type Warning struct {
	Code   Code           `json:"code"`
	Detail string         `json:"detail"` // one English sentence
	From   int            `json:"from"`   // the first and the last frame, from 0
	To     int            `json:"to"`
	Parts  keypoint.Parts `json:"parts"`
}

// String returns the Detail with the parts and the frames: "These parts are hidden (leftElbow, frames 3 to 20)."
func (w Warning) String() string {
	where := fmt.Sprintf("frames %d to %d", w.From, w.To)
	if w.From == w.To {
		where = fmt.Sprintf("frame %d", w.From)
	}
	for _, p := range slices.Backward(w.Parts.List()) {
		where = p.String() + ", " + where
	}
	return fmt.Sprintf("%s (%s).", strings.TrimSuffix(w.Detail, "."), where)
}

// Report is the outcome of Assess. JSON has its verdict, warnings and view.
type Report struct {
	Verdict  Verdict
	Warnings []Warning // by code, then by frame
	Views
}

// Assess judges a recording by the 17 parts of the body; feet do not matter. If not all frames were looked at
// (Sequence.Looks), those that were decide about lowFrameRate, jitter and lowCoverage. An invalid sequence, a cleaning of
// another sequence, and spans outside the recording are a keypoint.ErrInvalid.
func Assess(in Input) (Report, error) {
	if err := in.validate(); err != nil {
		return Report{}, err
	}
	in.Sequence = in.Sequence.Clone()
	for i, f := range in.Sequence.Frames {
		in.Sequence.Frames[i] = f.Only(keypoint.Body)
	}
	b := newBody(in.Sequence)
	r := Report{Views: b.views()}
	looks := newBody(in.Sequence.LookedAt())
	fast := looks.lowFrameRate()
	jitter, coverage := looks.jitter(fast), looks.lowCoverage()
	in.fromLooks(fast, jitter, coverage)
	hidden := warn(CodeHiddenSide, HiddenDetail, b.marked(b.hidden(r.Views), b.frames(joinTime), b.frames(hiddenTime)))
	r.Warnings = slices.Concat(hidden, b.cutOff(), b.small(), fast, b.personChanged(), b.lost(),
		b.swapped(in.Cleaning), b.sideways(), jitter, b.cameraMoves(in.CameraMoves), coverage)
	n := in.Sequence.Len()
	nobody := n > 0 && in.Sequence.Empty()
	if nobody {
		r.Warnings = []Warning{{Code: CodeLost, Detail: "Nobody was found: the whole body must be in the picture, and large enough.", To: n - 1}}
	}
	if in.Sequence.Damage != "" {
		r.Warnings = append(r.Warnings, Warning{Code: CodeDamaged, Detail: in.Sequence.Damage, To: max(n-1, 0)})
	}
	if s := in.Sequence.Space; s.Seen() && s.Angle > 0 && s.Angle < weakAngle {
		r.Warnings = append(r.Warnings, Warning{Code: codeWeak, Detail: fmt.Sprintf(weak, s.Angle), To: max(n-1, 0)})
	}
	if in.Sequence.Unseen {
		r.Warnings = append(r.Warnings, Warning{Code: codeUnseen, Detail: unseen, To: max(n-1, 0)})
	}
	if r.Verdict = VerdictOf(r.Warnings, n); nobody {
		r.Verdict = Nobody
	}
	return r, nil
}

const weak = "The cameras stand %.0f° apart, seen from the person: what goes towards them is less sure. 60 to 120° are better."

const unseen = "The keypoints were found by another program: the picture was not seen, and what is hidden in it is not known."

func (in Input) validate() error {
	if err := in.Sequence.Validate(); err != nil {
		return err
	}
	n := in.Sequence.Len()
	if c := len(in.Cleaning.Changes); c > 0 && c != n {
		return fmt.Errorf("%w input: the cleaning is one of %d frames, the sequence has %d", keypoint.ErrInvalid, c, n)
	}
	for _, s := range in.CameraMoves {
		if _, err := in.Sequence.Cut(s); err != nil {
			return fmt.Errorf("camera moves: %w", err)
		}
	}
	return nil
}

// fromLooks turns warnings about the looks into warnings about the frames.
func (in Input) fromLooks(warnings ...[]Warning) {
	looks := in.Sequence.Looks
	if looks == nil {
		return
	}
	for _, list := range warnings {
		for i := range list {
			w := &list[i]
			w.From, w.To = looks[w.From], looks[w.To]
			if w.Code == CodeLowFrameRate {
				w.Detail = "The movement is too fast for the rate of looks: parts move by more than 0.4 torso lengths from look to look."
			}
		}
	}
}

const (
	poorShare = 1.0 / 3 // the share of the frames from which a warning makes a recording poor
	weakAngle = 40      // degrees between two cameras
	fewParts  = 3       // parts that may tremble or be missing without making a recording poor: an arm
)

// VerdictOf sums up the warnings of a recording of some frames. The hidden side alone is no fault of a side view. A warning that
// concerns a third of the frames makes the recording poor, unless it concerns few parts only; a moving
// camera and a damaged movie do not, since angles do not depend on them.
func VerdictOf(warnings []Warning, frames int) Verdict {
	v := Good
	covered := map[Code]int{}
	for _, w := range warnings {
		if w.Code != CodeHiddenSide {
			v = Usable
		}
		switch w.Code {
		case CodeHiddenSide, CodeCameraMoves, CodeDamaged, codeUnseen, codeWeak:
			continue
		case CodeJitter, CodeLowCoverage:
			if w.Parts.Len() <= fewParts {
				continue
			}
		}
		if covered[w.Code] += w.To - w.From + 1; float64(covered[w.Code]) >= poorShare*float64(frames) {
			return Poor
		}
	}
	return v
}

// reportJSON is the API's form of a Report.
type reportJSON struct {
	Verdict  Verdict    `json:"verdict"`
	Warnings []Warning  `json:"warnings"`
	View     []*float64 `json:"view"` // nil: unknown
}

// MarshalJSON writes the API's form: the verdict, the warnings, and the view of each frame in whole degrees, null where it is unknown.
func (r Report) MarshalJSON() ([]byte, error) {
	d := reportJSON{r.Verdict, append([]Warning{}, r.Warnings...), make([]*float64, len(r.frames))}
	for i, v := range r.frames {
		if v.known {
			degrees := math.Round(v.degrees)
			d.View[i] = &degrees
		}
	}
	return json.Marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes. Anything else is a keypoint.ErrInvalid.
func (r *Report) UnmarshalJSON(data []byte) error {
	var d reportJSON
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%w report: %w", keypoint.ErrInvalid, err)
	}
	*r = Report{Verdict: d.Verdict, Warnings: d.Warnings, Views: Views{make([]view, len(d.View))}}
	for i, v := range d.View {
		if v != nil {
			r.frames[i] = view{*v, true}
		}
	}
	return nil
}
