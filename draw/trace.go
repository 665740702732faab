package draw

import "github.com/bodymotion/motion/keypoint"

// trace draws the path of each point of the rule over the last seconds, thinner where it is
// older. The path has a gap where the point was absent.
func (p *painter) trace(r *preparedRule) {
	past := p.in.History
	n := len(past.Frames)
	if n < 2 || len(past.Times) != n {
		return
	}
	now := past.Times[n-1]
	first := n - 1
	for first > 0 && past.Times[first-1] >= now-r.Seconds {
		first--
	}
	paint := func(at func(f *keypoint.Frame) (keypoint.Point, bool), band int) {
		l := r.lookOf(band)
		width := p.lineWidth(l.size)
		before, had := at(&past.Frames[first])
		for i := first + 1; i < n; i++ {
			here, ok := at(&past.Frames[i])
			if had && ok {
				age := (now - past.Times[i]) / r.Seconds
				p.pen.line(before, here, max(width*(1-0.8*age), 1), l.color)
			}
			before, had = here, ok
		}
	}
	for _, s := range r.Points {
		paint(s.At, p.strongest(r, s.Parts))
	}
	for _, part := range r.parts {
		paint(func(f *keypoint.Frame) (keypoint.Point, bool) { return f.At(part) }, p.bandOf(r, part))
	}
}
