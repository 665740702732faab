package httpapi_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
)

func TestDelete(t *testing.T) {
	w := newWorld(t, nil)
	img := w.image(w.token)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	cmp, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, key, key))
	ana, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"coordinate","points":["nose"]}}`, key))
	id, d := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"comparisonId":%d}`, cmp))
	all := []string{
		fmt.Sprintf("/drawings/%d/", id), fmt.Sprintf("/analyses/%d/", ana), fmt.Sprintf("/comparisons/%d/", cmp),
		fmt.Sprintf("/keypoints/%d/", key), fmt.Sprintf("/images/%d/", img),
	}
	for _, path := range all {
		for token, want := range map[string]int{"": 401, w.reader: 403, w.other: 404} {
			r := w.do("DELETE", path, token, "")
			if r.status != want {
				t.Errorf("%s: %d, want %d", path, r.status, want)
			}
			checkProblem(t, r, "")
		}
		if r := w.do("GET", path, w.token, ""); r.status != 200 {
			t.Errorf("%s is gone: %d", path, r.status)
		}
	}
	if r := w.do("DELETE", all[len(all)-1], w.token, ""); r.status != 204 || len(r.body) != 0 {
		t.Errorf("%d %s", r.status, r.body)
	}
	for _, path := range append(all, d["drawingUrl"].(string)) {
		if r := w.do("GET", path, w.token, ""); r.status != 404 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	if r := w.do("DELETE", all[0], w.token, ""); r.status != 404 {
		t.Errorf("again: %d", r.status)
	}
	if r := w.do("DELETE", "/movies/1", w.token, ""); r.status != 404 || !strings.Contains(string(r.body), "/movies/1/") {
		t.Errorf("without the slash: %d %s", r.status, r.body)
	}
}

func TestChangeMedia(t *testing.T) {
	d := newDirect(t, nil)
	d.do("POST", "/movies/", "alice", newMovie)
	for _, c := range []struct{ body, name, text string }{
		{`{"text":"a text"}`, "m", "a text"},
		{`{"name":"n","text":null}`, "n", "a text"}, // null is the same as leaving out
		{`{"name":"","text":"b"}`, "", "b"},
		{`{}`, "", "b"},
	} {
		r := d.do("PATCH", "/movies/1/", "alice", c.body)
		m := replyOf(r).get(t)
		if r.Code != 200 || fmt.Sprint(m["name"]) != c.name || fmt.Sprint(m["text"]) != c.text {
			t.Errorf("%s: %d %v", c.body, r.Code, m)
		}
	}
	for _, c := range []struct {
		name, path, client, body string
		status                   int
		pointer                  string
	}{
		{"another member", "/movies/1/", "alice", `{"contentMd5":"x"}`, 400, "/contentMd5"},
		{"number", "/movies/1/", "alice", `{"name":7}`, 400, "/name"},
		{"long", "/movies/1/", "alice", fmt.Sprintf(`{"name":%q}`, strings.Repeat("x", 1001)), 400, "/name"},
		{"not JSON", "/movies/1/", "alice", `name`, 400, ""},
		{"unknown", "/movies/2/", "alice", `{"name":"x"}`, 404, ""},
		{"somebody else's", "/movies/1/", "bob", `{"name":"x"}`, 404, ""},
		{"other kind", "/analyses/1/", "alice", `{"name":"x"}`, 405, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := d.do("PATCH", c.path, c.client, c.body)
			if r.Code != c.status {
				t.Errorf("%d, want %d", r.Code, c.status)
			}
			checkProblem(t, replyOf(r), c.pointer)
		})
	}
	if r := d.do("PATCH", "/movies/1/", "alice", `{"name":"x"}`, "Content-Type", "text/plain"); r.Code != 415 {
		t.Errorf("content type: %d", r.Code)
	}
}

func replyOf(r *httptest.ResponseRecorder) reply { return reply{r.Code, r.Header(), r.Body.Bytes()} }
