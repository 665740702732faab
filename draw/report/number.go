package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/draw/internal/text"
)

// number writes a value without its unit, but for degrees.
func number(v float64, unit string) string {
	switch unit {
	case "m", "m/s", "s", "torso", "torso/s":
		return text.Fixed(v, 2)
	case "°":
		return text.Fixed(v, 0) + unit
	}
	return text.Fixed(v, 0)
}

// quantity writes a value with its unit.
func (p *page) quantity(v float64, unit string) string {
	if unit == "°" || unit == "" {
		return number(v, unit)
	}
	return number(v, unit) + " " + p.unit(unit)
}

// unit writes a unit.
func (p *page) unit(unit string) string {
	if per, ok := strings.CutPrefix(unit, "torso"); ok {
		return p.W.torsos + per
	}
	return unit
}

// reading writes the value of a frame in one of three ways: with its uncertainty, marked if it needs care, or the
// reason why it is withheld.
func (p *page) reading(c *curve, i int) cell {
	trust := c.trust(i)
	if trust == study.Withheld {
		return p.withheld(c.measure)
	}
	out := cell{Text: number(c.values[i].X, c.unit), Care: trust == study.Care}
	if i < len(c.sigmas) {
		out.PM = plusMinus(c.sigmas[i], c.unit)
	}
	return out
}

// plusMinus writes an uncertainty, rounded up, "" if it is unknown.
func plusMinus(sigma analyze.Value, unit string) string {
	steps := 1.0
	if len(number(0, unit)) == len("0.00") {
		steps = 100
	}
	if !sigma.Present {
		return ""
	}
	return "± " + strings.TrimSuffix(number(math.Ceil(sigma.X*steps-1e-9)/steps, unit), "°")
}

// withheld writes why a measure, or one of its values, is withheld.
func (p *page) withheld(m *study.Measure) cell {
	why := "uncertain"
	if m != nil && len(m.Why) > 0 {
		why = string(m.Why[0])
	}
	return cell{Text: p.why(why), Class: "why"}
}

// why writes a reason by the view of the recording.
func (p *page) why(reason string) string {
	if view, known := p.view(); known {
		return p.W.Lang.WhyFrom(reason, view)
	}
	return p.W.Lang.Why(reason)
}

// optional writes a value without its unit, or a dash.
func optional(v analyze.Value, unit string) string { return orDash(v.Present, number(v.X, unit)) }

// orDash returns the text, or a dash if there is none.
func orDash(ok bool, text string) string {
	if !ok {
		return dash
	}
	return text
}

// dash stands for an absent value.
const dash = "–"

// percent writes a share.
func percent(share float64) string { return text.Fixed(100*share, 0) + " %" }

// seconds writes a time in seconds with two decimals.
func seconds(v float64) string { return text.Fixed(v, 2) }

// rate writes pictures per second, with decimals if they are more than rounded times make of a whole
// number: "30", "29.97".
func rate(fps float64) string {
	if math.Abs(fps-math.Round(fps)) < 0.0006*fps {
		return text.Fixed(fps, 0)
	}
	return text.Fixed(fps, 2)
}

// timeOf returns the time of a frame in words: "1.33 s", or its number without times.
func (p *page) timeOf(frame int) string {
	if times := p.r.Sequence.Times; frame < len(times) {
		return fmt.Sprintf(p.W.at, seconds(times[frame]))
	}
	return fmt.Sprintf(p.W.frames, frame)
}

// tenth rounds a coordinate of an SVG.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }
