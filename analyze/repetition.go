package analyze

import (
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Direction says which way the values of a repetition go first: "falls" where they fall and rise, such as the vectorAngle of the knee in a
// squat, or "rises" where they rise and fall, such as a flexion, or the vectorAngle of a raised arm. The zero value means away from rest,
// which is where the recording starts and ends: the flexion of a knee rises in squats, and falls in rises from a chair.
type Direction string

const (
	falls Direction = "falls"
	rises Direction = "rises"
)

var directions = []Direction{falls, rises}

// RepetitionOptions say what counts as a repetition. The zero value selects the defaults. Their JSON is true
// for the defaults, else an object.
type RepetitionOptions struct {
	Direction Direction `json:"direction,omitempty"`
	// Prominence is the least depth of a repetition in the unit of the values, out and back. 0 means 0.15 of the
	// deepest one, but at least 10 degrees for angles and 0.1 torso lengths for lengths, and for speeds
	// a third of the distance between the lowest and the highest value.
	Prominence float64 `json:"prominence,omitempty"`
	// MinDuration is the least duration of a repetition in seconds; 0 means 0.25.
	MinDuration float64 `json:"minDuration,omitempty"`
}

func (opt *RepetitionOptions) check(note rulejson.Note) {
	note(opt.Direction != "" && !slices.Contains(directions, opt.Direction), "/direction", "is %q, want one of %v", opt.Direction, directions)
	note(!(opt.Prominence >= 0), "/prominence", "is %v, want 0 or more", opt.Prominence)
	note(!(opt.MinDuration >= 0), "/minDuration", "is %v, want 0 or more", opt.MinDuration)
}

// Repetition is one repetition: from rest over the turning point back to rest.
type Repetition struct {
	Complete bool   `json:"complete"` // it goes out and comes back: the one way is at least two thirds of the other
	Shallow  bool   `json:"shallow"`  // DepthShare is less than two thirds
	Start    Moment `json:"start"`
	Turn     Moment `json:"turn"` // the middle of the hold, with the farthest value
	End      Moment `json:"end"`
	// Depth is from the turn to the mean of start and end, or if it is not complete to the farther one; 0 or more, in
	// the unit of the values. DepthShare is that by the median of the complete ones, or of all if none is.
	Depth      float64 `json:"depth"`
	DepthShare float64 `json:"depthShare"`
	Duration   float64 `json:"duration"` // seconds from the start to the end

	// Out, Hold and Back are the tempo in seconds: to the turning point, there, and back. Out is the
	// eccentric phase of a squat and the concentric phase of a curl.
	Out             float64 `json:"out"`
	Hold            float64 `json:"hold"`
	Back            float64 `json:"back"`
	TimeUncertainty float64 `json:"timeUncertainty,omitempty"` // of Duration, Out, Hold and Back: one standard deviation, seconds

	// At has the values of other measures at the turn; only package study sets it.
	At []Reading `json:"at,omitempty"`

	// Curve is the values with time normalised, to compare it with another repetition by Curve.Difference. JSON does not have it.
	Curve Curve `json:"-"`
}

// Reading is the value of a measure at a moment.
type Reading struct {
	Type Type `json:"analysisType"`
	Side Side `json:"side,omitempty"`
	quality.Reading
}

// Moment is a moment of a Repetition.
type Moment struct {
	Frame int     `json:"frame"` // the nearest one
	Time  float64 `json:"time"`  // seconds, between frames too
	Value float64 `json:"value"` // smoothed
}

// Repetitions are the repetitions in a series, in their order. The statistics are those of the complete ones that are not shallow.
type Repetitions struct {
	Complete  int          `json:"complete"`  // how many are complete
	Direction Direction    `json:"direction"` // which way the values go first
	Low       Value        `json:"low"`       // the lowest value in those; absent without any
	High      Value        `json:"high"`      // the highest
	Depth     Spread       `json:"depth"`     // in the unit of the values
	Duration  Spread       `json:"duration"`  // seconds, as the next three
	Out       Spread       `json:"out"`
	Hold      Spread       `json:"hold"`
	Back      Spread       `json:"back"`
	List      []Repetition `json:"list"`  // of all
	Curve     *Band        `json:"curve"` // mean ± deviation over 0 to 100 %; nil without any
}

// depths returns those that the statistics hold.
func (r *Repetitions) depths() []float64 {
	return rank.Known(len(r.List), func(i int) (float64, bool) { return r.List[i].Depth, r.List[i].Complete && !r.List[i].Shallow })
}
