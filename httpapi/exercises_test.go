package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze/exercise"
)

// own returns the ids of a client's own exercises.
func (w *world) own(query, token string) (ids []int) {
	w.t.Helper()
	r := w.do("GET", "/exercises/"+query, token, "").get(w.t)
	if shipped := len(r["data"].([]any)); shipped != len(exercise.Names()) {
		w.t.Errorf("%q: %d exercises are shipped", query, shipped)
	}
	for _, item := range r["own"].([]any) {
		ids = append(ids, int(item.(map[string]any)["id"].(float64)))
	}
	return ids
}

// TestOwnExercises: exercises are kept for a client, who finds them by person and words. A person's own go with everything of
// that person, and are nobody's if only the record goes.
func TestOwnExercises(t *testing.T) {
	w := newWorld(t, nil)
	for _, name := range []string{"Kenji Sato", "Mika Tanaka"} {
		w.make("/subjects/", fmt.Sprintf(`{"name":%q}`, name))
	}
	box := `{"name":"Squat to the box","targets":[{"measure":"kneeFlexion","min":70}]}`
	made := w.do("POST", "/exercises/", w.token, `{"exercise":`+box+`,"subject_id":1}`)
	got := made.get(t)
	delete(got, "createdAt")
	delete(got, "updatedAt")
	want := map[string]any{"id": 1., "subjectId": 1., "exercise": map[string]any{
		"name": "Squat to the box", "targets": []any{map[string]any{"measure": "kneeFlexion", "min": 70.}},
	}}
	if d := cmp.Diff(want, got); made.status != 201 || d != "" {
		t.Fatalf("%d %s", made.status, d)
	}
	w.make("/exercises/", `{"exercise":"lunge","subjectId":2}`)
	w.make("/exercises/", `{"exercise":"squat"}`)
	for query, want := range map[string][]int{
		"": {3, 2, 1}, "?size=1": {3}, "?page=3&size=1": {1}, "?subjectId=1": {1}, "?subjectId=0": {3}, "?text=box": {1}, "?text=hinge": nil,
	} {
		if got := w.own(query, w.token); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", query, got, want)
		}
	}
	if got := w.own("", w.other); got != nil {
		t.Errorf("another client has %v", got)
	}
	for _, x := range []struct {
		method, path, token, body string
		status                    int
	}{
		{"POST", "/exercises/", w.token, `{"exercise":"squat","subjectId":7}`, 404},
		{"POST", "/exercises/", w.other, `{"exercise":"squat","subjectId":1}`, 404},
		{"POST", "/exercises/", w.reader, `{"exercise":"squat"}`, 403},
		{"DELETE", "/exercises/1/", w.other, "", 404},
		{"GET", "/exercises/1/", w.token, "", 405},
	} {
		if r := w.do(x.method, x.path, x.token, x.body); r.status != x.status {
			t.Errorf("%s %s %s: %d, want %d", x.method, x.path, x.body, r.status, x.status)
		}
	}
	for body, place := range map[string]string{
		`{}`: "/exercise", `{"exercise":null}`: "/exercise", `{"exercise":"squad"}`: "/exercise", `{"exercise":"squat","name":"a"}`: "/name",
		`{"exercise":{"name":"a","targets":[{}]}}`: "/exercise/targets/0/measure", `{"exercise":"squat","subjectId":"1"}`: "/subjectId",
	} {
		if r := w.do("POST", "/exercises/", w.token, body); r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"pointer":%q`, place)) {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}

	if r := w.do("DELETE", "/subjects/1/?all=true", w.token, ""); string(r.body) != `{"records":{"exercises":1,"subjects":1},"files":0,"bytes":0}` {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := w.do("DELETE", "/subjects/2/", w.token, ""); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if got := w.own("?subjectId=0", w.token); !slices.Equal(got, []int{3, 2}) {
		t.Errorf("left are %v", got)
	}
	if r := w.do("DELETE", "/exercises/3/", w.token, ""); r.status != 204 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if got := w.own("", w.token); !slices.Equal(got, []int{2}) {
		t.Errorf("left are %v", got)
	}
}
