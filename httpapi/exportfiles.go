package httpapi

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// The content types of files.
const (
	csvType   = "text/csv; charset=utf-8; header=present"
	jsonType  = "application/json"
	jsonlType = "application/jsonl"
	zipType   = "application/zip"
	textType  = "text/plain; charset=utf-8"
)

var keypointExports = map[string]export[keypointFile]{
	"csv": {contentType: csvType, ending: ".csv", holds: "scores timestamps smallToes", write: func(w io.Writer, f keypointFile) error {
		return formats.WriteWideCSV(w, f.seq)
	}},
	"jsonl": {contentType: jsonlType, ending: ".jsonl", holds: "scores timestamps size smallToes", write: func(w io.Writer, f keypointFile) error {
		return formats.WriteJSONL(w, f.seq)
	}},
	"trc": {contentType: textType, ending: ".trc", timed: true, holds: "timestamps smallToes", write: func(w io.Writer, f keypointFile) error {
		return formats.WriteTRC(w, f.seq, formats.TRCOptions{})
	}},
	"coco": {contentType: jsonType, ending: ".coco.json", holds: "scores timestamps size smallToes", write: func(w io.Writer, f keypointFile) error {
		return formats.WriteCOCO(w, f.seq)
	}},
	"mediapipe": {contentType: jsonType, ending: ".mediapipe.json", holds: "scores", write: func(w io.Writer, f keypointFile) error {
		return formats.WriteMediaPipe(w, f.seq)
	}},
	"openpose": {contentType: zipType, ending: ".openpose.zip", holds: openPoseHolds, write: func(w io.Writer, f keypointFile) error {
		return formats.WriteOpenPoseZip(w, f.name, f.seq, formats.OpenPoseBody25)
	}, still: &export[keypointFile]{contentType: jsonType, ending: "_keypoints.json", holds: openPoseHolds, write: func(w io.Writer, f keypointFile) error {
		return formats.WriteOpenPose(w, &f.seq.Frames[0], formats.OpenPoseBody25)
	}}},
	"sheet": {contentType: "image/jpeg", ending: ".jpg", holds: "timestamps", write: func(w io.Writer, f keypointFile) error {
		return f.sheet(w)
	}},
	"report": {contentType: htmlType, ending: ".html", holds: everything, write: func(w io.Writer, f keypointFile) error {
		return f.report(w)
	}},
}

const openPoseHolds = "scores smallToes"

// keypointFile is the keypoints of a record.
type keypointFile struct {
	name          string
	seq           keypoint.Sequence
	sheet, report func(io.Writer) error
}

func (f keypointFile) file() (name string, timed bool) { return f.name, f.seq.Times != nil }

func (f keypointFile) contents() (list []string) {
	var present keypoint.Parts
	for i := range f.seq.Frames {
		present |= f.seq.Frames[i].Present()
	}
	for _, x := range []struct {
		name string
		has  bool
	}{
		{"scores", present != 0}, {"timestamps", f.seq.Times != nil}, {"size", f.seq.Size.X > 0},
		{"smallToes", present.Has(keypoint.LeftSmallToe) || present.Has(keypoint.RightSmallToe)},
		{"personChanges", f.seq.PersonChanges != nil}, {"looks", f.seq.Looks != nil}, {"world", f.seq.World != keypoint.World{}},
	} {
		if x.has {
			list = append(list, x.name)
		}
	}
	return list
}

// exportKeypoint answers with the keypoints as a file.
func (c *call) exportKeypoint(id int64) {
	format, ok := format(c, keypointExports)
	if !ok {
		return
	}
	raw, ok := c.wantsRaw()
	if !ok {
		return
	}
	if raw && format == "report" {
		c.invalid(inQuery("raw", "true", "left out together with format=report"))
		return
	}
	e, ok := c.keypoints(id)
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
	name := fmt.Sprintf("keypoints-%d", id)
	if e.Track != 0 {
		name += fmt.Sprintf("-person-%d", e.Track)
	}
	answerFile(c, keypointExports, format, keypointFile{
		name, seq, func(w io.Writer) error { return c.sheet(w, e, seq) },
		func(w io.Writer) error { return c.reportKeypoint(w, e) },
	})
}

var analysisExports = map[string]export[analysisFile]{
	"csv": {contentType: csvType, ending: ".csv", holds: "unit", write: func(w io.Writer, f analysisFile) error {
		return formats.WriteColumnsCSV(w, f.times, formats.Columns(f.results))
	}},
	"jsonl": {contentType: jsonlType, ending: ".jsonl", holds: "movieOption repetitions symmetry uncertainty unit warnings", write: func(w io.Writer, f analysisFile) error {
		return formats.WriteResultsJSONL(w, f.times, f.results)
	}},
	"mot": {contentType: textType, ending: ".mot", timed: true, write: func(w io.Writer, f analysisFile) error {
		return formats.WriteMOT(w, formats.Motion{Name: f.name, Times: f.times, Columns: formats.Columns(f.results)})
	}},
	"report": {contentType: htmlType, ending: ".html", holds: everything, write: func(w io.Writer, f analysisFile) error {
		return f.report(w)
	}},
}

// analysisFile is the results of an analysis.
type analysisFile struct {
	name    string
	times   []float64
	results []analyze.Result
	json    motion.AnalysisJSON // as the record has it
	report  func(io.Writer) error
}

func (f analysisFile) file() (name string, timed bool) { return f.name, f.times != nil }

// contents are the members of the results, but those that the names and values of columns tell.
func (f analysisFile) contents() []string {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(f.json.Result, &list); err != nil {
		return nil
	}
	all := map[string]bool{}
	for name, v := range map[string]json.RawMessage{"gait": f.json.Gait, "jumps": f.json.Jumps} {
		if v != nil {
			all[name] = true
		}
	}
	for _, r := range list {
		for name := range r {
			all[name] = true
		}
	}
	for _, told := range []string{"analysisType", "name", "side", "description", "values", "coverage"} {
		delete(all, told)
	}
	if !slices.ContainsFunc(f.results, func(r analyze.Result) bool { return r.Unit != "°" }) {
		delete(all, "unit") // every format says degrees
	}
	return slices.Sorted(maps.Keys(all))
}

// exportAnalysis answers with the values of an analysis as a file.
func (c *call) exportAnalysis(id int64) {
	format, ok := format(c, analysisExports)
	if !ok {
		return
	}
	a, ok := awaited(c, id, c.service.Analysis)
	if !ok {
		return
	}
	results, err := a.Results()
	if err != nil {
		c.noResult(a.State, err)
		return
	}
	times, err := c.times(a.KeypointID)
	if err != nil {
		c.fail(err)
		return
	}
	result := a.JSON()
	answerFile(c, analysisExports, format, analysisFile{
		fmt.Sprintf("analysis-%d", id), times, results, result, func(w io.Writer) error { return c.reportAnalysis(w, a) },
	})
}

// times returns the times of a keypoint record.
func (c *call) times(id int64) ([]float64, error) {
	e, err := c.service.Extraction(c.r.Context(), c.client, id)
	if err != nil {
		return nil, err
	}
	seq, err := e.Sequence()
	return seq.Times, err
}

var comparisonExports = map[string]export[comparisonFile]{
	"csv": {contentType: csvType, ending: ".csv", write: func(w io.Writer, f comparisonFile) error {
		return formats.WriteColumnsCSV(w, f.times, formats.ComparisonColumns(f.result))
	}},
	"jsonl": {contentType: jsonlType, ending: ".jsonl", holds: everything, write: func(w io.Writer, f comparisonFile) error {
		return formats.WriteComparisonJSONL(w, f.times, f.result)
	}},
	"report": {contentType: htmlType, ending: ".html", holds: everything, write: func(w io.Writer, f comparisonFile) error {
		return f.report(w)
	}},
}

// comparisonFile is the result of a comparison; times are those of the source.
type comparisonFile struct {
	name   string
	times  []float64
	result compare.Result
	report func(io.Writer) error
}

func (f comparisonFile) file() (name string, timed bool) { return f.name, f.times != nil }

func (f comparisonFile) contents() (list []string) {
	if f.result.Score != nil {
		list = append(list, "score")
	}
	if f.result.Repetitions != nil {
		list = append(list, "repetitions")
	}
	return list
}

// exportComparison answers with the differences of a comparison as a file.
func (c *call) exportComparison(id int64) {
	format, ok := format(c, comparisonExports)
	if !ok {
		return
	}
	x, ok := awaited(c, id, c.service.Comparison)
	if !ok {
		return
	}
	result, err := x.Result()
	if err != nil {
		c.noResult(x.State, err)
		return
	}
	times, err := c.times(x.SourceID)
	if err != nil {
		c.fail(err)
		return
	}
	if !x.WantScore { // as in the record
		result.Score = nil
	}
	answerFile(c, comparisonExports, format, comparisonFile{
		fmt.Sprintf("comparison-%d", id), times, result, func(w io.Writer) error { return c.reportComparison(w, x) },
	})
}
