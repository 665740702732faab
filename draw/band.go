package draw

import (
	"image/color"

	"github.com/bodymotion/motion/keypoint"
)

// look is the colour and size of a point or line.
type look struct {
	color color.RGBA
	size  float64
}

// lookOf returns the look of a band of the rule, or of the rule for −1.
func (r *Rule) lookOf(band int) look {
	l := look{r.Color.or(Grey), r.Size}
	if band >= 0 {
		l = look{r.Bands[band].Color.or(Red), r.Bands[band].Size}
	}
	if l.size == 0 {
		l.size = 1
	}
	return l
}

// bandOf returns the highest band of the rule whose threshold the part's distance
// reaches, −1 for none.
func (p *painter) bandOf(r *Rule, part keypoint.Part) int {
	best := -1
	if p.opt.Distance == nil || len(r.Bands) == 0 {
		return best
	}
	d, ok := p.opt.Distance(part)
	if !ok {
		return best
	}
	for i, b := range r.Bands {
		if d >= b.Threshold {
			best = r.stronger(best, i)
		}
	}
	return best
}

// stronger returns the band with the higher threshold, the later one of equals; −1 is
// weaker than any.
func (r *Rule) stronger(a, b int) int {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	case r.Bands[a].Threshold == r.Bands[b].Threshold:
		return max(a, b)
	case r.Bands[a].Threshold > r.Bands[b].Threshold:
		return a
	}
	return b
}

// strongest returns the strongest band of the parts.
func (p *painter) strongest(r *Rule, parts []keypoint.Part) int {
	best := -1
	for _, part := range parts {
		best = r.stronger(best, p.bandOf(r, part))
	}
	return best
}
