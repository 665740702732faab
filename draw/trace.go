package draw

import "github.com/bodymotion/motion/keypoint"

// trace paints the path of each point of the rule over the last seconds, thin where
// it is old. Where a point was absent, the path has a gap.
func (p *painter) trace(r *Rule) {
	past := p.opt.History
	n := len(past.Frames)
	if n < 2 || len(past.Times) != n {
		return
	}
	seconds := r.Seconds
	if seconds == 0 {
		seconds = 1
	}
	now := past.Times[n-1]
	first := n - 1
	for first > 0 && past.Times[first-1] >= now-seconds {
		first--
	}
	paint := func(at func(f *keypoint.Frame) (keypoint.Point, bool), band int) {
		l := r.lookOf(band)
		width := p.lineWidth(l.size)
		before, had := at(&past.Frames[first])
		for i := first + 1; i < n; i++ {
			here, ok := at(&past.Frames[i])
			if had && ok {
				age := (now - past.Times[i]) / seconds
				p.pen.line(before, here, max(width*(1-0.8*age), 1), l.color)
			}
			before, had = here, ok
		}
	}
	for _, s := range r.Points {
		paint(s.At, p.strongest(r, s.Parts))
	}
	if r.Points != nil {
		return
	}
	group := r.group()
	for part := range keypoint.Part(keypoint.NumParts) {
		if group.Has(part) {
			paint(func(f *keypoint.Frame) (keypoint.Point, bool) { return f.At(part) }, p.bandOf(r, part))
		}
	}
}
