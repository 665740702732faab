package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// trust says how far the numbers can be trusted.
type trust struct {
	Class     string // "good", "care" or "bad"
	Verdict   string
	Sentences sentences
	Plan      *plan // nil if the view is unknown
}

// plan is the person seen from above, facing up, with the place of the camera, in units of its viewBox.
type plan struct {
	Good, Ray   string
	X, Y, Turn  float64
	Description string
}

// mostWarnings is how many kinds of warnings the report tells.
const mostWarnings = 5

// ofParts are the warnings that name their parts, if these are at most four.
var ofParts = []quality.Code{quality.CodeLowCoverage, quality.CodeJitter, quality.CodeCutOff}

func (p *page) trust() trust {
	t := trust{Class: "care", Verdict: p.W.unjudged}
	if q := p.r.Quality; q != nil && q.Verdict != "" {
		verdict := q.Verdict
		if verdict == quality.Good && p.doubtful() {
			verdict = quality.Usable
		}
		t.Class = map[quality.Verdict]string{quality.Good: "good", quality.Usable: "care", quality.Poor: "bad", quality.Nobody: "bad"}[verdict]
		t.Verdict = p.W.verdicts[verdict]
		t.Sentences = append(t.Sentences, p.W.advice[verdict])
	}
	t.Sentences = append(t.Sentences, p.warnings()...)
	if view, ok := p.view(); ok {
		t.Sentences = append(t.Sentences, fmt.Sprintf(p.W.view, view))
		t.Plan = p.plan(view)
	}
	n, w := p.r.Corrected, p.r.Sequence.World
	t.Sentences.add(n > 0, fmt.Sprintf(p.W.corrected, n))
	t.Sentences.add(n <= 0, p.W.uncorrected)
	t.Sentences.add(p.r.Outdated, p.W.outdated)
	t.Sentences.add(w.Metric(), fmt.Sprintf(p.W.scaled, text.Fixed(1000*w.MetresPerPixel, 2)))
	t.Sentences.add(!w.Metric(), p.W.inPixels)
	return t
}

// doubtful reports whether a value has a warning of its own in a tenth of the frames or more, such as an
// angle that the camera does not see from where it shows.
func (p *page) doubtful() bool {
	return slices.ContainsFunc(p.r.Series, func(s Series) bool {
		frames, _, _ := p.concerned(s.Result.Warnings)
		return 10*frames >= p.r.Sequence.Len()
	})
}

// concerned returns how many frames warnings concern, and the first and the last of these.
func (p *page) concerned(list []quality.Warning) (frames, first, last int) {
	n := p.r.Sequence.Len()
	hit := make([]bool, n)
	first, last = n, -1
	for _, w := range list {
		for i := max(w.From, 0); i <= min(w.To, n-1); i++ {
			hit[i] = true
		}
	}
	for i, h := range hit {
		if h {
			frames, first, last = frames+1, min(first, i), i
		}
	}
	return frames, first, last
}

// warnings returns a sentence for each code: when it holds, and for which parts.
func (p *page) warnings() (list []string) {
	var all []quality.Warning
	if p.r.Quality != nil {
		all = slices.Clone(p.r.Quality.Warnings)
	}
	if p.r.Gait != nil {
		all = append(all, p.r.Gait.Warnings...)
	}
	for _, s := range p.r.Series {
		all = append(all, s.Result.Warnings...)
	}
	var codes []quality.Code
	for _, w := range all {
		if _, known := p.W.warnings[w.Code]; known && !slices.Contains(codes, w.Code) {
			codes = append(codes, w.Code)
		}
	}
	for k, code := range codes {
		if k == mostWarnings {
			return append(list, fmt.Sprintf(p.W.moreWarnings, len(codes)-k))
		}
		var parts keypoint.Parts
		of := slices.DeleteFunc(slices.Clone(all), func(w quality.Warning) bool { return w.Code != code })
		for _, w := range of {
			parts |= w.Parts
		}
		sentence := p.W.warnings[code]
		if concerned := p.groupsWith(code); len(concerned) > 0 && len(concerned) < len(p.all) {
			sentence += fmt.Sprintf(p.W.partsNote, p.W.listOf(concerned))
		}
		if slices.Contains(ofParts, code) && parts.Len() > 0 && parts.Len() <= 4 {
			var names []string
			for _, part := range parts.List() {
				names = append(names, p.W.Lang.Of(part.String()))
			}
			sentence += fmt.Sprintf(p.W.partsNote, p.W.listOf(names))
		}
		n := p.r.Sequence.Len()
		switch frames, first, last := p.concerned(of); {
		case frames == n || frames == 0:
		case last-first+1 == frames:
			sentence += fmt.Sprintf(p.W.span, p.timeOf(first), p.timeOf(last))
		default:
			sentence += fmt.Sprintf(p.W.share, percent(max(0.01, float64(frames)/float64(n))))
		}
		list = append(list, sentence)
	}
	return list
}

// groupsWith names the values that have a warning.
func (p *page) groupsWith(code quality.Code) (names []string) {
	for _, g := range p.all {
		if slices.ContainsFunc(g.sides, func(c *curve) bool {
			return slices.ContainsFunc(c.Result.Warnings, func(w quality.Warning) bool { return w.Code == code })
		}) {
			names = append(names, text.Lower(g.name))
		}
	}
	return names
}

// view returns the median direction from which the frames see the person, in degrees.
func (p *page) view() (degrees float64, ok bool) {
	if p.r.Quality == nil {
		return 0, false
	}
	var all []float64
	for i := range p.r.Sequence.Frames {
		if v, ok := p.r.Quality.View(i); ok {
			all = append(all, v)
		}
	}
	return rank.Upper(all), len(all) > 0
}

// Good places for angles of the sagittal and of the frontal plane: those that quality.Views.Fits accepts.
var (
	sagittalArcs = [][2]float64{{64, 116}, {244, 296}}
	frontalArcs  = [][2]float64{{-31, 31}, {149, 211}}
)

// plan draws the camera at a view. A person who faces the right of the picture shows the right side.
func (p *page) plan(view float64) *plan {
	sides := 0
	for _, f := range p.r.Sequence.Sideways() {
		switch f {
		case keypoint.FacingRight:
			sides++
		case keypoint.FacingLeft:
			sides--
		}
	}
	at := view
	if sides < 0 {
		at = -view
	}
	x, y := around(at)
	d := &plan{X: x, Y: y, Turn: tenth(at + 180), Ray: fmt.Sprintf("M%g %gL40 40", x, y), Description: fmt.Sprintf(p.W.plan, view)}
	arcs := sagittalArcs
	if p.frontal() {
		arcs = frontalArcs
	}
	for _, a := range arcs {
		x0, y0 := around(a[0])
		x1, y1 := around(a[1])
		d.Good += fmt.Sprintf("M%g %gA29 29 0 0 1 %g %g", x0, y0, x1, y1)
	}
	return d
}

// around returns the place on the ring of the plan at an angle from the front, clockwise.
func around(degrees float64) (x, y float64) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return tenth(40 + 29*sin), tenth(40 - 29*cos)
}

// frontal reports whether most values of the report are of the frontal plane.
func (p *page) frontal() bool {
	n := 0
	for _, s := range p.r.Series {
		if s.Rule.Plane() == quality.Frontal {
			n++
		}
	}
	return 2*n > len(p.r.Series)
}
