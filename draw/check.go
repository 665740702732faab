package draw

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
)

// check returns what is wrong with rules, and what is for a comparison only if the drawing
// is not of one.
func check(rules []Rule, comparison bool) (errs Errors) {
	for i := range rules {
		r := &rules[i]
		r.check(comparison, func(member, detail string) {
			errs = append(errs, &Error{Pointer: rulejson.Place(r.pointer, i, len(rules)) + member, Detail: detail})
		})
	}
	return errs
}

// check calls note for each mistake in the rule.
func (r *Rule) check(comparison bool, note func(member, detail string)) {
	if least, _ := r.Type.points(); least == 0 {
		note("/drawingType", fmt.Sprintf("is %q, want one of %s", r.Type, list(Types())))
		return
	}
	if r.Points != nil || r.Type == Angle {
		if detail := wrongCount(r.Type, len(r.Points)); detail != "" {
			note("/points", detail)
		}
	}
	for j, s := range r.Points {
		if err := s.Validate(); err != nil {
			note(fmt.Sprintf("/points/%d", j), strings.TrimPrefix(err.Error(), keypoint.ErrInvalid.Error()+" point: "))
		}
	}
	if r.Pattern != "" {
		if _, ok := keypoint.Group(r.Pattern); !ok {
			note("/pattern", fmt.Sprintf("is %q, want one of all, upperBody, lowerBody, leftBody, rightBody", r.Pattern))
		}
		if r.Points != nil {
			note("/pattern", "is given together with points: want one of the two")
		}
	}
	checkColor("/color", r.Color, note)
	checkColor("/ghost", r.Ghost, note)
	checkColor("/arrows", r.Arrows, note)
	checkSize("/size", r.Size, note)
	for j, b := range r.Bands {
		ptr := fmt.Sprintf("/comparisons/%d", j)
		if !(b.Threshold >= 0 && b.Threshold <= 1) {
			note(ptr+"/threshold", fmt.Sprintf("is %v, want a distance of 0 to 1", b.Threshold))
		}
		checkColor(ptr+"/color", b.Color, note)
		checkSize(ptr+"/size", b.Size, note)
	}
	if !comparison {
		r.checkPlain(note)
	}
	if !(r.Seconds >= 0 && r.Seconds <= maxSeconds) {
		note("/seconds", fmt.Sprintf("is %v, want more than 0 and at most %d", r.Seconds, maxSeconds))
	}
	r.checkExtras(note)
}

// checkPlain notes properties that are for a drawing of a comparison only.
func (r *Rule) checkPlain(note func(member, detail string)) {
	const only = "is for drawing a comparison only"
	if r.Bands != nil {
		note("/comparisons", only)
	}
	if r.Ghost != "" {
		note("/ghost", only)
	}
	if r.Arrows != "" {
		note("/arrows", only)
	}
	if r.Legend {
		note("/legend", only)
	}
}

// checkExtras notes properties that the rule's type does not have, and mistakes in those
// beyond the specification.
func (r *Rule) checkExtras(note func(member, detail string)) {
	if least, _ := r.Type.points(); least == 0 {
		return // reported elsewhere
	}
	only := func(wrong bool, member, detail string) {
		if wrong {
			note(member, detail)
		}
	}
	only(r.Ghost != "" && (r.Type == Angle || r.Type == Trace || r.Type == Label), "/ghost", "is not for angle, trace and label")
	only(r.Arrows != "" && r.Type != Keypoint && r.Type != StickPicture, "/arrows", "is for keypoint and stickPicture only")
	only(r.Legend && len(r.Bands) == 0, "/legend", "explains the comparisons of the rule, and there are none")
	only(r.Rotation && r.Type != Angle, "/rotation", "is for angle only")
	only(r.Seconds != 0 && r.Type != Trace, "/seconds", "is for trace only")
	only(r.Text != "" && r.Type != Label, "/text", "is for label only")
	only(r.Analysis != nil && r.Type != Label, "/analysis", "is for label only")
	if r.Analysis != nil && *r.Analysis < 0 {
		note("/analysis", fmt.Sprintf("is %d, want the number of an analysis, from 0", *r.Analysis))
	}
	if n := utf8.RuneCountInString(r.Text); n > maxText {
		note("/text", fmt.Sprintf("has %d characters, want at most %d", n, maxText))
	} else if c, missing := unwritable(r.Text); missing {
		note("/text", fmt.Sprintf("has %q, which the font cannot write", c))
	}
}

func checkColor(member string, c Color, note func(member, detail string)) {
	if !c.valid() {
		note(member, fmt.Sprintf("is %q, want one of %s", c, list(Colors())))
	}
}

func checkSize(member string, size float64, note func(member, detail string)) {
	if size != 0 && !(size > 0 && size <= maxSize) {
		note(member, fmt.Sprintf("is %v, want more than 0 and at most %d", size, maxSize))
	}
}

// wrongCount says what is wrong with a number of points, "" if nothing is.
func wrongCount(t Type, n int) string {
	least, most := t.points()
	switch {
	case least == 0: // a wrong type is reported elsewhere
		return ""
	case least == most && n != least:
		return fmt.Sprintf("has %d points, but %s takes %d", n, t, least)
	case n < least:
		return fmt.Sprintf("has %d points, but %s takes at least %d", n, t, least)
	case n > most:
		return fmt.Sprintf("has %d points, want at most %d", n, most)
	}
	return ""
}
