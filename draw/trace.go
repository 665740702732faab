package draw

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
	for _, s := range r.Points {
		l := r.lookOf(p.strongest(r, s.Parts))
		width := p.lineWidth(l.size)
		before, had := s.At(&past.Frames[first])
		for i := first + 1; i < n; i++ {
			here, ok := s.At(&past.Frames[i])
			if had && ok {
				age := (now - past.Times[i]) / r.Seconds
				p.pen.line(before, here, max(width*(1-0.8*age), 1), l.color)
			}
			before, had = here, ok
		}
	}
}
