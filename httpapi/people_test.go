package httpapi_test

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/storage"
)

// crowded is a world with a movie of 10 frames, 2 a second, in which somebody on the left walks, and
// somebody larger on the right stands and is gone after 4 frames; with a picture of both, and one of
// nobody.
func crowded(t *testing.T) (w *world, movie, picture, empty int64) {
	w = newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		c.Decoder, c.Estimator = fakes.Decoder{}, fakes.Estimator{}
	})
	var pictures []image.Image
	for i := range 10 {
		people := []image.Rectangle{image.Rect(10, 20, 30, 70).Add(image.Pt(i, 0)), image.Rect(220, 10, 260, 75)}
		if i >= 4 {
			people = people[:1]
		}
		pictures = append(pictures, fakes.Picture(image.Pt(280, 80), people...))
	}
	upload := func(kind, contentType string, data []byte) int64 {
		m := w.do("POST", kind, w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
		if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-Type", contentType); r.status != 200 {
			t.Fatalf("upload: %d %s", r.status, r.body)
		}
		return int64(m["id"].(float64))
	}
	return w, upload("/movies/", "video/mp4", fakes.Movie(2, pictures...)), upload("/images/", "image/heic", fakes.HEIC(pictures[0])),
		upload("/images/", "image/heic", fakes.HEIC(fakes.Picture(image.Pt(30, 30))))
}

// noseOf returns the x coordinate of the nose in a frame of a record, −1 for none.
func noseOf(m map[string]any, frame int) float64 {
	if nose, ok := m["keypoint"].([]any)[frame].(map[string]any)["nose"].([]any); ok {
		return nose[0].(float64)
	}
	return -1
}

// TestChoose: the record says who was to be analysed and who was there, and is of that person.
func TestChoose(t *testing.T) {
	type members = map[string]any
	w, movie, picture, _ := crowded(t)
	for choose, want := range map[string]struct {
		echo  any
		noses [2]float64 // in the frames 0 and 9
	}{
		`null`:                             {nil, [2]float64{240, 29}},
		`{}`:                               {members{"policy": "centreFront"}, [2]float64{240, 29}},
		`{"policy":"largest","stay":true}`: {members{"policy": "largest", "stay": true}, [2]float64{240, -1}},
		`{"policy":"highestScore"}`:        {members{"policy": "highestScore"}, [2]float64{240, 29}},
		`{"policy":"nearest","point":[0,0],"track":null}`: {members{"policy": "nearest", "point": []any{0.0, 0.0}}, [2]float64{20, 29}},
		`{"policy":"mostMovement","seconds":2}`:           {members{"policy": "mostMovement", "seconds": 2.0}, [2]float64{20, 29}},
		`{"policy":"track","track":1}`:                    {members{"policy": "track", "track": 1.0}, [2]float64{240, 29}},
	} {
		_, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movieId":%d,"choose":%s}`, movie, choose))
		if diff := cmp.Diff(want.echo, m["choose"]); diff != "" {
			t.Errorf("%s: %s", choose, diff)
		}
		if got := [2]float64{noseOf(m, 0), noseOf(m, 9)}; got != want.noses {
			t.Errorf("%s: the nose is at %v, want %v", choose, got, want.noses)
		}
		for _, name := range []string{"candidates", "people", "person", "everybody"} {
			if v, ok := m[name]; ok {
				t.Errorf("%s: %s is %v", choose, name, v)
			}
		}
	}
	for body, want := range map[string]int{
		fmt.Sprintf(`{"movieId":%d,"candidates":7}`, movie):                    11,
		fmt.Sprintf(`{"movieId":%d,"candidates":1,"everybody":true}`, movie):   2,
		fmt.Sprintf(`{"imageId":%d,"candidates":100}`, picture):                2,
		fmt.Sprintf(`{"imageId":%d,"candidates":1,"everybody":true}`, picture): 2,
	} {
		_, m := w.record(storage.Keypoints, w.token, body)
		list := m["candidates"].([]any)
		first := list[0].(members)
		if len(list) != want || !cmp.Equal(first["box"], []any{220.0, 10.0, 260.0, 75.0}) || first["frame"] != 0.0 || first["score"] == nil {
			t.Errorf("%s: %v", body, list)
		}
	}
}

// TestPeople: a record of everybody has each person, alone in what is asked for and made of it.
func TestPeople(t *testing.T) {
	type members = map[string]any
	w, movie, picture, empty := crowded(t)
	r := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"movieId":%d,"everybody":true,"choose":{"policy":"nearest","point":[0,0]}}`, movie))
	if m := r.get(t); r.status != 201 || m["everybody"] != true || m["people"] != nil {
		t.Errorf("%d %s", r.status, r.body)
	}
	id, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"movie_id":%d,"everybody":true,"clean":true,"choose":{"policy":"nearest","point":[0,0]}}`, movie))
	people := []any{
		members{"track": 1.0, "firstFrame": 0.0, "lastFrame": 3.0, "coverage": 1.0, "chosen": false},
		members{"track": 2.0, "firstFrame": 0.0, "lastFrame": 9.0, "coverage": 1.0, "chosen": true},
	}
	if diff := cmp.Diff(people, m["people"]); diff != "" || m["everybody"] != true || noseOf(m, 0) != 20 {
		t.Errorf("the nose at %v: %s", noseOf(m, 0), diff)
	}
	again, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"clean":false,"scale":{"metresPerPixel":0.01}}`, id))
	if diff := cmp.Diff(people, m["people"]); diff != "" || m["everybody"] != true {
		t.Error(diff)
	}
	for _, id := range []int64{id, again} {
		for query, want := range map[string][2]float64{"": {20, 29}, "person=2": {20, 29}, "person=1": {240, -1}, "person=1&raw=true": {240, -1}} {
			m := w.do("GET", fmt.Sprintf("/keypoints/%d/?include=scores,changes&%s", id, query), w.token, "").get(t)
			if got := [2]float64{noseOf(m, 0), noseOf(m, 9)}; got != want || (m["person"] != nil) != (query != "") || m["quality"] == nil || len(m["scores"].([]any)[9].(members)) > 0 != (want[1] > 0) {
				t.Errorf("record %d, %q: person %v, the nose at %v", id, query, m["person"], got)
			}
			if csv := string(w.do("GET", fmt.Sprintf("/keypoints/%d/?format=csv&%s", id, query), w.token, "").body); !strings.Contains(csv, fmt.Sprintf(",%v,", want[0])) {
				t.Errorf("record %d, %q as CSV:\n%s", id, query, csv)
			}
		}
	}

	// Analyses, comparisons and drawings.
	rule := `{"analysisType":"coordinate","points":["nose"]}`
	for body, want := range map[string][2]float64{``: {20}, `"person":2,`: {20, 2}, `"person":1,`: {240, 1}} {
		made, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,%s"rule":%s}`, id, body, rule))
		value := m["result"].([]any)[0].(members)["values"].([]any)[0].([]any)[0]
		if person, _ := m["person"].(float64); value != want[0] || person != want[1] {
			t.Errorf("%s: the nose of person %v is at %v, want %v", body, person, value, want)
		}
		csv := string(w.do("GET", fmt.Sprintf("/analyses/%d/?format=csv", made), w.token, "").body)
		if !strings.Contains(csv, fmt.Sprintf(",%v,", want[0])) {
			t.Errorf("%s as CSV:\n%s", body, csv)
		}
	}
	compared := func(body string) (distance any) {
		_, m := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d%s}`, id, again, body))
		frame, _ := m["difference"].([]any)[0].(members)["leftElbow"].(members)
		for _, name := range []string{"person", "targetPerson"} {
			if (m[name] != nil) != strings.Contains(body, fmt.Sprintf("%q", name)) {
				t.Errorf("%s: %s is %v", body, name, m[name])
			}
		}
		return frame["distance"]
	}
	same := compared(`,"person":1,"targetPerson":1`)
	if other := compared(`,"targetPerson":1`); same != 0.0 || other == 0.0 {
		t.Errorf("the distance to oneself is %v, to the other %v", same, other)
	}

	// A picture.
	still, m := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d,"everybody":true,"choose":{"policy":"track","track":2}}`, picture))
	other := w.do("GET", fmt.Sprintf("/keypoints/%d/?person=1", still), w.token, "").get(t)
	if len(m["people"].([]any)) != 2 || noseOf(m, 0) != 20 || noseOf(other, 0) != 240 {
		t.Errorf("a picture: %v", m)
	}
	for person, body := range []string{``, `"person":1,`, `"person":2,`} {
		made, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,%s"rule":%s}`, still, body, rule))
		label := `"rule":{"drawingType":"label","points":["nose"],"analysis":0}`
		_, m = w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d,%s"analysisId":%d,%s}`, still, body, made, label))
		if echo, _ := m["person"].(float64); m["drawingUrl"] == nil || int(echo) != person {
			t.Errorf("%s: drawn: %v", body, m)
		}
		r := w.do("POST", "/drawings/", w.token, fmt.Sprintf(`{"keypointId":%d,"person":%d,"analysisId":%d,%s}`, still, 2-person/2, made, label))
		if r.status != 400 || !strings.Contains(string(r.body), `"pointer":"/analysisId"`) {
			t.Errorf("%s: a label of somebody else: %d %s", body, r.status, r.body)
		}
	}
	made, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"person":1}`, still, still))
	if _, m := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"comparisonId":%d}`, made)); m["drawingUrl"] == nil {
		t.Errorf("the comparison is not drawn: %v", m)
	}
	_, m = w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d,"everybody":true}`, empty))
	if people, ok := m["people"].([]any); !ok || len(people) != 0 {
		t.Errorf("a picture of nobody: %v", m)
	}
	for _, body := range []string{"", `,"everybody":true`} { // no waiting cures that
		none, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d%s}`, empty, body))
		if r := w.do("GET", fmt.Sprintf("/keypoints/%d/?format=report", none), w.token, ""); r.status != 404 || !strings.Contains(string(r.body), "nobody was found") {
			t.Errorf("a report of nobody%s: %d %s", body, r.status, r.body)
		}
	}
}

// TestPeopleRefused: a wrong value is a 400 that names it.
func TestPeopleRefused(t *testing.T) {
	w, movie, picture, _ := crowded(t)
	one, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, picture))
	all, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d,"everybody":true}`, picture))
	compared, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, all, all))
	of := map[string]string{
		"movie":      fmt.Sprintf(`/keypoints/ {"movieId":%d,`, movie),
		"image":      fmt.Sprintf(`/keypoints/ {"imageId":%d,`, picture),
		"again":      fmt.Sprintf(`/keypoints/ {"keypointId":%d,`, one),
		"analysis":   fmt.Sprintf(`/analyses/ {"rule":{"analysisType":"coordinate","points":["nose"]},"keypointId":%d,`, all),
		"drawing":    fmt.Sprintf(`/drawings/ {"keypointId":%d,`, all),
		"comparison": fmt.Sprintf(`/comparisons/ {"sourceId":%d,"targetId":%d,`, one, all),
	}
	for _, c := range []struct{ of, more, pointer string }{
		{"movie", `"choose":"largest"`, "/choose"},
		{"movie", `"choose":[]`, "/choose"},
		{"movie", `"choose":{"who":1}`, "/choose/who"},
		{"movie", `"choose":{"policy":"tallest"}`, "/choose/policy"},
		{"movie", `"choose":{"policy":1}`, "/choose/policy"},
		{"movie", `"choose":{"policy":"nearest"}`, "/choose/point"},
		{"movie", `"choose":{"policy":"nearest","point":null}`, "/choose/point"},
		{"movie", `"choose":{"policy":"nearest","point":3}`, "/choose/point"},
		{"movie", `"choose":{"policy":"nearest","point":[1]}`, "/choose/point"},
		{"movie", `"choose":{"policy":"nearest","point":[1,"2"]}`, "/choose/point/1"},
		{"movie", `"choose":{"policy":"nearest","point":[1,2e6]}`, "/choose/point"},
		{"movie", `"choose":{"policy":"largest","point":[1,2]}`, "/choose/point"},
		{"movie", `"choose":{"point":[1,2]}`, "/choose/point"},
		{"movie", `"choose":{"policy":"track"}`, "/choose/track"},
		{"movie", `"choose":{"policy":"track","track":0}`, "/choose/track"},
		{"movie", `"choose":{"policy":"track","track":-1}`, "/choose/track"},
		{"movie", `"choose":{"policy":"track","track":1.5}`, "/choose/track"},
		{"movie", `"choose":{"policy":"track","track":3000000000}`, "/choose/track"},
		{"movie", `"choose":{"policy":"nearest","point":[1,2],"track":1}`, "/choose/track"},
		{"movie", `"choose":{"policy":"mostMovement","seconds":61}`, "/choose/seconds"},
		{"movie", `"choose":{"policy":"mostMovement","seconds":-1}`, "/choose/seconds"},
		{"movie", `"choose":{"policy":"mostMovement","seconds":"1"}`, "/choose/seconds"},
		{"movie", `"choose":{"policy":"largest","seconds":1}`, "/choose/seconds"},
		{"movie", `"choose":{"stay":1}`, "/choose/stay"},
		{"movie", `"candidates":101`, "/candidates"},
		{"movie", `"candidates":-1`, "/candidates"},
		{"movie", `"candidates":0.5`, "/candidates"},
		{"movie", `"candidates":true`, "/candidates"},
		{"movie", `"candidates":1,"candidatesEvery":61`, "/candidatesEvery"},
		{"movie", `"candidatesEvery":1`, "/candidatesEvery"},
		{"movie", `"everybody":1`, "/everybody"},
		{"movie", `"everybody":"true"`, "/everybody"},
		{"movie", `"person":1`, "/person"},
		{"image", `"choose":{"stay":true}`, "/choose"},
		{"image", `"choose":{"policy":"track","track":1}`, "/choose"},
		{"again", `"choose":{}`, "/keypointId"},
		{"again", `"candidates":1`, "/keypointId"},
		{"again", `"everybody":true`, "/keypointId"},
		{"analysis", `"person":0`, "/person"},
		{"analysis", `"person":"1"`, "/person"},
		{"analysis", `"person":3`, "/person"},
		{"drawing", `"person":-1`, "/person"},
		{"drawing", `"person":1.5`, "/person"},
		{"drawing", `"person":3`, "/person"},
		{"comparison", `"person":1`, "/person"}, // of a record of one person
		{"comparison", `"targetPerson":0`, "/targetPerson"},
		{"comparison", `"targetPerson":3`, "/targetPerson"},
		{"comparison", `"target_person":3`, "/target_person"},
		{"comparison", `"target_person":1,"targetPerson":2`, "/target_person"},
	} {
		path, body, _ := strings.Cut(of[c.of], " ")
		r := w.do("POST", path, w.token, body+c.more+"}")
		if r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"pointer":%q`, c.pointer)) {
			t.Errorf("%s with %s: %d %s, want 400 at %s", c.of, c.more, r.status, r.body, c.pointer)
		}
	}
	r := w.do("POST", "/drawings/", w.token, fmt.Sprintf(`{"comparisonId":%d,"person":1}`, compared))
	if r.status != 400 || !strings.Contains(string(r.body), `"pointer":"/person"`) {
		t.Errorf("a drawing of a comparison with a person: %d %s", r.status, r.body)
	}
	for path, status := range map[string]int{
		fmt.Sprintf("/keypoints/%d/?person=2", all):            200,
		fmt.Sprintf("/keypoints/%d/?person=3", all):            400,
		fmt.Sprintf("/keypoints/%d/?person=0", all):            400,
		fmt.Sprintf("/keypoints/%d/?person=-1", all):           400,
		fmt.Sprintf("/keypoints/%d/?person=", all):             400,
		fmt.Sprintf("/keypoints/%d/?person=1.0", all):          200,
		fmt.Sprintf("/keypoints/%d/?person=1.5", all):          400,
		fmt.Sprintf("/keypoints/%d/?person=3&format=csv", all): 400,
		fmt.Sprintf("/keypoints/%d/?person=1", one):            400,
	} {
		r := w.do("GET", path, w.token, "")
		if r.status != status || status == 400 && !strings.Contains(string(r.body), `"parameter":"person"`) {
			t.Errorf("%s: %d %s, want %d", path, r.status, r.body, status)
		}
	}
}

// TestPeopleUnfinished: before SUCCESS any person may be asked for; work for one who is not there fails
// and says so.
func TestPeopleUnfinished(t *testing.T) {
	w, movie, _, _ := crowded(t)
	m := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"movieId":%d,"everybody":true}`, movie)).get(t)
	id := int64(m["id"].(float64))
	if r := w.do("GET", fmt.Sprintf("/keypoints/%d/?person=7", id), w.token, ""); r.status != 200 && r.status != 400 {
		t.Errorf("%d %s", r.status, r.body)
	}
	r := w.do("POST", "/analyses/", w.token, fmt.Sprintf(`{"keypointId":%d,"person":7,"rule":{"analysisType":"coordinate","points":["nose"]}}`, id))
	if r.status == 400 { // the extraction was faster
		return
	}
	made := int64(r.get(t)["id"].(float64))
	m = w.do("GET", fmt.Sprintf("/analyses/%d/?wait=30", made), w.token, "").get(t)
	if detail, _ := m["failureDetail"].(string); m["execStatus"] != "FAILURE" || !strings.Contains(detail, "no person 7") {
		t.Errorf("%v", m)
	}
}
