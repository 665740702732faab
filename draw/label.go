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
		if text == "" && r.Beside == "" {
			text = r.names[i]
		}
		if text != "" && value != "" {
			text += " "
		}
		text += value
		l := r.lookOf(m.band)
		if r.Beside != "" {
			p.beside(r.Beside, text, m.at, l)
			continue
		}
		em := p.em(l.size)
		at := m.at.Add(keypoint.Point{p.dotSize(l.size)/2 + em/3, capHeight * em / 2})
		p.write(text, p.place(at, m.at, p.text.width(text, em), em), em, l.color)
	}
}

// besides are the values of Rule.Beside.
var besides = []string{"left", "right"}

// box is the place of a text, in pixels.
type box struct{ low, high keypoint.Point }

func (b box) overlaps(o box) bool {
	return b.low[0] < o.high[0] && o.low[0] < b.high[0] && b.low[1] < o.high[1] && o.low[1] < b.high[1]
}

// beside writes a text to the left or to the right of a point, below the texts beside other points
// that are in its way.
func (p *painter) beside(side, text string, point keypoint.Point, l look) {
	if text == "" {
		return
	}
	em := p.em(l.size)
	wide, gap := p.text.width(text, em), p.dotSize(l.size)/2+0.8*em
	left, right := point[0]-gap-wide, point[0]+gap
	at := keypoint.Point{right, point[1] + capHeight*em/2}
	if fits := right+wide < float64(p.pen.dst.Rect.Dx()); left > 0 && (side == "left" || !fits) {
		at[0] = left
	}
	at = p.place(at, point, wide, em)
	around := func() box {
		return box{at.Sub(keypoint.Point{0.2 * em, em}), at.Add(keypoint.Point{wide + 0.2*em, 0.3 * em})}
	}
	for _, other := range p.texts {
		if around().overlaps(other) {
			at[1] = other.high[1] + em
		}
	}
	p.texts = append(p.texts, around())
	p.write(text, at, em, l.color)
}
