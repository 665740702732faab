package report

import (
	"fmt"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/say"
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
	s := p.r.Subject
	add := func(told bool, name say.Text, value string) {
		if told {
			list = append(list, entry{p.in(name), value})
		}
	}
	add(s.Name != "", texts.Say("subject"), s.Name)
	add(s.BirthYear != 0, texts.Say("born"), fmt.Sprint(s.BirthYear))
	add(s.BodyHeight != 0, texts.Say("bodyHeight"), say.Amount{Value: s.BodyHeight, Unit: "m"}.In(p.lang))
	add(s.Side != "", texts.Say("affected"), p.sideName(s.Side))
	add(!p.r.Recorded.IsZero(), texts.Say("filmed"), p.day(p.r.Recorded))
	add(p.r.Examiner != "", texts.Say("examiner"), p.r.Examiner)
	return list
}

// sideName names a side alone; "" for none.
func (p *page) sideName(s analyze.Side) string { return p.in(say.Name(string(s)).Title()) }

// letter stands for a side where colours may be lost; "" for none.
func (p *page) letter(side string) string {
	if side != string(analyze.LeftSide) && side != string(analyze.RightSide) {
		return ""
	}
	return p.in(texts.Say("letter." + side))
}

// day writes a date, in UTC with the time.
func (p *page) day(t time.Time) string {
	if p.r.Zone == nil {
		return p.date(t)
	}
	return t.In(p.r.Zone).Format(p.in(texts.Say("day")))
}

// remarks writes the notes, each with its moment.
func (b *writer) remarks(p *page) {
	b.put("<section class=\"notes\"><h2>%s</h2>", p.in(texts.Say("notes")))
	for k, n := range p.r.Notes {
		b.put(`<p data-note="%v">%s`, k, n.Text)
		if n.Time != nil {
			b.put(` <small>%s</small>`, say.Amount{Value: *n.Time, Unit: "s"}.In(p.lang))
		}
		b.put("</p>")
	}
	if len(p.r.Notes) == 0 {
		b.put("<i></i><i></i>")
	}
	b.put("</section>\n")
}
