package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

// TestClean asks for keypoints cleaned and raw, and for what was changed.
func TestClean(t *testing.T) {
	w, put := filed(t)
	from := w.movieRecord(put)
	id, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId": %d, "clean": {"gaps": 0.1}}`, from))
	path := fmt.Sprintf("/keypoints/%d/", id)

	m := w.do("GET", path+"?include=changes", w.token, "").get(t)
	if diff := cmp.Diff(map[string]any{"gaps": map[string]any{"max": 0.1}}, m["clean"]); diff != "" {
		t.Error(diff)
	}
	counts := map[string]any{"swapped": 0.0, "rejected": 0.0, "filled": 2.0, "smoothed": 0.0, "skipped": 0.0}
	if diff := cmp.Diff(counts, m["cleaned"]); diff != "" {
		t.Error(diff)
	}
	filled := []any{"filled"}
	changes := []any{map[string]any{}, map[string]any{"leftHip": filled, "leftKnee": filled}, map[string]any{}}
	if diff := cmp.Diff(changes, m["changes"]); diff != "" {
		t.Error(diff)
	}
	second := func(query string) any { return w.do("GET", path+query, w.token, "").get(t)["keypoint"].([]any)[1] }
	if hip := second("").(map[string]any)["leftHip"]; !cmp.Equal(hip, []any{100.0, 100.0}) {
		t.Errorf("the cleaned hip is at %v", hip)
	}
	if raw := second("?raw=true"); !cmp.Equal(raw, map[string]any{}) {
		t.Errorf("the raw frame has %v", raw)
	}
	if csv := string(w.do("GET", path+"?format=csv&raw=true", w.token, "").body); strings.Contains(strings.Split(csv, "\n")[2], "100") {
		t.Errorf("the raw CSV has a filled frame:\n%s", csv)
	}
	if r := w.do("GET", path+"?raw=yes", w.token, ""); r.status != 400 || !strings.Contains(string(r.body), "raw") {
		t.Errorf("raw=yes: %d %s", r.status, r.body)
	}

	m = w.do("GET", fmt.Sprintf("/keypoints/%d/?include=changes", from), w.token, "").get(t)
	if v, ok := m["changes"]; m["clean"] != nil || m["cleaned"] != nil || v != nil || !ok {
		t.Errorf("raw keypoints: %v", m)
	}
	for body, want := range map[string]string{
		`{"keypointId": %d, "clean": {"swap": true}}`:            "/clean/swap",
		`{"keypointId": %d, "clean": {"gaps": "all"}}`:           "/clean/gaps",
		`{"keypointId": %d, "clean": {"smooth": {"order": 99}}}`: "/clean",
		`{"keypointId": %d, "movieId": 1}`:                       "/keypointId",
	} {
		r := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(body, from))
		if r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s, want 400 at %s", body, r.status, r.body, want)
		}
	}
}

// TestCleanByDefault: Config.Clean holds where the request does not say, and false is raw.
func TestCleanByDefault(t *testing.T) {
	var store storage.Store
	w := newWorld(t, func(_ *httpapi.Options, cfg *motion.Config) {
		store = cfg.Store
		cfg.Clean = clean.Options{Gaps: &clean.Gaps{}}
	})
	put := func(r storage.Record) int64 {
		r.Owner = "alice"
		r, err := store.Create(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	put(storage.Record{Key: storage.Key{Kind: storage.Movies}, Status: storage.Success, Data: []byte(`{}`)})
	from := w.movieRecord(put)
	for body, want := range map[string]string{`{"keypointId": %d}`: "gaps", `{"keypointId": %d, "clean": true}`: "smooth", `{"keypointId": %d, "clean": false}`: ""} {
		id, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(body, from))
		how, ok := w.do("GET", fmt.Sprintf("/keypoints/%d/", id), w.token, "").get(t)["clean"]
		if ok != (want != "") || ok && how.(map[string]any)[want] == nil {
			t.Errorf("%s: cleaned by %v, want %s", body, how, want)
		}
	}
}
