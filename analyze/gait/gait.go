package gait

import (
	"fmt"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// Mode is how a person goes: "walking" or "running".
type Mode string

const (
	walking Mode = "walking"
	running Mode = "running"
)

const (
	overground = "overground" // across the picture
	treadmill  = "treadmill"  // in place, or followed by the camera
)

// Options choose what Analyze otherwise finds out. The zero value is the default. Their JSON is true for the default, else an object.
type Options struct {
	Mode    Mode   `json:"mode,omitempty"`    // "": by the stance share
	Surface string `json:"surface,omitempty"` // "": the one with more heel strikes

	// Curves are rules whose values Gait.Curves has over the strides, such as LegAngles. JSON does not have them.
	Curves []analyze.Rule `json:"-"`

	// Quality is the verdict on the recording, zero if it is not known: steps where left and right of the legs are
	// exchanged or cannot be told apart do not count. JSON does not have it.
	Quality quality.Report `json:"-"`
}

var (
	modes    = []Mode{walking, running}
	surfaces = []string{overground, treadmill}
)

// Validate reports options out of range as a keypoint.ErrInvalid.
func (opt Options) Validate() error {
	switch {
	case opt.Mode != "" && !slices.Contains(modes, opt.Mode):
		return fmt.Errorf("%w mode of gait: %q, want one of %v or none", keypoint.ErrInvalid, opt.Mode, modes)
	case opt.Surface != "" && !slices.Contains(surfaces, opt.Surface):
		return fmt.Errorf("%w surface of gait: %q, want one of %v or none", keypoint.ErrInvalid, opt.Surface, surfaces)
	}
	return nil
}

// LegAngles are rules for the flexion of hips and knees and the dorsiflexion of ankles of both sides.
func LegAngles() []analyze.Rule {
	return []analyze.Rule{
		{Type: analyze.HipFlexion, Symmetry: true}, {Type: analyze.KneeFlexion, Symmetry: true}, {Type: analyze.AnkleDorsiflexion, Symmetry: true},
	}
}

// Curve is a value over the strides of a side, 0 to 100 % from heel strike to heel strike.
type Curve struct {
	Type analyze.Type `json:"analysisType"`
	Name string       `json:"name"` // "left knee flexion"
	Side analyze.Side `json:"side"`
	Unit string       `json:"unit"`
	analyze.Band
}

// EventKind is what a foot does.
type EventKind string

// The events.
const (
	HeelStrike EventKind = "heelStrike" // the foot touches the ground, with whichever part
	ToeOff     EventKind = "toeOff"     // the foot leaves the ground
)

// Event is a contact of a foot with the ground, or its end.
//
// The candidates are those of Zeni, Richards and Higginson (Gait Posture 27:710, 2008, doi:10.1016/j.gaitpost.2007.07.007): where the
// foot is farthest before the hips, or behind them. The event is when its speed over the ground falls below a share of the person's
// speed, or rises above it, as Bruening and Ridge do (Gait Posture 39:472, 2014, doi:10.1016/j.gaitpost.2013.08.023) after Ghoussayni
// and others (Gait Posture 20:266, 2004, doi:10.1016/j.gaitpost.2003.10.001). Heels and toes are taken where the keypoints have them,
// else the ankles; times are interpolated between frames. docs/how/formulas.md has the shares, and what the ground is in place. Left and
// right must move against each other, so that squats have no steps.
type Event struct {
	Kind  EventKind    `json:"event"`
	Side  analyze.Side `json:"side"`
	Frame int          `json:"frame"` // the nearest one
	Time  float64      `json:"time"`  // seconds, between frames too
	Pass  int          `json:"pass"`  // index into Gait.Passes
}

// Pass is a stretch in which the person goes one way: across the picture, or in place, as on a treadmill or
// before a camera that follows. Forward is where the hips go, and in place where the foot comes
// from while it is low: in the formulas of Event, x is positive forward, and f and h are a foot and the middle of the hips.
type Pass struct {
	First     int          `json:"from"`
	Last      int          `json:"to"`
	Direction analyze.Side `json:"direction"` // the side of the picture to which the person goes
}

// Cycle is a stride: from a heel strike to the next one of the same foot, in seconds.
type Cycle struct {
	Side   analyze.Side `json:"side"`
	Start  float64      `json:"start"`
	ToeOff float64      `json:"toeOff"`
	End    float64      `json:"end"`
}

// Gait is what Analyze measures. Numbers that need more steps than there are have a Count of 0 or are absent.
//
//	stride time   from a heel strike to the next one of the same foot
//	step time     from the heel strike of the other foot to that of the side
//	stance time   from heel strike to toe off: in running, the contact time
//	swing time    from toe off to heel strike
//	stance share  stance time / stride time
//	flight time   running: from toe off to the heel strike of the other foot
//	double support  walking: from a heel strike to the toe off of the other foot
//	cadence       120 / T steps a minute; T is the slope of the times of all events against the number
//	              of their stride, by least squares, with an intercept for each side, event and pass;
//	              events that are off by more than a tenth of a stride are then left out; from two strides on
//	footfall      the median place of the foot while it rests on the ground, which may move
//	stride length from a footfall to the next one of the same foot
//	step length   from the footfall of the other foot to that of the side; the mean of both sides is half
//	              of the mean stride length, since one foot is nearer to the camera than the other
//	speed         mean stride length / mean stride time
//
// Walking has a stance share of half or more, running less. Lengths are pixels without a scale (keypoint.World) where the person is of
// the median size; docs/how/formulas.md says how those of oblique walks are found, and when there are none.
type Gait struct {
	Mode    Mode   `json:"mode"`    // "" without steps
	Surface string `json:"surface"` // "" without steps
	Unit    string `json:"unit"`    // of lengths: "m" if the World of the sequence has a scale, else "px", or "torso" in space

	Cadence analyze.Value `json:"cadence"` // steps per minute
	Speed   analyze.Value `json:"speed"`   // Unit per second

	CadenceUncertainty analyze.Value    `json:"cadenceUncertainty"` // one standard deviation, as those of the means below
	SpeedUncertainty   analyze.Value    `json:"speedUncertainty"`
	StrideTime         analyze.TwoSided `json:"strideTime"` // these four in seconds
	StepTime           analyze.TwoSided `json:"stepTime"`
	StanceTime         analyze.TwoSided `json:"stanceTime"`
	SwingTime          analyze.TwoSided `json:"swingTime"`
	StanceShare        analyze.TwoSided `json:"stanceShare"`   // of the stride, 0 to 1
	StrideLength       analyze.TwoSided `json:"strideLength"`  // Unit
	StepLength         analyze.TwoSided `json:"stepLength"`    // Unit
	FlightTime         analyze.Spread   `json:"flightTime"`    // seconds, running only
	DoubleSupport      analyze.Spread   `json:"doubleSupport"` // seconds, each of the two a stride, walking only

	Passes []Pass  `json:"passes"`
	Events []Event `json:"events"` // by time
	Cycles []Cycle `json:"cycles"` // by time; of both sides
	Curves []Curve `json:"curves"` // of Options.Curves, one for each Name whose values are of one side

	// Warnings say where steps do not count: left and right of the legs are exchanged (swapped), or what was
	// found is nothing that a body does (implausible). Everything above is without them.
	Warnings []quality.Warning `json:"warnings"`
}

// Analyze measures the gait of the MainPerson along the floor of Sequence.World. Stretches in which the person cannot be seen to face
// sideways (keypoint.Sequence.Sideways) are left out, but for walks along the line of sight: those have heel strikes alone towards the
// camera, and toe offs alone away from it. A person whom several cameras see is seen from the side. A recording without steps gives a
// Gait without events. An invalid sequence, one of several frames without times, and options out of range are a keypoint.ErrInvalid.
func Analyze(seq keypoint.Sequence, opt Options) (Gait, error) {
	picture, scale := seq, 1.0 // Unit by pixel
	seq, err := space.Seen(seq)
	if err != nil {
		return Gait{}, err
	}
	if seq.Times == nil && seq.Len() > 1 {
		return Gait{}, fmt.Errorf("%w sequence: gait needs the times of its frames", keypoint.ErrInvalid)
	}
	if err := opt.Validate(); err != nil {
		return Gait{}, err
	}
	g := Gait{Unit: "px", Warnings: []quality.Warning{}}
	switch {
	case seq.World.Metric():
		g.Unit, scale = keypoint.Metres, seq.World.MetresPerPixel
	case seq.Space.Seen():
		g.Unit, scale = keypoint.Torso, 1/seq.Space.ViewPixels()
	}
	if seq.Times == nil {
		return g, nil
	}
	unsure := g.unsure(opt.Quality.Warnings, seq.Times)
	passes := find(seq, opt.Surface, unsure)
	g.Mode = opt.Mode
	if g.Mode == "" {
		g.Mode = modeOf(passes)
	}
	strikes := 0
	for _, p := range passes {
		p.detect(g.Mode)
		strikes += p.strikes()
	}
	if strikes == 0 {
		g.Mode = ""
		return g, nil
	}
	passes, g.Surface = onSurface(passes)
	g.oblique(passes, quality.NewUncertainty(seq).Views)
	g.measure(passes, scale, seq.World.ScaleError)
	results, err := analyze.Run(picture, opt.Curves)
	if err != nil {
		return Gait{}, err
	}
	for _, r := range results {
		g.addCurve(seq.Times, r)
		if r.Symmetry != nil {
			g.addCurve(seq.Times, r.Symmetry.OtherSide)
		}
	}
	return g, nil
}

// Shift adds a number to the frames of events, passes and warnings: the gait of a part of a recording,
// Sequence.Slice(first, last), becomes that of the whole one by Shift(first). Times stay, which Slice keeps.
func (g *Gait) Shift(frames int) {
	for i := range g.Passes {
		g.Passes[i].First += frames
		g.Passes[i].Last += frames
	}
	for i := range g.Events {
		g.Events[i].Frame += frames
	}
	for i := range g.Warnings {
		g.Warnings[i].From += frames
		g.Warnings[i].To += frames
	}
}

// addCurve adds the curve of a result that has a side.
func (g *Gait) addCurve(times []float64, r analyze.Result) {
	known := slices.ContainsFunc(g.Curves, func(c Curve) bool { return c.Name == r.Name })
	if known || r.Side == "" || r.Type.Pair() || r.Type.Cyclic() {
		return
	}
	band := g.band(r.Side, times, r.Values)
	if slices.ContainsFunc(band.Mean, func(v analyze.Value) bool { return v.Present }) {
		g.Curves = append(g.Curves, Curve{r.Type, r.Name, r.Side, r.Unit, band})
	}
}

// band returns the mean and the standard deviation of a series over the strides of a side, 0 to 100 % from heel strike to heel
// strike, such as the flexion of the knee of that side. The values are one per frame of the recording, and times are its times.
func (g *Gait) band(side analyze.Side, times []float64, values []analyze.Value) analyze.Band {
	var curves []analyze.Curve
	for _, c := range g.Cycles {
		if c.Side == side {
			curves = append(curves, analyze.Normalize(times, values, c.Start, c.End))
		}
	}
	return analyze.MeanCurve(curves)
}
