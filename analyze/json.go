package analyze

import (
	"encoding/json"
	"strconv"

	"github.com/bodymotion/motion/internal/decimal"
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
