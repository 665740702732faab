package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

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
func (one *picture) sketch(s draw.Sketch) {
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
	c, _ := cmp.Or(s.Color, draw.Yellow).RGBA()
	one.Sketches = append(one.Sketches, bone{fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), path})
	text, at := s.Text, s.Points[n-1]
	if n == 3 {
		angle, _ := f.Angle(parts[0], parts[1], parts[2])
		text, at = strings.TrimLeft(text+" "+say.Amount{Value: angle, Unit: "°"}.String(), " "), s.Points[1]
	}
	if text != "" {
		one.tag("mid", text, at, false)
	}
}
