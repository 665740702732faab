package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/analyze"
)

// fixed writes a number with as many decimals, and no minus sign before a zero.
func fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return strings.Replace(text, "-", "−", 1)
}

// decimals returns how many decimals a unit shows.
func decimals(unit string) int {
	switch unit {
	case "m", "m/s", "s":
		return 2
	}
	return 0
}

// number writes a value without its unit, but for degrees.
func number(v float64, unit string) string {
	text := fixed(v, decimals(unit))
	if unit == "°" {
		text += unit
	}
	return text
}

// quantity writes a value with its unit.
func quantity(v float64, unit string) string {
	switch unit {
	case "°":
		return number(v, unit)
	case "":
		return fixed(v, 0)
	}
	return number(v, unit) + " " + unit
}

// optional writes a value without its unit, or a dash.
func optional(v analyze.Value, unit string) string {
	if !v.Present {
		return dash
	}
	return number(v.X, unit)
}

// dash stands for an absent value.
const dash = "–"

// percent writes a share.
func percent(share float64) string { return fixed(100*share, 0) + " %" }

// seconds writes a time in seconds with two decimals.
func seconds(v float64) string { return fixed(v, 2) }

// rate writes pictures per second, with decimals if they are more than rounded times make of a whole
// number: "30", "29.97".
func rate(fps float64) string {
	if math.Abs(fps-math.Round(fps)) < 0.0006*fps {
		return fixed(fps, 0)
	}
	return fixed(fps, 2)
}

// timeOf returns the time of a frame in words: "1.33 s", or its number without times.
func (p *page) timeOf(frame int) string {
	if times := p.r.Sequence.Times; frame < len(times) {
		return fmt.Sprintf(p.W.at, seconds(times[frame]))
	}
	return fmt.Sprintf(p.W.frames, frame)
}
