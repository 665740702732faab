package httpapi_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
)

// ids returns the records of a list.
func (w *world) ids(path, token string) (list []int) {
	w.t.Helper()
	r := w.do("GET", path, token, "")
	if r.status != 200 {
		w.t.Fatalf("%s: %d %s", path, r.status, r.body)
	}
	for _, item := range r.get(w.t)["data"].([]any) {
		list = append(list, int(item.(map[string]any)["id"].(float64)))
	}
	return list
}

// TestSubjects: people are made, read, found, changed and deleted, by their owner alone.
func TestSubjects(t *testing.T) {
	w := newWorld(t, nil)
	made := w.do("POST", "/subjects/", w.token, `{"name":"Kenji Sato","body_height":1.8,"birthYear":1994,"side":"right"}`)
	m := made.get(t)
	if made.status != 201 || made.header.Get("Location") != w.server.URL+"/anymotion/v1/subjects/1/" {
		t.Fatalf("%d %v %s", made.status, made.header, made.body)
	}
	for _, name := range []string{"createdAt", "updatedAt"} {
		delete(m, name)
	}
	want := map[string]any{"id": 1., "name": "Kenji Sato", "bodyHeight": 1.8, "birthYear": 1994., "side": "right", "note": nil}
	if d := cmp.Diff(want, m); d != "" {
		t.Error(d)
	}
	changed := w.do("PATCH", "/subjects/1/", w.token, `{"bodyHeight":0,"side":"","note":"squat to the box"}`)
	maps.Copy(want, map[string]any{"bodyHeight": nil, "side": nil, "note": "squat to the box"})
	again := w.do("GET", "/subjects/1/", w.token, "").get(t)
	if d := cmp.Diff(again, changed.get(t)); changed.status != 200 || d != "" {
		t.Errorf("%d %s", changed.status, d)
	}
	delete(again, "createdAt")
	delete(again, "updatedAt")
	if d := cmp.Diff(want, again); d != "" {
		t.Error(d)
	}
	w.make("/subjects/", `{"name":"田中 美香"}`)
	for query, want := range map[string][]int{
		"": {2, 1}, "?size=1": {2}, "?page=2&size=1": {1}, "?text=SAT": {1}, "?text=kenji+box": {1}, "?text=%E4%B8%AD": {2}, "?text=kenji+tanaka": nil, "?text=ato": nil,
	} {
		if got := w.ids("/subjects/"+query, w.token); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	for _, x := range []struct{ method, path, body string }{
		{"GET", "/subjects/1/", ""}, {"PATCH", "/subjects/1/", `{"note":"x"}`}, {"DELETE", "/subjects/1/", ""}, {"DELETE", "/subjects/1/?all=true", ""},
		{"GET", "/subjects/1/trend/?measure=kneeFlexion", ""},
		{"POST", "/movies/", fmt.Sprintf(`{"contentMd5":%q,"subjectId":1}`, base64MD5(nil))},
	} {
		if r := w.do(x.method, x.path, w.other, x.body); r.status != 404 {
			t.Errorf("%s %s of another client: %d %s", x.method, x.path, r.status, r.body)
		}
		if r := w.do(x.method, strings.Replace(x.path, "/1/", "/7/", 1), w.token, strings.Replace(x.body, `Id":1`, `Id":7`, 1)); r.status != 404 {
			t.Errorf("%s %s that does not exist: %d %s", x.method, x.path, r.status, r.body)
		}
		if r := w.do(x.method, x.path, w.reader, x.body); x.method != "GET" && r.status != 403 {
			t.Errorf("%s %s of a reader: %d", x.method, x.path, r.status)
		}
	}
	if got := w.ids("/subjects/", w.other); got != nil {
		t.Errorf("another client lists %v", got)
	}
	if r := w.do("DELETE", "/subjects/2/", w.token, ""); r.status != 200 || string(r.body) != `{"records":{"subjects":1},"files":0,"bytes":0}` {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := w.do("GET", "/subjects/2/", w.token, ""); r.status != 404 {
		t.Errorf("deleted: %d", r.status)
	}
}

// TestWrongSubjects: what is wrong is refused with its place.
func TestWrongSubjects(t *testing.T) {
	w := newWorld(t, nil)
	w.make("/subjects/", `{"name":"a"}`)
	img := w.image(w.token)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	media, keypoints := fmt.Sprintf("PATCH /images/%d/", img), fmt.Sprintf("PATCH /keypoints/%d/", key)
	tags := `"` + strings.Join(strings.Split("abcdefghijklmnopqrstu", ""), `","`) + `"`
	for _, x := range []struct{ request, body, place string }{
		{"POST /subjects/", `{}`, "/name"}, {"POST /subjects/", `{"name":""}`, "/name"}, {"POST /subjects/", `{"name":7}`, "/name"},
		{"POST /subjects/", `{"name":"a","height":1.8}`, "/height"}, {"POST /subjects/", `{"name":"a","bodyHeight":180}`, "/bodyHeight"},
		{"POST /subjects/", `{"name":"a","body_height":"1.8"}`, "/body_height"}, {"POST /subjects/", `{"name":"a","birthYear":94}`, "/birthYear"},
		{"POST /subjects/", `{"name":"a","birthYear":1994.5}`, "/birthYear"}, {"POST /subjects/", `{"name":"a","side":"both"}`, "/side"},
		{"PATCH /subjects/1/", `{"name":""}`, "/name"}, {"PATCH /subjects/1/", `{"bodyHeight":-1}`, "/bodyHeight"}, {"PATCH /subjects/1/", `{"id":2}`, "/id"},
		{media, `{"recordedAt":"yesterday"}`, "/recordedAt"}, {media, `{"recorded_at":"2026-11-22"}`, "/recorded_at"},
		{media, `{"recordedAt":"2026-11-22T14:10:00"}`, "/recordedAt"}, {media, `{"recordedAt":7}`, "/recordedAt"}, {media, `{"recordedAt":"1850-01-01T00:00:00Z"}`, "/recordedAt"},
		{media, `{"tags":"squat"}`, "/tags"}, {media, `{"tags":[7]}`, "/tags/0"}, {media, `{"tags":["a",null]}`, "/tags/1"}, {media, `{"tags":["a","A"]}`, "/tags"},
		{media, `{"tags":[""]}`, "/tags"}, {media, `{"tags":[` + tags + `]}`, "/tags"}, {media, `{"subjectId":"1"}`, "/subjectId"}, {media, `{"notes":[]}`, "/notes"},
		{keypoints, `{}`, "/edits"}, {keypoints, `{"notes":[{"time":1}]}`, "/notes/0/text"}, {keypoints, `{"notes":[{"text":""}]}`, "/notes"},
		{keypoints, `{"notes":[{"text":"a","time":-1}]}`, "/notes"}, {keypoints, `{"notes":[{"text":"a","at":1}]}`, "/notes/0/at"}, {keypoints, `{"notes":[null]}`, "/notes/0"},
		{keypoints, `{"notes":[],"edits":[{"frame":0,"part":"nose","point":null}]}`, "/edits"}, {keypoints, `{"name":"a"}`, "/name"},
		{keypoints, `{"sketches":7}`, "/sketches"}, {keypoints, `{"sketches":[{"frame":0}]}`, "/sketches/0/points"}, {keypoints, `{"sketches":[{"points":[[1,2],[2,3]]}]}`, "/sketches/0/frame"},
		{keypoints, `{"sketches":[{"frame":0,"points":[[1,2],[3]]}]}`, "/sketches/0/points/1"}, {keypoints, `{"sketches":[{"frame":0,"points":[[1,2]]}]}`, "/sketches/0/text"},
		{keypoints, `{"sketches":[{"frame":1,"points":[[1,2],[3,4]],"color":"mauve"}]}`, "/sketches/0/color"}, {keypoints, `{"sketches":[{"frame":1,"points":[[1,2],[3,4]]}]}`, "/sketches/0/frame"},
		{keypoints, `{"sketches":[{"frame":0,"last":9,"points":[[1,2],[3,4]]}]}`, "/sketches/0/last"}, {keypoints, `{"sketches":[{"frame":0,"points":[[1,2],[3,4000]]}]}`, "/sketches/0/points/1"},
		{keypoints, `{"sketches":[],"edits":[{"frame":0,"part":"nose","point":null}]}`, "/edits"}, {keypoints, `{"sketches":[{"frame":0,"points":[[1,2],[3,4]],"at":1}]}`, "/sketches/0/at"},
		{"GET /movies/?subjectId=-1", "", "subjectId"}, {"GET /movies/?subjectId=x", "", "subjectId"}, {"GET /images/?recordedFrom=2026-11-22", "", "recordedFrom"},
		{"GET /keypoints/?recordedTo=", "", "recordedTo"}, {"GET /movies/?text=", "", "text"}, {"GET /movies/?tag=", "", "tag"},
		{"GET /movies/?include=media", "", "include"}, {"GET /analyses/?subjectId=1", "", "subjectId"}, {"GET /subjects/?tag=a", "", "tag"},
		{"DELETE /subjects/1/?all=yes", "", "all"}, {"DELETE /images/1/?all=true", "", "all"},
		{"GET /subjects/1/trend/?size=0", "", "size"}, {"GET /subjects/1/trend/?measure=", "", "measure"}, {"GET /subjects/1/trend/?measure=stepWidth", "", "measure"},
		{"GET /subjects/1/trend/?measure=knee", "", "measure"}, {"GET /subjects/1/trend/?measure=kneeFlexion&side=both", "", "side"},
		{"GET /subjects/1/trend/?measure=kneeFlexion&statistic=mode", "", "statistic"}, {"GET /subjects/1/trend/?measure=kneeFlexion&format=xml", "", "format"},
	} {
		method, path, _ := strings.Cut(x.request, " ")
		r := w.do(method, path, w.token, x.body)
		if r.status != 400 || !strings.Contains(string(r.body), `"pointer":"`+x.place+`"`) && !strings.Contains(string(r.body), `"parameter":"`+x.place+`"`) {
			t.Errorf("%s %s: %d %s", x.request, x.body, r.status, r.body)
		}
	}
}

// TestRecordings: recordings of people are found by person, tag, time and words. Their keypoints follow them.
func TestRecordings(t *testing.T) {
	file := time.Date(2026, 10, 3, 13, 40, 0, 0, time.UTC)
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		c.Decoder = decoder{info: inference.Info{Frames: 3, Recorded: file}}
	})
	w.make("/subjects/", `{"name":"Kenji Sato","bodyHeight":1.8}`)
	w.make("/subjects/", `{"name":"Mika"}`)
	movie := func(more string) int {
		m := w.make("/movies/", fmt.Sprintf(`{"contentMd5":%q%s}`, base64MD5([]byte("x")), more))
		if r := w.do("PUT", m["uploadUrl"].(string), "", "x"); r.status != 200 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		return int(m["id"].(float64))
	}
	first := movie(`,"subjectId":1,"tags":["squat","week 1"],"recordedAt":"2026-11-01T09:00:00+09:00","name":"box squats"`)
	second := movie(`,"subject_id":1,"tags":["squat"],"name":"after the holidays"`) // filmed when its file says
	third := movie("")
	for query, want := range map[string][]int{
		"subjectId=1": {first, second}, "subjectId=0": {third}, "subjectId=2": nil, "subjectId=9": nil, "tag=squat": {first, second}, "tag=WEEK+1": {first}, "tag=week": nil,
		"recordedFrom=2026-11-01T00:00:00Z": {first}, "recordedFrom=2026-11-01T09:00:01+09:00": nil, "recordedTo=2026-11-01T00:00:00Z": {third, second},
		"text=sato": {first, second}, "text=sato+box": {first}, "text=holi": {second}, "subjectId=1&tag=squat&text=aft&recordedTo=2026-12-01T00:00:00Z": {second},
	} {
		if got := w.ids("/movies/?"+query, w.token); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
		if got := w.ids("/movies/?"+query, w.other); got != nil {
			t.Errorf("%s of another client: %v", query, got)
		}
	}
	// A time that only the file says is for those who ask for it.
	for query, want := range map[string]any{"": nil, "?include=recordedAt": "2026-10-03T13:40:00.000000Z"} {
		if got := w.do("GET", fmt.Sprintf("/movies/%d/%s", second, query), w.token, "").get(t)["recordedAt"]; got != want {
			t.Errorf("%q: %v", query, got)
		}
		list := w.do("GET", "/movies/"+query, w.token, "").get(t)["data"].([]any)
		if got := list[1].(map[string]any)["recordedAt"]; got != want {
			t.Errorf("%q in the list: %v", query, got)
		}
		if got := list[2].(map[string]any)["recordedAt"]; got != "2026-11-01T00:00:00.000000Z" {
			t.Errorf("of the client: %v", got)
		}
	}

	// Keypoints take it from their movie, and follow it.
	image := w.image(w.token)
	about := func(m map[string]any) string {
		return fmt.Sprintf("%v %v %v %v", m["subjectId"], m["recordedAt"], m["tags"], m["notes"])
	}
	w.do("PATCH", fmt.Sprintf("/images/%d/", image), w.token, `{"subjectId":1,"recordedAt":"2026-11-08T00:00:00Z","tags":["a"]}`)
	id, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, image))
	path := fmt.Sprintf("/keypoints/%d/", id)
	if got := about(m); got != "1 2026-11-08T00:00:00.000000Z [a] <nil>" {
		t.Errorf("taken over: %s", got)
	}
	if r := w.do("PATCH", fmt.Sprintf("/images/%d/", image), w.token, `{"subjectId":2,"tags":["b"]}`); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if got := about(w.do("GET", path, w.token, "").get(t)); got != "2 2026-11-08T00:00:00.000000Z [b] <nil>" {
		t.Errorf("followed: %s", got)
	}
	noted := w.do("PATCH", path, w.token, `{"notes":[{"time":1.83,"text":"even on both legs"},{"text":"film from the side"}],"recordedAt":""}`)
	if got := about(noted.get(t)); noted.status != 200 || !strings.HasSuffix(got, "[b] [map[text:even on both legs time:1.83] map[text:film from the side]]") {
		t.Errorf("noted: %d %s", noted.status, got)
	}
	const sketches = `"sketches":[{"frame":0,"points":[[1,2],[3,4.5],[5,6]],"text":"膝","color":"red"}]`
	if r := w.do("PATCH", path, w.token, "{"+sketches+"}"); r.status != 200 || !strings.Contains(string(r.body), sketches) || !strings.Contains(string(r.body), "even on both legs") {
		t.Errorf("drawn by hand: %d %s", r.status, r.body)
	}
	again, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"tags":["anew"]}`, id))
	if got := about(m); !strings.Contains(got, "[anew]") || !strings.Contains(got, "even on both legs") || !strings.HasPrefix(got, "2 ") {
		t.Errorf("made anew: %s", got)
	}
	for query, want := range map[string][]int{"subjectId=2": {int(again), int(id)}, "tag=b": {int(id)}, "text=even+legs": {int(again), int(id)}, "subjectId=1": nil} {
		got := w.ids("/keypoints/?"+query, w.token)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("keypoints of %s: %v, want %v", query, got, want)
		}
	}
	if r := w.do("PATCH", path, w.token, `{"subjectId":0,"tags":[],"notes":[],"sketches":[]}`); r.status != 200 || !strings.HasPrefix(about(r.get(t)), "<nil>") || strings.Contains(string(r.body), "notes") || strings.Contains(string(r.body), "sketches") {
		t.Errorf("taken away: %d %s", r.status, r.body)
	}
	// The person goes, the recordings stay.
	if r := w.do("DELETE", "/subjects/1/", w.token, ""); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if got := w.ids("/movies/?subjectId=0", w.token); len(got) != 3 || w.ids("/movies/?subjectId=1", w.token) != nil || w.ids("/movies/?text=sato", w.token) != nil {
		t.Errorf("nobody's: %v", got)
	}
}

// TestMissingNamed: a change that names a record which does not exist says which, and one of a record that does not exist says that.
func TestMissingNamed(t *testing.T) {
	d := newDirect(t, nil)
	movie := uploaded(t, d.service, "alice", storage.Movies, []byte("movie"))
	d.do("POST", "/keypoints/", "alice", `{"keypoints":[{"nose":[1,2]}],"size":[64,48],"clean":false}`)
	for address, missing := range map[string]string{
		fmt.Sprintf("/movies/%d/", movie): "subjectId: subject 77", "/keypoints/1/": "subjectId: subject 77",
	} {
		want := fmt.Sprintf(`"detail":"There is no such record: %s."`, missing)
		if r := d.do("PATCH", address, "alice", `{"subjectId":77}`); r.Code != 404 || !strings.Contains(r.Body.String(), want) {
			t.Errorf("%s: %d %s, want %s", address, r.Code, r.Body, want)
		}
	}
	if r := d.do("PATCH", "/movies/9/", "alice", `{"tags":["a"]}`); r.Code != 404 || !strings.Contains(r.Body.String(), "no such record: movies/9.") {
		t.Errorf("no movie: %d %s", r.Code, r.Body)
	}
}
