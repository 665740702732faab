package httpapi_test

import (
	"encoding/json"
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// TestReport: keypoints, analyses and comparisons have a report in both languages, with pictures.
func TestReport(t *testing.T) {
	var store storage.Store
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		store, c.Decoder = c.Store, fakes.Decoder{}
	})
	put := func(r storage.Record) int64 {
		r.Owner = "alice"
		r, err := store.Create(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	path := w.put(storage.Movies, greys(41, 10))
	w.do("PATCH", path, w.token, `{"name":"Squats <week 6>","text":"With shoes."}`).get(t)
	seq := keypoint.Sequence{Size: image.Pt(400, 300)}
	for i, all := 0, squat(); i < all.Len(); i += 3 { // fewer pictures to decode
		seq.Frames, seq.Times = append(seq.Frames, all.Frames[i]), append(seq.Times, all.Times[i])
	}
	key := w.keypointRecord(put, seq)
	if path != "/movies/1/" || key != 1 {
		t.Fatalf("%s and keypoint record %d", path, key)
	}
	rule := `{"analysisType":"jointFlexion","points":["leftHip","leftKnee","leftAnkle"],"repetitions":true,"symmetry":true}`
	analysis, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":%s,"gait":true,"jump":true}`, key, rule))
	part, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":%s,"from":0.1,"to":3.9}`, key, rule))
	overview, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"overview":true}`, key))
	comparison, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"repetitions":%s}`, key, key, `{"analysisType":"jointFlexion","points":["leftHip","leftKnee","leftAnkle"]}`))
	smooth, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"clean":{"smooth":true}}`, w.keypointRecord(put, squat().Slice(0, 40))))
	smoothed := string(w.file(fmt.Sprintf("/keypoints/%d/?format=report", smooth), "text/html; charset=utf-8", fmt.Sprintf("keypoints-%d.html", smooth), ""))
	if used := fmt.Sprintf("butterworth %.1f Hz", m["cleaned"].(map[string]any)["cutoff"]); !strings.Contains(smoothed, used) {
		t.Errorf("the report of smoothed keypoints lacks %q", used)
	}
	subject, err := w.service.CreateSubject(t.Context(), "alice", motion.NewSubject{Name: "Mika <T.>", BodyHeight: 1.62, BirthYear: 1988, Side: analyze.LeftSide})
	if err != nil {
		t.Fatal(err)
	}
	filmed, notes := time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC), []motion.Note{{Text: "Sits <well>"}}
	if _, err := w.service.UpdateExtraction(t.Context(), "alice", key, motion.ExtractionUpdate{
		RecordingUpdate: motion.RecordingUpdate{SubjectID: &subject.ID, RecordedAt: &filmed}, Notes: &notes, Sketches: &[]draw.Sketch{
			{Frame: 3, Points: []keypoint.Point{{10, 10}, {10, 60}, {60, 60}}, Text: "a <b>"}, {Frame: 3, Points: []keypoint.Point{{20, 30}}, Text: "hips back", Color: draw.Red},
		}}); err != nil {
		t.Fatal(err)
	}
	edits := w.do("PATCH", fmt.Sprintf("/keypoints/%d/", key), w.token, `{"edits":[{"frame":3,"part":"leftKnee","point":[101,300]}]}`)
	if edits.status != 200 {
		t.Fatalf("%d %s", edits.status, edits.body)
	}
	for _, c := range []struct {
		path, name string
		en, ja     []string
	}{
		{fmt.Sprintf("/keypoints/%d/", key), "keypoints-1.html", []string{": 2 ", "Points corrected by hand: 1.", "drawn by hand"}, []string{" 2 回、", "1点を手で", "手描き"}},
		{fmt.Sprintf("/analyses/%d/", analysis), fmt.Sprintf("analysis-%d.html", analysis),
			[]string{"<dt>Repetitions</dt><dd>2</dd>", "Right knee flexion", "No steps were found", "No jumps were found", "corrected after these numbers"}, []string{"歩行は見つかりませんでした"}},
		{fmt.Sprintf("/analyses/%d/", part), fmt.Sprintf("analysis-%d.html", part),
			[]string{"<dt>Repetitions</dt><dd>2</dd>", "Only the part from 0.10 s to 3.90 s was analysed.", "corrected after these numbers"}, []string{"0.10秒から3.90秒までの部分だけを解析しました"}},
		{fmt.Sprintf("/analyses/%d/", overview), fmt.Sprintf("analysis-%d.html", overview), []string{`knee flexion</dt><dd><span class="num">`, ": 2 ", "±"}, []string{`膝の屈曲</dt><dd><span class="num">`, "<dt>反復</dt><dd>2</dd>"}},
		{fmt.Sprintf("/comparisons/%d/", comparison), fmt.Sprintf("comparison-%d.html", comparison), []string{"bends as much", "Squats &lt;week 6&gt; (1)", "the same one of the other", "corrected after"}, []string{"が同じ"}},
	} {
		for query, want := range map[string][]string{"?format=report": c.en, "?format=report&language=ja": c.ja} {
			body := string(w.file(c.path+query, "text/html; charset=utf-8", c.name, ""))
			for _, text := range append(want, "<h1>Squats &lt;week 6&gt;</h1>", "With shoes.", "Mika &lt;T.&gt;", "1.62 m", "23:30 UTC", "Sits &lt;well&gt;", "a &lt;b&gt; 90°", "hips back", `stroke="#ff0000"`, `stroke="#ffff00"`) {
				if !strings.Contains(body, text) {
					t.Errorf("%s%s lacks %q", c.path, query, text)
				}
			}
			if n := strings.Count(body, "data:image/jpeg;base64,"); n < 2 {
				t.Errorf("%s%s has %d pictures", c.path, query, n)
			}
		}
		for query, want := range map[string]string{
			"?format=report&language=de":                          `language is \"de\"; it has to be en or ja.`,
			"?format=report&language=":                            `language is \"\"; it has to be en or ja.`,
			"?format=csv&language=ja":                             "language is for format=report or format=tables or format=phases only",
			"?language=ja":                                        "language is for format=report or format=tables or format=phases only",
			"?examiner=R.":                                        "examiner is for format=report or format=tables only",
			"?format=report&utcOffset=9h":                         "-720 to 840 minutes",
			"?format=report&examiner=" + strings.Repeat("a", 101): "at most 100 characters",
			"?format=reports":                                     "or report",
		} {
			if r := w.do("GET", c.path+query, w.token, ""); r.status != 400 || !strings.Contains(string(r.body), want) {
				t.Errorf("%s%s: %d %s, want %q", c.path, query, r.status, r.body, want)
			}
		}
		body := string(w.file(c.path+"?format=report&examiner=R.%20L&utcOffset=60", "text/html; charset=utf-8", c.name, ""))
		if !strings.Contains(body, "<dd>21 November 2026</dd>") || !strings.Contains(body, "<dd>R. L</dd>") {
			t.Errorf("%s: the report lacks the examiner, or the day there", c.path)
		}
		if r := w.do("GET", c.path+"?format=report", w.other, ""); r.status != 404 {
			t.Errorf("somebody else: %d", r.status)
		}
	}
	if r := w.do("GET", "/keypoints/1/?format=report&person=2", w.token, ""); r.status != 400 || !strings.Contains(string(r.body), "query parameter person") {
		t.Errorf("a person that is not there: %d %s", r.status, r.body)
	}
	if r := w.do("GET", "/keypoints/1/?format=report&raw=true", w.token, ""); r.status != 400 || !strings.Contains(string(r.body), "left out together with format=report") {
		t.Errorf("raw: %d %s", r.status, r.body)
	}
	unfinished := put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Failure, Failure: "no", Data: []byte(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`)})
	if r := w.do("GET", fmt.Sprintf("/keypoints/%d/?format=report", unfinished), w.token, ""); r.status != 409 {
		t.Errorf("a failed record: %d %s", r.status, r.body)
	}
}

// TestReportTrend: the report of a person's recording has those before it, and the newest says what has changed.
func TestReportTrend(t *testing.T) {
	w := newWorld(t, nil)
	subject, _ := w.do("POST", "/subjects/", w.token, `{"name":"Mika"}`).get(t)["id"].(float64)
	var ids []int64
	for k, share := range []float64{0.6, 1} {
		seq := squat()
		for i := range seq.Frames {
			if s := squat().Frames[int(share*float64(i))]; i < 60 { // not as deep
				seq.Frames[i], seq.Frames[120-i] = s, s
			}
		}
		text, err := json.Marshal(map[string]any{
			"keypoints": seq.Frames, "timestamps": seq.Times, "size": []int{400, 500}, "clean": false,
			"subjectId": subject, "recordedAt": fmt.Sprintf("2026-11-%dT09:00:00Z", 10+7*k),
		})
		if err != nil {
			t.Fatal(err)
		}
		id, _ := w.record(storage.Keypoints, w.token, string(text))
		ids = append(ids, id)
	}
	for k, id := range ids {
		text := string(w.file(fmt.Sprintf("/keypoints/%d/?format=report", id), "text/html; charset=utf-8", fmt.Sprintf("keypoints-%d.html", id), ""))
		for _, want := range []string{"<dd>Mika</dd>", "Last sessions", ">10 Nov<", ">17 Nov<"} {
			if !strings.Contains(text, want) {
				t.Errorf("the report of recording %d lacks %q", k, want)
			}
		}
		if strings.Contains(text, "in the first session") != (k == 1) {
			t.Errorf("recording %d: only the newest says what has changed", k)
		}
	}
}
