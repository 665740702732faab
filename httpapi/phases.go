package httpapi

import (
	"cmp"
	"fmt"
	goimage "image"
	"image/png"
	"io"
	"net/http"
	"slices"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/sheet"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/say"
)

// phasesWidth is the width of a picture of phases in pixels, at the scale 1.
const phasesWidth = 1300

// phaseOptions sets what the query asks for, and tells whether the name is drawn.
func phaseOptions(c *call, opt *sheet.PhaseOptions) (named bool, err error) {
	number := func(name, want string, least, most int64, missing int) int {
		n, bad := c.number(name, least, most, want)
		err = cmp.Or(err, bad)
		return cmp.Or(n, missing)
	}
	flag := func(name string, missing bool) bool {
		on, bad := c.truth(name)
		err = cmp.Or(err, bad)
		return on || missing && !c.query.Has(name)
	}
	opt.Number = number("repetition", "the number of a repetition, from 1", 1, 1<<30, 1)
	opt.Pictures = number("pictures", "an integer from 3 to 15", 3, 15, 7)
	opt.Width = phasesWidth * number("scale", "an integer from 1 to 2", 1, 2, 1)
	opt.Bare, opt.Fonts = !flag("skeleton", true), c.service.Fonts()
	if !flag("curve", true) {
		opt.Measure = nil
	}
	opt.Language, _ = language(c) // which exported has checked
	hiragana := func(f draw.Font) bool { _, ok := f.Outline(nil, '\u3042', 0, 0, 1); return ok }
	if opt.Language == say.Japanese && !slices.ContainsFunc(opt.Fonts, hiragana) {
		opt.Language = say.English
	}
	c.w.Header().Set("Content-Language", string(opt.Language))
	return flag("name", false), err
}

// writePhases writes the picture that sheet.PhasesOf chooses of an analysis.
func writePhases(c *call, w io.Writer, a motion.Analysis, found examine.Result) error {
	opt := sheet.PhasesOf(found)
	named, err := phaseOptions(c, &opt)
	if err != nil {
		return err
	}
	switch n := len(opt.List); {
	case n == 0:
		return wire.Refuse(http.StatusNotFound, "There are no phases: the analysis has no repetitions, strides or jumps. Ask for an overview, or for repetitions of a rule.")
	case opt.Number > n:
		return invalid(inQuery("repetition", c.query.Get("repetition"), fmt.Sprintf("from 1 to %d: so many were counted", n)))
	}
	e, err := personOf(c, a.KeypointID, a.Person)
	if err != nil {
		return err
	}
	seq, err := e.Sequence()
	if err != nil {
		return err
	}
	if named {
		m, err := mediumOf(c, e)
		if err != nil {
			return err
		}
		opt.Title = orZero(m.Name)
	}
	drawn := func(picture func(int) (goimage.Image, error)) error {
		m, err := sheet.Phases(seq, picture, opt)
		if err != nil {
			return err
		}
		return png.Encode(w, m)
	}
	if _, id := recording(e); id == 0 {
		return drawn(nil)
	}
	return stills(c, e, drawn)
}
