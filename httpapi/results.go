package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

// create creates a record of the client and answers with the JSON form that form returns, and
// with the address of the record.
func create[Q, R any](c *call, b *body, req Q, do func(context.Context, string, Q) (R, error), form func(R) any) {
	if !c.done(b) {
		return
	}
	record, err := do(c.r.Context(), c.client, req)
	if err != nil {
		c.fail(b.placed(err))
		return
	}
	c.created(form(record))
}

func keypointItemOf(e motion.Extraction) keypointItem {
	return keypointItem{e.ID, ref(e.ImageID), ref(e.MovieID), resultOf(e.State), ""}
}

// listedKeypoint is an item of the list, which tells what a recording is good for.
func listedKeypoint(e motion.Extraction) keypointItem {
	item := keypointItemOf(e)
	item.Verdict = e.Verdict
	return item
}

func keypointRecordOf(e motion.Extraction, keypoint json.RawMessage) keypointRecord {
	return keypointRecord{keypointItemOf(e), e.Rate, e.Clean, e.Feet, peopleOf(e), calibrationOf(e), keypoint}
}

func (c *call) makeKeypoint() {
	b, ok := c.body("movieId", "imageId", "keypointId", "rate", "clean", "choose", "candidates", "everybody", "feet", "capture", "scale", "floor", "origin")
	if !ok {
		return
	}
	req := motion.ExtractRequest{MovieID: b.id("movieId"), ImageID: b.id("imageId"), KeypointID: b.id("keypointId")}
	req.Rate, _ = b.get("rate").Number()
	if how := parsed(b, "clean", clean.ParseOptions); b.get("clean").Present() {
		req.Clean = &how
	}
	req.Choose, req.Candidates = wire.Choice(b.get("choose")), count(b.get("candidates"), 100)
	req.Everybody, _ = b.get("everybody").Bool()
	req.Feet, _ = b.get("feet").Bool()
	req.CaptureRate, req.Calibration = b.calibration()
	create(c, b, req, c.service.Extract, func(e motion.Extraction) any { return keypointRecordOf(e, nil) })
}

func (c *call) getKeypoint(id int64) {
	if c.exports() {
		c.exportKeypoint(id)
		return
	}
	include := map[string]bool{}
	if q := c.r.URL.Query(); q.Has("include") {
		for name := range strings.SplitSeq(q.Get("include"), ",") {
			if !slices.Contains([]string{"scores", "timestamps", "changes", "looks", "found"}, name) {
				c.invalid(inQuery("include", q.Get("include"), "scores, timestamps, changes, looks, found or several with a comma between"))
				return
			}
			include[name] = true
		}
	}
	raw, ok := c.wantsRaw()
	if !ok {
		return
	}
	from, ok := c.foundFrom(include["found"])
	if !ok {
		return
	}
	e, ok := c.keypoints(id)
	if !ok {
		return
	}
	var soFar **foundFrames
	if include["found"] {
		frames := c.soFar(e, from)
		soFar = &frames
	}
	c.answerKeypoint(e, include, raw, soFar)
}

// answerKeypoint answers with a keypoint record. soFar is nil if it was not asked for.
func (c *call) answerKeypoint(e motion.Extraction, include map[string]bool, raw bool, soFar **foundFrames) {
	members := e.JSON
	if raw {
		members = e.RawJSON
	}
	keypoint, scores, timestamps := members()
	d := keypointDetail{
		keypointRecord: keypointRecordOf(e, keypoint), FailureDetail: text(e.Failure), World: worldOf(e), Person: e.Track,
		Candidates: found(e, e.Candidates != nil, e.Candidates), People: found(e, e.Everybody, e.People),
		Scores: optional(scores, include["scores"]), Timestamps: optional(timestamps, include["timestamps"]), Found: soFar,
	}
	if (e.Clean != nil || e.Rate > 0) && e.Status == storage.Success {
		counts := cleaned(e.Cleaned)
		d.Cleaned = &counts
	}
	if e.Verdict != "" {
		report, err := e.Quality()
		if err != nil {
			c.fail(err)
			return
		}
		d.Quality = &report
	}
	edits, marks, err := c.corrections(e)
	if err != nil {
		c.fail(err)
		return
	}
	if d.Edits = edits; include["changes"] {
		changes, err := e.Changes()
		if err != nil && !errors.Is(err, motion.ErrNotReady) {
			c.fail(err)
			return
		}
		d.Changes = &frameChanges{changes, marks}
	}
	if include["looks"] {
		seq, err := e.Raw()
		if err != nil && !errors.Is(err, motion.ErrNotReady) {
			c.fail(err)
			return
		}
		d.Looks = &seq.Looks
	}
	c.answer(http.StatusOK, d)
}

// wantsRaw reports whether the query asks for keypoints as they were before cleaning. It has
// answered when ok is false.
func (c *call) wantsRaw() (raw, ok bool) {
	q := c.r.URL.Query()
	switch v := q.Get("raw"); {
	case !q.Has("raw") || v == "false":
		return false, true
	case v == "true":
		return true, true
	default:
		c.invalid(inQuery("raw", v, "true or false"))
		return false, false
	}
}

// optional returns a member that is null without a value, and left out if it is not shown.
func optional(value json.RawMessage, show bool) *json.RawMessage {
	if !show {
		return nil
	}
	return &value
}

func comparisonItemOf(x motion.Comparison) comparisonItem {
	return comparisonItem{x.ID, x.SourceID, x.TargetID, x.Person, x.TargetPerson, resultOf(x.State)}
}

func comparisonRecordOf(x motion.Comparison, difference json.RawMessage) comparisonRecord {
	return comparisonRecord{comparisonItemOf(x), string(x.Options.Alignment), x.Options.Mirror, difference}
}

func (c *call) makeComparison() {
	b, ok := c.body("sourceId", "targetId", "person", "targetPerson", "alignment", "mirror", "score", "shift", "angles", "repetitions")
	if !ok {
		return
	}
	req := motion.CompareRequest{SourceID: b.id("sourceId"), TargetID: b.id("targetId"), Person: wire.Track(b.get("person")), TargetPerson: wire.Track(b.get("targetPerson"))}
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
	req.WantShift, _ = b.get("shift").Bool()
	req.Options.Angles, _ = b.get("angles").Bool()
	req.Options.Repetitions = parsed(b, "repetitions", func(data []byte) (*analyze.Rule, error) {
		rule, err := rulejson.One(analyze.ParseRules(data))
		return &rule, err
	})
	create(c, b, req, c.service.Compare, func(x motion.Comparison) any { return comparisonRecordOf(x, nil) })
}

func (c *call) getComparison(id int64) {
	if c.exports() {
		c.exportComparison(id)
		return
	}
	x, ok := awaited(c, id, c.service.Comparison)
	if !ok {
		return
	}
	m := x.JSON()
	c.answer(http.StatusOK, comparisonDetail{
		comparisonRecordOf(x, m.Difference), text(x.Failure), x.Outdated,
		optional(m.Score, x.WantScore), optional(m.Shift, x.WantShift), optional(m.Angles, x.Options.Angles), optional(m.Largest, x.Options.Angles),
		optional(m.Repetitions, x.Options.Repetitions != nil),
	})
}

func analysisItemOf(a motion.Analysis) analysisItem {
	return analysisItem{a.ID, a.KeypointID, resultOf(a.State)}
}

func analysisRecordOf(a motion.Analysis) analysisRecord {
	return analysisRecord{analysisItemOf(a), a.Person, a.From, a.To, shown(a.Rules, a.RuleAlone)}
}

func (c *call) makeAnalysis() {
	b, ok := c.body("keypointId", "person", "rule", "gait", "jump", "from", "to")
	if !ok {
		return
	}
	req := motion.AnalyzeRequest{
		KeypointID: b.id("keypointId"), Person: wire.Track(b.get("person")), Rules: parsed(b, "rule", analyze.ParseRules), RuleAlone: b.get("rule").IsObject(), Gait: parsed(b, "gait", gait.ParseOptions),
	}
	req.Jump, _ = b.get("jump").Bool()
	req.From, req.To = b.part()
	b.get("keypointId").Require("the id of a keypoint record")
	if !b.get("gait").Present() && !b.get("jump").Present() {
		b.get("rule").Require("a rule object or an array of rule objects")
	}
	create(c, b, req, c.service.Analyze, func(a motion.Analysis) any { return analysisRecordOf(a) })
}

func (c *call) getAnalysis(id int64) {
	if c.exports() {
		c.exportAnalysis(id)
		return
	}
	a, ok := awaited(c, id, c.service.Analysis)
	if !ok {
		return
	}
	m := a.JSON()
	c.answer(http.StatusOK, analysisDetail{
		analysisRecordOf(a), text(a.Failure), a.Outdated, m.Result,
		optional(m.Gait, a.Gait != nil), optional(m.Jumps, a.Jump), optional(m.Warnings, a.Gait != nil || a.Jump),
	})
}

func drawingItemOf(d motion.Drawing) drawingItem {
	return drawingItem{d.ID, ref(d.KeypointID), ref(d.ComparisonID), resultOf(d.State)}
}

func drawingRecordOf(d motion.Drawing) drawingRecord {
	return drawingRecord{drawingItemOf(d), d.Person, shown(d.Rules, d.RuleAlone), d.Background, d.DrawOptions}
}

func (c *call) makeDrawing() {
	b, ok := c.body("keypointId", "comparisonId", "person", "analysisId", "rule", "backgroundRule",
		"preset", "layout", "blurFaces", "values", "from", "to", "repetition")
	if !ok {
		return
	}
	req := motion.DrawRequest{
		KeypointID: b.id("keypointId"), ComparisonID: b.id("comparisonId"), Person: wire.Track(b.get("person")), AnalysisID: b.id("analysisId"),
		Rules: parsed(b, "rule", draw.ParseRules), RuleAlone: b.get("rule").IsObject(),
	}
	if background := parsed(b, "backgroundRule", draw.ParseBackground); b.get("backgroundRule").Present() {
		req.Background = &background
	}
	req.DrawOptions = b.drawOptions()
	create(c, b, req, c.service.Draw, func(d motion.Drawing) any { return drawingRecordOf(d) })
}

func (c *call) getDrawing(id int64) {
	d, ok := awaited(c, id, c.service.Drawing)
	if !ok {
		return
	}
	var url *string
	if d.File != "" {
		url = text(c.link(http.MethodGet, fmt.Sprintf("%s/%s", storage.Drawings, d.File)))
	}
	c.answer(http.StatusOK, drawingDetail{drawingRecordOf(d), text(d.Failure), d.Outdated, url})
}
