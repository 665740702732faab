package draw

import "github.com/bodymotion/motion/keypoint"

// lookOf returns the look of a band of the rule, or of the rule itself for −1.
func (r *preparedRule) lookOf(band int) look {
	if band < 0 {
		return r.base
	}
	return r.bands[band].look
}

// bandOf returns the highest band of the rule that the part's distance reaches, −1 for
// none. Of two bands, the one with the greater number is the stronger.
func (p *painter) bandOf(r *preparedRule, part keypoint.Part) int {
	if p.in.Distance == nil || len(r.bands) == 0 {
		return -1
	}
	d, ok := p.in.Distance(part)
	if !ok {
		return -1
	}
	for i := len(r.bands) - 1; i >= 0; i-- {
		if d >= r.bands[i].threshold {
			return i
		}
	}
	return -1
}

// strongest returns the strongest band of the parts.
func (p *painter) strongest(r *preparedRule, parts []keypoint.Part) int {
	best := -1
	for _, part := range parts {
		best = max(best, p.bandOf(r, part))
	}
	return best
}
