package gait

import (
	"fmt"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// Mode is how a person goes.
type Mode string

// The modes.
const (
	Walking Mode = "walking"
	Running Mode = "running"
)

// Surface is what a person goes on.
type Surface string

// The surfaces.
const (
	Overground Surface = "overground" // across the picture
	Treadmill  Surface = "treadmill"  // in place, or followed by the camera
)

// Options choose what Analyze otherwise finds out. The zero value is the default. Their JSON is true for the
// default, else an object.
type Options struct {
	Mode    Mode    `json:"mode,omitempty"`    // "": by the stance share
	Surface Surface `json:"surface,omitempty"` // "": the one with more heel strikes

	// Curves are rules whose values Gait.Curves has over the strides, such as LegAngles. JSON does not have them.
	Curves []analyze.Rule `json:"-"`

	// Quality is the warnings of the recording (quality.Report): steps where left and right of the legs are
	// exchanged or cannot be told apart do not count. JSON does not have them.
	Quality []quality.Warning `json:"-"`
}

var (
	modes    = []Mode{Walking, Running}
	surfaces = []Surface{Overground, Treadmill}
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
type Event struct {
	Kind  EventKind    `json:"event"`
	Side  analyze.Side `json:"side"`
	Frame int          `json:"frame"` // the nearest one
	Time  float64      `json:"time"`  // seconds, between frames too
	Pass  int          `json:"pass"`  // index into Gait.Passes
}

// Pass is a stretch in which the person goes one way.
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
type Gait struct {
	Mode    Mode    `json:"mode"`    // "" without steps
	Surface Surface `json:"surface"` // "" without steps
	Unit    string  `json:"unit"`    // of lengths: "m" if the World of the sequence has a scale, else "px", or "torso" in space

	Cadence analyze.Value `json:"cadence"` // steps per minute
	Speed   analyze.Value `json:"speed"`   // Unit per second

	StrideTime    analyze.TwoSided `json:"strideTime"` // these four in seconds
	StepTime      analyze.TwoSided `json:"stepTime"`
	StanceTime    analyze.TwoSided `json:"stanceTime"`
	SwingTime     analyze.TwoSided `json:"swingTime"`
	StanceShare   analyze.TwoSided `json:"stanceShare"`   // of the stride, 0 to 1
	StrideLength  analyze.TwoSided `json:"strideLength"`  // Unit
	StepLength    analyze.TwoSided `json:"stepLength"`    // Unit
	FlightTime    analyze.Spread   `json:"flightTime"`    // seconds, running only
	DoubleSupport analyze.Spread   `json:"doubleSupport"` // seconds, each of the two a stride, walking only

	Passes []Pass  `json:"passes"`
	Events []Event `json:"events"` // by time
	Cycles []Cycle `json:"cycles"` // by time; of both sides
	Curves []Curve `json:"curves"` // of Options.Curves, one for each Name whose values are of one side

	// Warnings say where steps do not count: left and right of the legs are exchanged (swapped), or what was
	// found is nothing that a body does (implausible). Everything above is without them.
	Warnings []quality.Warning `json:"warnings"`
}

// Analyze measures the gait of the MainPerson along the floor of Sequence.World. Stretches in which the person
// cannot be seen to face sideways (keypoint.Sequence.Sideways) are left out: from the front, only steps to the
// side show. A person whom several cameras see in space is seen from the side (space.View). A recording without steps gives a Gait without events. An
// invalid sequence, one of several frames without times, and options out of range are a keypoint.ErrInvalid.
func Analyze(seq keypoint.Sequence, opt Options) (Gait, error) {
	if err := seq.Validate(); err != nil {
		return Gait{}, err
	}
	if seq.Times == nil && seq.Len() > 1 {
		return Gait{}, fmt.Errorf("%w sequence: gait needs the times of its frames", keypoint.ErrInvalid)
	}
	if err := opt.Validate(); err != nil {
		return Gait{}, err
	}
	picture, scale := seq, 1.0 // Unit by pixel
	seq = space.View(seq)
	g := Gait{Unit: "px", Warnings: []quality.Warning{}}
	switch {
	case seq.World.Metric():
		g.Unit, scale = keypoint.Metres, seq.World.MetresPerPixel
	case seq.Space.Seen():
		g.Unit, scale = keypoint.Torso, 1/space.PixelsOf(seq.Space)
	}
	if seq.Times == nil {
		return g, nil
	}
	unsure := g.unsure(opt.Quality, seq.Times)
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
	g.measure(passes, scale)
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
	band := g.Band(r.Side, times, r.Values)
	if slices.ContainsFunc(band.Mean, func(v analyze.Value) bool { return v.Present }) {
		g.Curves = append(g.Curves, Curve{r.Type, r.Name, r.Side, r.Unit, band})
	}
}

// Band returns the mean and the standard deviation of a series over the strides of a side, 0 to 100 % from heel
// strike to heel strike, such as the flexion of the knee of that side. The values are one per frame of the
// recording, and times are its times.
func (g *Gait) Band(side analyze.Side, times []float64, values []analyze.Value) analyze.Band {
	var curves []analyze.Curve
	for _, c := range g.Cycles {
		if c.Side == side {
			curves = append(curves, analyze.Normalize(times, values, c.Start, c.End))
		}
	}
	return analyze.MeanCurve(curves)
}
