package report

import (
	"slices"
	"strings"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// trust says how far the numbers can be trusted.
type trust struct {
	Class, Title string // Class is "good", "care" or "bad"
	Sentences    sentences
	Plan         *plan // nil if the view is unknown
}

// classes are those of the verdicts.
var classes = map[quality.Verdict]string{quality.Good: "good", quality.Usable: "care", quality.Poor: "bad", quality.Nobody: "bad"}

func (p *page) trust() (t trust) {
	verdict := p.r.Quality.Verdict
	if p.r.Study != nil {
		verdict = p.r.Study.Verdict
	}
	said := texts.Say("unjudged")
	if t.Class = "care"; verdict != "" {
		t.Class, said = classes[verdict], say.Name("verdict."+string(verdict))
	}
	t.Title = p.in(texts.Say("trust", said))
	var limit say.Text
	var list []say.Text
	if s := p.r.Study; s != nil {
		limit = s.Summary.Limit
		list = append(list, limit, s.Summary.Do)
		for _, hides := range s.Summary.Hides {
			list = append(list, say.Sentence(hides))
		}
	}
	list = append(list, p.warnings(limit)...)
	if of, from := p.r.Sequence.Space, p.facing(); p.way() == "space" {
		list, t.Plan = append(list, texts.Say("view.space", len(of.Cameras), of.Angle)), p.planInSpace()
	} else if from.Known() && !of.Seen() {
		if t.Plan = p.plan(from.View); !p.said(limit, quality.CodeOutOfPlane) {
			list = append(list, texts.Say("view", say.From(from)))
		}
	}
	for _, said := range append(list, p.scale()) {
		t.Sentences.add(len(said) > 0, p.in(said))
	}
	t.Sentences.add(p.r.Corrected > 0, p.in(texts.Say("corrected", p.r.Corrected)))
	t.Sentences.add(p.r.Outdated, p.in(texts.Say("outdated")))
	return t
}

// scale says what the lengths of the report are in; nil without lengths.
func (p *page) scale() say.Text {
	shows := func(units ...string) bool {
		return p.r.Gait != nil && slices.Contains(units, p.r.Gait.Unit) || slices.ContainsFunc(p.curves, func(c *curve) bool { return slices.Contains(units, c.unit) })
	}
	switch of, w := p.r.Sequence.Space, p.r.Sequence.World; {
	case of.Seen() && of.Unit == keypoint.Metres:
		return texts.Say("scaled." + p.way())
	case of.Seen() || shows("torso", "torso/s"):
		return texts.Say("inTorsos")
	case w.Metric():
		return texts.Say("scaled", 1000*w.MetresPerPixel)
	case shows("px", "px/s"):
		return texts.Say("inPixels")
	}
	return nil
}

// said reports whether a limit says what a warning does: from where the recording is seen, or what is hidden.
func (p *page) said(limit say.Text, code quality.Code) bool {
	what := say.Name("warning." + string(code))
	switch code {
	case quality.CodeOutOfPlane, quality.CodeFacing:
		what = say.Text{say.English: "filmed "} // as the limit begins
	case quality.CodeHiddenSide:
		what = say.Name("why." + string(quality.CodeHidden))
	}
	return strings.Contains(strings.ToLower(limit.String()), strings.ToLower(what.String()))
}

// facing is from where the recording is seen.
func (p *page) facing() (from quality.Facing) {
	if p.r.Study != nil {
		from = p.r.Study.Facing
	}
	if !from.Known() && p.r.Quality.Verdict != "" {
		from = p.r.Quality.Facing()
	}
	return from
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

// warnings are those of the recording and of its steps, one of each code but that which is said already.
func (p *page) warnings(limit say.Text) (list []say.Text) {
	var all []quality.Warning
	if p.r.Study != nil {
		all = slices.Clone(p.r.Study.Notes)
	} else {
		if p.r.Quality.Verdict != "" {
			all = slices.Clone(p.r.Quality.Warnings)
		}
		for _, s := range p.r.Series {
			all = append(all, s.Result.Warnings...)
		}
	}
	if p.r.Gait != nil {
		all = append(all, p.r.Gait.Warnings...)
	}
	for k, w := range all {
		known := slices.ContainsFunc(all[:k], func(o quality.Warning) bool { return o.Code == w.Code })
		if sentence := say.Name("warning." + string(w.Code)); !known && !p.said(limit, w.Code) {
			of := slices.DeleteFunc(slices.Clone(all[k:]), func(o quality.Warning) bool { return o.Code != w.Code })
			list = append(list, p.where(sentence, of))
		}
	}
	return list
}

// ofParts are the warnings that name their parts, if these are at most four.
var ofParts = []quality.Code{quality.CodeLowCoverage, quality.CodeJitter, quality.CodeCutOff, quality.CodeHiddenSide}

// where adds to a sentence which part of the recording and of the body warnings of a code concern, if not all of it.
func (p *page) where(sentence say.Text, of []quality.Warning) say.Text {
	var where []say.Text
	n := p.r.Sequence.Len()
	switch frames, first, last := p.concerned(of); {
	case frames == n || frames == 0:
	case last-first+1 == frames:
		where = append(where, say.Text{say.English: p.timeOf(first) + "–" + p.timeOf(last)})
	default:
		where = append(where, say.Amount{Value: max(0.01, float64(frames)/float64(n)), Unit: "%"}.Text())
	}
	var parts keypoint.Parts
	for _, w := range of {
		parts |= w.Parts
	}
	if slices.Contains(ofParts, of[0].Code) && parts.Len() > 0 && parts.Len() <= 4 {
		for _, part := range parts.List() {
			where = append(where, say.Name(part.String()))
		}
	}
	if len(where) == 0 {
		return sentence
	}
	return texts.Say("where", sentence, say.Phrase(where...))
}
