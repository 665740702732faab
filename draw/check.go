package draw

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/spelling"
	"github.com/bodymotion/motion/keypoint"
)

func (r *Rule) check(comparison bool, note rulejson.Note) {
	if least, _ := r.Type.points(); least == 0 {
		note(true, "/drawingType", "is %q%s, want one of %s", r.Type, spelling.Hint(string(r.Type), Types()...), list(Types()))
		return
	}
	if r.Points != nil || r.Type == typeAngle {
		detail := wrongCount(r.Type, len(r.Points))
		note(detail != "", "/points", "%s", detail)
	}
	for j, s := range r.Points {
		if err := s.Validate(); err != nil {
			note(true, fmt.Sprintf("/points/%d", j), "%s", strings.TrimPrefix(err.Error(), keypoint.ErrInvalid.Error()+" point: "))
		}
	}
	if r.Pattern != "" {
		_, ok := keypoint.Group(r.Pattern)
		note(!ok, "/pattern", "is %q, want one of all, upperBody, lowerBody, leftBody, rightBody", r.Pattern)
		note(r.Points != nil, "/pattern", "is given together with points: want one of the two")
	}
	checkColor("/color", r.Color, note)
	checkColor("/ghost", r.Ghost, note)
	checkColor("/arrows", r.Arrows, note)
	checkSize("/size", r.Size, note)
	for j, b := range r.Bands {
		ptr := fmt.Sprintf("/comparisons/%d", j)
		note(!(b.Threshold >= 0 && b.Threshold <= 1), ptr+"/threshold", "is %v, want a distance of 0 to 1", b.Threshold)
		checkColor(ptr+"/color", b.Color, note)
		checkSize(ptr+"/size", b.Size, note)
	}
	if !comparison {
		const only = "is for drawing a comparison only"
		note(r.Bands != nil, "/comparisons", only)
		note(r.Ghost != "", "/ghost", only)
		note(r.Arrows != "", "/arrows", only)
		note(r.Legend && r.Type != typeBody, "/legend", only)
	}
	note(!(r.Seconds >= 0 && r.Seconds <= maxSeconds), "/seconds", "is %v, want more than 0 and at most %d", r.Seconds, maxSeconds)
	r.checkExtras(note)
}

// checkExtras notes properties that the rule's type does not have, and mistakes in those beyond the specification.
func (r *Rule) checkExtras(note rulejson.Note) {
	if least, _ := r.Type.points(); least == 0 {
		return // reported elsewhere
	}
	note(r.Faint && !r.Type.shape(), "/faint", "is not for angle, trace, label and body")
	note(r.Ghost != "" && !r.Type.shape() && r.Type != typeBody, "/ghost", "is not for angle, trace and label")
	note(r.Points != nil && r.Type == typeBody, "/points", "is not for body, which draws the whole person or a pattern")
	note(r.Color != "" && r.Type == typeBody, "/color", "is not for body, which has the colours of the sides")
	note(r.Arrows != "" && r.Type != typeKeypoint && r.Type != typeStickPicture, "/arrows", "is for keypoint and stickPicture only")
	note(r.Legend && len(r.Bands) == 0 && r.Type != typeBody, "/legend", "explains the comparisons of the rule, and there are none")
	note(r.Rotation && r.Type != typeAngle, "/rotation", "is for angle only")
	note(r.Seconds != 0 && r.Type != typeTrace, "/seconds", "is for trace only")
	note(r.Text != "" && r.Type != typeLabel && r.Type != typeBody, "/text", "is for label and body only")
	note(r.Analysis != nil && r.Type != typeLabel, "/analysis", "is for label only")
	note(r.Beside != "" && r.Type != typeLabel, "/beside", "is for label only")
	note(r.Beside != "" && !slices.Contains(besides, r.Beside), "/beside", "is %q, want left or right", r.Beside)
	note(r.Beside != "" && r.Text == "" && r.Analysis == nil, "/beside", "needs a text or an analysis")
	if r.Analysis != nil {
		note(*r.Analysis < 0, "/analysis", "is %d, want the number of an analysis, from 0", *r.Analysis)
	}
	if n := utf8.RuneCountInString(r.Text); n > maxText {
		note(true, "/text", "has %d characters, want at most %d", n, maxText)
	}
}

func checkColor(member string, c Color, note rulejson.Note) {
	note(!c.valid(), member, "is %q, want one of %s", c, list(Colors()))
}

func checkSize(member string, size float64, note rulejson.Note) {
	note(size != 0 && !(size > 0 && size <= maxSize), member, "is %v, want more than 0 and at most %d", size, maxSize)
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
