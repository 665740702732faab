package httpapi_test

import (
	"fmt"
	"testing"

	"github.com/bodymotion/motion/storage"
)

func TestDrain(t *testing.T) {
	w := newWorld(t, nil)
	m := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(picture()))).get(t)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	_, d := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))
	w.api.Drain()
	w.api.Drain()
	for _, r := range []reply{
		w.do("POST", "/keypoints/", w.token, `{"imageId":1}`),
		w.do("PUT", m["uploadUrl"].(string), "", string(picture())),
	} {
		if r.status != 503 || r.header.Get("Retry-After") == "" {
			t.Errorf("new work: %d %v", r.status, r.header)
		}
		checkProblem(t, r, "")
	}
	for _, path := range []string{"/keypoints/", fmt.Sprintf("/keypoints/%d/", key), d["drawingUrl"].(string)} {
		if r := w.do("GET", path, w.token, ""); r.status != 200 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
}
