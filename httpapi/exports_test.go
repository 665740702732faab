package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// movie is the keypoints of three frames, the second of them empty.
func movie() keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 3), Times: []float64{0, 0.04, 0.08}, Size: image.Pt(400, 300)}
	for _, i := range []int{0, 2} {
		s.Frames[i].Set(keypoint.LeftHip, keypoint.Point{100, 100}, 1)
		s.Frames[i].Set(keypoint.LeftKnee, keypoint.Point{100, 200}, 1)
		s.Frames[i].Set(keypoint.LeftAnkle, keypoint.Point{100 + float64(50*i), 200.5 + float64(i)}, 1)
	}
	return s
}

// filed is a world with two movies and their keypoints, which nobody extracted.
func filed(t *testing.T) (w *world, put func(storage.Record) int64) {
	t.Helper()
	var store storage.Store
	w = newWorld(t, func(_ *httpapi.Options, cfg *motion.Config) { store = cfg.Store })
	put = func(r storage.Record) int64 {
		t.Helper()
		r.Owner = "alice"
		if labelled, err := catalog.Labelled(r); err == nil { // damaged ones have no labels
			r = labelled
		}
		r, err := store.Create(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	for range 2 {
		put(storage.Record{Key: storage.Key{Kind: storage.Movies}, Status: storage.Success, Data: []byte(`{}`)})
	}
	return w, put
}

func (w *world) movieRecord(put func(storage.Record) int64) int64 {
	result, err := json.Marshal(movie())
	if err != nil {
		w.t.Fatal(err)
	}
	return put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`), Result: fmt.Appendf(nil, `{"cleaned":%s}`, result)})
}

// file fetches a file and looks at what describes it.
func (w *world) file(path, contentType, name, omits string) []byte {
	w.t.Helper()
	r := w.do("GET", path, w.token, "")
	if want := fmt.Sprintf(`attachment; filename=%q`, name); r.status != 200 || r.header.Get("Content-Type") != contentType ||
		r.header.Get("Content-Disposition") != want || r.header.Get("Cache-Control") != "no-store" || r.header.Get("Format-Omits") != omits {
		w.t.Fatalf("%s: %d %v %s", path, r.status, r.header, r.body)
	}
	head := w.do("HEAD", path, w.token, "")
	if head.status != 200 || len(head.body) != 0 || head.header.Get("Content-Length") != fmt.Sprint(len(r.body)) {
		w.t.Errorf("HEAD %s: %d %v", path, head.status, head.header)
	}
	return r.body
}

func TestExportKeypoints(t *testing.T) {
	w, put := filed(t)
	id := w.movieRecord(put)
	unsized := movie()
	unsized.Size = image.Point{}
	for _, c := range []struct {
		format, contentType, name, omits string
		opt                              formats.Options
		want                             keypoint.Sequence
	}{
		{"csv", "text/csv; charset=utf-8; header=present", "keypoints-1.csv", "size", formats.Options{}, unsized},
		{"jsonl", "application/jsonl", "keypoints-1.jsonl", "", formats.Options{}, movie()},
		{"trc", "text/plain; charset=utf-8", "keypoints-1.trc", "scores, size", formats.Options{}, unsized},
		{"coco", "application/json", "keypoints-1.coco.json", "", formats.Options{}, movie()},
		{"openpose", "application/zip", "keypoints-1.openpose.zip", "timestamps, size", formats.Options{Rate: 25}, unsized},
		{"mediapipe", "application/json", "keypoints-1.mediapipe.json", "timestamps, size", formats.Options{Rate: 25, Size: movie().Size}, movie()},
	} {
		t.Run(c.format, func(t *testing.T) {
			got, err := formats.Read(bytes.NewReader(w.file(fmt.Sprintf("/keypoints/%d/?format=%s", id, c.format), c.contentType, c.name, c.omits)), c.format, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(c.want.Frames, got.Frames) || !slices.Equal(c.want.Times, got.Times) || c.want.Size != got.Size {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// TestExportOmits holds that what a format leaves out of a record is named.
func TestExportOmits(t *testing.T) {
	w, put := filed(t)
	seq := movie()
	seq.Frames[2].Set(keypoint.LeftSmallToe, keypoint.Point{110, 210}, 1)
	seq.PersonChanges, seq.Looks = []int{2}, []int{0, 2}
	result, err := json.Marshal(seq)
	if err != nil {
		t.Fatal(err)
	}
	id := put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1},"outcome":{"world":{"metresPerPixel":0.01}}}`), Result: fmt.Appendf(nil, `{"cleaned":%s}`, result)})
	const more = "personChanges, looks, world"
	for format, want := range map[string]string{
		"csv": "size, " + more, "jsonl": more, "coco": more, "trc": "scores, size, " + more, "c3d": "scores, timestamps, size, " + more,
		"openpose": "timestamps, size, " + more, "mediapipe": "timestamps, size, smallToes, " + more,
	} {
		r := w.do("GET", fmt.Sprintf("/keypoints/%d/?format=%s", id, format), w.token, "")
		if got := r.header.Get("Format-Omits"); r.status != 200 || got != want {
			t.Errorf("%s: %d omits %q, want %q", format, r.status, got, want)
		}
		if format == "trc" && !strings.Contains(string(r.body), "25\t25\t3\t23\tm\t25\t0\t3\n") {
			t.Errorf("TRC in metres: %s", r.body)
		}
	}
	if r := w.do("GET", fmt.Sprintf("/keypoints/%d/?format=bvh", id), w.token, ""); r.status != 400 || !strings.Contains(string(r.body), "want one in space: join recordings of two cameras") {
		t.Errorf("bvh of a plane: %d %s", r.status, r.body)
	}
}

func TestExportComparisons(t *testing.T) {
	w, put := filed(t)
	key := w.movieRecord(put)
	id, m := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"score":"always","angles":true}`, key, key))
	path := fmt.Sprintf("/comparisons/%d/?format=", id)

	csv := strings.Split(string(w.file(path+"csv", "text/csv; charset=utf-8; header=present", fmt.Sprintf("comparison-%d.csv", id), "score, warnings")), "\n")
	want := []string{
		"frame,time [s],left hip distance,left hip direction [deg],left knee distance,left knee direction [deg],left ankle distance,left ankle direction [deg],shift [s]",
		"0,0,0,0,0,0,0,0,0", "1,0.04,,,,,,,0", "2,0.08,0,0,0,0,0,0,0", "",
	}
	if d := cmp.Diff(want, csv); d != "" {
		t.Error(d)
	}
	lines := strings.Split(string(w.file(path+"jsonl", "application/jsonl", fmt.Sprintf("comparison-%d.jsonl", id), "")), "\n")
	var head struct {
		Timed bool
		Score any
	}
	var frame struct {
		Time, Shift        float64
		Difference, Angles any
	}
	if len(lines) != 5 || json.Unmarshal([]byte(lines[0]), &head) != nil || json.Unmarshal([]byte(lines[3]), &frame) != nil {
		t.Fatalf("%q", lines)
	}
	if d := cmp.Diff(m["score"], head.Score) + cmp.Diff(m["difference"].([]any)[2], frame.Difference) + cmp.Diff(m["angles"].([]any)[2], frame.Angles); d != "" || !head.Timed || frame.Time != 0.08 {
		t.Errorf("%v %v %s", head, frame, d)
	}

	plain, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, key, key))
	if text := string(w.file(fmt.Sprintf("/comparisons/%d/?format=jsonl", plain), "application/jsonl", fmt.Sprintf("comparison-%d.jsonl", plain), "")); !strings.HasPrefix(text, "{\"timed\":true}\n") {
		t.Errorf("without extras: %s", text)
	}
}

func TestExportAnalyses(t *testing.T) {
	w, put := filed(t)
	key := w.movieRecord(put)
	id, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":[`+
		`{"analysisType":"jointFlexion","points":["leftHip","leftKnee","leftAnkle"]},{"analysisType":"coordinate","points":["leftAnkle"]}]}`, key))
	path := fmt.Sprintf("/analyses/%d/?format=", id)

	csv := string(w.file(path+"csv", "text/csv; charset=utf-8; header=present", fmt.Sprintf("analysis-%d.csv", id), ""))
	lines := strings.Split(csv, "\n")
	if want := "frame,time [s],left knee flexion [deg],left ankle coordinate x [px],left ankle coordinate y [px]"; lines[0] != want || len(lines) != 5 ||
		lines[1] != "0,0,0,100,200.5" || lines[2] != "1,0.04,,," {
		t.Errorf("csv: %q", lines)
	}

	lines = strings.Split(string(w.file(path+"jsonl", "application/jsonl", fmt.Sprintf("analysis-%d.jsonl", id), "")), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], `{"results":[{"analysisType":"jointFlexion","coverage":`) || !strings.HasSuffix(lines[0], `"timed":true}`) ||
		lines[1] != `{"time":0,"values":[0,[100,200.5]]}` || lines[2] != `{"time":0.04,"values":[null,null]}` {
		t.Errorf("jsonl: %q", lines)
	}

	tables := string(w.file(path+"tables&separator=semicolon", "text/csv; charset=utf-8", fmt.Sprintf("analysis-%d.csv", id), ""))
	if !strings.HasPrefix(tables, "\ufeffMovement report;") || !strings.Contains(tables, "\r\nframe;time [s];left knee flexion [deg];") || !strings.Contains(tables, "\r\n1;0,04;") {
		t.Errorf("tables: %q", tables)
	}
	for _, wrong := range []string{"tables&separator=tab", "csv&separator=comma"} {
		if r := w.do("GET", path+wrong, w.token, ""); r.status != 400 || !strings.Contains(string(r.body), "separator") {
			t.Errorf("%s: %d %s", wrong, r.status, r.body)
		}
	}

	mot := string(w.file(path+"mot", "text/plain; charset=utf-8", fmt.Sprintf("analysis-%d.mot", id), "unit"))
	head, rows, _ := strings.Cut(mot, "endheader\ntime\tleft_knee_flexion\tleft_ankle_coordinate_x\tleft_ankle_coordinate_y\n")
	if want := fmt.Sprintf("analysis-%d\nversion=1\nnRows=3\nnColumns=4\ninDegrees=yes\n", id); head != want {
		t.Errorf("mot: %q, want %q", head, want)
	}
	var times []float64
	var flexion []string
	for _, row := range strings.Split(strings.TrimSpace(rows), "\n") {
		cells := strings.Split(row, "\t")
		at, err := strconv.ParseFloat(cells[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		times, flexion = append(times, at), append(flexion, cells[1])
	}
	last, err := strconv.ParseFloat(flexion[len(flexion)-1], 64)
	if d := cmp.Diff(movie().Times, times); d != "" || err != nil {
		t.Fatalf("%v, %s", err, d)
	}
	if want := 180 / math.Pi * math.Atan2(100, 2.5); flexion[1] != "NaN" || math.Abs(last-want) > 1e-4 {
		t.Errorf("mot: %v, want %v degrees in the last frame", flexion, want)
	}
}

func TestExportRefused(t *testing.T) {
	w, put := filed(t)
	img := w.image(w.token)
	still, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	rule := `{"analysisType":"coordinate","points":["nose"]}`
	analysis, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, still, rule))
	unready := func(kind storage.Kind, status storage.Status, data string) int64 {
		return put(storage.Record{Key: storage.Key{Kind: kind}, Status: status, Failure: "The video format is not supported.", Data: []byte(data)})
	}
	for name, c := range map[string]struct {
		path   string
		status int
		detail string
	}{
		"unknown format":          {fmt.Sprintf("/keypoints/%d/?format=xml", still), 400, `format is \"xml\"; it has to be bvh or c3d or coco or csv or jsonl or mediapipe or openpose or report or sheet or trc.`},
		"no format":               {fmt.Sprintf("/keypoints/%d/?format=", still), 400, "it has to be bvh or c3d or coco or csv or jsonl or mediapipe or openpose or report or sheet or trc."},
		"format of the other one": {fmt.Sprintf("/analyses/%d/?format=trc", analysis), 400, "it has to be csv or jsonl or mot or phases or report or tables."},
		"foundFrom too":           {fmt.Sprintf("/keypoints/%d/?format=csv&foundFrom=3", still), 400, "left out together with format"},
		"include too":             {fmt.Sprintf("/keypoints/%d/?format=csv&include=scores", still), 400, "left out together with format"},
		"an image as TRC":         {fmt.Sprintf("/keypoints/%d/?format=trc", still), 400, "it has to be coco or csv or jsonl or mediapipe or openpose or report or sheet for an image"},
		"an image as MOT":         {fmt.Sprintf("/analyses/%d/?format=mot", analysis), 400, "it has to be csv or jsonl or report or tables for an image"},
		"failed keypoints":        {fmt.Sprintf("/keypoints/%d/?format=csv", unready(storage.Keypoints, storage.Failure, `{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`)), 409, "There is no result: The video format is not supported."},
		"failed analysis":         {fmt.Sprintf("/analyses/%d/?format=mot", unready(storage.Analyses, storage.Failure, `{"from":[{"kind":"keypoints","id":1}],"request":{"keypointId":1,"rule":`+rule+`}}`)), 409, "There is no result: "},
		"unfinished keypoints":    {fmt.Sprintf("/keypoints/%d/?format=csv", unready(storage.Keypoints, storage.Processing, `{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`)), 409, "no result"},
		"unknown keypoints":       {"/keypoints/999/?format=csv", 404, ""},
		"unfinished comparison":   {fmt.Sprintf("/comparisons/%d/?format=csv", unready(storage.Comparisons, storage.Processing, `{"from":[{"kind":"keypoints","id":1},{"kind":"keypoints","id":1}],"request":{"sourceId":1,"targetId":1}}`)), 409, "no result"},
		"comparison as TRC":       {"/comparisons/1/?format=trc", 400, "it has to be csv or jsonl or report."},
		"unknown comparison":      {"/comparisons/999/?format=csv", 404, ""},
		"unknown analysis":        {"/analyses/999/?format=csv", 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := w.do("GET", c.path, w.token, "")
			if r.status != c.status || r.header.Get("Content-Type") != "application/problem+json" || r.header.Get("Content-Disposition") != "" ||
				!strings.Contains(string(r.body), c.detail) {
				t.Errorf("%d %s, want %d and %q", r.status, r.body, c.status, c.detail)
			}
		})
	}
	if r := w.do("GET", fmt.Sprintf("/keypoints/%d/?format=csv", still), w.other, ""); r.status != 404 {
		t.Errorf("somebody else's: %d", r.status)
	}
	for path, contentType := range map[string]string{
		fmt.Sprintf("/keypoints/%d/?format=csv", still):       "text/csv; charset=utf-8; header=present",
		fmt.Sprintf("/keypoints/%d/?format=jsonl", still):     "application/jsonl",
		fmt.Sprintf("/keypoints/%d/?format=coco", still):      "application/json",
		fmt.Sprintf("/keypoints/%d/?format=openpose", still):  "application/json",
		fmt.Sprintf("/keypoints/%d/?format=mediapipe", still): "application/json",
		fmt.Sprintf("/analyses/%d/?format=csv", analysis):     "text/csv; charset=utf-8; header=present",
		fmt.Sprintf("/analyses/%d/?format=jsonl", analysis):   "application/jsonl",
	} {
		if r := w.do("GET", path, w.token, ""); r.status != 200 || r.header.Get("Content-Type") != contentType {
			t.Errorf("%s of an image: %d %v %s", path, r.status, r.header, r.body)
		}
	}
}
