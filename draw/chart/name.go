package chart

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/internal/text"
)

// subject is what a series shows without its side: "knee flexion".
func (s *Series) subject() string {
	if s.Result.Side == "" {
		return s.Result.Name
	}
	return strings.ReplaceAll(s.Result.Name, string(s.Result.Side)+" ", "")
}

// named fills in the names of series without one, and the title if there is none: what all of them
// show, without the side if they are of different sides, or nothing.
func named(series []Series, title string) ([]Series, string) {
	first, subject, whole := &series[0], true, true // what all share
	for i := range series {
		subject = subject && series[i].subject() == first.subject()
		whole = whole && series[i].Result.Name == first.Result.Name
	}
	own := title == "" // the title names what is shown
	switch {
	case !own:
	case whole:
		title = text.Upper(first.Result.Name)
	case subject:
		title = text.Upper(first.subject())
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
			s.Name = s.Result.Name
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

// slots are the classes of the colours.
var slots = [maxSeries]string{"left", "right", "mid", "c3", "c4", "c5"}

// classes returns the classes of the colours of the series: those of their sides, unless several are of
// one side; a dashed one has that of the series before it.
func classes(series []Series) []string {
	bySide := map[analyze.Side]int{}
	for i := range series {
		if !series[i].Dashed {
			bySide[series[i].Result.Side]++
		}
	}
	left, right := bySide[analyze.LeftSide], bySide[analyze.RightSide]
	list, others, sided := make([]string, len(series)), slots[:], left <= 1 && right <= 1
	if sided {
		others = slices.Clone(slots[2:])
		if left == 0 {
			others = append(others, slots[0])
		}
		if right == 0 {
			others = append(others, slots[1])
		}
	}
	for i := range series {
		side := series[i].Result.Side
		switch {
		case series[i].Dashed && i > 0:
			list[i] = list[i-1]
		case side != "" && sided:
			list[i] = string(side)
		default:
			list[i], others = others[0], others[1:]
		}
	}
	return list
}

// class returns the class of line k of a series in a colour: the y of points is dashed.
func (s *Series) class(color string, k int) string {
	if s.Dashed || k > 0 {
		return color + " dashed"
	}
	return color
}
