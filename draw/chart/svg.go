package chart

import (
	"fmt"
	"html"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// fonts are those of the systems' own programs.
const fonts = `system-ui,-apple-system,"Segoe UI",Roboto,"Hiragino Sans","Noto Sans","Noto Sans CJK JP","Yu Gothic",Meiryo,sans-serif`

func (f *figure) file() string {
	var b strings.Builder
	p := f.palette()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="%.0f" height="%.0f" viewBox="%s" role="img" aria-label="%s">`,
		(f.left+f.width+f.right)*f.scale, (f.top+f.height+f.bottom)*f.scale, f.viewBox(), html.EscapeString(f.title))
	fmt.Fprintf(&b, `<style>.chart text{font:400 %gpx %s;fill:%s;font-variant-numeric:tabular-nums}.chart .title{font-size:%gpx;font-weight:600;fill:%s}`+
		`.chart .key{fill:%s}.chart .no{fill:%s;font-weight:600;text-anchor:middle}.chart .ground{fill:%s}.grid{stroke:%s;stroke-width:%g}.span{fill:%s}.flag{fill:%s}`+
		`.ln{fill:none;stroke:currentColor;stroke-width:%g;stroke-linejoin:round;stroke-linecap:round}.dashed{stroke-dasharray:4 3;stroke-width:%g}`+
		`.level{stroke-dasharray:.1 3;stroke-width:%g}.dots{stroke-dasharray:none;stroke-width:%g}.area{fill:currentColor;opacity:%g}`,
		em, fonts, css(p.faint), titleEm, css(p.ink), css(p.text), css(p.text), css(p.ground), css(p.grid), gridWidth, css(p.span), css(p.flag),
		lineWidth, dashedWidth, levelWidth, dotWidth, areaOpacity)
	for k, c := range p.series {
		fmt.Fprintf(&b, ".%s{color:%s}", slots[k], css(c))
	}
	fmt.Fprintf(&b, `</style><rect class="ground" x="%g" y="%g" width="100%%" height="100%%"/>`, -round(f.left), -round(f.top))
	if f.title != "" {
		fmt.Fprintf(&b, `<text class="title" x="%g" y="%g">%s</text>`, round(edge-f.left), round(edge+0.8*titleEm-f.top), html.EscapeString(f.title))
	}
	for _, k := range f.keys {
		x := k.x
		if k.class != "" {
			fmt.Fprintf(&b, `<path class="ln %s" d="M%g %gh%g"/>`, k.class, round(x), round(k.y), keyLength)
			x += keyLength + 5
		}
		fmt.Fprintf(&b, `<text class="key" x="%g" y="%g">%s</text>`, round(x), round(k.y+3.3), html.EscapeString(k.text))
	}
	f.body(&b)
	b.WriteString("</svg>\n")
	return b.String()
}

func (f *figure) viewBox() string {
	return fmt.Sprintf("%g %g %g %g", -round(f.left), -round(f.top), round(f.left+f.width+f.right), round(f.top+f.height+f.bottom))
}

// body writes what is in the plot and at its axes.
func (f *figure) body(b *strings.Builder) {
	for _, s := range f.lanes {
		fmt.Fprintf(b, `<rect class="lane" x="%g" y="%g" width="%g" height="%g" rx="4"/>`, s.x, round(s.y), round(s.width), s.height)
	}
	for _, s := range f.spans {
		class := "span"
		if s.flag {
			class += " flag"
		}
		fmt.Fprintf(b, `<rect class="%s" x="%g" y="%g" width="%g" height="%g" rx="4"/>`, class, s.x, s.y, round(s.width), round(s.height))
		fmt.Fprintf(b, `<text class="no" x="%g" y="%g">%s</text>`, round(s.x+s.width/2), s.y+11, s.number)
	}
	for _, t := range f.ticks {
		fmt.Fprintf(b, `<path class="grid" d="M0 %gH%g"/><text x="-5" y="%g" text-anchor="end">%s</text>`, t.at, round(f.width), round(t.at+3), html.EscapeString(t.text))
	}
	for _, t := range f.times {
		fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle">%s</text>`, t.at, round(f.height+f.under+13), html.EscapeString(t.text))
	}
	for _, l := range f.lines {
		if len(l.areas) > 0 {
			fmt.Fprintf(b, `<path class="area %s" d="`, l.class)
			for _, a := range l.areas {
				path(b, a)
				b.WriteByte('Z')
			}
			b.WriteString(`"/>`)
		}
	}
	for _, l := range f.lines {
		lines, dots := strings.Builder{}, strings.Builder{}
		for _, run := range l.runs {
			if len(run) > 1 {
				path(&lines, run)
			} else {
				path(&dots, run)
				dots.WriteString("h0")
			}
		}
		if lines.Len() > 0 {
			fmt.Fprintf(b, `<path class="ln %s" d="%s"/>`, l.class, &lines)
		}
		if dots.Len() > 0 {
			fmt.Fprintf(b, `<path class="ln dots %s" d="%s"/>`, l.class, &dots)
		}
	}
	for _, d := range f.dots {
		class := "mk " + d.class
		if d.hollow {
			class += " hollow"
		}
		if d.class == "right" {
			fmt.Fprintf(b, `<rect class="%s" x="%g" y="%g" width="5" height="5"/>`, class, round(d.x-2.5), round(d.y-2.5))
		} else {
			fmt.Fprintf(b, `<circle class="%s" cx="%g" cy="%g" r="2.8"/>`, class, round(d.x), round(d.y))
		}
	}
	for _, l := range f.labels {
		fmt.Fprintf(b, `<text class="%s" x="%g" y="%g" text-anchor="%s">%s</text>`, l.class, round(l.x), round(l.y), l.anchor, html.EscapeString(l.text))
	}
}

func path(b *strings.Builder, points []keypoint.Point) {
	pen := 'M'
	for _, p := range points {
		fmt.Fprintf(b, "%c%g %g", pen, round(p[0]), round(p[1]))
		pen = 'L'
	}
}
