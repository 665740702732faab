package httpapi_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// TestPhases: a repetition of an overview, and one of a rule, is given as a picture; what cannot be shown is refused.
func TestPhases(t *testing.T) {
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
	movie := w.put(storage.Movies, greys(41, 10))
	w.do("PATCH", movie, w.token, `{"name":"膝"}`).get(t)
	seq := keypoint.Sequence{Size: image.Pt(400, 300)}
	for i, all := 0, squat(); i < all.Len(); i += 3 { // fewer pictures to decode
		seq.Frames, seq.Times = append(seq.Frames, all.Frames[i]), append(seq.Times, all.Times[i])
	}
	key := w.keypointRecord(put, seq)
	overview, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"overview":true}`, key))
	rule, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"kneeFlexion","side":"left","repetitions":true}}`, key))
	none, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"kneeFlexion","side":"left"}}`, key))
	high := 0
	for query, want := range map[string]int{
		"&repetition=2&pictures=5": 1300, "&scale=2&language=ja": 2600, "&curve=false&skeleton=false": 1300,
	} {
		for _, id := range []int64{overview, rule} {
			r := w.do("GET", fmt.Sprintf("/analyses/%d/?format=phases%s", id, query), w.token, "")
			m, err := png.Decode(bytes.NewReader(r.body))
			if err != nil || m.Bounds().Dx() != want || r.header.Get("Content-Type") != "image/png" || r.header.Get("Content-Language") != "en" { // there is no font for Japanese
				t.Fatalf("%s: %d %s, %v", query, r.status, r.header, err)
			}
			if strings.Contains(query, "curve") == (m.Bounds().Dy() > m.Bounds().Dx()/2) {
				high++
			}
		}
	}
	if high == 6 {
		t.Error("no picture is lower without its curve")
	}
	for query, want := range map[string]string{
		"?format=phases&repetition=9":             "from 1 to 2",
		"?format=phases&repetition=0":             "the number of a repetition",
		"?format=phases&pictures=16":              "an integer from 3 to 15",
		"?format=phases&scale=3":                  "an integer from 1 to 2",
		"?format=phases&curve=1":                  "true or false",
		"?format=phases&name=true":                "which no font has",
		"?format=csv&pictures=7":                  "is for format=phases only",
		"?pictures=7":                             "is for format=phases only",
		"?format=phases&language=de":              "en or ja",
		"?format=phases&repetition=1&skeleton=no": "true or false",
	} {
		if r := w.do("GET", fmt.Sprintf("/analyses/%d/%s", overview, query), w.token, ""); r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s, want %q", query, r.status, r.body, want)
		}
	}
	for path, status := range map[string]int{
		fmt.Sprintf("/analyses/%d/?format=phases", none): 404, fmt.Sprintf("/keypoints/%d/?format=phases", key): 400,
	} {
		if r := w.do("GET", path, w.token, ""); r.status != status {
			t.Errorf("%s: %d %s, want %d", path, r.status, r.body, status)
		}
	}
	if r := w.do("GET", fmt.Sprintf("/analyses/%d/?format=phases", overview), w.other, ""); r.status != 404 {
		t.Errorf("somebody else: %d", r.status)
	}
}
