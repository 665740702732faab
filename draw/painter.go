package draw

import (
	"image/color"

	"github.com/bodymotion/motion/keypoint"
)

// painter draws one frame.
type painter struct {
	pen     pen
	text    typesetter
	frame   *keypoint.Frame
	in      Inputs
	marks   []mark  // of the current rule
	legends float64 // height of the legends so far, in pixels
	texts   []box   // those beside the skeleton so far
}

// mark is a point to be drawn, its band, −1 for none, and its opacity.
type mark struct {
	at      keypoint.Point
	band    int
	ok      bool
	opacity float64
}

func (p *painter) rule(r *preparedRule) {
	if r.Ghost != "" {
		p.ghost(r)
	}
	switch r.Type {
	case typeAngle:
		p.angle(r)
	case typeTrace:
		p.trace(r)
	case typeLabel:
		p.label(r)
	case typeBody:
		p.body(r)
	default:
		p.shape(r, p.frame, nil)
	}
	if r.Arrows != "" {
		p.arrows(r)
	}
	if r.Legend && r.Type != typeBody {
		p.legend(r)
	}
}

// lineWidth returns the width of a line of that size in pixels.
func (p *painter) lineWidth(size float64) float64 { return max(size*p.pen.side/400, 2) }

// dotSize returns the diameter of a dot of that size in pixels.
func (p *painter) dotSize(size float64) float64 { return max(size*p.pen.side/150, 4) }

// shape draws the points and lines of a rule of the specification, in the colours of the bands, or all in one colour.
func (p *painter) shape(r *preparedRule, f *keypoint.Frame, one *color.RGBA) {
	lookOf := func(band int) look {
		if one != nil {
			return look{*one, r.base.size}
		}
		return r.lookOf(band)
	}
	if r.edges != nil && (r.Type == typeStickPicture || r.Type == typeBody) {
		for _, e := range r.edges {
			a, okA := f.At(e[0])
			b, okB := f.At(e[1])
			if okA && okB {
				l := lookOf(max(p.bandOf(r, e[0]), p.bandOf(r, e[1])))
				p.pen.fade(r.opacity(f, e[:]))
				p.pen.line(a, b, p.lineWidth(l.size), l.color)
			}
		}
		p.pen.fade(1)
		return
	}
	size := p.pen.dst.Rect.Size()
	w, h := float64(size.X), float64(size.Y)
	marks := p.points(r, f)
	for i, m := range marks {
		if !m.ok {
			continue
		}
		l := lookOf(m.band)
		p.pen.fade(m.opacity)
		switch r.Type {
		case typeKeypoint:
			p.pen.dot(m.at, p.dotSize(l.size), l.color)
		case typeHorizontalLine:
			p.pen.line(keypoint.Point{-w, m.at[1]}, keypoint.Point{2 * w, m.at[1]}, p.lineWidth(l.size), l.color)
		case typeVerticalLine:
			p.pen.line(keypoint.Point{m.at[0], -h}, keypoint.Point{m.at[0], 2 * h}, p.lineWidth(l.size), l.color)
		case typeStickPicture:
			if i > 0 && marks[i-1].ok {
				l = lookOf(max(marks[i-1].band, m.band))
				p.pen.fade(min(marks[i-1].opacity, m.opacity))
				p.pen.line(marks[i-1].at, m.at, p.lineWidth(l.size), l.color)
			}
		}
	}
	p.pen.fade(1)
}

// The opacity of a Faint rule rises from faintest at unsure to 1 at sure.
const (
	faintest = 1.0 / 3
	unsure   = 0.2
	sure     = 0.6
)

// opacity returns the opacity of what is drawn at parts, by the least sure of those that were found; 1 unless the rule is Faint.
func (r *preparedRule) opacity(f *keypoint.Frame, parts []keypoint.Part) float64 {
	opacity := 1.0
	for _, part := range parts {
		if r.Faint && f.Has(part) {
			opacity = min(opacity, max(faintest, faintest+(1-faintest)*(f.Confidence(part)-unsure)/(sure-unsure)))
		}
	}
	return opacity
}

// points returns the points of the rule in a frame. They are valid until the next call.
func (p *painter) points(r *preparedRule, f *keypoint.Frame) []mark {
	p.marks = p.marks[:0]
	for _, s := range r.Points {
		at, ok := s.At(f)
		p.marks = append(p.marks, mark{at, p.strongest(r, s.Parts), ok, r.opacity(f, s.Parts)})
	}
	return p.marks
}

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

func (p *painter) strongest(r *preparedRule, parts []keypoint.Part) int {
	best := -1
	for _, part := range parts {
		best = max(best, p.bandOf(r, part))
	}
	return best
}
