package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/storage"
)

func keypointItemOf(e motion.Extraction) keypointItem {
	return keypointItem{e.ID, ref(e.ImageID), ref(e.MovieID), resultOf(e.State)}
}

func (c *call) listKeypoints() { listResults(c, c.service.Extractions, keypointItemOf) }

func (c *call) makeKeypoint() {
	b, ok := c.body("movieId", "imageId")
	if !ok {
		return
	}
	req := motion.ExtractRequest{MovieID: b.id("movieId"), ImageID: b.id("imageId")}
	if !c.done(b) {
		return
	}
	e, err := c.service.Extract(c.r.Context(), c.client, req)
	if err != nil {
		c.fail(err, b.spelling)
		return
	}
	c.created(storage.Keypoints, e.ID, keypointRecord{keypointItemOf(e), nil})
}

func (c *call) getKeypoint(id int64) {
	if c.exports() {
		c.exportKeypoint(id)
		return
	}
	include := map[string]bool{}
	if q := c.r.URL.Query(); q.Has("include") {
		for _, name := range strings.Split(q.Get("include"), ",") {
			if name != "scores" && name != "timestamps" {
				c.invalid(inQuery("include", q.Get("include"), "scores, timestamps or both with a comma between"))
				return
			}
			include[name] = true
		}
	}
	e, ok := awaited(c, id, c.service.Extraction, extractionState)
	if !ok {
		return
	}
	keypoint, scores, timestamps := e.JSON()
	c.answerParts(keypointItemOf(e), e.Failure,
		part{"keypoint", keypoint, true}, part{"scores", scores, include["scores"]}, part{"timestamps", timestamps, include["timestamps"]})
}

// part is a large member of a record, already in JSON.
type part struct {
	name string
	text json.RawMessage // nil is null
	show bool
}

// answerParts answers with a record and its large members, without encoding those once
// more.
func (c *call) answerParts(item any, failure string, parts ...part) {
	head, err := json.Marshal(item)
	if err == nil {
		var detail []byte
		if detail, err = json.Marshal(text(failure)); err == nil {
			head = append(append(head[:len(head)-1], `,"failureDetail":`...), detail...)
		}
	}
	if err != nil {
		c.fail(err, asIs)
		return
	}
	size := len(head) + len("}")
	for _, p := range parts {
		size += p.size()
	}
	h := c.w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(size))
	h.Set("Cache-Control", "no-store")
	c.w.WriteHeader(http.StatusOK)
	for _, p := range parts {
		if p.show {
			head = append(head, `,"`+p.name+`":`...)
			c.w.Write(head)
			c.w.Write(p.json())
			head = head[:0]
		}
	}
	c.w.Write(append(head, '}'))
}

// json is the part's text, null where there is none.
func (p part) json() []byte {
	if p.text == nil {
		return []byte("null")
	}
	return p.text
}

// size is how many bytes the part takes in a record.
func (p part) size() int {
	if !p.show {
		return 0
	}
	return len(`,"":`) + len(p.name) + len(p.json())
}

func comparisonItemOf(x motion.Comparison) comparisonItem {
	return comparisonItem{x.ID, x.SourceID, x.TargetID, resultOf(x.State)}
}

func (c *call) listComparisons() { listResults(c, c.service.Comparisons, comparisonItemOf) }

func (c *call) makeComparison() {
	b, ok := c.body("sourceId", "targetId", "alignment", "mirror", "score")
	if !ok {
		return
	}
	req := motion.CompareRequest{SourceID: b.id("sourceId"), TargetID: b.id("targetId")}
	b.get("sourceId").Require("the id of a keypoint record")
	b.get("targetId").Require("the id of a keypoint record")
	if v := b.get("alignment"); v.Present() {
		name, ok := v.Text()
		if ok && name == "" { // which would mean the default
			v.Errorf("is empty, want an alignment, such as linear")
		}
		req.Options.Alignment = compare.Alignment(name)
	}
	req.Options.Mirror, _ = b.get("mirror").Bool()
	req.WantScore, _ = b.get("score").Bool()
	if !c.done(b) {
		return
	}
	x, err := c.service.Compare(c.r.Context(), c.client, req)
	if err != nil {
		c.fail(err, b.spelling)
		return
	}
	c.created(storage.Comparisons, x.ID, comparisonRecord{comparisonHeadOf(x), nil})
}

func comparisonHeadOf(x motion.Comparison) comparisonHead {
	return comparisonHead{comparisonItemOf(x), string(x.Options.Alignment), x.Options.Mirror}
}

func (c *call) getComparison(id int64) {
	x, ok := awaited(c, id, c.service.Comparison, comparisonState)
	if !ok {
		return
	}
	difference, score := x.JSON()
	c.answerParts(comparisonHeadOf(x), x.Failure, part{"difference", difference, true}, part{"score", score, x.WantScore})
}

func analysisItemOf(a motion.Analysis) analysisItem {
	return analysisItem{a.ID, a.KeypointID, resultOf(a.State)}
}

func (c *call) listAnalyses() { listResults(c, c.service.Analyses, analysisItemOf) }

func (c *call) makeAnalysis() {
	b, ok := c.body("keypointId", "rule")
	if !ok {
		return
	}
	req := motion.AnalyzeRequest{KeypointID: b.id("keypointId"), Rules: parsed(b, "rule", analyze.ParseRules)}
	b.get("keypointId").Require("the id of a keypoint record")
	b.get("rule").Require("a rule object or an array of rule objects")
	if !c.done(b) {
		return
	}
	a, err := c.service.Analyze(c.r.Context(), c.client, req)
	if err != nil {
		c.fail(err, b.spelling)
		return
	}
	rule, _ := a.JSON()
	c.created(storage.Analyses, a.ID, analysisRecord{analysisItemOf(a), rule})
}

func (c *call) getAnalysis(id int64) {
	if c.exports() {
		c.exportAnalysis(id)
		return
	}
	a, ok := awaited(c, id, c.service.Analysis, analysisState)
	if !ok {
		return
	}
	rule, result := a.JSON()
	c.answerParts(analysisRecord{analysisItemOf(a), rule}, a.Failure, part{"result", result, true})
}

func drawingItemOf(d motion.Drawing) drawingItem {
	return drawingItem{d.ID, ref(d.KeypointID), ref(d.ComparisonID), resultOf(d.State)}
}

func (c *call) listDrawings() { listResults(c, c.service.Drawings, drawingItemOf) }

func (c *call) makeDrawing() {
	b, ok := c.body("keypointId", "comparisonId", "analysisId", "rule", "backgroundRule")
	if !ok {
		return
	}
	req := motion.DrawRequest{
		KeypointID: b.id("keypointId"), ComparisonID: b.id("comparisonId"), AnalysisID: b.id("analysisId"),
		Rule: b.json("rule"), Background: b.json("backgroundRule"),
	}
	if !c.done(b) {
		return
	}
	d, err := c.service.Draw(c.r.Context(), c.client, req)
	if err != nil {
		c.fail(err, b.spelling)
		return
	}
	c.created(storage.Drawings, d.ID, drawingRecord{drawingItemOf(d), d.Rule, d.Background})
}

func (c *call) getDrawing(id int64) {
	d, ok := awaited(c, id, c.service.Drawing, drawingState)
	if !ok {
		return
	}
	var address *string
	if d.File != "" {
		link := c.link(http.MethodGet, fmt.Sprintf("%s/%s", storage.Drawings, d.File))
		address = &link
	}
	item := struct {
		drawingRecord
		DrawingURL *string `json:"drawingUrl"`
	}{drawingRecord{drawingItemOf(d), d.Rule, d.Background}, address}
	c.answerParts(item, d.Failure)
}
