package jsonappend

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"
)

// TestInt: a number without a fraction is an integer in each of its spellings.
func TestInt(t *testing.T) {
	for text, want := range map[string]int64{
		"13": 13, "13.0": 13, "1.3e1": 13, "1300E-2": 13, "0.00013e+5": 13, "-13.000": -13, "0": 0, "-0.0e7": 0, "0e99999999999999999999": 0, "1e18": 1e18,
		"9223372036854775807": math.MaxInt64, "9223372036854775807.0": math.MaxInt64, "-9.223372036854775808e18": math.MinInt64, "007": 7,
	} {
		if n, err := Int(text); err != nil || n != want {
			t.Errorf("%s is read as %d (%v)", text, n, err)
		}
	}
	for text, want := range map[string]error{
		"13.5": strconv.ErrSyntax, "1.35e1": strconv.ErrSyntax, "13e-1": strconv.ErrSyntax, "1e-99999999999999999999": strconv.ErrSyntax, "": strconv.ErrSyntax,
		"+13": strconv.ErrSyntax, "0x13": strconv.ErrSyntax, "1_3": strconv.ErrSyntax, " 13": strconv.ErrSyntax, "NaN": strconv.ErrSyntax, `"13"`: strconv.ErrSyntax,
		"1e19": strconv.ErrRange, "-1e19": strconv.ErrRange, "9223372036854775808.0": strconv.ErrRange, "1e99999999999999999999": strconv.ErrRange,
	} {
		if n, err := Int(text); !errors.Is(err, want) {
			t.Errorf("%s is read as %d (%v), want %v", text, n, err, want)
		}
	}
	if !SameNumber("1.50", "15e-1") || !SameNumber("-0", "0.0") || SameNumber("1", "-1") || SameNumber("1", "10") || !SameNumber("1e400", "10e399") {
		t.Error("equal numbers differ, or others do not")
	}
}

// TestWhole: members are read as integers too, and what is none is refused as encoding/json does, with its member.
func TestWhole(t *testing.T) {
	var to struct {
		N    Whole
		P    *Whole
		List Wholes
	}
	if err := json.Unmarshal([]byte(`{"N":1.3e1,"P":4.0,"List":[1,2.0,3e0]}`), &to); err != nil || to.N != 13 || *to.P != 4 || !slices.Equal(to.List, []int{1, 2, 3}) {
		t.Errorf("%+v (%v)", to, err)
	}
	for _, doc := range []string{`{"N":13.5}`, `{"N":"13"}`, `{"N":1e30}`, `{"N":{}}`} {
		var kind *json.UnmarshalTypeError
		if err := json.Unmarshal([]byte(doc), &to); !errors.As(err, &kind) || kind.Field != "N" {
			t.Errorf("%s: %v", doc, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"List":[1.5]}`), &to); err == nil {
		t.Error("1.5 is taken for an integer")
	}
}
