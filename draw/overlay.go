package draw

import (
	"fmt"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"github.com/bodymotion/motion/keypoint"
)

// ghostOpacity is how much of what is beneath a ghost covers, of 255.
const ghostOpacity = 128

// ghost paints the target by the rule, half transparent.
func (p *painter) ghost(r *Rule) {
	low := keypoint.Point{math.Inf(1), math.Inf(1)}
	high := low.Mul(-1)
	for part := range keypoint.Part(keypoint.NumParts) {
		if at, ok := p.opt.Target.At(part); ok {
			low = keypoint.Point{min(low[0], at[0]), min(low[1], at[1])}
			high = keypoint.Point{max(high[0], at[0]), max(high[1], at[1])}
		}
	}
	size := r.lookOf(-1).size
	reach := max(p.lineWidth(size), p.dotSize(size))/2 + 1
	low, high = low.Sub(keypoint.Point{reach, reach}), high.Add(keypoint.Point{reach, reach})
	if r.Type == HorizontalLine || r.Type == VerticalLine {
		low, high = keypoint.Point{}, keypoint.Point{p.pen.side, p.pen.side}
	}
	m, corner, ok := p.part(low, high)
	if !ok {
		return
	}
	c := r.Ghost.or(Grey)
	dc := gg.NewContextForRGBA(m)
	dc.Translate(float64(-corner.X), float64(-corner.Y))
	p.pen.path = dc
	p.shape(r, p.opt.Target, &c)
	p.pen.path = nil
	dc.SetColor(color.NRGBA{c.R, c.G, c.B, ghostOpacity})
	dc.Stroke() // at once, so that it is no denser where lines cross
}

// arrows paints an arrow from each point of the rule to the target's. With bands, only
// points that reach one have an arrow. Arrows are half as wide as lines of the rule;
// one that would be shorter than its head is left out.
func (p *painter) arrows(r *Rule) {
	points := *r
	if r.Type == StickPicture {
		points.Type = Keypoint
	}
	for i, from := range p.points(&points, p.frame) {
		if !from.ok || len(r.Bands) > 0 && from.band < 0 {
			continue
		}
		to, ok := p.target(r, i)
		if !ok {
			continue
		}
		l := r.lookOf(from.band)
		p.arrow(from.at, to, max(p.lineWidth(l.size)/2, 2), r.Arrows.or(Grey))
	}
}

// target returns the target's point that belongs to point i of the rule.
func (p *painter) target(r *Rule, i int) (keypoint.Point, bool) {
	if r.Points != nil {
		return r.Points[i].At(p.opt.Target)
	}
	group := r.group()
	for part := range keypoint.Part(keypoint.NumParts) {
		if !group.Has(part) {
			continue
		}
		if i == 0 {
			return p.opt.Target.At(part)
		}
		i--
	}
	return keypoint.Point{}, false
}

// arrow paints an outlined arrow.
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

// legend explains the colours of the rule in the lower left corner, the strongest
// band on top; a further legend comes above.
func (p *painter) legend(r *Rule) {
	bands := sortedBands(r.Bands)
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
	if low := bands[0].Threshold; low > 0 {
		row(fmt.Sprintf("< %.4g", low), r.lookOf(-1))
	}
	sorted := Rule{Bands: bands}
	for i, b := range bands {
		text := fmt.Sprintf("≥ %.4g", b.Threshold)
		if i+1 < len(bands) {
			if bands[i+1].Threshold == b.Threshold {
				continue // the later one of equals counts
			}
			text = fmt.Sprintf("%.4g – %.4g", b.Threshold, bands[i+1].Threshold)
		}
		row(text, sorted.lookOf(i))
	}
	p.legends += em / 2
}
