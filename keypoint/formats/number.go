package formats

import (
	"math"
	"strconv"
	"strings"
)

// appendNumber appends the shortest text that reads back as v.
func appendNumber(b []byte, v float64) []byte {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(b, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// parseNumber parses a cell: present is false for an empty one and for NaN; detail is the
// mistake in it, "" if there is none.
func parseNumber(cell string) (v float64, present bool, detail string) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return 0, false, ""
	}
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case err != nil || math.IsInf(v, 0):
		return 0, false, "is " + quote(cell) + ", want a finite number"
	case math.IsNaN(v):
		return 0, false, ""
	}
	return v, true, ""
}

// quote quotes the beginning of a text of an input.
func quote(text string) string {
	if len(text) > 40 {
		return strconv.Quote(text[:40]) + "…"
	}
	return strconv.Quote(text)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
