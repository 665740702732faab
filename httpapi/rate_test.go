package httpapi_test

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/storage"
)

// TestRate: a record echoes its rate, says which frames were looked at and filled, and its raw
// keypoints are those of the looks alone.
func TestRate(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Decoder = inferencetest.Decoder{} })
	var pictures []image.Image
	for range 8 {
		pictures = append(pictures, inferencetest.Picture(image.Pt(40, 30)))
	}
	data := inferencetest.Movie(60, pictures...)
	m := w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-Type", "video/mp4"); r.status != 200 {
		t.Fatalf("upload: %d %s", r.status, r.body)
	}
	movie := int64(m["id"].(float64))
	id, record := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId": %d, "rate": 20}`, movie))
	if record["rate"] != 20.0 || record["clean"] != nil || record["looks"] != nil {
		t.Errorf("the record: %v", record)
	}
	looks := []any{0.0, 3.0, 6.0, 7.0}
	d := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=looks,changes,timestamps", id), w.token, "").get(t)
	if diff := cmp.Diff(looks, d["looks"]); diff != "" {
		t.Error(diff)
	}
	counts := map[string]any{"swapped": 0.0, "rejected": 0.0, "filled": 20.0, "smoothed": 0.0, "skipped": 0.0}
	if diff := cmp.Diff(counts, d["cleaned"]); diff != "" {
		t.Error(diff)
	}
	raw := w.do("GET", fmt.Sprintf("/keypoints/%d/?raw=true&include=looks", id), w.token, "").get(t)
	if diff := cmp.Diff(looks, raw["looks"]); diff != "" {
		t.Error(diff)
	}
	if n := len(d["timestamps"].([]any)); n != 8 {
		t.Errorf("%d times", n)
	}
	for i := range 8 {
		looked := i%3 == 0 || i == 7
		filled := d["changes"].([]any)[i].(map[string]any)["nose"]
		if (filled == nil) != looked || filled != nil && !cmp.Equal(filled, []any{"filled"}) {
			t.Errorf("frame %d: the nose is %v", i, filled)
		}
		if n := len(d["keypoint"].([]any)[i].(map[string]any)); n != 5 {
			t.Errorf("frame %d has %d parts", i, n)
		}
		if n := len(raw["keypoint"].([]any)[i].(map[string]any)); (n == 5) != looked || n != 0 && n != 5 {
			t.Errorf("raw frame %d has %d parts", i, n)
		}
	}

	if _, again := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId": %d, "clean": true}`, id)); again["rate"] != 20.0 {
		t.Errorf("cleaned again, the record has the rate %v", again["rate"])
	}
	every, record := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId": %d, "rate": 0}`, movie))
	if rate, ok := record["rate"]; ok {
		t.Errorf("a record of every frame has the rate %v", rate)
	}
	if v, ok := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=looks", every), w.token, "").get(t)["looks"]; !ok || v != nil {
		t.Errorf("a record of every frame was looked at in %v", v)
	}

	picture := w.image(w.token)
	for body, want := range map[string]string{
		fmt.Sprintf(`{"movieId": %d, "rate": -1}`, movie):       "/rate",
		fmt.Sprintf(`{"movieId": %d, "rate": "30"}`, movie):     "/rate",
		fmt.Sprintf(`{"movieId": %d, "rate": 1e999}`, movie):    "/rate",
		fmt.Sprintf(`{"movieId": %d, "rate": NaN}`, movie):      "JSON",
		fmt.Sprintf(`{"imageId": %d, "rate": 30}`, picture):     "/rate",
		fmt.Sprintf(`{"keypointId": %d, "rate": 30}`, id):       "/keypointId",
		fmt.Sprintf(`{"movieId": %d, "rate": [30, 60]}`, movie): "/rate",
	} {
		if r := w.do("POST", "/keypoints/", w.token, body); r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s, want 400 at %s", body, r.status, r.body, want)
		}
	}
}
