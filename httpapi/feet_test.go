package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// shod finds what estimator does, and the right heel and big toe.
type shod struct{ estimator }

func (e shod) Estimate(ctx context.Context, img image.Image, h inference.Hint) (keypoint.Frame, error) {
	f, err := e.estimator.Estimate(ctx, img, h)
	f.Set(keypoint.RightHeel, keypoint.Point{6, 28}, 0.75)
	f.Set(keypoint.RightBigToe, keypoint.Point{3, 29}, 0.75)
	return f, err
}

// TestFeet asks for keypoints with feet and without, and uses both.
func TestFeet(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, cfg *motion.Config) { cfg.Estimator = shod{} })
	image := w.image(w.token)
	r := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"imageId":%d,"feet":true}`, image))
	if created := r.get(t); r.status != 201 || created["feet"] != true {
		t.Errorf("%d %s", r.status, r.body)
	}
	with, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"image_id":%d,"feet":true}`, image))
	frame := m["keypoint"].([]any)[0].(map[string]any)
	if heel, ok := frame["rightHeel"].([]any); m["feet"] != true || len(frame) != 7 || !ok || heel[1] != 28.0 {
		t.Errorf("with feet: %v", m)
	}
	scores := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=scores", with), w.token, "").get(t)["scores"].([]any)[0].(map[string]any)
	if scores["rightBigToe"] != 0.75 {
		t.Errorf("scores with feet: %v", scores)
	}
	again, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"clean":{"outliers":true}}`, with))
	if frame := m["keypoint"].([]any)[0].(map[string]any); m["feet"] != true || frame["rightHeel"] == nil {
		t.Errorf("cleaned again: %v", m)
	}
	var without int64
	for _, more := range []string{``, `,"feet":null`, `,"feet":false`} {
		var m map[string]any
		without, m = w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d%s}`, image, more))
		if _, ok := m["feet"]; ok || len(m["keypoint"].([]any)[0].(map[string]any)) != 5 {
			t.Errorf("without feet (%s): %v", more, m)
		}
	}

	// Rules may name feet, of any record.
	rule := `{"analysisType":"euclideanDistance","points":["rightHeel","rightBigToe"]}`
	for id, want := range map[int64]any{with: 3.1623, again: 3.1623, without: nil} {
		_, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, id, rule))
		if got := m["result"].([]any)[0].(map[string]any)["values"].([]any)[0]; got != want {
			t.Errorf("keypoint %d: the foot is %v long, want %v", id, got, want)
		}
		_, m = w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":[{"drawingType":"stickPicture","pattern":"all"},{"drawingType":"keypoint","points":["leftHeel"]}]}`, id))
		if m["drawingUrl"] == nil {
			t.Errorf("keypoint %d is not drawn: %v", id, m)
		}
	}
	_, m = w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, with, again))
	if d := m["difference"].([]any)[0].(map[string]any); len(d) != 7 || d["rightHeel"] == nil {
		t.Errorf("feet on both sides: %v", d)
	}
	_, m = w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, with, without))
	if d := m["difference"].([]any)[0].(map[string]any); len(d) != 5 {
		t.Errorf("feet on one side: %v", d)
	}

	for id, columns := range map[int64]int{with: 23, without: 17} {
		csv := w.do("GET", fmt.Sprintf("/keypoints/%d/?format=csv", id), w.token, "").body
		seq, err := formats.Read(bytes.NewReader(csv), "csv", formats.Options{})
		if err != nil || strings.Count(string(csv[:bytes.IndexByte(csv, '\n')]), "_x") != columns || seq.Frames[0].Has(keypoint.RightHeel) != (columns == 23) {
			t.Errorf("%d columns of x are wanted in %s (%v)", columns, csv, err)
		}
	}

	for body, want := range map[string]string{
		fmt.Sprintf(`{"imageId":%d,"feet":1}`, image):      `"/feet"`,
		fmt.Sprintf(`{"imageId":%d,"feet":"true"}`, image): `"/feet"`,
		fmt.Sprintf(`{"imageId":%d,"foot":true}`, image):   `"/foot"`,
		fmt.Sprintf(`{"keypointId":%d,"feet":true}`, with): `"/keypointId"`,
		`{"movieId":1,"imageId":1,"feet":true}`:            `"/movieId"`,
	} {
		if r := w.do("POST", "/keypoints/", w.token, body); r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s, want 400 at %s", body, r.status, r.body, want)
		}
	}
}
