package httpapi

import (
	"bytes"
	"cmp"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/jsonappend"
)

// shared is a link to the report of an analysis, which needs no token. The keypoint record keeps it as JSON, without URL.
type shared struct {
	ID         string `json:"id"`
	AnalysisID int64  `json:"analysisId"`
	CreatedAt  string `json:"createdAt"`
	Until      string `json:"until"`
	Name       bool   `json:"name"`                // the report names the person
	DrawingID  int64  `json:"drawingId,omitempty"` // the movie that the report shows
	Query      string `json:"query"`               // how the report is written
	URL        string `json:"url,omitempty"`
	kept       string // the JSON
}

const (
	maxShared     = 20 // open links of a record
	maxSharedDays = 90
	movieEnding   = ".mp4"
)

// closedPage stands in the place of every report that is not open, whatever the reason.
//
//go:embed closed.html
var closedPage []byte

// sharedOf reads a link that a keypoint record keeps, and reports whether it is open.
func sharedOf(c *call, id int64, kept string) (l shared, open bool) {
	_ = json.Unmarshal([]byte(kept), &l) // what cannot be read is not open
	until, _ := time.Parse(time.RFC3339, l.Until)
	l.URL, l.kept = linkUntil(c, http.MethodGet, fmt.Sprintf("reports/%d.%s", id, l.ID), until.Unix()), kept
	return l, time.Now().Before(until)
}

// allShared returns the open links of a keypoint record, and what it keeps of those that have ended.
func allShared(c *call, id int64) (open []shared, ended []string, err error) {
	e, err := awaited(c, id, c.service.GetExtraction)
	open = []shared{}
	for _, kept := range e.Links {
		if l, ok := sharedOf(c, id, kept); ok {
			open = append(open, l)
		} else {
			ended = append(ended, kept)
		}
	}
	return open, ended, err
}

// oneShared returns an open link of a keypoint record.
func oneShared(c *call, id int64, name string) (shared, error) {
	open, _, err := allShared(c, id)
	i := slices.IndexFunc(open, func(l shared) bool { return l.ID == name })
	if err != nil || i < 0 {
		return shared{}, cmp.Or(err, motion.ErrNotFound)
	}
	return open[i], nil
}

func listShared(c *call, id int64) error {
	open, _, err := allShared(c, id)
	return c.found(map[string][]shared{"data": open}, err)
}

func makeShared(c *call, id int64) error {
	b, err := c.body("analysisId", "days", "name", "drawingId")
	if err != nil {
		return err
	}
	days, ok := b.get("days").Int()
	if b.get("days").Require("for how long"); ok && (days < 1 || days > maxSharedDays) {
		b.get("days").Errorf("is %d, want 1 to %d", days, maxSharedDays)
	}
	b.get("analysisId").Require("the id of an analysis of the keypoint record")
	l := shared{ID: rand.Text(), AnalysisID: b.id("analysisId"), DrawingID: b.id("drawingId"), Name: b.flag("name"), Query: c.r.URL.RawQuery}
	l.CreatedAt, l.Until = stamp(time.Now()), stamp(time.Now().Add(time.Duration(days)*24*time.Hour).Truncate(time.Second))
	if _, err := asked(c); b.err() != nil || err != nil {
		return cmp.Or(b.err(), err)
	}
	open, ended, err1 := allShared(c, id)
	a, err2 := c.service.GetAnalysis(c.r.Context(), c.client, l.AnalysisID)
	switch err := cmp.Or(err1, err2); {
	case err != nil:
		return err
	case a.KeypointID != id:
		return invalid(wire.At("/"+c.spelling("analysisId"), "names an analysis of other keypoints"))
	case len(open) >= maxShared:
		return wire.Refuse(http.StatusConflict, "The keypoints have %d open links to reports; withdraw one first.", maxShared)
	}
	if l.DrawingID != 0 {
		d, err := c.service.GetDrawing(c.r.Context(), c.client, l.DrawingID)
		if err == nil && (d.KeypointID != id || !strings.HasSuffix(d.File, movieEnding)) {
			err = invalid(wire.At("/"+c.spelling("drawingId"), "names no finished movie of these keypoints"))
		}
		if err != nil {
			return err
		}
	}
	kept, err := json.Marshal(l)
	if err == nil {
		_, err = c.service.UpdateExtraction(c.r.Context(), c.client, id, motion.ExtractionUpdate{Link: string(kept), Unlink: &ended})
	}
	if err != nil {
		return err
	}
	l, _ = sharedOf(c, id, string(kept))
	return c.answer(http.StatusCreated, l)
}

// withdraw closes a link at once.
func withdraw(c *call, id int64) error {
	l, err := oneShared(c, id, c.link)
	if err == nil {
		_, err = c.service.UpdateExtraction(c.r.Context(), c.client, id, motion.ExtractionUpdate{Unlink: &[]string{l.kept}})
	}
	if err == nil {
		c.w.WriteHeader(http.StatusNoContent)
	}
	return err
}

// openReport answers a link with its report. It ignores the parameters that messengers add to links.
func openReport(c *call) error {
	h := c.w.Header()
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	status := http.StatusNotFound
	if link, ok := verify(c, http.MethodGet, "reports/"+c.name); ok {
		err := sendShared(c, link)
		if err == nil {
			return nil
		}
		if p := c.problem(err); p.Status >= 500 {
			return p
		}
		status = http.StatusGone
	}
	h.Set("Content-Type", htmlType)
	h.Set("Cache-Control", "no-store")
	c.w.WriteHeader(status)
	c.w.Write(closedPage)
	return nil
}

// sendShared answers a signed link that is open with its report, or with the movie in it.
func sendShared(c *call, link signedLink) error {
	c.client, c.query = link.client, url.Values{"format": {"report"}} // the turn is that of a report
	file, movie := strings.CutSuffix(c.name, movieEnding)
	number, name, _ := strings.Cut(file, ".")
	id, _ := jsonappend.Int(number) // signed
	l, err := oneShared(c, id, name)
	if err != nil {
		return err
	}
	if movie {
		c.name = fmt.Sprint(l.DrawingID, movieEnding)
		return downloadDrawing(c, l.DrawingID, link)
	}
	c.query, _ = url.ParseQuery(l.Query) // which makeShared has checked
	c.query.Set("format", "report")
	c.query.Set("name", strconv.FormatBool(l.Name))
	if l.DrawingID != 0 {
		c.movie = linkUntil(c, http.MethodGet, "reports/"+c.name+movieEnding, link.expires.Unix())
	}
	f, err := analysisFile(c, l.AnalysisID)
	var page bytes.Buffer
	if err == nil {
		err = f.report(&page)
	}
	if err == nil {
		c.answerBytes(http.StatusOK, htmlType, "no-store", page.Bytes())
	}
	return err
}
