package httpapi

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/strictjson"
)

type comparisonItem struct {
	ID           int64 `json:"id"`
	Source       int64 `json:"source"`
	Target       int64 `json:"target"`
	Person       int   `json:"person,omitempty"`
	TargetPerson int   `json:"targetPerson,omitempty"`
	result
}

type comparisonRecord struct {
	comparisonItem
	Alignment  string          `json:"alignment,omitempty"`
	Mirror     bool            `json:"mirror,omitempty"`
	Difference json.RawMessage `json:"difference"`
}

type comparisonDetail struct {
	comparisonRecord
	FailureDetail *string          `json:"failureDetail"`
	Outdated      bool             `json:"outdated,omitempty"`
	Score         *json.RawMessage `json:"score,omitempty"`
	Shift         *json.RawMessage `json:"shift,omitempty"`
	Angles        *json.RawMessage `json:"angles,omitempty"`
	Largest       *json.RawMessage `json:"largest,omitempty"`
	Answer        *json.RawMessage `json:"answer,omitempty"`
	Repetitions   *json.RawMessage `json:"repetitions,omitempty"`
	Warnings      *json.RawMessage `json:"warnings,omitempty"`
}

func comparisonItemOf(x motion.Comparison) comparisonItem {
	return comparisonItem{x.ID, x.SourceID, x.TargetID, x.Person, x.TargetPerson, resultOf(x.State)}
}

func comparisonRecordOf(x motion.Comparison, difference json.RawMessage) comparisonRecord {
	return comparisonRecord{comparisonItemOf(x), string(x.Options.Alignment), x.Options.Mirror, difference}
}

func listComparisons(c *call) error { return listed(c, c.service.ListComparisons, comparisonItemOf) }

func makeComparison(c *call) error {
	b, err := c.body("sourceId", "targetId", "person", "targetPerson", "alignment", "mirror", "score", "shift", "angles", "repetitionRule", "repetitions")
	if err != nil {
		return err
	}
	req := motion.CompareRequest{
		SourceID: b.id("sourceId"), TargetID: b.id("targetId"),
		Person: wire.Track(b.get("person")), TargetPerson: wire.Track(b.get("targetPerson")),
	}
	b.get("sourceId").Require("the id of a keypoint record")
	b.get("targetId").Require("the id of a keypoint record")
	if v := b.get("alignment"); v.Present() {
		name, ok := v.Text()
		if ok && name == "" { // which would mean the default
			v.Errorf("is empty, want an alignment, such as linear")
		}
		req.Options.Alignment = compare.Alignment(name)
	}
	req.Options.Mirror, req.WantShift, req.Options.Angles = b.flag("mirror"), b.flag("shift"), b.flag("angles")
	if v := b.get("score"); v.IsString() {
		if text, _ := v.Text(); text != "always" {
			v.Errorf("is %q, want true, false or always", text)
		}
		req.WantScore, req.Options.AlwaysScore = true, true
	} else {
		req.WantScore = b.flag("score")
	}
	req.Options.Warnings = req.WantScore
	by, old := b.get("repetitionRule"), b.get("repetitions") // the older name
	if by.Present() && old.Present() && !strictjson.Equal(by, old) {
		old.Errorf("is given together with repetitionRule, with another value")
	} else if !by.Present() {
		by = old
	}
	if rule := parsed(b, by, oneRule); by.Present() {
		req.Options.Repetitions = &rule
	}
	req.Key = c.key
	return create(c, b, req, c.service.CompareKeypoints, func(x motion.Comparison) any { return comparisonRecordOf(x, nil) })
}

func getComparison(c *call, id int64) error {
	if wantsFile(c) {
		return exported(c, id, comparisonFile)
	}
	x, err := awaited(c, id, c.service.GetComparison)
	if err != nil {
		return err
	}
	old, err := outdated(c, x.State)
	m := members[struct{ Difference, Score, Shift, Angles, Largest, Answer, Repetitions, Warnings json.RawMessage }](x.JSON())
	return c.found(comparisonDetail{
		comparisonRecordOf(x, m.Difference), orNull(x.Failure), old,
		optional(m.Score, x.WantScore), optional(m.Shift, x.WantShift), optional(m.Angles, x.Options.Angles), optional(m.Largest, x.Options.Angles), optional(m.Answer, x.Options.Angles),
		optional(m.Repetitions, x.Options.Angles || x.Options.Repetitions != nil),
		optional(m.Warnings, x.Options.Angles || x.Options.Repetitions != nil || x.Options.Warnings),
	}, err)
}

// comparisonFile returns the differences of a comparison, with the times of the source.
func comparisonFile(c *call, id int64) (f file, err error) {
	x, err := awaited(c, id, c.service.GetComparison)
	if err != nil {
		return f, err
	}
	result, err := x.Result()
	if err != nil {
		return f, noResult(x.State, err)
	}
	if !x.WantScore { // as in the record
		result.Score = nil
	}
	f = file{name: fmt.Sprintf("comparison-%d", id), comparison: result}
	f.report = func(w io.Writer) error { return reportComparison(c, w, x) }
	f.contents = namesOf(content{"score", result.Score != nil}, content{"largest", len(result.Largest) > 0},
		content{"repetitions", len(result.Repetitions) > 0}, content{"warnings", len(result.Warnings) > 0})
	f.times, err = times(c, x.SourceID)
	return f, err
}
