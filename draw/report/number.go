package report

import (
	"math"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// amount is a value of the curve with its uncertainty, which may be absent.
func (c *curve) amount(value float64, sigma analyze.Value) say.Amount {
	return say.Measured(string(c.Result.Type), value, sigma.X, c.unit)
}

// of is a value of the curve without its uncertainty.
func (c *curve) of(value float64) say.Amount { return c.amount(value, analyze.Value{}) }

// bare writes an amount without its uncertainty and its unit, but for degrees.
func bare(a say.Amount) string {
	if a.Unit == "°" {
		return a.Number() + "°"
	}
	return a.Number()
}

func (p *page) unit(a say.Amount) string {
	a.Value, a.Sigma = 0, 0
	return strings.TrimSpace(strings.TrimPrefix(a.In(p.lang), a.Number()))
}

// withUnit adds the unit of an amount to a name, but for degrees.
func (p *page) withUnit(name string, a say.Amount) string {
	if a.Unit == "°" {
		return name
	}
	return p.in(texts.Say("withUnit", name, p.unit(a)))
}

// reading writes the value of a frame in one of three ways: with its uncertainty, marked if it needs care, or the
// reason why it is withheld.
func (p *page) reading(c *curve, i int) cell {
	trust, sigma := c.trust(i), analyze.Value{}
	if trust == quality.TrustWithheld {
		return p.withheld(c)
	}
	if i < len(c.sigmas) {
		sigma = c.sigmas[i]
	}
	a := c.amount(c.values[i].X, sigma)
	about := either(c.measure != nil && c.measure.Estimated, "~", "")
	return cell{Text: about + bare(a), PM: plusMinus(a, sigma.Present), Care: trust == quality.TrustCare}
}

// plusMinus writes an uncertainty, "" if it is unknown.
func plusMinus(a say.Amount, known bool) string {
	if !known {
		return ""
	}
	return a.PlusMinus()
}

// withheld writes why a curve, or one of its values, is withheld.
func (p *page) withheld(c *curve) cell {
	why := quality.CodeUncertain
	if c.measure != nil && len(c.measure.Why) > 0 {
		why = c.measure.Why[0]
	}
	return cell{Text: p.in(say.Why(why, p.facing())), Class: "why"}
}

// optional writes a value with the uncertainty and in the unit of an amount, without the unit, or a dash if it is absent.
func optional(v analyze.Value, a say.Amount) cell {
	if !v.Present {
		return cell{Text: dash}
	}
	a.Value = v.X
	return cell{Text: bare(a), PM: plusMinus(a, a.Sigma > 0)}
}

// dash stands for an absent value.
const dash = "–"

func seconds(v float64) string { return say.Amount{Value: v, Unit: "s"}.Number() }

// rate writes pictures per second, with decimals if they are more than rounded times make of a whole number: "30", "29.97".
func rate(fps float64) string {
	if math.Abs(fps-math.Round(fps)) < 0.0006*fps {
		return text.Fixed(fps, 0)
	}
	return text.Fixed(fps, 2)
}

// timeOf returns the time of a frame in words: "1.33 s", or its number without times.
func (p *page) timeOf(frame int) string {
	if times := p.r.Sequence.Times; frame < len(times) {
		return say.Amount{Value: times[frame], Unit: "s"}.In(p.lang)
	}
	return p.in(texts.Say("frame", frame))
}

// tenth rounds a coordinate of an SVG.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }
