package draw

import (
	"cmp"

	"github.com/bodymotion/motion/keypoint"
)

// Sketch is drawn by hand onto a frame of a recording: a word at one point, a line between two, or an angle in the picture, with
// its degrees, at the second of three.
type Sketch struct {
	Frame  int              `json:"frame"`           // from 0
	Last   int              `json:"last,omitempty"`  // the last frame that shows it, too; 0: Frame alone does
	Points []keypoint.Point `json:"points"`          // one to three, pixels of the picture
	Text   string           `json:"text,omitempty"`  // at most 80 characters, of one point at least one; those that the fonts lack are boxes
	Color  Color            `json:"color,omitempty"` // "" means Yellow
}

// sketch draws one over everything else, and nothing without one to three finite points.
func (p *painter) sketch(s Sketch) {
	var f keypoint.Frame
	parts := keypoint.All.List()[:min(len(s.Points), 3)]
	for i, part := range parts {
		f.Set(part, s.Points[i], 1)
	}
	if n := len(f.Present().List()); n == 0 || n < len(s.Points) {
		return
	}
	r := Rule{Type: typeLabel, Text: s.Text, Points: keypoint.PartSelectors(parts[len(parts)-1:]...), Color: cmp.Or(s.Color, Yellow), Size: 1.5}
	if len(parts) == 3 {
		r.Type, r.Points = typeAngle, keypoint.PartSelectors(parts...)
	}
	ready := prepare(r)
	c, width := ready.base.color, p.lineWidth(r.Size)
	for _, l := range []look{{outline(c), width + max(width/2, 2)}, {c, width}} {
		for i := 1; i < len(s.Points); i++ {
			p.pen.line(s.Points[i-1], s.Points[i], l.size, l.color)
		}
	}
	if p.frame = &f; r.Type == typeAngle || s.Text != "" {
		p.rule(&ready)
	}
}
