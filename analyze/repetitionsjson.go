package analyze

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// parseRepetitions reads the options of a rule: true for the defaults, false for none, or an object.
func parseRepetitions(v strictjson.Value) *RepetitionOptions {
	return rulejson.Options(v, func() RepetitionOptions {
		v.Known("direction", "prominence", "minDuration")
		return RepetitionOptions{
			Direction:  rulejson.OneOf(v.Get("direction"), directions),
			Prominence: v.Get("prominence").Positive(), MinDuration: v.Get("minDuration").Positive(),
		}
	})
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
	read, err := strictjson.Read(data, func(v strictjson.Value) *RepetitionOptions {
		read := parseRepetitions(v)
		if read == nil {
			v.Errorf("is not true or an object of options")
		}
		return read
	})
	if err == nil {
		*opt = *read
	}
	return err
}

// MarshalJSON writes the API's form: the numbers of all repetitions and of the complete ones, the range of
// motion (low and high), the means and deviations over the complete ones, and the list of all.
func (r Repetitions) MarshalJSON() ([]byte, error) {
	type plain Repetitions
	r.List = append([]Repetition{}, r.List...)
	return jsonappend.Marshal(struct {
		Count int `json:"count"`
		plain
	}{len(r.List), plain(r)}, 4)
}

// UnmarshalJSON reads what MarshalJSON writes. The Curve of each repetition is nil: Normalize makes it of the
// values. An unknown direction is a keypoint.ErrInvalid.
func (r *Repetitions) UnmarshalJSON(data []byte) error {
	type plain Repetitions
	if err := json.Unmarshal(data, (*plain)(r)); err != nil {
		return err
	}
	if !slices.Contains(directions, r.Direction) {
		return fmt.Errorf("%w repetitions: direction is %q, want one of %v", keypoint.ErrInvalid, r.Direction, directions)
	}
	return nil
}
