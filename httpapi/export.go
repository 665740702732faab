package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// export is a file format that results of the type T are given out in.
type export[T exported] struct {
	contentType string
	ending      string
	timed       bool   // whether only recordings with times can be written
	holds       string // the contents that the file keeps, separated by spaces, or everything
	write       func(w io.Writer, r T) error
	still       *export[T] // how an image is written instead, if not nil
}

// everything is what a format holds that leaves nothing out.
const everything = "*"

// exported is a result that can be given out as a file.
type exported interface {
	// file returns the name of the file without its ending and whether the recording has times.
	file() (name string, timed bool)
	// contents names what the result has besides what every format can say.
	contents() []string
}

// omits returns those of the contents that the format leaves out.
func (x export[T]) omits(contents []string) []string {
	if x.holds == everything {
		return nil
	}
	return slices.DeleteFunc(contents, func(name string) bool { return slices.Contains(strings.Fields(x.holds), name) })
}

// names lists formats for a message, those alone that need no times when timed is not set.
func names[T exported](exports map[string]export[T], timed bool) string {
	list := slices.DeleteFunc(slices.Sorted(maps.Keys(exports)), func(name string) bool { return exports[name].timed && !timed })
	return strings.Join(list, " or ")
}

// exports reports whether the query asks for a file format.
func (c *call) exports() bool {
	q := c.r.URL.Query()
	return q.Has("format") || q.Has("language")
}

// format returns the file format that the query asks for. It has answered when ok is false.
func format[T exported](c *call, known map[string]export[T]) (name string, ok bool) {
	q := c.r.URL.Query()
	name = q.Get("format")
	if _, ok := c.language(); !ok {
		return "", false
	}
	if _, ok := known[name]; !ok {
		c.invalid(inQuery("format", name, names(known, true)))
		return "", false
	}
	if q.Has("include") {
		c.invalid(inQuery("include", q.Get("include"), "left out together with format"))
		return "", false
	}
	return name, true
}

// noResult answers for a record without a result: 409, with the reason where it has failed.
func (c *call) noResult(s motion.State, err error) {
	if s.Status == storage.Failure && errors.Is(err, motion.ErrNotReady) {
		c.problem(problem{Status: http.StatusConflict, Detail: "There is no result: " + s.Failure})
		return
	}
	c.fail(err)
}

// answerFile answers with a file to be saved under a name. Format-Omits names what the result has and
// the file has not.
func answerFile[T exported](c *call, known map[string]export[T], format string, r T) {
	x := known[format]
	name, timed := r.file()
	if x.timed && !timed {
		c.invalid(inQuery("format", format, names(known, false)+" for an image, which has no times"))
		return
	}
	if x.still != nil && !timed {
		x = *x.still
	}
	var b bytes.Buffer
	if err := x.write(&b, r); err != nil {
		c.fail(err)
		return
	}
	h := c.w.Header()
	h.Set("Content-Type", x.contentType)
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename=%q`, name+x.ending))
	h.Set("Content-Length", fmt.Sprint(b.Len()))
	h.Set("Cache-Control", "no-store")
	if omits := x.omits(r.contents()); len(omits) > 0 {
		h.Set("Format-Omits", strings.Join(omits, ", "))
	}
	c.w.WriteHeader(http.StatusOK)
	c.w.Write(b.Bytes())
}
