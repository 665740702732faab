package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/bodymotion/motion/say"
)

//go:embed style.css
var style string

// writer writes HTML. It is plain code, for html/template alone makes a program for browsers larger by a megabyte.
type writer struct {
	strings.Builder
	page *page
}

// markup is text that is HTML already.
type markup string

// put writes a format of %s and %v. All that is not markup is escaped, for text and for quoted attributes.
func (b *writer) put(format string, args ...any) {
	for k, a := range args {
		if _, ok := a.(markup); !ok {
			args[k] = html.EscapeString(fmt.Sprint(a))
		}
	}
	fmt.Fprintf(b, format, args...)
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (p *page) html() string {
	b, title := &writer{page: p}, cmp.Or(p.r.Title, p.in(texts.Say("kind")))
	b.put(`<!doctype html>
<html lang="%s">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<header><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#14181f"/>`+
		`<g fill="none" stroke-width="3" stroke-linecap="round"><path stroke="#46a2ff" d="M9 8.5 20 13.5"/><path stroke="#ff8f33" d="M20 13.5 12 24.5"/></g>`+
		`<circle fill="#fff" cx="20" cy="13.5" r="2.6"/></svg><div><h1>%s</h1><p>%s</p></div></header>
<main>
`, p.lang, title, markup(strings.Replace(style, "DISCLAIMER", p.disclaimer(), 1)), title, p.subtitle())
	if id := p.identity(); len(id) > 0 {
		b.put(`<dl class="id">`)
		b.entriesOf(id)
		b.put("</dl>\n")
	}
	if p.r.Text != "" {
		b.put("<p class=\"text\">%s</p>\n", p.r.Text)
	}
	b.lead(p.lead())
	if p.r.Movie != "" {
		b.put("<video controls playsinline preload=\"metadata\" src=\"%s\"></video>\n", p.r.Movie)
	}
	division(b, "pictures", " one", p.Pictures, b.picture)
	for row := range slices.Chunk(p.drawn(), mostShots) {
		division(b, "pictures", " one", row, b.picture)
	}
	if p.ChartsNote != "" {
		b.put("<p class=\"note\">%s</p>\n", p.ChartsNote)
	}
	if p.course() {
		b.put("<div class=\"pairs\">\n")
		if len(p.Charts) > 0 {
			b.chart(p.Charts[0])
			p.Charts = p.Charts[1:]
		}
		b.table(p.Targets)
		b.chart(p.Sessions)
		b.remarks(p)
		b.put("</div>\n")
		b.trust(p)
	}
	division(b, "charts", " single", p.Charts, b.chart)
	division(b, "tables", "", p.tables(), b.table)
	if !p.course() {
		b.trust(p)
		b.remarks(p)
	}
	b.put(`<section class="small"><h2>%s</h2>`, p.in(texts.Say("methods")))
	b.paragraphs(p.methods())
	b.put("\n")
	var meanings []entry
	for _, g := range p.all {
		meanings = append(meanings, entry{g.name, p.in(g.sides[0].Result.Meaning())})
	}
	b.entries(p.in(texts.Say("definitions")), meanings)
	b.put("\n")
	b.entries(p.in(texts.Say("settings")), p.settings())
	b.put("</section>\n</main>\n<footer>%s</footer>\n</body>\n</html>\n", p.disclaimer())
	return b.String()
}

// course reports whether the first page has what a course of treatment asks for: targets, sessions and notes.
func (p *page) course() bool {
	return len(p.Targets.Rows) > 0 || p.Sessions.SVG != "" || len(p.r.Notes) > 0
}

func (b *writer) trust(p *page) {
	t := p.trust()
	b.put(`<section class="trust %s"><div><h2>%s</h2>`, t.Class, t.Title)
	if p.course() {
		t.Sentences = sentences{p.in(say.Paragraph(named(t.Sentences)...))}
	}
	b.paragraphs(t.Sentences)
	b.put(`</div>`)
	b.plan(t.Plan)
	b.put("</section>\n")
}

func (b *writer) lead(l lead) {
	if l.Title == "" && len(l.Sentences) == 0 && len(l.Tiles) == 0 {
		return
	}
	b.put(`<section class="lead%s"><div>`, either(len(l.Tiles) == 0, " alone", ""))
	if l.Title != "" {
		b.put("<h2>%s</h2>", l.Title)
	}
	b.paragraphs(l.Sentences)
	b.put("</div>")
	if len(l.Tiles) > 0 {
		b.put(`<dl class="tiles">`)
		for _, t := range l.Tiles {
			b.put("<div><dt>%s</dt><dd>", t.Name)
			b.cell(t.Value)
			b.put("</dd></div>")
		}
		b.put("</dl>")
	}
	b.put("</section>\n")
}

func (b *writer) cell(c cell) {
	if c.PM == "" {
		b.put("%s", c.Text)
		return
	}
	b.put(`<span class="num">%s <small class="pm%s">%s%s</small></span>`, c.Text, either(c.Care, " care", ""), c.PM, either(c.Care, " ▲", ""))
}

// division writes all of a list in a division of a class, with another class if it is only one; nothing of an empty list.
func division[T any](b *writer, class, alone string, list []T, write func(T)) {
	if len(list) == 0 {
		return
	}
	b.put("<div class=\"%s%s\">\n", class, either(len(list) == 1, alone, ""))
	for _, one := range list {
		write(one)
	}
	b.put("</div>\n")
}

func (b *writer) picture(one picture) {
	s := one.Stroke
	b.put(`<figure><svg viewBox="%s" role="img" aria-label="%s %s">`, one.ViewBox, one.Name, one.Note)
	if one.Data != "" {
		b.put(`<image x="%v" y="%v" width="%v" height="%v" preserveAspectRatio="none" href="%s"/>`, one.X, one.Y, one.Width, one.Height, one.Data)
	}
	for _, bone := range one.Bones {
		if bone.Class != "other" {
			b.put(`<path class="bone rim" stroke-width="%v" d="%s"/>`, tenth(s*1.9), bone.Path)
		}
	}
	for _, bone := range one.Bones {
		if bone.Class == "other" {
			b.put(`<path class="bone other" stroke-width="%v" stroke-dasharray="%v" d="%s"/>`, tenth(s*0.8), tenth(s*1.6), bone.Path)
		} else {
			b.put(`<path class="bone %s" stroke-width="%v" d="%s"/>`, bone.Class, s, bone.Path)
		}
	}
	for _, j := range one.Joints {
		b.put(`<circle class="joint %s" stroke-width="%v" r="%v" cx="%v" cy="%v"/>`, j.Class, tenth(s*0.6), tenth(s*0.9), j.X, j.Y)
	}
	for _, line := range one.Sketches {
		b.put(`<path class="bone rim" stroke-width="%v" d="%s"/><path fill="none" stroke="%s" stroke-width="%v" d="%s"/>`, tenth(s*1.9), line.Path, line.Class, s, line.Path)
	}
	for _, t := range one.Tags {
		b.put(`<g class="tag"><rect x="%v" y="%v" width="%v" height="%v" rx="%v"/>`, t.X, t.Y, t.Width, tenth(t.Size*1.7), tenth(t.Size*0.85))
		if side := tenth(t.Size * 0.62); t.Class == "right" {
			b.put(`<rect class="right" x="%v" y="%v" width="%v" height="%v"/>`, tenth(t.X+t.Size*0.6), tenth(t.Y+t.Size*0.54), side, side)
		} else {
			b.put(`<circle class="%s" cx="%v" cy="%v" r="%v"/>`, t.Class, tenth(t.X+t.Size*0.9), tenth(t.Y+t.Size*0.85), tenth(t.Size*0.32))
		}
		b.put(`<text x="%v" y="%v" font-size="%v">%s</text></g>`, tenth(t.X+t.Size*1.5), tenth(t.Y+t.Size*1.21), t.Size, t.Text)
	}
	b.put("</svg>\n<figcaption><b>%s</b>%s</figcaption></figure>\n", one.Name, one.Note)
}

func (b *writer) chart(f figure) {
	if f.SVG == "" {
		return
	}
	b.put(`<figure class="plot"><figcaption><b>%s</b><small>%s</small><span class="key">`, f.Name, f.Note)
	for _, l := range f.Legend {
		b.put(`<span>`)
		b.dot(l.Class)
		b.put(`%s</span>`, l.Text)
	}
	b.put("</span></figcaption>%s", f.SVG)
	if f.Foot != "" {
		b.put(`<p class="foot"><i></i>%s</p>`, f.Foot)
	}
	b.put("</figure>\n")
}

func (b *writer) table(t table) {
	if len(t.Rows) == 0 {
		return
	}
	b.put(`<section class="%s%s"><h2>%s`, either(t.Wide, "wide", ""), either(len(t.Rows) > 14, " long", ""), t.Title)
	if t.Note != "" {
		b.put(" <small>%s</small>", t.Note)
	}
	b.put("</h2><table><thead><tr>")
	for _, name := range t.Head {
		b.put(`<th scope="col">%s</th>`, name)
	}
	b.put("</tr></thead><tbody>\n")
	for _, r := range t.Rows {
		b.row(r)
	}
	b.put("</tbody></table></section>\n")
}

// dot writes the mark of a side, a circle for the left and a square for the right, with its letter for prints in grey.
func (b *writer) dot(side string) {
	b.put(`<i class="dot %s">%s</i>`, side, b.page.letter(side))
}

func (b *writer) row(r row) {
	b.put(`<tr class="%s"><th scope="row">`, r.Class)
	if r.Dot != "" {
		b.dot(r.Dot)
	}
	b.put("%s", r.Name)
	if r.Pill != "" {
		b.put(`<span class="pill">%s</span>`, r.Pill)
	}
	b.put("</th>")
	for _, c := range r.Cells {
		b.put(`<td class="%s"`, c.Class)
		if c.Span != 0 {
			b.put(` colspan="%v"`, c.Span)
		}
		b.put(">")
		b.cell(c)
		b.put("</td>")
	}
	b.put("</tr>\n")
}

func (b *writer) plan(d *plan) {
	if d == nil {
		return
	}
	b.put(`<svg class="plan" viewBox="0 0 80 80" role="img" aria-label="%s"><circle class="plan__ring" cx="40" cy="40" r="29"/>`, d.Description)
	b.put(`<path class="plan__good" d="%s"/><path class="plan__ray" d="%s"/><ellipse class="plan__body" cx="40" cy="40" rx="11" ry="5.5"/>`, d.Good, d.Ray)
	b.put(`<circle class="plan__head" cx="40" cy="39" r="4.6"/><path class="plan__head" d="M38 35 40 31.5 42 35Z"/>`)
	for _, c := range d.Cameras {
		b.put(`<g transform="translate(%v %v) rotate(%v)"><rect class="plan__cam" x="-6.5" y="-5" width="13" height="10" rx="2.5"/>`, c.X, c.Y, c.Turn)
		b.put(`<path class="plan__cam" d="M-3.5-5 0-9.5 3.5-5Z"/></g>`)
	}
	b.put("</svg>")
}

func (b *writer) paragraphs(list []string) {
	for _, text := range list {
		b.put("<p>%s</p>", text)
	}
}

func (b *writer) entries(title string, list []entry) {
	if len(list) == 0 {
		return
	}
	b.put("<h2>%s</h2><dl>", title)
	b.entriesOf(list)
	b.put("</dl>")
}

func (b *writer) entriesOf(list []entry) {
	for _, e := range list {
		b.put("<div><dt>%s</dt><dd>%s</dd></div>", e.Name, e.Value)
	}
}
