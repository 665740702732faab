package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/storage"
)

// TestCorrect: what is corrected by hand is used from then on, shown, carried over, and undone; what was
// made before says that it is outdated.
func TestCorrect(t *testing.T) {
	w, movie := calibrated(t)
	type members = map[string]any
	get := func(kind storage.Kind, id int64, query string) members {
		return w.do("GET", fmt.Sprintf("/%s/%d/%s", kind, id, query), w.token, "").get(t)
	}
	id, before := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId":%d,"clean":true,"scale":{"bodyHeight":1.8}}`, movie))
	raw := get(storage.Keypoints, id, "?raw=true&include=timestamps,scores")
	other, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId":%d}`, movie))
	rule := `{"analysisType":"coordinate","points":["leftKnee"]}`
	analyse := func(keypoint int64) (int64, []any) {
		id, a := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, keypoint, rule))
		return id, a["result"].([]any)[0].(members)["values"].([]any)
	}
	old, _ := analyse(id)
	values := get(storage.Analyses, old, "")["result"]
	compared := map[int64]string{}
	for _, pair := range [][2]int64{{id, other}, {other, id}} {
		c, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, pair[0], pair[1]))
		compared[c] = fmt.Sprint(pair)
	}

	patch := func(edits string) members {
		t.Helper()
		r := w.do("PATCH", fmt.Sprintf("/keypoints/%d/", id), w.token, `{"edits":[`+edits+`]}`)
		if r.status != 200 {
			t.Fatalf("%s: %d %s", edits, r.status, r.body)
		}
		return r.get(t)
	}
	began := time.Now().UTC().Add(-time.Second).Format(time.RFC3339)
	answer := patch(`{"frame":2,"part":"leftKnee","point":[20,85]},{"frame":4,"part":"leftKnee","point":[24.5,85],"undo":false},{"frame":5,"part":"leftEar","point":null}`)
	m := get(storage.Keypoints, id, "")
	if diff := cmp.Diff(answer, m); diff != "" {
		t.Errorf("the answer is not the record: %s", diff)
	}
	edits := m["edits"].([]any)
	for _, e := range edits {
		if at, _ := e.(members)["at"].(string); at < began || len(at) != len("2026-11-22T09:30:00.000000Z") {
			t.Errorf("a correction at %v", at)
		}
		delete(e.(members), "at")
	}
	want := []any{
		members{"frame": 2.0, "part": "leftKnee", "point": []any{20.0, 85.0}, "client": "alice"},
		members{"frame": 4.0, "part": "leftKnee", "point": []any{24.5, 85.0}, "client": "alice"},
		members{"frame": 5.0, "part": "leftEar", "point": nil, "client": "alice"},
	}
	if diff := cmp.Diff(want, edits); diff != "" {
		t.Errorf("edits: %s", diff)
	}

	// The knee was at (20, 81.5); the frame between follows by half of both displacements.
	m = get(storage.Keypoints, id, "?include=scores,changes")
	frame := func(m members, member string, i int, part string) any { return m[member].([]any)[i].(members)[part] }
	for i, knee := range [][]any{{20.0, 81.5}, {20.0, 81.5}, {20.0, 85.0}, {22.25, 85.0}, {24.5, 85.0}, {20.0, 81.5}} {
		if diff := cmp.Diff(any(knee), frame(m, "keypoint", i, "leftKnee"), cmpopts.EquateApprox(0, 0.02)); diff != "" {
			t.Errorf("frame %d: %s", i, diff)
		}
		change, _ := frame(m, "changes", i, "leftKnee").([]any)
		names := strings.TrimPrefix(fmt.Sprint(change...), "smoothed")
		if want := [...]string{2: "corrected", 3: "interpolated", 4: "corrected", 5: ""}[i]; names != want {
			t.Errorf("frame %d: changes %v, want %s", i, change, want)
		}
	}
	if a, b := frame(m, "scores", 2, "leftKnee"), frame(m, "scores", 3, "leftKnee"); a != 1.0 || b != 0.875 {
		t.Errorf("confidences %v and %v", a, b)
	}
	if frame(m, "keypoint", 5, "leftEar") != nil || frame(m, "keypoint", 4, "leftEar") == nil {
		t.Error("the ear is there in frame 5, or not in frame 4")
	}
	listed := w.do("GET", "/keypoints/", w.token, "").get(t)["data"].([]any)[0].(map[string]any)
	if verdict := m["quality"].(map[string]any)["verdict"]; listed["verdict"] != verdict || verdict == "" {
		t.Errorf("listed with the verdict %v, want %v", listed["verdict"], verdict)
	}
	if cmp.Equal(m["world"], before["world"]) || m["quality"] == nil {
		t.Errorf("not calibrated anew: %v, %v", m["world"], m["quality"])
	}
	m = get(storage.Keypoints, id, "?raw=true&include=timestamps,scores")
	if diff := cmp.Diff(raw["keypoint"], m["keypoint"]); diff != "" || !cmp.Equal(raw["scores"], m["scores"]) {
		t.Errorf("the raw keypoints are changed: %s", diff)
	}
	if csv := string(w.do("GET", fmt.Sprintf("/keypoints/%d/?format=csv", id), w.token, "").body); !strings.Contains(csv, "24.5,85,1") {
		t.Errorf("the file has old keypoints:\n%s", csv)
	}

	outdated := func(when string, want any) {
		t.Helper()
		a := get(storage.Analyses, old, "")
		if a["outdated"] != want || !cmp.Equal(a["result"], values) {
			t.Errorf("%s: the old analysis: %v", when, a)
		}
		for c, what := range compared {
			if m := get(storage.Comparisons, c, ""); m["outdated"] != want {
				t.Errorf("%s: the old comparison %s: outdated %v", when, what, m["outdated"])
			}
		}
	}
	outdated("corrected", true)
	fresh, knees := analyse(id)
	if knee := knees[3].([]any); get(storage.Analyses, fresh, "")["outdated"] != nil || !cmp.Equal(knee[0], 22.25*0.018, cmpopts.EquateApprox(0.05, 0)) {
		t.Errorf("a new analysis: %v", knee)
	}

	// Processing anew carries the corrections over.
	again, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"clean":false}`, id))
	if list := m["edits"].([]any); len(list) != 3 || !cmp.Equal(frame(m, "keypoint", 3, "leftKnee"), any([]any{22.25, 85.0})) {
		t.Errorf("processed anew: %v, %v", m["edits"], frame(m, "keypoint", 3, "leftKnee"))
	}
	if c := get(storage.Keypoints, again, "?include=changes"); !cmp.Equal(frame(c, "changes", 2, "leftKnee"), any([]any{"corrected"})) {
		t.Errorf("changes of raw keypoints: %v", c["changes"])
	}
	if _, knees := analyse(again); !cmp.Equal(knees[3], any([]any{22.25, 85.0})) {
		t.Errorf("an analysis of the new record: %v", knees)
	}

	// A point is carried over, and legs are exchanged; both are listed, and undone below or here.
	patch(`{"frame":5,"last":6,"part":"rightKnee","exchange":true},{"frame":0,"part":"nose","point":[1,2],"carry":3}`)
	m = get(storage.Keypoints, id, "?include=changes")
	for i, want := range map[int]members{
		0: {"frame": 0.0, "part": "nose", "point": []any{1.0, 2.0}, "carry": 3.0, "client": "alice"},
		4: {"frame": 5.0, "last": 6.0, "part": "leftKnee", "point": nil, "exchange": true, "client": "alice"},
	} {
		e := m["edits"].([]any)[i].(members)
		if delete(e, "at"); !cmp.Equal(e, want) {
			t.Errorf("correction %d is %v, want %v", i, e, want)
		}
	}
	left, right := frame(m, "changes", 5, "leftKnee"), frame(m, "changes", 6, "rightKnee")
	if want := any([]any{"exchanged"}); !cmp.Equal(left, want) || !cmp.Equal(right, want) {
		t.Errorf("changes of exchanged parts: %v, %v", left, right)
	}
	patch(`{"frame":5,"last":6,"part":"leftKnee","exchange":true,"undo":true},{"frame":0,"part":"nose","undo":true}`)

	// Without the corrections, everything is as it was.
	patch(`{"frame":4,"part":"leftKnee","undo":true},{"frame":2,"part":"leftKnee","undo":true}`)
	outdated("one correction left", true)
	m = patch(`{"frame":5,"part":"leftEar","undo":true}`)
	outdated("undone", nil)
	if get(storage.Analyses, fresh, "")["outdated"] != true {
		t.Error("the analysis of the corrected keypoints is not outdated")
	}
	delete(m, "updatedAt")
	delete(before, "updatedAt")
	if diff := cmp.Diff(before, m); diff != "" {
		t.Errorf("undone: %s", diff)
	}
}

// TestCorrectDrawings: a drawing of corrected keypoints, or of a comparison of them, is outdated.
func TestCorrectDrawings(t *testing.T) {
	w := newWorld(t, nil)
	picture := fmt.Sprintf(`{"imageId":%d}`, w.image(w.token))
	source, _ := w.record(storage.Keypoints, w.token, picture)
	target, _ := w.record(storage.Keypoints, w.token, picture)
	compared, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, source, target))
	draw := func(of string, id int64) int64 {
		id, m := w.record(storage.Drawings, w.token, fmt.Sprintf(`{%q:%d}`, of, id))
		if m["outdated"] != nil {
			t.Errorf("a new drawing of %s: %v", of, m)
		}
		return id
	}
	patch := func(keypoint int64, edit string) {
		if r := w.do("PATCH", fmt.Sprintf("/keypoints/%d/", keypoint), w.token, `{"edits":[{"frame":0,"part":"nose",`+edit+`}]}`); r.status != 200 {
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
	type drawn struct{ ofSource, ofTarget, ofComparison any }
	var a, b, c int64
	look := func() drawn {
		at := func(id int64) any {
			return w.do("GET", fmt.Sprintf("/drawings/%d/", id), w.token, "").get(t)["outdated"]
		}
		return drawn{at(a), at(b), at(c)}
	}
	all := func() {
		a, b, c = draw("keypointId", source), draw("keypointId", target), draw("comparisonId", compared)
	}
	all()
	for _, step := range []struct {
		keypoint int64
		edit     string
		want     drawn
	}{
		{target, `"point":[3,4]`, drawn{nil, true, true}},
		{source, `"point":[3,4]`, drawn{true, true, true}},
		{target, `"undo":true`, drawn{true, nil, true}},
		{source, `"undo":true`, drawn{}},
	} {
		if patch(step.keypoint, step.edit); look() != step.want {
			t.Errorf("%d %s: %+v, want %+v", step.keypoint, step.edit, look(), step.want)
		}
	}

	// A drawing of an outdated comparison shows differences from before and keypoints from now.
	patch(source, `"point":null`)
	a = draw("keypointId", source)
	_, m := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"comparisonId":%d}`, compared))
	c = int64(m["id"].(float64))
	if got := look(); got != (drawn{nil, nil, true}) {
		t.Errorf("drawn anew: %+v", got)
	}
	if patch(source, `"undo":true`); look() != (drawn{true, nil, true}) {
		t.Errorf("undone: %+v", look())
	}
}

// TestCorrectPeople: corrections are of one person, and so is what they make outdated, but for the scale.
func TestCorrectPeople(t *testing.T) {
	type members = map[string]any
	w, movie, _, _ := crowded(t)
	for scale, want := range map[string]struct {
		chosen, other [2]any // whether the analyses of the chosen person and of the other one are outdated
	}{
		``:                                {[2]any{true, nil}, [2]any{nil, true}},
		`,"scale":{"bodyHeight":1.8}`:     {[2]any{true, true}, [2]any{nil, true}},
		`,"scale":{"metresPerPixel":0.5}`: {[2]any{true, nil}, [2]any{nil, true}},
	} {
		id, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId":%d,"everybody":true%s}`, movie, scale))
		if m["execStatus"] != "SUCCESS" {
			t.Fatalf("%s: %v", scale, m)
		}
		patch := func(edits string) members {
			t.Helper()
			r := w.do("PATCH", fmt.Sprintf("/keypoints/%d/", id), w.token, `{"edits":[`+edits+`]}`)
			if r.status != 200 {
				t.Fatalf("%s: %d %s", edits, r.status, r.body)
			}
			return r.get(t)
		}
		var made [3]int64
		for i, person := range [...]string{``, `"person":1,`, `"person":2,`} {
			made[i], _ = w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,%s"rule":{"analysisType":"coordinate","points":["nose"]}}`, id, person))
		}
		outdated := func(what string, want [2]any) {
			t.Helper()
			var got [3]any
			for i, id := range made {
				got[i] = w.do("GET", fmt.Sprintf("/analyses/%d/", id), w.token, "").get(t)["outdated"]
			}
			if got != [3]any{want[0], want[0], want[1]} {
				t.Errorf("%s: %s: outdated %v, want %v", scale, what, got, want)
			}
		}
		var taller, undo []string
		for frame := range 10 {
			for _, part := range [...]string{"leftAnkle", "rightAnkle"} {
				taller = append(taller, fmt.Sprintf(`{"frame":%d,"part":%q,"point":[240,80],"person":1}`, frame, part))
				undo = append(undo, fmt.Sprintf(`{"frame":%d,"part":%q,"undo":true}`, frame, part))
			}
		}
		patch(strings.Join(taller, ","))
		outdated("the chosen one corrected", want.chosen)
		m = patch(strings.Join(undo, ",") + `,{"frame":1,"part":"nose","point":[25,30],"person":2}`)
		outdated("the other one corrected", want.other)
		view := w.do("GET", fmt.Sprintf("/keypoints/%d/?person=2&include=changes", id), w.token, "").get(t)
		for _, m := range []members{m, view} {
			list, _ := m["edits"].([]any)
			if len(list) != 1 || list[0].(members)["person"] != 2.0 {
				t.Errorf("%s: edits %v", scale, list)
			}
		}
		if noseOf(m, 1) != 240 || noseOf(view, 1) != 25 || fmt.Sprint(view["changes"].([]any)[1]) != "map[nose:[corrected]]" {
			t.Errorf("%s: the noses are at %v and %v, changes %v", scale, noseOf(m, 1), noseOf(view, 1), view["changes"])
		}
		if view := w.do("GET", fmt.Sprintf("/keypoints/%d/?person=1", id), w.token, "").get(t); view["edits"] != nil {
			t.Errorf("%s: edits of the chosen one: %v", scale, view["edits"])
		}
		again, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"clean":true}`, id))
		if view := w.do("GET", fmt.Sprintf("/keypoints/%d/?person=2", again), w.token, "").get(t); noseOf(view, 1) != 25 || len(view["edits"].([]any)) != 1 {
			t.Errorf("%s: processed anew: %v at %v", scale, view["edits"], noseOf(view, 1))
		}
		r := w.do("PATCH", fmt.Sprintf("/keypoints/%d/", id), w.token, `{"edits":[{"frame":0,"part":"nose","point":null},{"frame":0,"part":"nose","point":null,"person":3}]}`)
		if r.status != 400 || !strings.Contains(string(r.body), `"pointer":"/edits/1/person"`) {
			t.Errorf("%s: nobody: %d %s", scale, r.status, r.body)
		}
	}
}

// TestCorrectRefused: a wrong value is a 400 that names it, and nothing is corrected.
func TestCorrectRefused(t *testing.T) {
	w, movie := calibrated(t)
	id, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId":%d,"scale":{"bodyHeight":1.8}}`, movie))
	path := fmt.Sprintf("/keypoints/%d/", id)
	good := `{"frame":0,"part":"leftEar","point":[1,2]}`
	for body, want := range map[string]string{
		`{}`:                                     "/edits",
		`{"edits":null}`:                         "/edits",
		`{"edits":[]}`:                           "/edits",
		`{"edits":{"frame":0}}`:                  "/edits",
		`{"edits":"leftKnee"}`:                   "/edits",
		`{"edits":[` + good + `,null]}`:          "/edits/1",
		`{"edits":[[0,"leftKnee"]]}`:             "/edits/0",
		`{"edits":[` + good + `],"keypoint":[]}`: "/keypoint",
		`{"edits":[` + good + `,{"part":"leftKnee","point":[1,2]}]}`:                                           "/edits/1/frame",
		`{"edits":[` + good + `,{"frame":null,"part":"leftKnee","point":[1,2]}]}`:                              "/edits/1/frame",
		`{"edits":[{"frame":"0","part":"leftKnee","point":[1,2]}]}`:                                            "/edits/0/frame",
		`{"edits":[{"frame":1.5,"part":"leftKnee","point":[1,2]}]}`:                                            "/edits/0/frame",
		`{"edits":[{"frame":-1,"part":"leftKnee","point":[1,2]}]}`:                                             "/edits/0/frame",
		`{"edits":[{"frame":8,"part":"leftKnee","point":[1,2]}]}`:                                              "/edits/0/frame",
		`{"edits":[{"frame":99999999999999999999,"part":"leftKnee","point":[1,2]}]}`:                           "/edits/0/frame",
		`{"edits":[{"frame":0,"point":[1,2]}]}`:                                                                "/edits/0/part",
		`{"edits":[{"frame":0,"part":7,"point":[1,2]}]}`:                                                       "/edits/0/part",
		`{"edits":[{"frame":0,"part":"knee","point":[1,2]}]}`:                                                  "/edits/0/part",
		`{"edits":[{"frame":0,"part":"leftHeel","point":[1,2]}]}`:                                              "/edits/0/part",
		`{"edits":[{"frame":0,"part":"leftKnee"}]}`:                                                            "/edits/0/point",
		`{"edits":[{"frame":0,"part":"leftKnee","undo":false}]}`:                                               "/edits/0/point",
		`{"edits":[{"frame":0,"part":"leftKnee","point":[1]}]}`:                                                "/edits/0/point",
		`{"edits":[{"frame":0,"part":"leftKnee","point":{"x":1,"y":2}}]}`:                                      "/edits/0/point",
		`{"edits":[{"frame":0,"part":"leftKnee","point":[1,null]}]}`:                                           "/edits/0/point/1",
		`{"edits":[{"frame":0,"part":"leftKnee","point":["1",2]}]}`:                                            "/edits/0/point/0",
		`{"edits":[{"frame":0,"part":"leftKnee","point":[1e999,2]}]}`:                                          "/edits/0/point/0",
		`{"edits":[{"frame":0,"part":"leftKnee","point":[-1,2]}]}`:                                             "/edits/0/point",
		`{"edits":[{"frame":0,"part":"leftKnee","point":[40.5,2]}]}`:                                           "/edits/0/point",
		`{"edits":[{"frame":0,"part":"leftKnee","point":[1,2],"carry":61}]}`:                                   "/edits/0/carry",
		`{"edits":[{"frame":0,"part":"leftKnee","point":null,"carry":3}]}`:                                     "/edits/0/carry",
		`{"edits":[{"frame":0,"part":"leftKnee","point":[1,2],"last":3}]}`:                                     "/edits/0/last",
		`{"edits":[{"frame":3,"part":"leftKnee","exchange":true,"last":8}]}`:                                   "/edits/0/last",
		`{"edits":[{"frame":3,"part":"nose","exchange":true}]}`:                                                "/edits/0/part",
		`{"edits":[{"frame":3,"part":"leftEar","exchange":true,"point":null}]}`:                                "/edits/0/point",
		`{"edits":[{"frame":3,"part":"leftEar","exchange":1}]}`:                                                "/edits/0/exchange",
		`{"edits":[{"frame":3,"part":"leftEar","exchange":true,"undo":true}]}`:                                 "/edits/0/undo",
		`{"edits":[{"frame":0,"part":"leftKnee","undo":"yes"}]}`:                                               "/edits/0/undo",
		`{"edits":[{"frame":0,"part":"leftKnee","undo":true}]}`:                                                "/edits/0/undo",
		`{"edits":[{"frame":0,"part":"leftKnee","undo":true,"point":null}]}`:                                   "/edits/0/point",
		`{"edits":[` + good + `,{"frame":0,"part":"leftKnee","point":[1,2],"x":3}]}`:                           "/edits/1/x",
		`{"edits":[` + good + `,{"frame":0,"part":"nose","point":[1,2],"person":1}]}`:                          "/edits/1/person",
		`{"edits":[{"frame":0,"part":"nose","point":[1,2],"person":0}]}`:                                       "/edits/0/person",
		`{"edits":[{"frame":0,"part":"nose","point":[1,2],"person":"me"}]}`:                                    "/edits/0/person",
		`{"edits":[` + good + `,{"frame":0,"part":"leftEar","point":null}]}`:                                   "/edits/1",
		`{"edits":[` + strings.Repeat(good+",", 10_000) + good + `]}`:                                          "/edits",
		`{"edits":[` + strings.Join(without("Ear", "Shoulder", "Hip", "Knee", "Ankle"), ",") + `]}`:            "/edits",
		`{"edits":[{"frame":0,"part":"leftKnee","point":[1,2]}, {"frame":0,"part":"leftKnee","point":[1,2]}]}`: "/edits/1",
	} {
		r := w.do("PATCH", path, w.token, body)
		if r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"pointer":%q`, want)) {
			t.Errorf("%.200s: %d %s, want 400 at %s", body, r.status, r.body, want)
		}
	}
	if m := w.do("GET", path, w.token, "").get(t); m["edits"] != nil {
		t.Errorf("refused, and there are %v", m["edits"])
	}
	body := `{"edits":[` + good + `]}`
	for what, c := range map[string]struct {
		path, token string
		status      int
	}{
		"somebody else's": {path, w.other, 404}, "read only": {path, w.reader, 403}, "nobody's": {path, "", 401},
		"unknown": {"/keypoints/999/", w.token, 404}, "a query": {path + "?raw=true", w.token, 400},
	} {
		if r := w.do("PATCH", c.path, c.token, body); r.status != c.status {
			t.Errorf("%s: %d %s, want %d", what, r.status, r.body, c.status)
		}
	}
	if r := w.do("PATCH", path, w.token, `{"edits":[{"part":"`+strings.Repeat("x", 1<<20)+`"}]}`); r.status != 413 {
		t.Errorf("a huge body: %d", r.status)
	}
	failed, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"floor":"auto"}`, id))
	if r := w.do("PATCH", fmt.Sprintf("/keypoints/%d/", failed), w.token, body); r.status != 409 || !strings.Contains(string(r.body), "give two points") {
		t.Errorf("a failed record: %d %s", r.status, r.body)
	}
}

// without returns edits that take parts of both sides out of all 8 frames of a movie.
func without(parts ...string) (edits []string) {
	for frame := range 8 {
		for _, part := range parts {
			for _, side := range []string{"left", "right"} {
				edits = append(edits, fmt.Sprintf(`{"frame":%d,"part":"%s%s","point":null}`, frame, side, part))
			}
		}
	}
	return edits
}
