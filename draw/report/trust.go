package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
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
	Cameras     []camera
	Description string
}

// camera is a place on the ring and where it looks.
type camera struct{ X, Y, Turn float64 }

// mostWarnings is how many kinds of warnings the report tells.
const mostWarnings = 5

// ofParts are the warnings that name their parts, if these are at most four.
var ofParts = []quality.Code{quality.CodeLowCoverage, quality.CodeJitter, quality.CodeCutOff, quality.CodeHiddenSide}

func (p *page) trust() trust {
	t := trust{Class: "care", Verdict: p.W.unjudged}
	var verdict quality.Verdict
	switch {
	case p.r.Study != nil:
		verdict = p.r.Study.Verdict
	case p.r.Quality != nil:
		verdict = p.r.Quality.Verdict
	}
	if verdict != "" {
		t.Class = map[quality.Verdict]string{quality.Good: "good", quality.Usable: "care", quality.Poor: "bad", quality.Nobody: "bad"}[verdict]
		t.Verdict = p.W.verdicts[verdict]
		t.Sentences = append(t.Sentences, p.W.advice[verdict])
	}
	if holds := p.holds(); verdict != quality.Good && len(holds) > 0 {
		t.Sentences.add(true, fmt.Sprintf(p.W.holds, p.W.listOf(holds)))
	}
	codes, sentences := p.warnings()
	t.Sentences = append(t.Sentences, sentences...)
	worst := slices.IndexFunc(codes, func(c quality.Code) bool {
		return verdict != quality.Good || c == quality.CodeHiddenSide || c == quality.CodeOutOfPlane
	})
	if worst >= 0 {
		code := cmp.Or(map[quality.Code]quality.Code{quality.CodeHiddenSide: study.CodeHidden}[codes[worst]], codes[worst])
		t.Sentences.add(true, p.W.Lang.Of("advice."+string(code)))
	}
	n, w, seen := p.r.Corrected, p.r.Sequence.World, p.r.Sequence.Space.Seen()
	if of := p.r.Sequence.Space; seen {
		t.Sentences = append(t.Sentences, fmt.Sprintf(p.W.inSpace, len(of.Cameras), of.Angle))
		t.Plan = p.planInSpace()
	} else if view, ok := p.view(); ok {
		t.Sentences = append(t.Sentences, fmt.Sprintf(p.W.view, view))
		t.Plan = p.plan(view)
	}
	if off := p.constants(); len(off) > 0 {
		t.Sentences.add(true, fmt.Sprintf(p.W.constant, p.W.listOf(off)))
	}
	t.Sentences.add(n > 0, fmt.Sprintf(p.W.corrected, n))
	t.Sentences.add(n <= 0, p.W.uncorrected)
	t.Sentences.add(p.r.Outdated, p.W.outdated)
	switch {
	case seen && p.r.Sequence.Space.Unit == keypoint.Metres:
		t.Sentences.add(true, p.W.scaledSpace)
	case seen:
		t.Sentences.add(true, p.W.inTorsos)
	case w.Metric():
		t.Sentences.add(true, fmt.Sprintf(p.W.scaled, text.Fixed(1000*w.MetresPerPixel, 2)))
	default:
		t.Sentences.add(true, p.W.inPixels)
	}
	return t
}

// holds names what is sure in a recording that is not good: at most three values besides repetitions and their tempo.
func (p *page) holds() (list []string) {
	if p.main != nil {
		list = append(list, p.W.tempo)
	}
	for _, c := range p.curves {
		if c.measure != nil && c.measure.Trust == study.Good && c.unit == "°" && len(list) < 4 {
			_, high, _ := c.extent()
			list = append(list, text.Lower(p.nameOf(c, true))+" "+p.reading(c, high).String())
		}
	}
	return list
}

// constants names the angles of the report that are off alike in every frame, and by how much, the worse side of each.
func (p *page) constants() (list []string) {
	most, order := map[analyze.Type]float64{}, []analyze.Type{}
	for _, c := range p.curves {
		if m := c.measure; m != nil && m.Constant > most[m.Type] {
			if most[m.Type] == 0 {
				order = append(order, m.Type)
			}
			most[m.Type] = m.Constant
		}
	}
	for _, t := range order {
		list = append(list, p.W.Lang.Of(string(t))+" "+text.Fixed(most[t], 0)+"°")
	}
	return list
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

// warnings returns the codes of warnings, with a sentence for each: when it holds, and for which parts.
func (p *page) warnings() (codes []quality.Code, list []string) {
	var all []quality.Warning
	if p.r.Study != nil {
		all = slices.Clone(p.r.Study.Notes)
	} else {
		if p.r.Quality != nil {
			all = slices.Clone(p.r.Quality.Warnings)
		}
		for _, s := range p.r.Series {
			all = append(all, s.Result.Warnings...)
		}
	}
	if p.r.Gait != nil {
		all = append(all, p.r.Gait.Warnings...)
	}
	for _, w := range all {
		if _, known := p.W.warnings[w.Code]; known && !slices.Contains(codes, w.Code) {
			codes = append(codes, w.Code)
		}
	}
	for k, code := range codes {
		if k == mostWarnings {
			return codes, append(list, fmt.Sprintf(p.W.moreWarnings, len(codes)-k))
		}
		var parts keypoint.Parts
		of := slices.DeleteFunc(slices.Clone(all), func(w quality.Warning) bool { return w.Code != code })
		for _, w := range of {
			parts |= w.Parts
		}
		sentence := p.W.warnings[code]
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
	return codes, list
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
	d := &plan{Description: fmt.Sprintf(p.W.plan, view)}
	d.stand(at)
	plane := quality.Sagittal
	if len(p.curves) > 0 && p.curves[0].Rule.Plane() == quality.Frontal {
		plane = quality.Frontal
	}
	pen := "M"
	for k := 0.0; k <= 360; k += 4 {
		if !plane.Fits(min(k, 360-k)) {
			pen = "M"
			continue
		}
		x, y := around(k)
		d.Good += fmt.Sprintf("%s%g %g", pen, x, y)
		pen = "L"
	}
	return d
}

// planInSpace draws the cameras that see the person in space, where they stand when they first do; nil if that is not known.
func (p *page) planInSpace() *plan {
	seq := p.r.Sequence
	headings := space.Headings(seq)
	i := slices.IndexFunc(headings, func(v keypoint.Position) bool { return v != (keypoint.Position{}) })
	if i < 0 {
		return nil
	}
	d, places := &plan{Description: p.W.planSpace}, seq.Frames[i].Positions()
	var middle keypoint.Position
	for _, part := range places.Present().List() {
		at, _ := places.At(part)
		middle = middle.Add(at.Mul(1 / float64(places.Present().Len())))
	}
	for k := range seq.Space.Cameras {
		to := seq.Space.Cameras[k].Eye().Sub(middle)
		right := headings[i].Cross(keypoint.Position{0, 1, 0})
		d.stand(math.Atan2(to.Dot(right), to.Dot(headings[i])) * 180 / math.Pi)
	}
	return d
}

// stand puts a camera at an angle from the front, clockwise.
func (d *plan) stand(at float64) {
	x, y := around(at)
	d.Cameras, d.Ray = append(d.Cameras, camera{x, y, tenth(at + 180)}), d.Ray+fmt.Sprintf("M%g %gL40 40", x, y)
}

// around returns the place on the ring of the plan at an angle from the front, clockwise.
func around(degrees float64) (x, y float64) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return tenth(40 + 29*sin), tenth(40 - 29*cos)
}
