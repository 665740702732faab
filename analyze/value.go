package analyze

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/rank"
)

// Value is an optional value: a number X, or for a coordinate the point (X, Y).
type Value struct {
	X, Y    float64
	Present bool // if false, there is no value, and X and Y are 0
}

// MarshalJSON writes X with at most four decimals, or null for an absent value. The points of a coordinate are written by their Result.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.Present {
		return []byte("null"), nil
	}
	return numberJSON(v.X).MarshalJSON()
}

// UnmarshalJSON reads a number, or null as an absent value.
func (v *Value) UnmarshalJSON(data []byte) error {
	*v = Value{Present: string(data) != "null"}
	return json.Unmarshal(data, &v.X)
}

// numberJSON is a number, written with at most four decimals.
type numberJSON = jsonappend.Rounded

// valueJSON is a number, [x, y] or null.
type valueJSON struct {
	Value
	pair bool
}

// MarshalJSON implements json.Marshaler.
func (v valueJSON) MarshalJSON() ([]byte, error) {
	if v.Present && v.pair {
		return json.Marshal([]numberJSON{numberJSON(v.X), numberJSON(v.Y)})
	}
	return v.Value.MarshalJSON()
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *valueJSON) UnmarshalJSON(data []byte) error {
	*v = valueJSON{Value: Value{Present: data[0] != 'n'}, pair: data[0] == '['}
	if !v.pair {
		return json.Unmarshal(data, &v.X)
	}
	var xy []float64
	if err := json.Unmarshal(data, &xy); err != nil {
		return err
	}
	if len(xy) != 2 {
		return fmt.Errorf("a value has %d numbers, want [x, y]", len(xy))
	}
	v.X, v.Y = xy[0], xy[1]
	return nil
}

// number returns a value for v, which is absent if v overflowed.
func number(v float64) Value {
	if !finite(v) {
		return Value{}
	}
	return Value{X: v, Present: true}
}

func finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// present returns the numbers of the values that are there.
func present(values []Value) []float64 {
	return rank.Known(len(values), func(i int) (float64, bool) { return values[i].X, values[i].Present })
}

// padded returns the values of n frames, absent before and after those of a part.
func padded(values []Value, first, n int) []Value {
	all := make([]Value, n)
	copy(all[first:], values)
	return all
}
