package report

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// Sketch is drawn by hand onto a frame: a word at one point, a line between two, an angle at the second of three.
type Sketch struct {
	Frame  int              // from 0
	Points []keypoint.Point // pixels of the picture
	Text   string           // "" is left out
	Color  color.RGBA       // opaque
}

// sketched returns the first frames of Sketches, in order of time.
func (r *Report) sketched() (frames []int) {
	for _, s := range r.Sketches {
		if s.Frame >= 0 && s.Frame < r.Sequence.Len() {
			frames = append(frames, s.Frame)
		}
	}
	frames = slices.Compact(slices.Sorted(slices.Values(frames)))
	return frames[:min(len(frames), mostDrawn)]
}

// drawn shows the frames of Sketches, whole.
func (p *page) drawn() (list []picture) {
	known := quality.NewUncertainty(p.r.Sequence)
	for _, i := range p.r.sketched() {
		one := p.picture(shot{i, p.timeOf(i), p.in(texts.Say("drawn"))}, 0, nil, known.Hidden(i))
		for _, s := range p.r.Sketches {
			if s.Frame == i {
				one.sketch(s)
			}
		}
		if one.Width > 0 {
			list = append(list, one)
		}
	}
	return list
}

// sketch adds the lines and the words of a sketch, and nothing without one to three finite points.
func (one *picture) sketch(s Sketch) {
	var f keypoint.Frame
	parts, path := keypoint.All.List()[:min(len(s.Points), 3)], ""
	for i, part := range parts {
		f.Set(part, s.Points[i], 1)
		path += fmt.Sprintf("%s%g %g", "MLL"[i:i+1], tenth(s.Points[i][0]), tenth(s.Points[i][1]))
	}
	n := len(f.Present().List())
	if n == 0 || n < len(s.Points) {
		return
	}
	one.Sketches = append(one.Sketches, bone{fmt.Sprintf("#%02x%02x%02x", s.Color.R, s.Color.G, s.Color.B), path})
	text, at := s.Text, s.Points[n-1]
	if n == 3 {
		angle, _ := f.Angle(parts[0], parts[1], parts[2])
		text, at = strings.TrimLeft(text+" "+say.Amount{Value: angle, Unit: "°"}.String(), " "), s.Points[1]
	}
	if text != "" {
		one.tag("mid", text, at, false)
	}
}
