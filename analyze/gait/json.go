package gait

import (
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// ParseOptions reads the JSON of options: true or an object for options, false or null for none, which is nil.
// Mistakes are reported as keypoint.FieldErrors.
//
//	{"mode": "running", "surface": "treadmill"}
func ParseOptions(data []byte) (*Options, error) {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return nil, err
	}
	opt := parseOptions(doc.Root())
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return opt, nil
}

func parseOptions(v strictjson.Value) *Options {
	switch v.Kind() {
	case "null", "false":
		return nil
	case "true":
		return &Options{}
	case "an object":
		v.Known("mode", "surface")
		return &Options{Mode: rulejson.OneOf(v.Get("mode"), modes), Surface: rulejson.OneOf(v.Get("surface"), surfaces)}
	}
	v.Errorf("is %s, want true, false or an object of options", v.Kind())
	return nil
}

// UnmarshalJSON reads the options as ParseOptions does; null and false are the default.
func (opt *Options) UnmarshalJSON(data []byte) error {
	parsed, err := ParseOptions(data)
	if parsed != nil {
		*opt = *parsed
	}
	return err
}

// MarshalJSON writes true for the default, else an object; both without Curves.
func (opt Options) MarshalJSON() ([]byte, error) {
	if opt.Mode == "" && opt.Surface == "" {
		return []byte("true"), nil
	}
	type plain Options
	return json.Marshal(plain(opt))
}

// gaitJSON is the API's form of a Gait. Times are in seconds.
type gaitJSON struct {
	Mode          Mode             `json:"mode"`
	Surface       Surface          `json:"surface"`
	Unit          string           `json:"unit"`
	Cadence       analyze.Value    `json:"cadence"`
	Speed         analyze.Value    `json:"speed"`
	StrideTime    analyze.TwoSided `json:"strideTime"`
	StepTime      analyze.TwoSided `json:"stepTime"`
	StanceTime    analyze.TwoSided `json:"stanceTime"`
	SwingTime     analyze.TwoSided `json:"swingTime"`
	StanceShare   analyze.TwoSided `json:"stanceShare"`
	StrideLength  analyze.TwoSided `json:"strideLength"`
	StepLength    analyze.TwoSided `json:"stepLength"`
	FlightTime    analyze.Spread   `json:"flightTime"`
	DoubleSupport analyze.Spread   `json:"doubleSupport"`
	Passes        []passJSON       `json:"passes"`
	Events        []eventJSON      `json:"events"`
	Cycles        []cycleJSON      `json:"cycles"`
	Curves        []Curve          `json:"curves"`
}

type passJSON struct {
	From      int          `json:"from"`
	To        int          `json:"to"`
	Direction analyze.Side `json:"direction"`
}

type eventJSON struct {
	Kind  EventKind          `json:"event"`
	Side  analyze.Side       `json:"side"`
	Frame int                `json:"frame"`
	Time  jsonappend.Rounded `json:"time"`
	Pass  int                `json:"pass"`
}

type cycleJSON struct {
	Side   analyze.Side       `json:"side"`
	Start  jsonappend.Rounded `json:"start"`
	ToeOff jsonappend.Rounded `json:"toeOff"`
	End    jsonappend.Rounded `json:"end"`
}

// MarshalJSON writes the API's form, with times in seconds, frames from 0, and null for what is absent.
func (g Gait) MarshalJSON() ([]byte, error) {
	d := gaitJSON{
		Mode: g.Mode, Surface: g.Surface, Unit: g.Unit,
		Cadence: analyze.Value{X: g.Cadence, Present: g.Cadence > 0}, Speed: analyze.Value{X: g.Speed, Present: g.Speed > 0},
		StrideTime: g.StrideTime, StepTime: g.StepTime, StanceTime: g.StanceTime, SwingTime: g.SwingTime,
		StanceShare: g.StanceShare, StrideLength: g.StrideLength, StepLength: g.StepLength,
		FlightTime: g.FlightTime, DoubleSupport: g.DoubleSupport,
		Passes: make([]passJSON, len(g.Passes)), Events: make([]eventJSON, len(g.Events)), Cycles: make([]cycleJSON, len(g.Cycles)),
		Curves: append([]Curve{}, g.Curves...),
	}
	for i, p := range g.Passes {
		d.Passes[i] = passJSON{p.First, p.Last, analyze.RightSide}
		if p.Direction == keypoint.FacingLeft {
			d.Passes[i].Direction = analyze.LeftSide
		}
	}
	for i, e := range g.Events {
		d.Events[i] = eventJSON{e.Kind, e.Side, e.Frame, jsonappend.Rounded(e.Time), e.Pass}
	}
	for i, c := range g.Cycles {
		d.Cycles[i] = cycleJSON{c.Side, jsonappend.Rounded(c.Start), jsonappend.Rounded(c.ToeOff), jsonappend.Rounded(c.End)}
	}
	return json.Marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (g *Gait) UnmarshalJSON(data []byte) error {
	var d gaitJSON
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%w gait: %w", keypoint.ErrInvalid, err)
	}
	*g = Gait{
		Mode: d.Mode, Surface: d.Surface, Unit: d.Unit, Cadence: d.Cadence.X, Speed: d.Speed.X,
		StrideTime: d.StrideTime, StepTime: d.StepTime, StanceTime: d.StanceTime, SwingTime: d.SwingTime,
		StanceShare: d.StanceShare, StrideLength: d.StrideLength, StepLength: d.StepLength,
		FlightTime: d.FlightTime, DoubleSupport: d.DoubleSupport, Curves: d.Curves,
	}
	for _, p := range d.Passes {
		pass := Pass{p.From, p.To, keypoint.FacingRight}
		if p.Direction == analyze.LeftSide {
			pass.Direction = keypoint.FacingLeft
		}
		g.Passes = append(g.Passes, pass)
	}
	for _, e := range d.Events {
		g.Events = append(g.Events, Event{e.Kind, e.Side, float64(e.Time), e.Frame, e.Pass})
	}
	for _, c := range d.Cycles {
		g.Cycles = append(g.Cycles, Cycle{c.Side, float64(c.Start), float64(c.ToeOff), float64(c.End)})
	}
	return nil
}
