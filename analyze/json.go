package analyze

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/bodymotion/motion/internal/decimal"
	"github.com/bodymotion/motion/keypoint"
)

// decimals of the numbers in results.
const decimals = 4

// MarshalJSON writes the API's form of a result. Numbers have at most four decimals;
// a coordinate is [x, y]; null stands for a frame without a value. Beside the members
// of the specification there are coverage and, in movieOption, the time of an extreme.
func (r Result) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(r.Description)
	if err != nil {
		return nil, err
	}
	pair := r.Type == Coordinate
	b := make([]byte, 0, 128+len(text)+len(r.Values)*10)
	b = append(b, `{"analysisType":`...)
	b = strconv.AppendQuote(b, string(r.Type))
	b = append(b, `,"description":`...)
	b = append(b, text...)
	b = append(b, `,"values":[`...)
	for i, v := range r.Values {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.append(b, pair)
	}
	b = append(b, `],"coverage":`...)
	b = decimal.Append(b, r.Coverage, decimals)
	if m := r.Movie; m != nil {
		b = append(b, `,"movieOption":{"statisticsType":`...)
		b = strconv.AppendQuote(b, string(m.Statistic))
		b = append(b, `,"targetValue":`...)
		b = strconv.AppendQuote(b, string(m.Target))
		b = append(b, `,"value":`...)
		b = m.Value.append(b, pair)
		if m.Time.Present {
			b = append(b, `,"time":`...)
			b = decimal.Append(b, m.Time.Seconds, decimals)
		}
		b = append(b, '}')
	}
	return append(b, '}'), nil
}

func (v Value) append(b []byte, pair bool) []byte {
	if !v.Present {
		return append(b, "null"...)
	}
	if !pair {
		return decimal.Append(b, v.X, decimals)
	}
	b = append(b, '[')
	b = decimal.Append(b, v.X, decimals)
	b = append(b, ',')
	b = decimal.Append(b, v.Y, decimals)
	return append(b, ']')
}

// UnmarshalJSON reads what MarshalJSON writes. A value that does not fit the type is a
// keypoint.ErrInvalid.
func (r *Result) UnmarshalJSON(data []byte) error {
	var d struct {
		AnalysisType Type
		Description  string
		Values       []wireValue
		Coverage     float64
		MovieOption  *struct {
			StatisticsType Statistic
			TargetValue    Target
			Value          wireValue
			Time           *float64
		}
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%w result: %w", keypoint.ErrInvalid, err)
	}
	if d.AnalysisType.points() == 0 {
		return fmt.Errorf("%w result: analysisType is %q, want one of %v", keypoint.ErrInvalid, d.AnalysisType, typeNames)
	}
	pair := d.AnalysisType == Coordinate
	back := Result{Type: d.AnalysisType, Description: d.Description, Coverage: d.Coverage, Values: make([]Value, len(d.Values))}
	for i, v := range d.Values {
		if v.Present && v.pair != pair {
			return fmt.Errorf("%w result: value %d of %s is no %s", keypoint.ErrInvalid, i, d.AnalysisType, form(pair))
		}
		back.Values[i] = v.Value
	}
	if m := d.MovieOption; m != nil {
		if m.Value.Present && m.Value.pair != pair {
			return fmt.Errorf("%w result: the statistic of %s is no %s", keypoint.ErrInvalid, d.AnalysisType, form(pair))
		}
		back.Movie = &Summary{MovieOption: MovieOption{m.StatisticsType, m.TargetValue}, Value: m.Value.Value}
		if m.Time != nil {
			back.Movie.Time = Time{*m.Time, true}
		}
	}
	*r = back
	return nil
}

func form(pair bool) string {
	if pair {
		return "[x, y]"
	}
	return "number"
}

// wireValue is a number, [x, y] or null.
type wireValue struct {
	Value
	pair bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *wireValue) UnmarshalJSON(data []byte) error {
	*v = wireValue{}
	switch data[0] {
	case 'n':
		return nil
	case '[':
		var xy []float64
		if err := json.Unmarshal(data, &xy); err != nil {
			return err
		}
		if len(xy) != 2 {
			return fmt.Errorf("a value has %d numbers, want [x, y]", len(xy))
		}
		*v = wireValue{Value{xy[0], xy[1], true}, true}
		return nil
	}
	v.Present = true
	return json.Unmarshal(data, &v.X)
}
