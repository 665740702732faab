package draw

import (
	"fmt"
	"image/color"

	"github.com/fogleman/gg"

	"github.com/bodymotion/motion/keypoint"
)

// ghostOpacity is the opacity of ghosts, of 255.
const ghostOpacity = 128

// ghost draws the target by the rule, half transparent.
func (p *painter) ghost(r *preparedRule) {
	low, high, ok := p.in.Target.Bounds()
	if !ok {
		return
	}
	size := r.base.size
	reach := max(p.lineWidth(size), p.dotSize(size))/2 + 1
	low, high = low.Sub(keypoint.Point{reach, reach}), high.Add(keypoint.Point{reach, reach})
	if r.Type == typeHorizontalLine || r.Type == typeVerticalLine {
		low, high = keypoint.Point{}, keypoint.Point{p.pen.side, p.pen.side}
	}
	m, corner, ok := p.part(low, high)
	if !ok {
		return
	}
	dc := gg.NewContextForRGBA(m)
	dc.Translate(float64(-corner.X), float64(-corner.Y))
	p.pen.path = dc
	p.shape(r, p.in.Target, &r.ghost)
	p.pen.path = nil
	dc.SetColor(color.NRGBA{r.ghost.R, r.ghost.G, r.ghost.B, ghostOpacity})
	dc.Stroke() // at once, so that it is no denser where lines cross
}

// arrows draws an arrow from each point of the rule to the target's; if the rule has bands, only from points that
// reach one. Arrows are half as wide as the rule's lines; an arrow shorter than its head is left out.
func (p *painter) arrows(r *preparedRule) {
	for i, from := range p.points(r, p.frame) {
		if !from.ok || len(r.Bands) > 0 && from.band < 0 {
			continue
		}
		if to, ok := r.Points[i].At(p.in.Target); ok {
			l := r.lookOf(from.band)
			p.arrow(from.at, to, max(p.lineWidth(l.size)/2, 2), r.arrows)
		}
	}
}

func (p *painter) arrow(from, to keypoint.Point, width float64, c color.RGBA) {
	head := 4 * width
	d := to.Sub(from)
	n := d.Len()
	if n < head || n > far {
		return
	}
	d = d.Mul(1 / n)
	across := keypoint.Point{-d[1], d[0]}.Mul(head * 0.45)
	neck := to.Sub(d.Mul(head))
	left, right := neck.Add(across), neck.Sub(across)
	border := max(width, 2)
	p.pen.line(from, neck, width+border, outline(c))
	reach := keypoint.Point{head + border, head + border}
	p.outlined(to.Sub(reach), to.Add(reach), border, c, func(dc *gg.Context) {
		dc.MoveTo(to[0], to[1])
		dc.LineTo(left[0], left[1])
		dc.LineTo(right[0], right[1])
		dc.ClosePath()
	})
	p.pen.line(from, neck, width, c)
}

// legend explains the colours of the rule in the lower left corner, the strongest band on top. Further legends are stacked above.
func (p *painter) legend(r *preparedRule) {
	em := p.em(1)
	x, y := em/2, float64(p.pen.dst.Rect.Dy())-em/2-p.legends
	row := func(text string, l look) {
		dot := min(max(p.dotSize(l.size), em/2), em)
		centre := keypoint.Point{x + em/2, y - capHeight*em/2}
		p.pen.dot(centre, dot+max(em/7, 2), outline(l.color))
		p.pen.dot(centre, dot, l.color)
		p.write(text, keypoint.Point{x + 1.5*em, y}, em, color.RGBA{255, 255, 255, 255})
		y -= 1.3 * em
		p.legends += 1.3 * em
	}
	if low := r.bands[0].threshold; low > 0 {
		row(fmt.Sprintf("< %.4g", low), r.base)
	}
	for i, b := range r.bands {
		text := fmt.Sprintf("≥ %.4g", b.threshold)
		if i+1 < len(r.bands) {
			if r.bands[i+1].threshold == b.threshold {
				continue // the later of two equal bands counts
			}
			text = fmt.Sprintf("%.4g – %.4g", b.threshold, r.bands[i+1].threshold)
		}
		row(text, b.look)
	}
	p.legends += em / 2
}
