package httpapi_test

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/storage"
)

// TestDrawingOptions: a drawing echoes the options that were asked for and no others, and every wrong
// value is a mistake at its place.
func TestDrawingOptions(t *testing.T) {
	w, movie := calibrated(t)
	picture := w.image(w.token)
	still, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, picture))
	moving, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId":%d}`, movie))
	pair, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, still, still))

	type members = map[string]any
	distance := members{"analysisType": "euclideanDistance", "points": []any{
		members{"pointType": "single", "pointName": "leftHip"}, members{"pointType": "single", "pointName": "leftKnee"}}}
	const distanceRule = `{"analysisType":"euclideanDistance","points":["leftHip","leftKnee"]}`
	for body, want := range map[string]members{
		fmt.Sprintf(`{"keypointId":%d}`, still):                                                                    {},
		fmt.Sprintf(`{"keypointId":%d,"preset":"sides","blurFaces":true}`, still):                                  {"preset": "sides", "blurFaces": true},
		fmt.Sprintf(`{"keypoint_id":%d,"blur_faces":true,"preset":null}`, still):                                   {"blurFaces": true},
		fmt.Sprintf(`{"keypointId":%d,"values":[%s]}`, still, distanceRule):                                        {"values": []any{distance}},
		fmt.Sprintf(`{"comparisonId":%d,"layout":"ghost","values":null}`, pair):                                    {"layout": "ghost"},
		fmt.Sprintf(`{"comparisonId":%d,"preset":"sides","layout":"ghost"}`, pair):                                 {"preset": "sides", "layout": "ghost"},
		fmt.Sprintf(`{"comparisonId":%d,"layout":"sideBySide","blurFaces":true}`, pair):                            {"layout": "sideBySide", "blurFaces": true},
		fmt.Sprintf(`{"comparisonId":%d,"values":%s}`, pair, distanceRule):                                         {"values": []any{distance}},
		fmt.Sprintf(`{"keypointId":%d,"rule":{"drawingType":"keypoint"},"from":0,"to":null,"shrink":true}`, still): {"shrink": true},
	} {
		_, m := w.record(storage.Drawings, w.token, body)
		got := members{}
		for _, name := range []string{"preset", "layout", "blurFaces", "values", "from", "to", "shrink"} {
			if v, ok := m[name]; ok {
				got[name] = v
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
		if m["layout"] == "sideBySide" {
			file := w.do("GET", m["drawingUrl"].(string), "", "")
			both, err := jpeg.DecodeConfig(bytes.NewReader(file.body))
			if err != nil || both.Width != 2*int(w.do("GET", fmt.Sprintf("/images/%d/", picture), w.token, "").get(t)["width"].(float64)) {
				t.Errorf("side by side: %d×%d pixels (%v)", both.Width, both.Height, err)
			}
		}
	}

	made := w.do("POST", "/drawings/", w.token, fmt.Sprintf(`{"keypointId":%d,"from":0.05,"to":0.1}`, moving))
	if m := made.get(t); made.status != 201 || m["from"] != 0.05 || m["to"] != 0.1 {
		t.Errorf("a part of a movie: %d %s", made.status, made.body)
	}

	of := func(format string, id int64) string { return fmt.Sprintf(format, id) }
	inMovie, inImage, inPair := of(`"keypointId":%d`, moving), of(`"keypointId":%d`, still), of(`"comparisonId":%d`, pair)
	const moved = `{"analysisType":"speed","points":["nose"]}`
	for _, c := range []struct{ of, more, pointer string }{
		{inMovie, `"preset":"side"`, "/preset"},
		{inMovie, `"preset":true`, "/preset"},
		{inMovie, `"preset":"sides","rule":{"drawingType":"keypoint"}`, "/preset"},
		{inPair, `"layout":"overlay"`, "/layout"},
		{inPair, `"layout":1`, "/layout"},
		{inMovie, `"layout":"ghost"`, "/layout"},
		{inMovie, `"blurFaces":"yes"`, "/blurFaces"},
		{inMovie, `"blur_faces":1`, "/blur_faces"},
		{inMovie, `"values":"knee"`, "/values"},
		{inMovie, `"values":[]`, "/values"},
		{inMovie, `"values":[{"analysisType":"kneeFlexion"}]`, "/values/0/side"},
		{inMovie, `"values":{"analysisType":"knee"}`, "/values/analysisType"},
		{inMovie, `"values":[{"analysisType":"kneeFlexion","side":"left","movieOption":{"statisticsType":"max"}}]`, "/values/0/movieOption"},
		{inMovie, `"values":{"analysisType":"kneeFlexion","symmetry":true}`, "/values/symmetry"},
		{inMovie, `"values":{"analysisType":"kneeFlexion","side":"left","repetitions":true}`, "/values/repetitions"},
		{inImage, `"values":[` + moved + `]`, "/values/0/analysisType"},
		{inMovie, `"shrink":1`, "/shrink"},
		{inMovie, `"repetition":2`, "/repetition"},
		{inMovie, `"from":-1`, "/from"},
		{inMovie, `"from":"1"`, "/from"},
		{inMovie, `"from":1e999`, "/from"},
		{inImage, `"from":1`, "/from"},
		{inMovie, `"to":0`, "/to"},
		{inMovie, `"to":[2]`, "/to"},
		{inMovie, `"from":2,"to":2`, "/to"},
		{inImage, `"to":1`, "/to"},
		{inMovie, `"rule":{"drawingType":"label","beside":"left","points":["nose"]}`, "/rule/beside"},
		{inMovie, `"rule":{"drawingType":"label","beside":"above","points":["nose"],"text":"x"}`, "/rule/beside"},
		{inMovie, `"rule":{"drawingType":"keypoint","beside":"left"}`, "/rule/beside"},
	} {
		r := w.do("POST", "/drawings/", w.token, "{"+c.of+","+c.more+"}")
		if r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"pointer":%q`, c.pointer)) {
			t.Errorf("%s: %d %s, want 400 at %s", c.more, r.status, r.body, c.pointer)
		}
	}
}

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
