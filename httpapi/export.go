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
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// export is a file format that results are given out in.
type export struct {
	contentType string
	ending      string
	timed       bool // whether only recordings with times can be written
}

var keypointExports = map[string]export{
	"csv":  {"text/csv; charset=utf-8; header=present", ".csv", false},
	"trc":  {"text/plain; charset=utf-8", ".trc", true},
	"coco": {"application/json", ".coco.json", false},

	"sheet": {"image/jpeg", ".jpg", false},
}

var analysisExports = map[string]export{
	"csv": {"text/csv; charset=utf-8; header=present", ".csv", false},
	"mot": {"text/plain; charset=utf-8", ".mot", true},
}

// names lists formats for a message, those alone that need no times when timed is not set.
func names(exports map[string]export, timed bool) string {
	list := slices.DeleteFunc(slices.Sorted(maps.Keys(exports)), func(name string) bool { return exports[name].timed && !timed })
	return strings.Join(list, " or ")
}

// exports reports whether the query asks for a file format.
func (c *call) exports() bool { return c.r.URL.Query().Has("format") }

// format returns the file format that the query asks for. It has answered when ok is false.
func (c *call) format(known map[string]export) (name string, ok bool) {
	q := c.r.URL.Query()
	name = q.Get("format")
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

// exportKeypoint answers with the keypoints as a file.
func (c *call) exportKeypoint(id int64) {
	format, ok := c.format(keypointExports)
	if !ok {
		return
	}
	raw, ok := c.wantsRaw()
	if !ok {
		return
	}
	e, ok := awaited(c, id, c.service.Extraction)
	if !ok {
		return
	}
	sequence := e.Sequence
	if raw {
		sequence = e.Raw
	}
	seq, err := sequence()
	if err != nil {
		c.noResult(e.State, err)
		return
	}
	c.answerFile(keypointExports, format, fmt.Sprintf("keypoints-%d", id), seq.Times, func(w io.Writer) error {
		switch format {
		case "sheet":
			return c.sheet(w, e, seq)
		case "trc":
			return formats.WriteTRC(w, seq, formats.TRCOptions{})
		case "coco":
			return formats.WriteCOCO(w, seq)
		}
		return formats.WriteWideCSV(w, seq)
	})
}

// exportAnalysis answers with the values of an analysis as a file. They are computed once
// more, for a stored result has no times.
func (c *call) exportAnalysis(id int64) {
	format, ok := c.format(analysisExports)
	if !ok {
		return
	}
	a, ok := awaited(c, id, c.service.Analysis)
	if !ok {
		return
	}
	if _, result := a.JSON(); result == nil {
		c.noResult(a.State, motion.ErrNotReady)
		return
	}
	seq, columns, err := c.columns(a)
	if err != nil {
		c.fail(err)
		return
	}
	name := fmt.Sprintf("analysis-%d", id)
	c.answerFile(analysisExports, format, name, seq.Times, func(w io.Writer) error {
		if format == "mot" {
			return formats.WriteMOT(w, formats.Motion{Name: name, Times: seq.Times, Columns: columns})
		}
		return formats.WriteColumnsCSV(w, seq.Times, columns)
	})
}

// columns computes an analysis.
func (c *call) columns(a motion.Analysis) (seq keypoint.Sequence, columns []formats.Column, err error) {
	e, err := c.service.Extraction(c.r.Context(), c.client, a.KeypointID)
	if err == nil {
		seq, err = e.Sequence()
	}
	if err != nil {
		return seq, nil, err
	}
	results, err := analyze.Run(seq, a.Rules)
	if err != nil {
		return seq, nil, err
	}
	return seq, formats.Columns(results), nil
}

// noResult answers for a record without a result: 409, with the reason where it has failed.
func (c *call) noResult(s motion.State, err error) {
	if s.Status == storage.Failure && errors.Is(err, motion.ErrNotReady) {
		c.problem(problem{Status: http.StatusConflict, Detail: "There is no result: " + s.Failure})
		return
	}
	c.fail(err)
}

// answerFile answers with a file to be saved under a name.
func (c *call) answerFile(known map[string]export, format, name string, times []float64, write func(io.Writer) error) {
	x := known[format]
	if x.timed && times == nil {
		c.invalid(inQuery("format", format, names(known, false)+" for an image, which has no times"))
		return
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		c.fail(err)
		return
	}
	h := c.w.Header()
	h.Set("Content-Type", x.contentType)
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename=%q`, name+x.ending))
	h.Set("Content-Length", fmt.Sprint(b.Len()))
	h.Set("Cache-Control", "no-store")
	c.w.WriteHeader(http.StatusOK)
	c.w.Write(b.Bytes())
}
