package draw

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Options say how to draw. The zero value draws keypoints onto the picture as it is.
type Options struct {
	Background Background

	// Distance returns how far a part of the target is from the source's, 0 to 1; ok is
	// false for a part that was not compared. It makes the drawing one of a comparison:
	// rules may have bands, and the default drawing shows the parts whose distance is
	// 0.2 or more in red. A (*compare.Frame) gives it by its method At.
	Distance func(keypoint.Part) (distance float64, ok bool)
}

// Render draws the keypoints of a frame onto dst by the rules, or the default drawing
// when rules is nil: all edges of the skeleton, then all points, in grey. The
// coordinates of the frame are pixels of dst from its top left corner.
//
// An empty dst is a keypoint.ErrInvalid; what is wrong with the rules comes back as
// Errors, and dst is as it was.
func Render(dst *image.RGBA, f *keypoint.Frame, rules []Rule, opt Options) error {
	if dst == nil || dst.Rect.Empty() {
		return fmt.Errorf("%w picture: it has no pixels", keypoint.ErrInvalid)
	}
	if err := Check(rules, opt.Distance != nil); err != nil {
		return err
	}
	if !opt.Background.Color.valid() {
		return Errors{{Pointer: "/color", Detail: fmt.Sprintf("is %q, want one of %v", opt.Background.Color, colorNames())}}
	}
	if rules == nil {
		rules = defaultRules(opt.Distance != nil)
	}
	if opt.Background.SkeletonOnly {
		draw.Draw(dst, dst.Rect, image.NewUniform(opt.Background.Color.or(White)), image.Point{}, draw.Src)
	}
	p := painter{pen: pen{dst: dst}, frame: f, distance: opt.Distance}
	p.side = float64(max(dst.Rect.Dx(), dst.Rect.Dy()))
	for i := range rules {
		p.rule(&rules[i])
	}
	return nil
}

// defaultRules returns the drawing that is made without rules.
func defaultRules(comparison bool) []Rule {
	rules := []Rule{{Type: StickPicture}, {Type: Keypoint}}
	if comparison {
		for i := range rules {
			rules[i].Bands = []Band{{Threshold: DefaultThreshold}}
		}
	}
	return rules
}

// painter draws one frame.
type painter struct {
	pen      pen
	frame    *keypoint.Frame
	distance func(keypoint.Part) (float64, bool)
	side     float64 // the longer side of the picture in pixels
}

// look is the colour and size of a point or line.
type look struct {
	color color.RGBA
	size  float64
}

// mark is a point to be drawn and the band it is in, -1 for none.
type mark struct {
	at   keypoint.Point
	band int
	ok   bool
}

func (p *painter) rule(r *Rule) {
	bands := slices.Clone(r.Bands)
	slices.SortStableFunc(bands, func(a, b Band) int {
		switch {
		case a.Threshold < b.Threshold:
			return -1
		case a.Threshold > b.Threshold:
			return 1
		}
		return 0
	})
	lookOf := func(band int) look {
		l := look{r.Color.or(Grey), r.Size}
		if band >= 0 {
			l = look{bands[band].Color.or(Red), bands[band].Size}
		}
		if l.size == 0 {
			l.size = 1
		}
		return l
	}
	line := func(a, b mark) {
		if !a.ok || !b.ok {
			return
		}
		l := lookOf(max(a.band, b.band))
		p.pen.line(a.at, b.at, max(l.size*p.side/400, 2), l.color)
	}
	if r.Type == StickPicture && r.Points == nil {
		group := r.group()
		for _, e := range keypoint.Skeleton() {
			if group.Has(e[0]) && group.Has(e[1]) {
				line(p.mark(e[0], bands), p.mark(e[1], bands))
			}
		}
		return
	}
	var marks []mark
	if r.Points == nil {
		group := r.group()
		marks = make([]mark, 0, keypoint.NumParts)
		for part := range keypoint.Part(keypoint.NumParts) {
			if group.Has(part) {
				marks = append(marks, p.mark(part, bands))
			}
		}
	}
	for _, s := range r.Points {
		at, ok := s.At(p.frame)
		marks = append(marks, mark{at, p.band(s.Parts, bands), ok})
	}
	size := p.pen.dst.Rect.Size()
	w, h := float64(size.X), float64(size.Y)
	for i, m := range marks {
		switch {
		case !m.ok:
		case r.Type == Keypoint:
			l := lookOf(m.band)
			p.pen.dot(m.at, max(l.size*p.side/150, 4), l.color)
		case r.Type == HorizontalLine:
			a, b := m, m
			a.at, b.at = keypoint.Point{-w, m.at[1]}, keypoint.Point{2 * w, m.at[1]}
			line(a, b)
		case r.Type == VerticalLine:
			a, b := m, m
			a.at, b.at = keypoint.Point{m.at[0], -h}, keypoint.Point{m.at[0], 2 * h}
			line(a, b)
		case i > 0: // StickPicture
			line(marks[i-1], m)
		}
	}
}

// group returns the rule's group of parts; all where none is named.
func (r *Rule) group() keypoint.Parts {
	if g, ok := keypoint.Group(r.Pattern); ok {
		return g
	}
	return keypoint.All
}

func (p *painter) mark(part keypoint.Part, bands []Band) mark {
	at, ok := p.frame.At(part)
	return mark{at, p.bandOf(part, bands), ok}
}

// band returns the strongest band of the parts.
func (p *painter) band(parts []keypoint.Part, bands []Band) int {
	best := -1
	for _, part := range parts {
		best = max(best, p.bandOf(part, bands))
	}
	return best
}

// bandOf returns the highest band whose threshold the part's distance reaches, -1 for
// none. The bands are sorted by threshold.
func (p *painter) bandOf(part keypoint.Part, bands []Band) int {
	if p.distance == nil || len(bands) == 0 {
		return -1
	}
	d, ok := p.distance(part)
	if !ok {
		return -1
	}
	best := -1
	for i, b := range bands {
		if d >= b.Threshold {
			best = i
		}
	}
	return best
}
