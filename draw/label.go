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
		if r.pill && r.Analysis != nil && value == "" {
			continue // a name alone says nothing
		}
		l := r.lookOf(m.band)
		if r.Beside != "" {
			p.beside(r, text, m.at, l, r.Points[i].Parts)
			continue
		}
		em := p.em(l.size)
		at := m.at.Add(keypoint.Point{p.dotSize(l.size)/2 + em/3, capHeight * em / 2})
		p.write(text, p.place(at, m.at, p.text.Width(text, em), em), em, l.color)
	}
}

// besides are the values of Rule.Beside.
var besides = []string{"left", "right"}

// box is the place of a text, in pixels.
type box struct{ low, high keypoint.Point }

// beside writes a text to the left or to the right of a point of some parts, below the texts beside other points that are in its way.
func (p *painter) beside(r *preparedRule, text string, point keypoint.Point, l look, parts []keypoint.Part) {
	if text == "" {
		return
	}
	em, above, below, before, after := p.em(l.size), 1.0, 0.3, 0.0, 0.0 // the last four in ems around the text
	if r.pill {
		em *= pillSize
		above, below, before, after = (plateHeight+capHeight)/2, (plateHeight-capHeight)/2, plateEnd+plateDot, plateEnd
	}
	wide, gap := p.text.Width(text, em)+(before+after)*em, p.dotSize(l.size)/2+0.8*em
	left, right := point[0]-gap-wide, point[0]+gap
	at := keypoint.Point{right, point[1] + capHeight*em/2}
	if fits := right+wide < float64(p.pen.dst.Rect.Dx()); left > 0 && (r.Beside == "left" || !fits) {
		at[0] = left
	}
	at = p.place(at, point, wide, em)
	around := func() box {
		return box{at.Sub(keypoint.Point{0.2 * em, above * em}), at.Add(keypoint.Point{wide + 0.2*em, below * em})}
	}
	for _, other := range p.texts {
		if b := around(); b.low[0] < other.high[0] && other.low[0] < b.high[0] && b.low[1] < other.high[1] && other.low[1] < b.high[1] {
			at[1] = other.high[1] + above*em
		}
	}
	p.texts = append(p.texts, around())
	if !r.pill {
		p.write(text, at, em, l.color)
		return
	}
	middle := at[1] - capHeight*em/2
	p.plate(at[0], middle, wide, em)
	p.spot(at[0]+plateEnd*em, middle, em, filmColors[sideOf(parts)])
	p.set(text, at.Add(keypoint.Point{before * em, 0}), em, 0, filmColors[0])
}
