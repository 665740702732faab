package httpapi

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/httpapi/internal/wire"
)

type analysisItem struct {
	ID       int64 `json:"id"`
	Keypoint int64 `json:"keypoint"`
	result
}

type analysisRecord struct {
	analysisItem
	Person int             `json:"person,omitempty"`
	From   float64         `json:"from,omitempty"`
	To     float64         `json:"to,omitempty"`
	Rule   json.RawMessage `json:"rule"`
}

type analysisDetail struct {
	analysisRecord
	FailureDetail *string          `json:"failureDetail"`
	Outdated      bool             `json:"outdated,omitempty"`
	Result        json.RawMessage  `json:"result"`
	Gait          *json.RawMessage `json:"gait,omitempty"`
	Jumps         *json.RawMessage `json:"jumps,omitempty"`
	Warnings      *json.RawMessage `json:"warnings,omitempty"`
	Overview      *json.RawMessage `json:"overview,omitempty"`
	Neutral       *json.RawMessage `json:"neutral,omitempty"`
	Exercise      *json.RawMessage `json:"exercise,omitempty"`
}

func analysisItemOf(a motion.Analysis) analysisItem {
	return analysisItem{a.ID, a.KeypointID, resultOf(a.State)}
}

func analysisRecordOf(a motion.Analysis) analysisRecord {
	return analysisRecord{analysisItemOf(a), a.Person, a.From, a.To, a.RuleJSON}
}

func listAnalyses(c *call) error { return listed(c, c.service.ListAnalyses, analysisItemOf) }

func makeAnalysis(c *call) error {
	b, err := c.body("keypointId", "person", "rule", "gait", "jumps", "jump", "overview", "neutral", "exercise", "from", "to")
	if err != nil {
		return err
	}
	jumps, old := b.get("jumps").Present(), b.get("jump")
	if jumps && old.Present() && b.flag("jump") != b.flag("jumps") {
		old.Errorf("is given together with jumps, with another value")
	}
	req := motion.AnalyzeRequest{
		KeypointID: b.id("keypointId"), Person: wire.Track(b.get("person")),
		Rules: parsed(b, b.get("rule"), analyze.ParseRules), Gait: parsed(b, b.get("gait"), gait.ParseOptions),
		Jump: b.flag("jumps") || b.flag("jump"), Overview: b.flag("overview"), Neutral: parsed(b, b.get("neutral"), analyze.ParseNeutral),
	}
	if v := b.get("exercise"); v.Present() {
		what := parsed(b, v, exercise.Parse)
		req.Exercise = &what
	}
	req.From, req.To = b.part()
	b.get("keypointId").Require("the id of a keypoint record")
	if !b.get("gait").Present() && !jumps && !old.Present() && !b.get("overview").Present() && !b.get("exercise").Present() {
		b.get("rule").Require("a rule object or an array of rule objects")
	}
	req.RuleJSON, req.Key = ruleJSON(b, req.Rules), c.key
	return create(c, b, req, c.service.AnalyzeKeypoints, func(a motion.Analysis) any { return analysisRecordOf(a) })
}

// analysisMembers are the members of an examine.Result in JSON.
type analysisMembers struct{ Result, Gait, Jumps, Warnings, Overview, Neutral, Exercise json.RawMessage }

func getAnalysis(c *call, id int64) error {
	if wantsFile(c) {
		return exported(c, id, analysisFile)
	}
	a, err := awaited(c, id, c.service.GetAnalysis)
	if err != nil {
		return err
	}
	old, err := outdated(c, a.State)
	m := members[analysisMembers](a.JSON())
	return c.found(analysisDetail{
		analysisRecordOf(a), orNull(a.Failure), old, m.Result,
		optional(m.Gait, a.Gait != nil), optional(m.Jumps, a.Jump), optional(m.Warnings, a.Gait != nil || a.Jump || a.Neutral != nil),
		optional(m.Overview, a.Overview), optional(m.Neutral, a.Neutral != nil), optional(m.Exercise, a.Exercise != nil),
	}, err)
}

func analysisFile(c *call, id int64) (f file, err error) {
	a, err := awaited(c, id, c.service.GetAnalysis)
	if err != nil {
		return f, err
	}
	found, err := a.Result()
	if err != nil {
		return f, noResult(a.State, err)
	}
	results := found.Results
	if found.Overview != nil {
		results = append(results, slices.DeleteFunc(found.Overview.Results(), func(m analyze.Result) bool {
			return slices.ContainsFunc(found.Results, func(r analyze.Result) bool {
				return sameColumn(r, m) || r.Symmetry != nil && sameColumn(r.Symmetry.OtherSide, m)
			})
		})...)
	}
	f = file{name: fmt.Sprintf("analysis-%d", id), results: results, report: func(w io.Writer) error { return reportAnalysis(c, w, a) }}
	f.phases = func(w io.Writer) error { return writePhases(c, w, a, found) }
	f.contents, f.beside = analysisContents(a, results)
	f.times, err = times(c, a.KeypointID)
	return f, err
}

// sameColumn reports whether two results are one measure of one side with the same values.
func sameColumn(a, b analyze.Result) bool {
	return a.Type == b.Type && a.Name == b.Name && a.Side == b.Side && a.Unit == b.Unit && slices.Equal(a.Values, b.Values)
}

// analysisContents are the members of the results, but those that the names and values of columns tell, and what
// the record has beside its results.
func analysisContents(a motion.Analysis, results []analyze.Result) (contents, beside []string) {
	m := members[struct {
		Result   []map[string]json.RawMessage
		Neutral  *struct{}
		Warnings []struct{}
	}](a.JSON())
	all := map[string]json.RawMessage{}
	for _, r := range m.Result {
		maps.Copy(all, r)
	}
	for _, told := range []string{"analysisType", "name", "side", "description", "values", "coverage"} {
		delete(all, told)
	}
	if !slices.ContainsFunc(results, func(r analyze.Result) bool { return r.Unit != "°" }) {
		delete(all, "unit") // every format says degrees
	}
	return slices.Sorted(maps.Keys(all)), namesOf(content{"gait", a.Gait != nil}, content{"jumps", a.Jump}, content{"overview", a.Overview},
		content{"neutral", m.Neutral != nil}, content{"exercise", a.Exercise != nil}, content{"warnings", len(m.Warnings) > 0})
}
