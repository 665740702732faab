package draw

import (
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// label paints a text to the right of each point of the rule: its own, or the names
// of the point's parts, and the value of an analysis where the rule has one.
func (p *painter) label(r *Rule) {
	value := ""
	if r.Analysis != nil {
		value, _ = p.opt.Value(*r.Analysis)
		if runes := []rune(value); len(runes) > maxText {
			value = string(runes[:maxText])
		}
	}
	for i, m := range p.points(r, p.frame) {
		if !m.ok {
			continue
		}
		text := r.Text
		switch {
		case text != "":
		case r.Points == nil:
			text = r.group().List()[i].String()
		default:
			text = partNames(r.Points[i])
		}
		if value != "" {
			text += " " + value
		}
		l := r.lookOf(m.band)
		em := p.em(l.size)
		at := m.at.Add(keypoint.Point{p.dotSize(l.size)/2 + em/3, capHeight * em / 2})
		p.write(text, p.place(at, m.at, p.text.width(text, em), em), em, l.color)
	}
}

// partNames returns the names of the parts a point is made of.
func partNames(s keypoint.Selector) string {
	names := make([]string, len(s.Parts))
	for i, part := range s.Parts {
		names[i] = part.String()
	}
	return strings.Join(names, " + ")
}
