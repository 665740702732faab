package report

import (
	"fmt"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/internal/text"
)

// Subject is the person whom a recording shows. What is zero is left out.
type Subject struct {
	Name       string
	BirthYear  int
	BodyHeight float64 // metres
	Side       analyze.Side
}

// Note is what somebody wrote about a recording.
type Note struct {
	Time *float64 // seconds in the recording; nil: of all of it
	Text string
}

// identity says who was filmed, when and by whom.
func (p *page) identity() (list []entry) {
	s, w := p.r.Subject, p.W
	add := func(told bool, name, value string) {
		if told {
			list = append(list, entry{name, value})
		}
	}
	add(s.Name != "", w.subject, s.Name)
	add(s.BirthYear != 0, w.born, fmt.Sprint(s.BirthYear))
	add(s.BodyHeight != 0, w.bodyHeight, text.Fixed(s.BodyHeight, 2)+" m")
	add(s.Side != "", w.affected, text.Upper(w.Lang.Of(string(s.Side))))
	add(!p.r.Recorded.IsZero(), w.filmed, p.day(p.r.Recorded))
	add(p.r.Examiner != "", w.examiner, p.r.Examiner)
	return list
}

// day writes a date, in UTC with the time.
func (p *page) day(t time.Time) string {
	if p.r.Zone == nil {
		return p.date(t)
	}
	return t.In(p.r.Zone).Format(p.W.day)
}

// remarks writes the notes, each with its moment.
func (b *writer) remarks(p *page) {
	b.put("<section class=\"notes\"><h2>%s</h2>", p.W.Notes)
	for k, n := range p.r.Notes {
		b.put(`<p data-note="%v">%s`, k, n.Text)
		if n.Time != nil {
			b.put(` <small>%s</small>`, fmt.Sprintf(p.W.at, seconds(*n.Time)))
		}
		b.put("</p>")
	}
	if len(p.r.Notes) == 0 {
		b.put("<i></i><i></i>")
	}
	b.put("</section>\n")
}
