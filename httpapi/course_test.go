package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/sqlite"
)

// TestCourse is a course of treatment by the API alone: a person, three recordings of three weeks, an exercise, notes, a report,
// progress. Then everything of that person is erased, and nothing is left in the database and the files, but that of others.
func TestCourse(t *testing.T) {
	dir := t.TempDir()
	store, err := sqlite.Open(filepath.Join(dir, "motion.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		blobs, err := file.Open(filepath.Join(dir, "files"), file.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c.Store, c.Blobs, c.Decoder = store, blobs, fakes.Decoder{}
	})
	const person = `{"name":"Kenjiro Satomura","bodyHeight":1.8,"side":"left","note":"ligament reconstructed"}`
	if r := w.do("POST", "/subjects/", w.token, person, "Idempotency-Key", "Kenjiro Satomura, 1"); r.status != 201 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	w.make("/subjects/", `{"name":"somebody else"}`)

	week := func(subject, week int, depth float64) (movie, key, analysis string) {
		seq := bend(depth)
		frames := make([]image.Image, seq.Len())
		for i := range frames {
			frames[i] = image.NewGray(image.Rectangle{Max: seq.Size})
		}
		data := fakes.Movie(30, frames...)
		m := w.make("/movies/", fmt.Sprintf(`{"contentMd5":%q,"name":"visit %d of %d","subjectId":%d,"tags":["knees"],"recordedAt":"2026-11-%02dT10:00:00Z"}`,
			base64MD5(data), week, subject, subject, 1+7*week))
		if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-MD5", base64MD5(data)); r.status != 200 {
			t.Fatalf("upload: %d %s", r.status, r.body)
		}
		if r := w.do("GET", fmt.Sprintf("/movies/%v/?format=thumbnail", m["id"]), w.token, ""); r.status != 200 {
			t.Fatalf("thumbnail: %d %s", r.status, r.body)
		}
		points, err := json.Marshal(seq.Frames)
		if err != nil {
			t.Fatal(err)
		}
		id, k := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId":%v,"keypoints":%s}`, m["id"], points))
		if scale, _ := k["scale"].(map[string]any); k["subjectId"] != float64(subject) || subject == 1 && scale["bodyHeight"] != 1.8 {
			t.Errorf("keypoints of %v with the scale %v", k["subjectId"], k["scale"])
		}
		a, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"overview":true,"exercise":"squat"}`, id))
		w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, id))
		return fmt.Sprintf("/movies/%v/", m["id"]), fmt.Sprintf("/keypoints/%d/", id), fmt.Sprintf("/analyses/%d/", a)
	}
	var paths []string
	for i, depth := range []float64{60, 75, 110} {
		movie, key, analysis := week(1, i, depth)
		paths = append(paths, movie, key, analysis)
		done := w.do("GET", analysis, w.token, "").get(t)["exercise"].(map[string]any)
		if list := done["repetitions"].([]any); len(list) != 2 || list[0].(map[string]any)["outcome"] != []string{"missed", "missed", "met"}[i] {
			t.Errorf("week %d: %v", i, done["headline"])
		}
	}
	if r := w.do("PATCH", paths[7], w.token, `{"notes":[{"time":1.5,"text":"even at last"}]}`); r.status != 200 {
		t.Errorf("note: %d %s", r.status, r.body)
	}
	theirs, key, _ := week(2, 3, 90)

	trend := w.do("GET", "/subjects/1/trend/?measure=kneeFlexion", w.token, "").get(t)
	change, _ := trend["change"].(map[string]any)
	if list := trend["sessions"].([]any); len(list) != 3 || change == nil || change["real"] != true || change["amount"].(float64) < 45 || trend["side"] != "left" {
		t.Errorf("trend: %v", trend)
	} else if at := list[0].(map[string]any)["recordedAt"]; at != w.do("GET", paths[1], w.token, "").get(t)["recordedAt"] || at != "2026-11-01T10:00:00.000000Z" {
		t.Errorf("the first session is of %v, other than its record says", at)
	}
	table := w.do("GET", "/subjects/1/trend/?measure=kneeFlexion&format=csv", w.token, "")
	if lines := strings.Count(string(table.body), "\n"); lines != 4 || !strings.HasPrefix(table.header.Get("Content-Type"), "text/csv") {
		t.Errorf("table: %s", table.body)
	}
	report := w.do("GET", paths[8]+"?format=report", w.token, "")
	for _, want := range []string{"Kenjiro Satomura", "even at last", "<html"} {
		if !bytes.Contains(report.body, []byte(want)) {
			t.Errorf("the report lacks %q: %d", want, report.status)
		}
	}

	erased := w.do("DELETE", "/subjects/1/?all=true", w.token, "")
	var went struct {
		Records      map[storage.Kind]int
		Files, Bytes int
	}
	if err := json.Unmarshal(erased.body, &went); err != nil || erased.status != 200 || went.Files != 6 || went.Bytes < 3<<20 ||
		fmt.Sprint(went.Records) != "map[analyses:3 drawings:3 keypoints:3 movies:3 subjects:1]" {
		t.Errorf("erased: %d %s", erased.status, erased.body)
	}
	for _, path := range append(paths, "/subjects/1/", "/subjects/1/trend/") {
		if r := w.do("GET", path, w.token, ""); r.status != 404 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	if r := w.do("POST", "/subjects/", w.token, person, "Idempotency-Key", "Kenjiro Satomura, 1"); strings.Contains(string(r.body), `"id":1,`) {
		t.Errorf("the answer is kept: %s", r.body)
	} else if made := r.get(t)["id"]; r.status == 201 {
		w.do("DELETE", fmt.Sprintf("/subjects/%v/?all=true", made), w.token, "")
	}
	for _, path := range []string{theirs, key, "/subjects/2/"} {
		if r := w.do("GET", path, w.token, ""); r.status != 200 {
			t.Errorf("%s of somebody else: %d", path, r.status)
		}
	}
	left := 0
	for _, k := range append(catalog.Kinds(), catalog.Kind{Kind: storage.Deletions}) {
		page, err := store.Scan(t.Context(), k.Kind, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		left += len(page)
	}
	if left != 5 { // a person, a movie, keypoints, an analysis and a drawing
		t.Errorf("%d records are left", left)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, of := range []string{"Satomura", "satomura", "reconstructed", "even at last", "of 1"} {
			if bytes.Contains(text, []byte(of)) {
				t.Errorf("%s still has %q", path, of)
			}
		}
		if strings.HasPrefix(path, filepath.Join(dir, "files")) {
			files++
		}
		return err
	})
	if err != nil || files != 2 {
		t.Errorf("%d files are left (%v)", files, err)
	}
}

// bend is somebody who faces right and squats twice.
func bend(depth float64) keypoint.Sequence {
	seq := squatTo(depth, depth)
	seq.Size = image.Pt(150, 240)
	for i := range seq.Frames {
		f := &seq.Frames[i]
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			f.Set(p, keypoint.Point{at[0] / 2, at[1]/2 + 10}, 1)
		}
	}
	return seq
}
