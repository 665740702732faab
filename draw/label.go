package draw

import "github.com/bodymotion/motion/keypoint"

// label writes a text to the right of each point of the rule: its own, or the names of the
// point's parts, and the value of the rule's analysis.
func (p *painter) label(r *preparedRule) {
	value := ""
	if r.Analysis != nil {
		value, _ = p.in.Value(*r.Analysis)
		if runes := []rune(value); len(runes) > maxText {
			value = string(runes[:maxText])
		}
	}
	for i, m := range p.points(r, p.frame) {
		if !m.ok {
			continue
		}
		text := r.Text
		if text == "" {
			text = r.names[i]
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
