package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/storage"
)

// TestSpace: keypointIds makes a record in space, which shows the cameras and, if asked, where the parts are.
func TestSpace(t *testing.T) {
	w, put := filed(t)
	film := func(movie int, eye mgl64.Vec3) int64 {
		t.Helper()
		c := sample.Camera(eye, mgl64.Vec3{0, 0.95, 0}, 900)
		result, err := json.Marshal(sample.Film(c, 120))
		if err != nil {
			t.Fatal(err)
		}
		data := fmt.Sprintf(`{"from":[{"kind":"movies","id":%d}],"request":{"movieId":%[1]d}}`, movie)
		return put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(data), Result: fmt.Appendf(nil, `{"cleaned":%s}`, result)})
	}
	a, b := film(1, mgl64.Vec3{0, 1.2, 5}), film(2, mgl64.Vec3{4.6, 1.4, 1.5})
	type members = map[string]any
	id, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointIds":[%d,%d],"scale":{"bodyHeight":1.7}}`, a, b))
	cameras, _ := m["cameras"].([]any)
	space, _ := m["space"].(members)
	if len(cameras) != 2 || space["unit"] != "m" || m["movie"] != 1.0 || m["world"] != nil || !cmp.Equal(m["keypointIds"], []any{float64(a), float64(b)}) {
		t.Fatalf("cameras %v, space %v, movie %v", cameras, space, m["movie"])
	}
	second := cameras[1].(members)
	if rows := second["rotation"].([]any); second["keypointId"] != float64(b) || len(rows) != 3 || len(rows[0].([]any)) != 3 || len(second["translation"].([]any)) != 3 {
		t.Errorf("camera %v", second)
	}
	path := fmt.Sprintf("/keypoints/%d/", id)
	shown := w.do("GET", path+"?include=space,timestamps", w.token, "").get(t)
	positions, _ := shown["positions"].([]any)
	if len(positions) != 120 || len(shown["timestamps"].([]any)) != 120 || m["positions"] != nil {
		t.Fatalf("%d positions", len(positions))
	}
	frame := positions[60].(members)
	at := func(part string) (v mgl64.Vec3) {
		for k, x := range frame[part].([]any) {
			v[k] = x.(float64)
		}
		return v
	}
	if thigh := at("leftHip").Sub(at("leftKnee")).Len(); math.Abs(thigh-0.44) > 0.05 || at("leftKnee")[1] < at("leftAnkle")[1] || len(frame["leftHip"].([]any)) != 3 {
		t.Errorf("a thigh of %v m in %v", thigh, frame)
	}
	if one := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=space", a), w.token, "").get(t); one["positions"] != nil || one["space"] != nil {
		t.Errorf("of one camera: %v", one["positions"])
	}
	for format, want := range map[string]bool{"trc": false, "c3d": false, "bvh": false, "csv": true, "jsonl": true} {
		r := w.do("GET", path+"?format="+format, w.token, "")
		if omits := r.header.Get("Format-Omits"); r.status != 200 || strings.Contains(omits, "positions") != want {
			t.Errorf("%s: %d omits %q", format, r.status, omits)
		}
	}

	near := film(3, mgl64.Vec3{0.5, 1.2, 4.9})
	w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"keypoint_ids":[%d,%d]}`, a, near)).get(t)
	failed := w.do("GET", fmt.Sprintf("/keypoints/%d/?wait=20&include=space", near+1), w.token, "").get(t)
	if detail, _ := failed["failureDetail"].(string); failed["execStatus"] != "FAILURE" || !strings.Contains(detail, "° apart") || failed["cameras"] != nil || failed["positions"] != nil {
		t.Errorf("too near: %v", failed)
	}

	for name, c := range map[string]struct {
		method, path, body string
		status             int
		says               string
	}{
		"twice":         {"POST", "/keypoints/", fmt.Sprintf(`{"keypointIds":[%d,%d]}`, a, a), 400, "/keypointIds"},
		"one":           {"POST", "/keypoints/", fmt.Sprintf(`{"keypointIds":[%d]}`, a), 400, "/keypointIds"},
		"no list":       {"POST", "/keypoints/", `{"keypointIds":3}`, 400, "/keypointIds"},
		"no number":     {"POST", "/keypoints/", fmt.Sprintf(`{"keypointIds":[%d,"b"]}`, a), 400, "/keypointIds/1"},
		"null in it":    {"POST", "/keypoints/", fmt.Sprintf(`{"keypointIds":[%d,null]}`, a), 400, "/keypointIds/1"},
		"no such":       {"POST", "/keypoints/", fmt.Sprintf(`{"keypointIds":[%d,0]}`, a), 404, "keypointIds: 0"},
		"another's":     {"POST", "/keypoints/", fmt.Sprintf(`{"keypointIds":[%d,999]}`, a), 404, "999"},
		"a movie, too":  {"POST", "/keypoints/", fmt.Sprintf(`{"keypointIds":[%d,%d],"movieId":1}`, a, b), 400, "/keypointIds"},
		"with a floor":  {"POST", "/keypoints/", fmt.Sprintf(`{"keypointIds":[%d,%d],"floor":"auto"}`, a, b), 400, "/floor"},
		"corrected":     {"PATCH", path, `{"edits":[{"frame":3,"part":"nose","point":[10,10]}]}`, 409, "join them again"},
		"cleaned again": {"POST", "/keypoints/", fmt.Sprintf(`{"keypointId":%d}`, id), 409, "clean those again"},
	} {
		if r := w.do(c.method, c.path, w.token, c.body); r.status != c.status || !strings.Contains(string(r.body), c.says) {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
}
