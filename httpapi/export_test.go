package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// movie is the keypoints of three frames, the second of them empty.
func movie() keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 3), Times: []float64{0, 0.04, 0.08}}
	for _, i := range []int{0, 2} {
		s.Frames[i].Set(keypoint.LeftHip, keypoint.Point{100, 100}, 1)
		s.Frames[i].Set(keypoint.LeftKnee, keypoint.Point{100, 200}, 1)
		s.Frames[i].Set(keypoint.LeftAnkle, keypoint.Point{100 + float64(50*i), 200.5 + float64(i)}, 1)
	}
	return s
}

// filed is a world with the keypoints of a movie that nobody extracted.
func filed(t *testing.T) (w *world, put func(storage.Record) int64) {
	t.Helper()
	var store storage.Store
	w = newWorld(t, func(_ *httpapi.Options, cfg *motion.Config) { store = cfg.Store })
	return w, func(r storage.Record) int64 {
		t.Helper()
		r.Owner = "alice"
		r, err := store.Create(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
}

func (w *world) movieRecord(put func(storage.Record) int64) int64 {
	result, err := json.Marshal(movie())
	if err != nil {
		w.t.Fatal(err)
	}
	return put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(`{"movie":1}`), Result: result})
}

// file fetches a file and looks at what describes it.
func (w *world) file(path, contentType, name string) []byte {
	w.t.Helper()
	r := w.do("GET", path, w.token, "")
	if want := fmt.Sprintf(`attachment; filename=%q`, name); r.status != 200 || r.header.Get("Content-Type") != contentType ||
		r.header.Get("Content-Disposition") != want || r.header.Get("Cache-Control") != "no-store" {
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
	for _, c := range []struct {
		format, contentType, name string
		read                      func(b []byte) (keypoint.Sequence, error)
	}{
		{"csv", "text/csv; charset=utf-8; header=present", "keypoints-1.csv", func(b []byte) (keypoint.Sequence, error) {
			return formats.ReadCSV(bytes.NewReader(b), formats.Limits{})
		}},
		{"trc", "text/plain; charset=utf-8", "keypoints-1.trc", func(b []byte) (keypoint.Sequence, error) {
			return formats.ReadTRC(bytes.NewReader(b), formats.TRCOptions{})
		}},
		{"coco", "application/json", "keypoints-1.coco.json", func(b []byte) (keypoint.Sequence, error) {
			return formats.ReadCOCO(bytes.NewReader(b), formats.Limits{})
		}},
	} {
		t.Run(c.format, func(t *testing.T) {
			got, err := c.read(w.file(fmt.Sprintf("/keypoints/%d/?format=%s", id, c.format), c.contentType, c.name))
			if err != nil {
				t.Fatal(err)
			}
			if want := movie(); !slices.Equal(want.Frames, got.Frames) || !slices.Equal(want.Times, got.Times) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

func TestExportAnalyses(t *testing.T) {
	w, put := filed(t)
	key := w.movieRecord(put)
	id, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":[`+
		`{"analysisType":"jointFlexion","points":["leftHip","leftKnee","leftAnkle"]},{"analysisType":"coordinate","points":["leftAnkle"]}]}`, key))
	path := fmt.Sprintf("/analyses/%d/?format=", id)

	csv := string(w.file(path+"csv", "text/csv; charset=utf-8; header=present", fmt.Sprintf("analysis-%d.csv", id)))
	lines := strings.Split(csv, "\n")
	if want := "frame,time [s],left knee flexion [deg],left ankle coordinate x [px],left ankle coordinate y [px]"; lines[0] != want || len(lines) != 5 ||
		lines[1] != "0,0,0,100,200.5" || lines[2] != "1,0.04,,," {
		t.Errorf("csv: %q", lines)
	}

	mot := w.file(path+"mot", "text/plain; charset=utf-8", fmt.Sprintf("analysis-%d.mot", id))
	m, err := formats.ReadMOT(bytes.NewReader(mot), formats.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(movie().Times, m.Times); d != "" || len(m.Columns) != 3 {
		t.Fatalf("%d columns, %s", len(m.Columns), d)
	}
	flexion := m.Columns[0].Values
	if want := 180 / math.Pi * math.Atan2(100, 2.5); flexion[1].Present || math.Abs(flexion[2].X-want) > 1e-9 {
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
		"unknown format":          {fmt.Sprintf("/keypoints/%d/?format=xml", still), 400, `format is \"xml\"; it has to be coco or csv or sheet or trc.`},
		"no format":               {fmt.Sprintf("/keypoints/%d/?format=", still), 400, "it has to be coco or csv or sheet or trc."},
		"format of the other one": {fmt.Sprintf("/analyses/%d/?format=trc", analysis), 400, "it has to be csv or mot."},
		"include too":             {fmt.Sprintf("/keypoints/%d/?format=csv&include=scores", still), 400, "left out together with format"},
		"an image as TRC":         {fmt.Sprintf("/keypoints/%d/?format=trc", still), 400, "it has to be coco or csv or sheet for an image"},
		"an image as MOT":         {fmt.Sprintf("/analyses/%d/?format=mot", analysis), 400, "it has to be csv for an image"},
		"failed keypoints":        {fmt.Sprintf("/keypoints/%d/?format=csv", unready(storage.Keypoints, storage.Failure, `{"movie":1}`)), 409, "There is no result: The video format is not supported."},
		"failed analysis":         {fmt.Sprintf("/analyses/%d/?format=mot", unready(storage.Analyses, storage.Failure, `{"keypoint":1,"rule":`+rule+`}`)), 409, "There is no result: "},
		"unfinished keypoints":    {fmt.Sprintf("/keypoints/%d/?format=csv", unready(storage.Keypoints, storage.Processing, `{"movie":1}`)), 409, "no result"},
		"unknown keypoints":       {"/keypoints/999/?format=csv", 404, ""},
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
	for _, path := range []string{fmt.Sprintf("/keypoints/%d/?format=csv", still), fmt.Sprintf("/keypoints/%d/?format=coco", still), fmt.Sprintf("/analyses/%d/?format=csv", analysis)} {
		if r := w.do("GET", path, w.token, ""); r.status != 200 {
			t.Errorf("%s of an image: %d %s", path, r.status, r.body)
		}
	}
}
