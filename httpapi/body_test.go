package httpapi_test

import (
	"fmt"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// TestMistakesInOrder holds that a request with several mistakes gets the same answer each time.
func TestMistakesInOrder(t *testing.T) {
	w := newWorld(t, nil)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	for _, c := range []struct{ path, body string }{
		{"/keypoints/", `{"movieId":1,"choose":{"policy":"centreFront","point":[1,2],"track":3,"seconds":1}}`},
		{"/keypoints/", `{"movieId":1,"rate":"x","feet":1,"scale":{"length":-1,"bodyHeight":"x"},"floor":"x","origin":[1],"capture":{"frameRate":0}}`},
		{"/analyses/", fmt.Sprintf(`{"keypointId":%d,"gait":true,"jump":true,"from":1,"to":2}`, key)},
		{"/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":[{"analysisType":"x"},{"points":1}],"gait":3,"jump":"x","from":"x"}`, key)},
		{"/comparisons/", `{"person":0,"targetPerson":"x","alignment":1,"mirror":2,"repetitions":[]}`},
		{"/drawings/", fmt.Sprintf(`{"keypointId":%d,"preset":"x","layout":"x","values":1,"repetition":{"of":1,"number":"x"}}`, key)},
		{"/movies/", `{"name":1,"text":2}`},
	} {
		first := ""
		for i := range 40 {
			r := w.do("POST", c.path, w.token, c.body, "X-Request-Id", "same")
			if r.status != 400 {
				t.Fatalf("%s: %d %s", c.body, r.status, r.body)
			}
			if i == 0 {
				first = string(r.body)
			}
			if first != string(r.body) {
				t.Fatalf("%s: %s, and then %s", c.body, first, r.body)
			}
		}
	}
}
