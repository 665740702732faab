package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/rulejson"
)

type drawingItem struct {
	ID         int64  `json:"id"`
	Keypoint   *int64 `json:"keypoint"`
	Comparison *int64 `json:"comparison"`
	result
}

type drawingRecord struct {
	drawingItem
	Person         int              `json:"person,omitempty"`
	Rule           json.RawMessage  `json:"rule"` // one alone, an array, or null
	BackgroundRule *draw.Background `json:"backgroundRule"`
	motion.DrawOptions
}

type drawingDetail struct {
	drawingRecord
	FailureDetail *string `json:"failureDetail"`
	Outdated      bool    `json:"outdated,omitempty"`
	DrawingURL    *string `json:"drawingUrl"`
}

func drawingItemOf(d motion.Drawing) drawingItem {
	return drawingItem{d.ID, orNull(d.KeypointID), orNull(d.ComparisonID), resultOf(d.State)}
}

func drawingRecordOf(d motion.Drawing) drawingRecord {
	return drawingRecord{drawingItemOf(d), d.Person, d.RuleJSON, d.Background, d.DrawOptions}
}

func listDrawings(c *call) error { return listed(c, c.service.ListDrawings, drawingItemOf) }

func makeDrawing(c *call) error {
	b, err := c.body("keypointId", "comparisonId", "person", "analysisId", "rule", "backgroundRule",
		"preset", "layout", "blurFaces", "shrink", "values", "from", "to")
	if err != nil {
		return err
	}
	req := motion.DrawRequest{
		KeypointID: b.id("keypointId"), ComparisonID: b.id("comparisonId"), Person: wire.Track(b.get("person")), AnalysisID: b.id("analysisId"),
		Rules: parsed(b, b.get("rule"), draw.ParseRules),
	}
	if background := parsed(b, b.get("backgroundRule"), draw.ParseBackground); b.get("backgroundRule").Present() {
		req.Background = &background
	}
	o := &req.DrawOptions
	o.Preset, _ = b.get("preset").OneOf(draw.Presets()...)
	o.Layout = rulejson.OneOf(b.get("layout"), []draw.Layout{draw.LayoutGhost, draw.LayoutSideBySide})
	o.BlurFaces, o.Shrink = b.flag("blurFaces"), b.flag("shrink")
	o.Values = parsed(b, b.get("values"), analyze.ParseRules)
	o.From, o.To = b.part()
	req.RuleJSON, req.Key = ruleJSON(b, req.Rules), c.key
	return create(c, b, req, c.service.DrawKeypoints, func(d motion.Drawing) any { return drawingRecordOf(d) })
}

func getDrawing(c *call, id int64) error {
	d, err := awaited(c, id, c.service.GetDrawing)
	if err != nil {
		return err
	}
	old, err := outdated(c, d.State)
	var url *string
	if d.File != "" {
		url = orNull(link(c, http.MethodGet, "drawings/"+d.File))
	}
	return c.found(drawingDetail{drawingRecordOf(d), orNull(d.Failure), old, url}, err)
}
