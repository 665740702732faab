package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/say"
)

//go:embed texts.json
var textsFile []byte

// texts are the headings of reports, and how to read them.
var texts = say.Open(textsFile)

// dot is between things of a line.
var dot = say.Text{say.English: " · ", say.Japanese: " · "}

// page is a report in a language; its exported fields are what the file shows that is drawn, or decides what else it shows.
type page struct {
	r      *Report
	lang   say.Language
	all    []*group
	curves []*curve // of all groups
	main   *curve   // with the repetitions that the report shows; nil without

	Pictures   []picture
	Charts     []figure
	ChartsNote string
	Sessions   figure // without a drawing, none
	Targets    table  // without rows, none
}

func newPage(r *Report) *page {
	p := &page{r: r, lang: cmp.Or(r.Language, say.English)}
	p.arrange()
	return p
}

// in says a text in the language of the page.
func (p *page) in(t say.Text) string { return t.In(p.lang) }

// named are names that are the same in all languages.
func named(names []string) (list []say.Text) {
	for _, name := range names {
		list = append(list, say.Text{say.English: name})
	}
	return list
}

func (p *page) render() (string, error) {
	var err error
	if p.Sessions, err = p.sessions(); err != nil {
		return "", err
	}
	p.Targets = p.targetTable()
	if p.Pictures, err = p.pictures(); err != nil {
		return "", err
	}
	if err := p.charts(); err != nil {
		return "", err
	}
	return p.html(), nil
}

// subtitle says what and when.
func (p *page) subtitle() string {
	r := p.r
	fps, moves := r.Sequence.FrameRate()
	var s sentences
	s.add(r.Title != "", p.in(texts.Say("kind")))
	if of := r.Study; of != nil {
		s.add(of.Movement.Known(), p.in(say.Name("movement."+string(of.Movement))))
	}
	if r.Comparison != nil {
		s = append(s, p.in(texts.Say("comparedWith", p.other())))
	}
	s.add(r.Person > 0, p.in(texts.Say("person", r.Person)))
	s.add(moves, p.in(texts.Say("lasts", r.Sequence.Duration(), rate(fps))))
	s.add(!moves && r.Sequence.Len() == 1, p.in(texts.Say("still")))
	s.add(!r.Uploaded.IsZero() && r.Recorded.IsZero(), p.in(texts.Say("uploaded", p.date(r.Uploaded))))
	s.add(!r.Made.IsZero(), p.in(texts.Say("made", p.date(r.Made))))
	return strings.Join(s, " · ")
}

// sentences are those of several that hold.
type sentences []string

func (s *sentences) add(holds bool, text string) {
	if holds {
		*s = append(*s, text)
	}
}

func (p *page) date(t time.Time) string { return t.UTC().Format(p.in(texts.Say("date"))) }

// partText says which part of the recording was analysed, "" for all of it.
func (p *page) partText() string {
	if p.r.Part == (keypoint.Span{}) || p.r.Sequence.Times == nil {
		return ""
	}
	return p.in(texts.Say("only", p.timeOf(p.r.Part.First), p.timeOf(p.r.Part.Last)))
}

// disclaimer says what the numbers are and what they are not, at the foot of the report.
func (p *page) disclaimer() string { return p.in(texts.Say("measured." + p.way())) }

// way says how the recording was measured.
func (p *page) way() string {
	switch of := p.r.Sequence.Space; {
	case !of.Seen():
		return "plane"
	case len(of.Cameras) == 0:
		return "laboratory"
	}
	return "space"
}

// methods says how the numbers of this report were measured.
func (p *page) methods() (s sentences) {
	r := p.r
	add := func(holds bool, t say.Text) { s.add(holds, p.in(t)) }
	s.add(p.partText() != "", p.partText())
	add(true, texts.Say("method."+p.way()))
	add(true, texts.Say("method.uncertainty", say.Name("uncertainty")))
	if n := r.Neutral; n != nil {
		add(true, texts.Say("neutral", seconds(n.From), seconds(n.To)))
	} else if r.Study != nil && r.Study.Standing != nil {
		add(true, texts.Say("neutral.offer", seconds(r.Study.Standing.From), seconds(r.Study.Standing.To)))
	}
	add(p.main != nil, texts.Say("method.repetition"))
	add(r.Gait != nil && len(r.Gait.Events) > 0, texts.Say("method.gait"))
	add(len(r.Jumps) > 0, texts.Say("method.jump"))
	if c := r.Comparison; c != nil {
		add(true, texts.Say("method.compare", texts.Say("alignment."+string(cmp.Or(c.Options.Alignment, compare.Linear)))))
		add(c.Options.Mirror, texts.Say("mirrored"))
	}
	return s
}

// entry is a tile of the lead or a line of the small print.
type entry struct{ Name, Value string }

// settings says how the keypoints were made.
func (p *page) settings() (list []entry) {
	s := p.r.Settings
	add := func(told bool, name say.Text, value string) {
		if told {
			list = append(list, entry{p.in(name), value})
		}
	}
	add(s.Version != "", texts.Say("version"), "motion "+s.Version)
	add(s.Keypoints != 0, texts.Say("keypoints"), fmt.Sprint(s.Keypoints))
	add(s.Analysis != 0, texts.Say("analysis"), fmt.Sprint(s.Analysis))
	add(s.Comparing != 0, texts.Say("comparison"), fmt.Sprint(s.Comparing))
	add(s.Rate != 0, texts.Say("looks"), rate(s.Rate))
	add(s.CaptureRate != 0, texts.Say("capture"), rate(s.CaptureRate))
	if s.Cleaning != nil {
		add(true, texts.Say("cleaning"), p.in(cleaning(*s.Cleaning)))
	}
	return list
}

func cleaning(o clean.Options) say.Text {
	var steps []say.Text
	add := func(holds bool, step say.Text) {
		if holds {
			steps = append(steps, step)
		}
	}
	add(o.Swaps, texts.Say("cleaning.swaps"))
	add(o.Outliers != nil, texts.Say("cleaning.outliers"))
	add(o.Coincident, texts.Say("cleaning.coincident"))
	if o.Gaps != nil {
		add(true, texts.Say("cleaning.gaps", seconds(cmp.Or(o.Gaps.Max, 0.5))))
	}
	if o.Smooth != nil {
		method := string(cmp.Or(o.Smooth.Method, "butterworth"))
		if cutoff := o.Smooth.Cutoff; cutoff > 0 {
			method += " " + text.Fixed(cutoff, 1) + " Hz"
		}
		add(true, texts.Say("cleaning.smooth", method))
	}
	if len(steps) == 0 {
		return texts.Say("cleaning.none")
	}
	return say.List(steps...)
}
