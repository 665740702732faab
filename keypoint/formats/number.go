package formats

import (
	"math"
	"strconv"
	"strings"
)

// parseNumber parses a cell. present is false if the cell is empty or NaN. detail describes what is wrong with it, or is "".
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
