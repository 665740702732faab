package jsonappend

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Int returns the integer that a number is, in any spelling of JSON: 13, 13.0 and 1.3e1 are the same, as JSON Schema
// has it. Errors are those of strconv.ParseInt: ErrRange for an integer that is too large, with the nearest one, else ErrSyntax.
func Int(text string) (int64, error) {
	d, ok := parseDecimal(text)
	n := max(len(d.digits)+d.exponent, 0)
	switch {
	case !ok || d.exponent < 0:
		return 0, &strconv.NumError{Func: "Int", Num: text, Err: strconv.ErrSyntax}
	case n > 19 && d.negative:
		return math.MinInt64, &strconv.NumError{Func: "Int", Num: text, Err: strconv.ErrRange}
	case n > 19:
		return math.MaxInt64, &strconv.NumError{Func: "Int", Num: text, Err: strconv.ErrRange}
	}
	digits := "0" + d.digits + strings.Repeat("0", d.exponent)
	if d.negative {
		digits = "-" + digits
	}
	return strconv.ParseInt(digits, 10, 64)
}

// SameNumber reports whether two numbers of JSON are equal, however they are written.
func SameNumber(a, b string) bool {
	x, ok := parseDecimal(a)
	y, ok2 := parseDecimal(b)
	return a == b || ok && ok2 && x == y
}

// decimal is digits · 10^exponent, without zeros at the ends of the digits. 0 has none.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// parseDecimal reads a number of JSON, which may have zeros in front.
func parseDecimal(text string) (d decimal, ok bool) {
	text, negative := strings.CutPrefix(strings.ToLower(text), "-")
	mantissa, exponent, scaled := strings.Cut(text, "e")
	whole, fraction, point := strings.Cut(mantissa, ".")
	unsigned := strings.TrimLeft(exponent, "+-")
	ok = isDigits(whole) && (!point || isDigits(fraction)) && (!scaled || isDigits(unsigned)) && len(exponent) <= len(unsigned)+1
	digits := strings.TrimLeft(whole+fraction, "0")
	if d.digits = strings.TrimRight(digits, "0"); !ok || d.digits == "" {
		return decimal{}, ok
	}
	if d.negative = negative; scaled {
		// An exponent out of range is the largest, which leaves room for what is added.
		d.exponent, _ = strconv.Atoi(exponent)
		d.exponent = min(max(d.exponent, -1<<40), 1<<40)
	}
	d.exponent += len(digits) - len(d.digits) - len(fraction)
	return d, true
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// Whole is an integer that is read in any spelling.
type Whole int

func (w *Whole) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	n, err := Int(string(data))
	if err == nil && int64(int(n)) == n {
		*w = Whole(n)
		return nil
	}
	into := int(0)
	if err := json.Unmarshal(data, &into); err != nil {
		return err // it says what it is instead
	}
	return &json.UnmarshalTypeError{Value: "number " + string(data), Type: reflect.TypeFor[int]()}
}

// Wholes are integers that are read in any spelling.
type Wholes []int

func (w *Wholes) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*[]int)(w)) == nil {
		return nil
	}
	var list []Whole
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*w = make(Wholes, len(list))
	for i, n := range list {
		(*w)[i] = int(n)
	}
	return nil
}
