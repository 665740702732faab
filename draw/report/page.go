package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"
)

//go:embed page.html
var source string

// page is a report in the words of its language; its exported fields and methods are what page.html shows.
type page struct {
	r   *Report
	W   *words
	all []*group

	Title, Subtitle, Text string
	Lead                  lead
	Pictures              []picture
	Charts                []*chart
	ChartsNote            string
	Tables                []table
	Trust                 trust
	Methods               []string
	Definitions           []Setting
	Settings              []Setting
}

func newPage(r *Report) *page {
	p := &page{r: r, W: languages[r.Language]}
	p.all = p.groups()
	return p
}

// parsed is the template; parsing it cannot fail.
var parsed = template.Must(template.New("page.html").Parse(source))

// render returns the file.
func (p *page) render() ([]byte, error) {
	p.Title, p.Text, p.Subtitle = p.r.Title, p.r.Text, p.subtitle()
	if p.Title == "" {
		p.Title = p.W.Kind
	}
	p.Lead, p.Charts, p.Tables, p.Trust = p.lead(), p.charts(), p.tables(), p.trust()
	p.Methods, p.Definitions, p.Settings = p.methods(), p.definitions(), p.r.Settings
	var err error
	if p.Pictures, err = p.pictures(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, p)
	return b.Bytes(), err
}

// subtitle says what and when.
func (p *page) subtitle() string {
	texts := []string{p.W.Kind}
	if p.r.Title == "" {
		texts = nil
	}
	if p.r.Person > 0 {
		texts = append(texts, fmt.Sprintf(p.W.person, p.r.Person))
	}
	if fps, ok := p.r.Sequence.FrameRate(); ok {
		texts = append(texts, fmt.Sprintf(p.W.lasts, fixed(p.r.Sequence.Duration(), 1), rate(fps)))
	} else if p.r.Sequence.Len() == 1 {
		texts = append(texts, p.W.still)
	}
	if t := p.r.Uploaded; !t.IsZero() {
		texts = append(texts, fmt.Sprintf(p.W.uploaded, p.date(t)))
	}
	if t := p.r.Made; !t.IsZero() {
		texts = append(texts, fmt.Sprintf(p.W.made, p.date(t)))
	}
	return strings.Join(texts, " · ")
}

func (p *page) date(t time.Time) string { return t.UTC().Format(p.W.date) }

// methods says how the numbers of this report were measured.
func (p *page) methods() []string {
	r, w := p.r, p.W
	list := []string{w.methodPlane, w.methodUncertainty}
	if _, main := p.main(); main != nil {
		list = append(list, w.methodRepetition)
	}
	compared := slices.ContainsFunc(r.Series, func(s Series) bool { return s.Result.Symmetry != nil })
	if r.Gait != nil && len(r.Gait.Events) > 0 {
		list, compared = append(list, w.methodGait), true
	}
	if compared {
		list = append(list, w.methodSymmetry)
	}
	if len(r.Jumps) > 0 {
		list = append(list, w.methodJump)
	}
	if c := r.Comparison; c != nil {
		list = append(list, fmt.Sprintf(w.methodCompare, w.alignments[c.Options.Alignment]))
		if c.Options.Mirror {
			list = append(list, w.mirrored)
		}
	}
	return list
}

// definitions says what each value is.
func (p *page) definitions() (list []Setting) {
	for _, g := range p.all {
		text, side := g.sides[0].Result.Description, string(g.sides[0].Result.Side)
		if p.W == &japanese {
			text = japaneseTypes[g.sides[0].Result.Type].definition
		} else if side != "" {
			text = strings.ReplaceAll(text, side+" ", "")
		}
		list = append(list, Setting{g.name, text})
	}
	return list
}

// Times and Plus compute sizes in page.html: Plus returns a + factor · b.
func (p *page) Times(a, b float64) float64 { return round1(a * b) }

func (p *page) Plus(a, b, factor float64) float64 { return round1(a + b*factor) }
