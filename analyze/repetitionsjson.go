package analyze

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// parseRepetitions reads the options of a rule: true for the defaults, false for none, or an object.
func parseRepetitions(v strictjson.Value) *RepetitionOptions {
	switch v.Kind() {
	case "null", "false":
		return nil
	case "true":
		return &RepetitionOptions{}
	case "an object":
		v.Known("direction", "prominence", "minDuration")
		return &RepetitionOptions{
			Direction:  rulejson.OneOf(v.Get("direction"), directions),
			Prominence: above(v.Get("prominence")), MinDuration: above(v.Get("minDuration")),
		}
	}
	v.Errorf("is %s, want true, false or an object of options", v.Kind())
	return nil
}

// above returns a number above 0, or 0 for an absent one.
func above(v strictjson.Value) float64 {
	f, ok := v.Number()
	if ok && f <= 0 {
		v.Errorf("is %v, want a number above 0", f)
	}
	return f
}

// MarshalJSON writes true for the defaults, else an object of those that differ.
func (opt RepetitionOptions) MarshalJSON() ([]byte, error) {
	if opt == (RepetitionOptions{}) {
		return []byte("true"), nil
	}
	type plain RepetitionOptions
	return json.Marshal(plain(opt))
}

// UnmarshalJSON reads what rules have: true, or an object.
func (opt *RepetitionOptions) UnmarshalJSON(data []byte) error {
	doc, err := strictjson.Parse(data)
	if err != nil {
		return err
	}
	read := parseRepetitions(doc.Root())
	if read == nil {
		doc.Root().Errorf("is not true or an object of options")
	}
	if err := doc.Err(); err != nil {
		return err
	}
	*opt = *read
	return nil
}

// repetitionsJSON is the API's form of Repetitions.
type repetitionsJSON struct {
	Count     int              `json:"count"`
	Complete  int              `json:"complete"`
	Direction Direction        `json:"direction"`
	Low       Value            `json:"low"`
	High      Value            `json:"high"`
	Depth     Spread           `json:"depth"`
	Duration  Spread           `json:"duration"`
	Out       Spread           `json:"out"`
	Hold      Spread           `json:"hold"`
	Back      Spread           `json:"back"`
	List      []repetitionJSON `json:"list"`
	Curve     *Band            `json:"curve"`
}

type repetitionJSON struct {
	Complete bool       `json:"complete"`
	Start    momentJSON `json:"start"`
	Turn     momentJSON `json:"turn"`
	End      momentJSON `json:"end"`
	Depth    numberJSON `json:"depth"`
	Duration numberJSON `json:"duration"`
	Out      numberJSON `json:"out"`
	Hold     numberJSON `json:"hold"`
	Back     numberJSON `json:"back"`
}

// momentJSON is a moment of a repetition: the nearest frame, the time in seconds, and the value.
type momentJSON struct {
	Frame int        `json:"frame"`
	Time  numberJSON `json:"time"`
	Value numberJSON `json:"value"`
}

// MarshalJSON writes the API's form: the numbers of all repetitions and of the complete ones, the range of
// motion (low and high), the means and deviations over the complete ones, and the list of all. Without a complete
// repetition low, high and curve are null.
func (r Repetitions) MarshalJSON() ([]byte, error) {
	d := repetitionsJSON{
		Count: len(r.List), Complete: r.Complete, Direction: r.Direction,
		Depth: r.Depth, Duration: r.Duration, Out: r.Out, Hold: r.Hold, Back: r.Back,
		List: make([]repetitionJSON, len(r.List)),
	}
	if r.Complete > 0 {
		d.Low, d.High, d.Curve = Value{X: r.Low, Present: true}, Value{X: r.High, Present: true}, &r.Curve
	}
	for i, one := range r.List {
		d.List[i] = repetitionJSON{
			Complete: one.Complete,
			Start:    momentJSON{one.Start, numberJSON(one.StartTime), numberJSON(one.From)},
			Turn:     momentJSON{one.Turn, numberJSON(one.TurnTime), numberJSON(one.At)},
			End:      momentJSON{one.End, numberJSON(one.EndTime), numberJSON(one.To)},
			Depth:    numberJSON(one.Depth), Duration: numberJSON(one.Duration),
			Out: numberJSON(one.Out), Hold: numberJSON(one.Hold), Back: numberJSON(one.Back),
		}
	}
	return json.Marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes. The Curve of each repetition is nil: Normalize makes it of the
// values. An unknown direction is a keypoint.ErrInvalid.
func (r *Repetitions) UnmarshalJSON(data []byte) error {
	var d repetitionsJSON
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	if !slices.Contains(directions, d.Direction) {
		return fmt.Errorf("%w repetitions: direction is %q, want one of %v", keypoint.ErrInvalid, d.Direction, directions)
	}
	*r = Repetitions{
		Direction: d.Direction, Complete: d.Complete, Low: d.Low.X, High: d.High.X,
		Depth: d.Depth, Duration: d.Duration, Out: d.Out, Hold: d.Hold, Back: d.Back,
	}
	if d.Curve != nil {
		r.Curve = *d.Curve
	}
	for _, one := range d.List {
		r.List = append(r.List, Repetition{
			Start: one.Start.Frame, Turn: one.Turn.Frame, End: one.End.Frame, Duration: float64(one.Duration),
			From: float64(one.Start.Value), At: float64(one.Turn.Value), To: float64(one.End.Value),
			StartTime: float64(one.Start.Time), TurnTime: float64(one.Turn.Time), EndTime: float64(one.End.Time),
			Depth: float64(one.Depth), Out: float64(one.Out), Hold: float64(one.Hold), Back: float64(one.Back), Complete: one.Complete,
		})
	}
	return nil
}

// depths returns those of the complete repetitions.
func (r *Repetitions) depths() (list []float64) {
	for _, one := range r.List {
		if one.Complete {
			list = append(list, one.Depth)
		}
	}
	return list
}
