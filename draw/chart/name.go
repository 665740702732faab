package chart

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/analyze"
)

// shows returns the name of what a series shows: "left knee flexion". It is "" if it cannot be written.
func (s *Series) shows() string {
	if checkText("", s.Result.Name) != nil {
		return ""
	}
	return s.Result.Name
}

// subject is what a series shows without its side: "knee flexion".
func (s *Series) subject() string {
	if s.Result.Side == "" {
		return s.shows()
	}
	return strings.ReplaceAll(s.shows(), string(s.Result.Side)+" ", "")
}

// named fills in the names of series without one, and the title if there is none: what all of them
// show, without the side if they are of different sides, or nothing.
func named(series []Series, title string) ([]Series, string) {
	first, subject, whole := &series[0], true, true // what all share
	for i := range series {
		subject = subject && series[i].subject() == first.subject()
		whole = whole && series[i].shows() == first.shows()
	}
	own := title == "" // the title names what is shown
	switch {
	case !own:
	case whole:
		title = capital(first.shows())
	case subject:
		title = capital(first.subject())
	}
	list := slices.Clone(series)
	for i := range list {
		s := &list[i]
		switch {
		case s.Name != "":
		case own && whole && len(list) == 1:
		case own && subject && !whole && s.Result.Side != "":
			s.Name = string(s.Result.Side)
		case !whole || len(list) == 1:
			s.Name = s.shows()
		}
		if s.Name == "" && len(list) > 1 {
			s.Name = fmt.Sprintf("series %d", i+1)
		}
		if s.banded() {
			s.Name = strings.TrimPrefix(fmt.Sprintf("%s, mean ± standard deviation of %d", s.Name, s.Band.Count), ", ")
		}
	}
	return list, title
}

// capital returns the text with a capital at its beginning.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// colors returns the colours of the series: the person's left is blue and the right is orange, unless
// several series are of one side.
func (p palette) colors(series []Series) (colors [maxSeries]color.NRGBA) {
	bySide := map[analyze.Side]int{}
	for i := range series {
		bySide[series[i].Result.Side]++
	}
	left, right := bySide[analyze.LeftSide], bySide[analyze.RightSide]
	if left > 1 || right > 1 {
		return p.series
	}
	var others []color.NRGBA
	for k, c := range p.series {
		if !(k == 0 && left > 0 || k == 1 && right > 0) {
			others = append(others, c)
		}
	}
	for i := range series {
		switch series[i].Result.Side {
		case analyze.LeftSide:
			colors[i] = p.series[0]
		case analyze.RightSide:
			colors[i] = p.series[1]
		default:
			colors[i], others = others[0], others[1:]
		}
	}
	return colors
}
