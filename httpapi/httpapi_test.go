package httpapi_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

func TestEverythingOnce(t *testing.T) {
	w := newWorld(t, nil)
	img := w.image(w.token)
	m := w.do("GET", fmt.Sprintf("/images/%d/", img), w.token, "").get(t)
	if m["width"] != 20.0 || m["height"] != 30.0 || m["name"] != "a picture" || m["text"] != nil || m["contentMd5"] != base64MD5(picture()) {
		t.Errorf("image: %v", m)
	}
	if _, err := time.Parse("2006-01-02T15:04:05.000000Z", m["createdAt"].(string)); err != nil {
		t.Error(err)
	}

	key, k := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	if k["execStatus"] != "SUCCESS" || k["failureDetail"] != nil || k["movie"] != nil || k["image"] != float64(img) {
		t.Errorf("keypoint: %v", k)
	}
	frames := k["keypoint"].([]any)
	if got := fmt.Sprint(frames[0].(map[string]any)["rightHip"]); len(frames) != 1 || got != "[7 20.25]" {
		t.Errorf("keypoint: %v", frames)
	}
	if _, ok := k["scores"]; ok {
		t.Error("scores come without being asked for")
	}
	k = w.do("GET", fmt.Sprintf("/keypoints/%d/?include=scores,visibility,timestamps", key), w.token, "").get(t)
	if k["scores"].([]any)[0].(map[string]any)["nose"] != 0.875 || k["timestamps"] != nil || k["visibility"] != nil {
		t.Errorf("include: %v", k)
	}
	if _, ok := k["visibility"]; !ok {
		t.Error("an unknown visibility is left out, though asked for")
	}

	_, a := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypoint_id":%d,"rule":{"analysisType":"coordinate","points":["nose"]}}`, key))
	if got := fmt.Sprint(a["result"]); !strings.Contains(got, "values:[[10 5.5]]") || a["keypoint"] != float64(key) {
		t.Errorf("analysis: %v", a)
	}
	if got := fmt.Sprint(a["rule"]); got != "map[analysisType:coordinate points:[map[pointName:nose pointType:single]]]" {
		t.Errorf("rule: %v", got)
	}

	cmp, c := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"mirror":true,"score":true,"angles":true,"repetitions":{"analysisType":"trunkLean"}}`, key, key))
	if len(c["difference"].([]any)) != 1 || c["mirror"] != true || c["score"] == nil || c["source"] != float64(key) {
		t.Errorf("comparison: %v", c)
	}
	if got := fmt.Sprint(c["angles"]); got != "[map[pelvicTilt:-4.77 shoulderLevel:0 trunkSideLean:0]]" {
		t.Errorf("angles: %v", got)
	}
	if got, ok := c["repetitions"].([]any); !ok || len(got) != 0 { // of a picture
		t.Errorf("repetitions: %v", c["repetitions"])
	}

	id, d := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"comparisonId":%d,"rule":[{"drawingType":"keypoint","points":["nose"],"comparisons":[{}]}],"background_rule":{"skeletonOnly":true}}`, cmp))
	if got := fmt.Sprint(d["rule"], d["backgroundRule"]); got != "[map[comparisons:[map[]] drawingType:keypoint points:[map[pointName:nose pointType:single]]]] map[skeletonOnly:true]" {
		t.Errorf("the drawing's rules are %s", got)
	}
	address, _ := d["drawingUrl"].(string)
	u, err := url.Parse(address)
	if err != nil || !strings.HasSuffix(u.Path, fmt.Sprintf("/%d.jpg", id)) || d["keypoint"] != nil || d["comparison"] != float64(cmp) {
		t.Fatalf("drawing: %v", d)
	}
	whole := w.do("GET", address, "", "")
	if whole.status != 200 || whole.header.Get("Content-Type") != "image/jpeg" || !bytes.HasPrefix(whole.body, []byte{0xff, 0xd8, 0xff}) || whole.header.Get("ETag") == "" {
		t.Errorf("download: %d %v", whole.status, whole.header)
	}
	piece := w.do("GET", address, "", "", "Range", "bytes=2-5")
	if piece.status != 206 || !bytes.Equal(piece.body, whole.body[2:6]) {
		t.Errorf("range: %d %v", piece.status, piece.body)
	}
	if r := w.do("GET", address, "", "", "If-None-Match", whole.header.Get("ETag")); r.status != 304 {
		t.Errorf("the same ETag: %d", r.status)
	}
	if r := w.do("HEAD", address, "", ""); r.status != 200 || len(r.body) != 0 || r.header.Get("Content-Length") != fmt.Sprint(len(whole.body)) {
		t.Errorf("HEAD: %d %v", r.status, r.header)
	}

	for kind, want := range map[string]int{"images": 1, "movies": 0, "keypoints": 1, "analyses": 1, "comparisons": 1, "drawings": 1} {
		l := w.do("GET", "/"+kind+"/?size=1000", w.token, "").get(t)
		if data := l["data"].([]any); len(data) != want || l["maxPage"] != 1.0 || l["next"] != nil || l["previous"] != nil {
			t.Errorf("%s: %v", kind, l)
		}
		if data := w.do("GET", "/"+kind+"/", w.other, "").get(t)["data"].([]any); len(data) != 0 {
			t.Errorf("somebody else sees %s: %v", kind, data)
		}
	}
	if _, plain := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":null}`, key)); plain["rule"] != nil || plain["backgroundRule"] != nil {
		t.Errorf("a drawing without rules: %v", plain)
	}
	if _, plain := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d,"backgroundRule":{"skeletonOnly":false}}`, key)); fmt.Sprint(plain["rule"], plain["backgroundRule"]) != "<nil> map[skeletonOnly:false]" {
		t.Errorf("a drawing with a background rule that changes nothing: %v", plain)
	}
}

func TestPages(t *testing.T) {
	w := newWorld(t, nil)
	for i := range 5 {
		w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"name":"m%d","contentMd5":%q}`, i+1, hex.EncodeToString(make([]byte, 16))))
	}
	var names []string
	next := "/movies/?size=2"
	for next != "" {
		l := w.do("GET", next, w.token, "").get(t)
		if l["maxPage"] != 3.0 {
			t.Errorf("maxPage %v", l["maxPage"])
		}
		for _, m := range l["data"].([]any) {
			names = append(names, m.(map[string]any)["name"].(string))
		}
		next, _ = l["next"].(string)
		if next != "" && !strings.Contains(next, "size=2") {
			t.Errorf("the next page loses a parameter: %s", next)
		}
	}
	if got := strings.Join(names, " "); got != "m5 m4 m3 m2 m1" {
		t.Errorf("order: %s", got)
	}
	l := w.do("GET", "/movies/?page=9&size=2", w.token, "").get(t)
	if previous, _ := l["previous"].(string); len(l["data"].([]any)) != 0 || !strings.Contains(previous, "page=3") {
		t.Errorf("past the end: %v", l)
	}
	for _, q := range []string{"page=0", "page=x", "page=1.5", "page=", "size=0", "size=1001", "size=-1", "size=99999999999999999999"} {
		if r := w.do("GET", "/movies/?"+q, w.token, ""); r.status != 400 {
			t.Errorf("%s: %d", q, r.status)
		}
	}
	if r := w.do("GET", "/drawings/?execStatus=DONE", w.token, ""); r.status != 400 {
		t.Errorf("unknown execStatus: %d", r.status)
	}
	if l := w.do("GET", "/keypoints/?execStatus=SUCCESS", w.token, "").get(t); len(l["data"].([]any)) != 0 {
		t.Errorf("filtered: %v", l)
	}
}
