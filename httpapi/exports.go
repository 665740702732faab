package httpapi

import (
	"bytes"
	"fmt"
	goimage "image"
	"image/jpeg"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/sheet"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// export is a file format that results are given out in.
type export struct {
	contentType string
	ending      string
	timed       bool   // whether only recordings with times can be written
	holds       string // the contents that the file keeps, separated by spaces, or everything
	write       func(w io.Writer, f file) error
	still       *export // how an image is written instead, if not nil
}

// everything is what a format holds that leaves nothing out.
const everything = "*"

// file is a result to be given out as a file: keypoints, the results of an analysis or of a comparison.
type file struct {
	name          string    // without its ending
	times         []float64 // of the recording; nil for an image
	contents      []string  // what the result has besides what every format can say
	beside        []string  // what the record has beside that, which only reports hold
	sheet, report func(io.Writer) error
	phases        func(io.Writer) error

	keypoints  keypoint.Sequence
	results    []analyze.Result
	comparison compare.Result
}

// reportExport is the report of every kind.
var reportExport = export{contentType: htmlType, ending: ".html", holds: everything, write: func(w io.Writer, f file) error { return f.report(w) }}

// frames, angles and differences write files of keypoints, of analyses and of comparisons.
func frames(format string) func(io.Writer, file) error {
	return func(w io.Writer, f file) error { return formats.Write(w, format, f.keypoints) }
}

func angles(write func(io.Writer, []float64, []analyze.Result) error) func(io.Writer, file) error {
	return func(w io.Writer, f file) error { return write(w, f.times, f.results) }
}

func differences(write func(io.Writer, []float64, compare.Result) error) func(io.Writer, file) error {
	return func(w io.Writer, f file) error { return write(w, f.times, f.comparison) }
}

// exports are the formats of each kind of record.
var exports = map[storage.Kind]map[string]export{
	storage.Keypoints: {
		"csv":       {contentType: csvType, ending: ".csv", holds: "scores timestamps smallToes", write: frames("csv")},
		"jsonl":     {contentType: jsonlType, ending: ".jsonl", holds: "scores visibility timestamps size smallToes", write: frames("jsonl")},
		"trc":       {contentType: textType, ending: ".trc", timed: true, holds: "timestamps smallToes positions", write: frames("trc")},
		"c3d":       {contentType: "application/octet-stream", ending: ".c3d", timed: true, holds: "smallToes positions", write: frames("c3d")},
		"bvh":       {contentType: textType, ending: ".bvh", timed: true, holds: "positions", write: frames("bvh")},
		"coco":      {contentType: jsonType, ending: ".coco.json", holds: "scores timestamps size smallToes", write: frames("coco")},
		"mediapipe": {contentType: jsonType, ending: ".mediapipe.json", holds: "scores", write: frames("mediapipe")},
		"openpose": {contentType: "application/zip", ending: ".openpose.zip", holds: "scores smallToes", write: frames("openpose"),
			still: &export{contentType: jsonType, ending: "_keypoints.json", holds: "scores smallToes", write: func(w io.Writer, f file) error {
				return formats.WriteOpenPose(w, &f.keypoints.Frames[0])
			}}},
		"sheet":  {contentType: "image/jpeg", ending: ".jpg", holds: "timestamps", write: func(w io.Writer, f file) error { return f.sheet(w) }},
		"report": reportExport,
	},
	storage.Analyses: {
		"csv": {contentType: csvType, ending: ".csv", holds: "uncertainty unit", write: angles(analyze.WriteCSV)},
		"jsonl": {
			contentType: jsonlType, ending: ".jsonl", holds: "constant movieOption repetitions statistics symmetry uncertainty unit warnings",
			write: angles(analyze.WriteJSONL),
		},
		"mot": {contentType: textType, ending: ".mot", timed: true, write: func(w io.Writer, f file) error {
			return analyze.WriteMOT(w, f.name, f.times, f.results)
		}},
		"tables": {contentType: "text/csv; charset=utf-8", ending: ".csv", holds: everything, write: reportExport.write},
		"phases": {contentType: "image/png", ending: ".png", timed: true, write: func(w io.Writer, f file) error { return f.phases(w) }},
		"report": reportExport,
	},
	storage.Comparisons: {
		"csv":    {contentType: csvType, ending: ".csv", write: differences(compare.WriteCSV)},
		"jsonl":  {contentType: jsonlType, ending: ".jsonl", holds: everything, write: differences(compare.WriteJSONL)},
		"report": reportExport,
	},
}

// omits returns what the format leaves out of the result and its record.
func (x export) omits(f file) []string {
	if x.holds == everything {
		return nil
	}
	list := slices.DeleteFunc(f.contents, func(name string) bool { return slices.Contains(strings.Fields(x.holds), name) })
	for _, name := range f.beside {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// content is something that a result may have.
type content struct {
	name string
	has  bool
}

// namesOf returns what a result has.
func namesOf(contents ...content) (names []string) {
	for _, c := range contents {
		if c.has {
			names = append(names, c.name)
		}
	}
	return names
}

// formatsOf lists the formats of a kind for a message, those alone that need no times when timed is not set.
func formatsOf(kind storage.Kind, timed bool) string {
	known := exports[kind]
	list := slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(name string) bool { return known[name].timed && !timed })
	return strings.Join(list, " or ")
}

func wantsFile(c *call) bool {
	return c.query.Has("format") || slices.ContainsFunc(slices.Collect(maps.Keys(onlyFor)), c.query.Has)
}

// exported answers with a result, to be saved as a file in the format that the query asks for. Format-Omits
// names what the result has and the file has not.
func exported(c *call, id int64, read func(*call, int64) (file, error)) error {
	format := c.query.Get("format")
	for _, name := range slices.Sorted(maps.Keys(onlyFor)) {
		if of := strings.Fields(onlyFor[name]); c.query.Has(name) && !slices.Contains(of, format) {
			return invalid(mistake{Parameter: name, Detail: fmt.Sprintf("The query parameter %s is for format=%s only.", name, strings.Join(of, " or format="))})
		}
	}
	if _, err := asked(c); err != nil {
		return err
	}
	x, ok := exports[c.kind][format]
	if !ok {
		return invalid(inQuery("format", format, formatsOf(c.kind, true)))
	}
	for _, name := range []string{"include", "foundFrom"} {
		if c.query.Has(name) {
			return invalid(inQuery(name, c.query.Get(name), "left out together with format"))
		}
	}
	f, err := read(c, id)
	if err != nil {
		return err
	}
	if x.timed && f.times == nil {
		return invalid(inQuery("format", format, formatsOf(c.kind, false)+" for an image, which has no times"))
	}
	if x.still != nil && f.times == nil {
		x = *x.still
	}
	var b bytes.Buffer
	if err := x.write(&b, f); err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename=%q`, f.name+x.ending))
	if omits := x.omits(f); len(omits) > 0 {
		h.Set("Format-Omits", strings.Join(omits, ", "))
	}
	c.answerBytes(http.StatusOK, x.contentType, "no-store", b.Bytes())
	return nil
}

func times(c *call, id int64) ([]float64, error) {
	e, err := c.service.GetExtraction(c.r.Context(), c.client, id)
	if err != nil {
		return nil, err
	}
	seq, err := e.Sequence()
	return seq.Times, err
}

func keypointFile(c *call, id int64) (f file, err error) {
	raw, err := c.truth("raw")
	if err == nil && raw && c.query.Get("format") == "report" {
		err = invalid(inQuery("raw", "true", "left out together with format=report"))
	}
	if err != nil {
		return f, err
	}
	e, err := readKeypoint(c, id)
	if err != nil {
		return f, err
	}
	sequence := e.Sequence
	if raw {
		sequence = e.Raw
	}
	seq, err := sequence()
	if err != nil {
		return f, noResult(e.State, err)
	}
	f = file{
		name: fmt.Sprintf("keypoints-%d", id), times: seq.Times, contents: contentsOf(seq), keypoints: seq,
		sheet:  func(w io.Writer) error { return writeSheet(c, w, e, seq) },
		report: func(w io.Writer) error { return reportKeypoint(c, w, e) },
	}
	if e.Track != 0 {
		f.name += fmt.Sprintf("-person-%d", e.Track)
	}
	return f, nil
}

func contentsOf(seq keypoint.Sequence) []string {
	var present keypoint.Parts
	visibility := false
	for i := range seq.Frames {
		present |= seq.Frames[i].Present()
		for p := range keypoint.Part(keypoint.NumParts) {
			_, known := seq.Frames[i].Visibility(p)
			visibility = visibility || known
		}
	}
	return namesOf(
		content{"scores", present != 0}, content{"visibility", visibility}, content{"timestamps", seq.Times != nil}, content{"size", seq.Size.X > 0},
		content{"smallToes", present.Has(keypoint.LeftSmallToe) || present.Has(keypoint.RightSmallToe)},
		content{"personChanges", seq.PersonChanges != nil}, content{"looks", seq.Looks != nil}, content{"world", seq.World != keypoint.World{}},
		content{"positions", seq.Space != nil})
}

// writeSheet writes a contact sheet of a recording: some of its frames with the skeleton and the time of each.
func writeSheet(c *call, w io.Writer, e motion.Extraction, seq keypoint.Sequence) error {
	if _, id := recording(e); id == 0 {
		return wire.Refuse(http.StatusNotFound, "There is no sheet: the keypoints were given without a movie or an image.")
	}
	return stills(c, e, func(picture func(int) (goimage.Image, error)) error {
		m, err := sheet.Draw(seq, picture, sheet.Options{Count: 12, CellSize: 320, Rules: []draw.Rule{draw.Body().In("", 2)}})
		if err != nil {
			return err
		}
		return jpeg.Encode(w, m, &jpeg.Options{Quality: pictureQuality})
	})
}
