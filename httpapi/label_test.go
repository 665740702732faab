package httpapi_test

import (
	"fmt"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// TestLabels: a drawing writes the values of an analysis that the request names.
func TestLabels(t *testing.T) {
	w := newWorld(t, nil)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	analysis, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"coordinate","points":["nose"]}}`, key))
	const label = `{"drawingType":"label","points":["nose"],"analysis":0}`
	for _, name := range []string{"analysisId", "analysis_id"} {
		_, d := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d,%q:%d,"rule":%s}`, key, name, analysis, label))
		if r := w.do("GET", d["drawingUrl"].(string), "", ""); r.status != 200 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
	for _, body := range []string{
		fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, key, label),
		fmt.Sprintf(`{"keypointId":%d,"analysisId":"x","rule":%s}`, key, label),
	} {
		if r := w.do("POST", "/drawings/", w.token, body); r.status != 400 {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	if r := w.do("POST", "/drawings/", w.token, fmt.Sprintf(`{"keypointId":%d,"analysisId":999,"rule":%s}`, key, label)); r.status != 404 {
		t.Errorf("an analysis that is not there: %d %s", r.status, r.body)
	}
}
