package draw

import (
	"image/color"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// The look of a Body is that of the page's stage (page/base/base.css, page/player/player.css and skeleton.js), in pixels of a
// stage on which a bone is boneWidth wide.
var (
	filmColors = [...]color.RGBA{{255, 255, 255, 255}, {0x46, 0xA2, 0xFF, 255}, {0xFF, 0x8F, 0x33, 255}} // of the middle, left and right
	rimColor   = color.RGBA{8, 11, 16, 255}
	plateColor = color.RGBA{10, 13, 18, 255}
)

const (
	boneWidth, middleWidth, unsureWidth, rimWidth = 3.6, 2.6, 3.0, 6.5
	jointWidth, ringWidth                         = 6.9, 9.9
	dotLength, dotStep                            = 1.5, 7.5
	rimOpacity, plateOpacity, unsureOpacity       = 0.62, 0.84, 0.5
	bodySure                                      = 0.5 // the confidence below which a part is dotted
)

// sideOf returns the side of the body that has all the parts, as an index of filmColors.
func sideOf(parts []keypoint.Part) int {
	group := keypoint.PartsOf(parts...)
	if len(parts) == 0 {
		return 0
	}
	switch p := parts[0]; {
	case slices.ContainsFunc(parts, func(p keypoint.Part) bool { return group.Has(p.Mirror()) }):
		return 0
	case p < p.Mirror():
		return 1
	}
	return 2
}

// body draws the bones and joints of a person: left and right in their colours with a dark rim, what is unsure dotted, and
// nothing of the face.
func (p *painter) body(r *preparedRule) {
	f, there := p.frame, p.frame.Present()
	unit := p.lineWidth(r.base.size) / boneWidth
	doubtful := func(parts ...keypoint.Part) bool {
		return slices.ContainsFunc(parts, func(part keypoint.Part) bool { return f.Confidence(part) < bodySure })
	}
	look := func(parts ...keypoint.Part) color.RGBA {
		if band := p.strongest(r, parts); band >= 0 {
			return r.bands[band].color
		}
		return filmColors[sideOf(parts)]
	}
	bones := func(draw func(a, b keypoint.Point, e keypoint.Edge)) {
		for _, e := range r.edges {
			if there.Has(e[0]) && there.Has(e[1]) {
				a, _ := f.At(e[0])
				b, _ := f.At(e[1])
				draw(a, b, e)
			}
		}
	}
	p.pen.fade(rimOpacity)
	bones(func(a, b keypoint.Point, e keypoint.Edge) {
		if !doubtful(e[:]...) {
			p.pen.line(a, b, rimWidth*unit, rimColor)
		}
	})
	p.pen.fade(1)
	bones(func(a, b keypoint.Point, e keypoint.Edge) {
		width, c := boneWidth*unit, look(e[:]...)
		if sideOf(e[:]) == 0 {
			width = middleWidth * unit
		}
		if !doubtful(e[:]...) {
			p.pen.line(a, b, width, c)
			return
		}
		p.dotted(a, b, unit, c)
	})
	for _, part := range (there & r.group() & jointed).List() {
		at, _ := f.At(part)
		if doubtful(part) {
			p.pen.fade(unsureOpacity)
		}
		p.pen.dot(at, ringWidth*unit, filmColors[0])
		p.pen.dot(at, jointWidth*unit, look(part))
		p.pen.fade(1)
	}
	if r.Legend {
		p.key()
	}
	p.caption(r.Text)
}

// dotted draws a line of which one cannot be sure.
func (p *painter) dotted(a, b keypoint.Point, unit float64, c color.RGBA) {
	length := b.Sub(a).Len()
	if length > far { // of which nothing would be seen
		return
	}
	p.pen.fade(unsureOpacity)
	for at := 0.0; at <= length && length > 0; at += dotStep * unit {
		p.pen.line(a.Add(b.Sub(a).Mul(at/length)), a.Add(b.Sub(a).Mul(min(at+dotLength*unit, length)/length)), unsureWidth*unit, c)
	}
	p.pen.fade(1)
}

// jointed are the parts of a Body that have a dot.
const jointed = keypoint.UpperBody | keypoint.LowerBody

// Sizes of a plate in ems: its height, the room at its ends, and that of a dot before its text.
const (
	plateHeight, plateEnd, plateDot = 1.86, 0.64, 0.93
	pillSize                        = 0.75 // of the text on a pill
	keySize                         = 0.65 // of the text of the legend and the caption
)

// plate draws the dark ground of a text.
func (p *painter) plate(left, middle, width, em float64) {
	height := plateHeight * em
	p.pen.fade(plateOpacity)
	p.pen.line(keypoint.Point{left + height/2, middle}, keypoint.Point{left + width - height/2, middle}, height, plateColor)
	p.pen.fade(1)
}

// spot draws the dot before a text on a plate.
func (p *painter) spot(left, middle, em float64, c color.RGBA) {
	p.pen.dot(keypoint.Point{left + 0.28*em, middle}, 0.57*em, c)
}

// key says in the upper right corner what the colours and dots of a Body are.
func (p *painter) key() {
	words := []string{"Unsure", "Left", "Right"}
	em, room := p.em(keySize), 0.0
	for _, word := range words {
		room += p.text.Width(word, 1) + plateDot
	}
	room += 2*plateEnd + 2*0.86 + 0.4 // in ems: the ends, the gaps and the longer mark
	em = min(em, float64(p.pen.dst.Rect.Dx())/(room+1))
	x, middle := float64(p.pen.dst.Rect.Dx())-(room+0.5)*em, (0.5+plateHeight/2)*em
	p.plate(x, middle, room*em, em)
	x += plateEnd * em
	for _, k := range []int{1, 2, 0} {
		if k > 0 {
			p.spot(x, middle, em, filmColors[k])
		} else {
			p.dotted(keypoint.Point{x, middle}, keypoint.Point{x + em, middle}, em/18, filmColors[0])
			x += 0.4 * em
		}
		x += plateDot * em
		p.set(words[k], keypoint.Point{x, middle + capHeight*em/2}, em, 0, filmColors[0])
		x += (p.text.Width(words[k], 1) + 0.86) * em
	}
}

// caption writes a text in the lower left corner.
func (p *painter) caption(text string) {
	if text == "" {
		return
	}
	em := p.em(keySize)
	width := p.text.Width(text, 1) + 2*plateEnd
	em = min(em, float64(p.pen.dst.Rect.Dx())/(width+1))
	middle := float64(p.pen.dst.Rect.Dy()) - p.legends - (0.5+plateHeight/2)*em
	p.plate(em/2, middle, width*em, em)
	p.set(text, keypoint.Point{(0.5 + plateEnd) * em, middle + capHeight*em/2}, em, 0, filmColors[0])
	p.legends += (plateHeight + 0.5) * em
}
