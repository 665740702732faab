package httpapi_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// TestListsOfKeypoint: lists can be of what was made from one keypoint record, and their pages keep to it.
func TestListsOfKeypoint(t *testing.T) {
	w, put := filed(t)
	made := func(kind storage.Kind, data string, args ...any) int64 {
		return put(storage.Record{Key: storage.Key{Kind: kind}, Status: storage.Success, Data: fmt.Appendf(nil, data, args...)})
	}
	a, b := w.movieRecord(put), w.movieRecord(put)
	want := map[string][]int64{} // newest first
	first := func(list string, id int64) { want[list] = slices.Insert(want[list], 0, id) }
	const rule = `{"analysisType":"coordinate","points":["nose"]}`
	for i := range 7 {
		made(storage.Analyses, `{"from":[{"kind":"keypoints","id":%[1]d}],"request":{"keypointId":%[1]d,"rule":%[2]s}}`, b, rule)
		first("analyses", made(storage.Analyses, `{"from":[{"kind":"keypoints","id":%[1]d}],"request":{"keypointId":%[1]d,"rule":%[2]s}}`, a, rule))
		first("comparisons", made(storage.Comparisons, `{"from":[{"kind":"keypoints","id":%[1]d},{"kind":"keypoints","id":%[2]d}],"request":{"sourceId":%[1]d,"targetId":%[2]d,"options":{}}}`, []int64{a, b}[i%2], []int64{b, a}[i%2]))
		other := made(storage.Comparisons, `{"from":[{"kind":"keypoints","id":%[1]d},{"kind":"keypoints","id":%[2]d}],"request":{"sourceId":%[1]d,"targetId":%[2]d,"options":{}}}`, b, b)
		made(storage.Drawings, `{"from":[{"kind":"comparisons","id":%[1]d}],"request":{"comparisonId":%[1]d}}`, other)
		made(storage.Drawings, `{"from":[{"kind":"comparisons","id":%[1]d}],"request":{"comparisonId":%[1]d}}`, want["comparisons"][0])
		first("drawings", made(storage.Drawings, `{"from":[{"kind":"keypoints","id":%[1]d}],"request":{"keypointId":%[1]d}}`, a))
	}
	for list, ids := range want {
		next := fmt.Sprintf("/%s/?keypointId=%d&size=3&execStatus=SUCCESS", list, a)
		var got []int64
		for pages := 0; next != ""; pages++ {
			l := w.do("GET", next, w.token, "").get(t)
			for _, r := range l["data"].([]any) {
				got = append(got, int64(r.(map[string]any)["id"].(float64)))
			}
			if l["maxPage"] != 3.0 || pages > 3 {
				t.Fatalf("%s: page %d of %v", next, pages, l["maxPage"])
			}
			if previous, ok := l["previous"].(string); ok != (pages > 0) || ok && !strings.Contains(previous, fmt.Sprintf("keypointId=%d", a)) {
				t.Errorf("%s: previous is %v", next, l["previous"])
			}
			next, _ = l["next"].(string)
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: %v, want %v", list, got, ids)
		}
		for query, n := range map[string]int{
			fmt.Sprintf("keypointId=%d", a): 7, fmt.Sprintf("keypointId=%d&execStatus=FAILURE", a): 0, fmt.Sprintf("keypointId=%d&page=3&size=3", a): 1,
			fmt.Sprintf("keypointId=%d&page=9", a): 0, "keypointId=999": 0, "keypointId=99999999999999999999": 0,
		} {
			if r := w.do("GET", "/"+list+"/?"+query, w.token, ""); r.status != 200 || len(r.get(t)["data"].([]any)) != n {
				t.Errorf("%s of %s: %d %s, want %d", list, query, r.status, r.body, n)
			}
		}
		if l := w.do("GET", fmt.Sprintf("/%s/?keypointId=%d", list, a), w.other, "").get(t); len(l["data"].([]any)) != 0 || l["maxPage"] != 1.0 {
			t.Errorf("%s of somebody else: %v", list, l)
		}
		for _, value := range []string{"0", "-1", "1.5", "x", "", "+1", "[1]"} {
			r := w.do("GET", "/"+list+"/?keypointId="+url.QueryEscape(value), w.token, "")
			if r.status != 400 || !strings.Contains(string(r.body), `"parameter":"keypointId"`) {
				t.Errorf("%s of keypointId %q: %d %s", list, value, r.status, r.body)
			}
		}
	}
	for _, list := range []string{"movies", "images", "keypoints"} {
		if r := w.do("GET", "/"+list+"/?keypointId=1", w.token, ""); r.status != 400 {
			t.Errorf("%s: %d %s", list, r.status, r.body)
		}
	}
}

// TestAgain asks for the same again and again: each answer is of what is stored then, and of
// nothing that was answered to others.
func TestAgain(t *testing.T) {
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) { o.TrustForwarded = true })
	if r := d.do("POST", "/movies/", "alice", newMovie); r.Code != 201 {
		t.Fatal(r.Code, r.Body)
	}
	get := func(client, path string, status int, want string, header ...string) {
		t.Helper()
		r := d.do("GET", path, client, "", header...)
		if r.Code != status || !strings.Contains(r.Body.String(), want) {
			t.Errorf("%s %s: %d %s, want %d with %s", client, path, r.Code, r.Body, status, want)
		}
		if r.Header().Get("X-Request-Id") == "" || r.Header().Get("Cache-Control") != "no-store" && status == 200 {
			t.Errorf("%s %s: header %v", client, path, r.Header())
		}
	}
	for _, path := range []string{"/movies/1/", "/movies/", "/movies/?size=1"} {
		get("alice", path, 200, `"name":"m"`)
		get("alice", path, 200, `"name":"m"`)
	}
	// To others nothing of it.
	get("bob", "/movies/1/", 404, "")
	get("bob", "/movies/1/", 404, "")
	get("bob", "/movies/", 200, `"data":[]`)
	// What is made of another request is another answer.
	get("alice", "/movies/?page=2&size=1", 200, `"previous":"http://example.com/movies/?page=1`)
	get("alice", "/movies/?page=2&size=1", 200, `"previous":"https://front/api/movies/?page=1`,
		"X-Forwarded-Proto", "https", "X-Forwarded-Host", "front", "X-Forwarded-Prefix", "/api")
	// Changes show at once.
	if r := d.do("PATCH", "/movies/1/", "alice", `{"name":"another"}`); r.Code != 200 {
		t.Fatal(r.Code, r.Body)
	}
	get("alice", "/movies/1/", 200, `"name":"another"`)
	get("alice", "/movies/", 200, `"name":"another"`)
	if r := d.do("DELETE", "/movies/1/", "alice", ""); r.Code != 204 {
		t.Fatal(r.Code, r.Body)
	}
	get("alice", "/movies/1/", 404, "")
	get("alice", "/movies/", 200, `"data":[]`)
}
