package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
)

// make makes a record and returns it.
func (w *world) make(path, body string) map[string]any {
	w.t.Helper()
	r := w.do("POST", path, w.token, body)
	if r.status != 201 {
		w.t.Fatalf("%s %s: %d %s", path, body, r.status, r.body)
	}
	return r.get(w.t)
}

// TestUnaware: a client that knows nothing of people and exercises gets the members that it got before them, and no others.
func TestUnaware(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		c.Decoder = decoder{info: inference.Info{Frames: 3, Recorded: time.Date(2026, 10, 3, 0, 0, 0, 0, time.UTC)}}
	})
	w.make("/subjects/", `{"name":"somebody else's page made this"}`)
	members := func(m any) string { return strings.Join(slices.Sorted(maps.Keys(m.(map[string]any))), " ") }
	made := w.make("/movies/", fmt.Sprintf(`{"contentMd5":%q,"name":"m"}`, base64MD5([]byte("x"))))
	uploaded := w.do("PUT", made["uploadUrl"].(string), "", "x")
	image := w.image(w.token)
	key := w.make("/keypoints/", fmt.Sprintf(`{"imageId":%d}`, image))
	id, record := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, image))
	_, analysis := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"coordinate","points":["nose"]}}`, id))
	item := func(list string) any { return w.do("GET", "/"+list+"/", w.token, "").get(t)["data"].([]any)[0] }
	const media, item1 = "contentMd5 createdAt height id name text updatedAt width", "createdAt id name updatedAt"
	for what, x := range map[string]struct {
		got  any
		want string
	}{
		"registered": {made, "contentMd5 createdAt id name text updatedAt uploadUrl"},
		"uploaded":   {uploaded.get(t), "contentMd5 createdAt fps frame height id name text time updatedAt width"},
		"movie":      {w.do("GET", "/movies/1/", w.token, "").get(t), "contentMd5 createdAt fps frame height id name text time updatedAt width"},
		"image":      {w.do("GET", fmt.Sprintf("/images/%d/", image), w.token, "").get(t), media},
		"created":    {key, "createdAt execStatus id image keypoint movie progress updatedAt"},
		"keypoints":  {record, "createdAt execStatus failureDetail id image keypoint movie quality updatedAt"},
		"analysis":   {analysis, "createdAt execStatus failureDetail id keypoint result rule updatedAt"},
		"in movies":  {item("movies"), item1}, "in images": {item("images"), item1},
		"in keypoints": {item("keypoints"), "createdAt execStatus id image movie updatedAt verdict"}, "in analyses": {item("analyses"), "createdAt execStatus id keypoint updatedAt"},
	} {
		if got := members(x.got); got != x.want {
			t.Errorf("%s: %s, want %s", what, got, x.want)
		}
	}
	// Nor is it told of changes of people.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	changes, err := w.service.Watch(ctx, "alice")
	if err != nil {
		t.Fatal(err)
	}
	w.make("/subjects/", `{"name":"b"}`)
	w.do("PATCH", "/subjects/1/", w.token, `{"name":"c"}`)
	w.do("DELETE", "/subjects/1/", w.token, "")
	w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, image))
	for seen := false; !seen; {
		for _, c := range (<-changes).Records {
			if c.Kind != storage.Keypoints {
				t.Errorf("a change of %s", c.Kind)
			}
			seen = seen || c.Status == storage.Success
		}
	}
}

// TestLimits: the service says what it accepts.
func TestLimits(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Limits = motion.Limits{Frames: 5, UploadBytes: -1} })
	r := w.do("GET", "/limits/", w.token, "")
	want := map[string]any{"imagePixels": 12.2e6, "framePixels": 2.1e6, "frames": 5.0, "uploadBytes": 0.0}
	if d := cmp.Diff(want, r.get(t)); r.status != 200 || d != "" {
		t.Error(r.status, d)
	}
}

// TestExercises: the service says which exercises it knows, as its document describes them.
func TestExercises(t *testing.T) {
	w := newWorld(t, nil)
	var list struct{ Data []exercise.Definition }
	r := w.do("GET", "/exercises/", w.token, "")
	if err := json.Unmarshal(r.body, &list); r.status != 200 || err != nil {
		t.Fatalf("%d %v %s", r.status, err, r.body)
	}
	var names []string
	for _, d := range list.Data {
		names = append(names, d.Name)
	}
	if d := cmp.Diff(exercise.Names(), names); d != "" {
		t.Error(d)
	}
	var doc struct {
		Components struct{ Schemas map[string]map[string]any }
	}
	var schema map[string]any
	if err := json.Unmarshal(w.do("GET", "/openapi.json?full=true", "", "").body, &doc); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(exercise.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	documented := doc.Components.Schemas["Exercise"]
	delete(documented, "examples")
	delete(schema, "$schema")
	delete(schema, "title")
	if d := cmp.Diff(schema, documented); d != "" {
		t.Errorf("the document: %s", d)
	}
	enum := doc.Components.Schemas["NewAnalysis"]["properties"].(map[string]any)["exercise"].(map[string]any)["anyOf"].([]any)[0].(map[string]any)["enum"]
	if got := fmt.Sprint(enum); got != fmt.Sprint(names) {
		t.Errorf("the document knows %s", got)
	}
}

// TestWrongExercises: what is wrong in an exercise is refused with its place.
func TestWrongExercises(t *testing.T) {
	w, put := filed(t)
	id := w.keypointRecord(put, squat())
	target := `{"measure":"kneeFlexion","min":90}`
	for exercise, place := range map[string]string{
		`"squad"`: "/exercise", `7`: "/exercise", `{}`: "/exercise/name", `{"name":"a"}`: "/exercise/targets", `{"name":"a","targets":[{}]}`: "/exercise/targets/0/measure",
		`{"name":"a","targets":[{"measure":"kneeFlexion"}]}`:                            "/exercise/targets/0/min",
		`{"name":"a","targets":[{"measure":"kneeFlexion","min":"deep"}]}`:               "/exercise/targets/0/min",
		`{"name":"a","targets":[{"measure":"kneeFlexion","min":90,"max":10}]}`:          "/exercise/targets/0/max",
		`{"name":"a","view":"above","targets":[` + target + `]}`:                        "/exercise/view",
		`{"name":"a","note":"x","targets":[` + target + `]}`:                            "/exercise/note",
		`{"name":"a","targets":[` + strings.Repeat(target+",", 20) + target + `]}`:      "/exercise/targets",
		`{"name":"a","sources":["` + strings.Repeat("x", 65<<10) + `"],"test":"jump"}`:  "/exercise",
		`{"name":"a","targets":[{"measure":"kneeFlexion","min":90,"side":"both"}]}`:     "/exercise/targets/0/side",
		`{"name":"a","targets":[{"measure":"out","at":"turn","min":1}]}`:                "/exercise/targets/0/at",
		`{"name":"a","lead":{"analysisType":"knee"},"targets":[` + target + `]}`:        "/exercise/lead/analysisType",
		`{"name":"a","title":{"en":"a"},"targets":[` + target + `]}`:                    "/exercise/title",
		`{"name":"a","phases":["down"],"targets":[` + target + `]}`:                     "/exercise/phases",
		`{"name":"a","targets":[{"measure":"kneeFlexion","min":90,"tolerance":-1}]}`:    "/exercise/targets/0/tolerance",
		`{"name":"a","norms":[],"targets":[{"measure":"kneeFlexion","min":1e7}]}`:       "/exercise/targets/0/min",
		`{"name":"a","test":"handstand","targets":[{"measure":"kneeFlexion","min":1}]}`: "/exercise/test",
		`{"name":"a","counts":"good","targets":[{"measure":"kneeFlexion","min":1}]}`:    "/exercise/counts",
		`{"name":"a","movement":"dance","targets":[{"measure":"kneeFlexion","min":1}]}`: "/exercise/movement",
		`{"name":"` + strings.Repeat("x", 201) + `","targets":[` + target + `]}`:        "/exercise/name",
		`{"name":"a","targets":[{"measure":"trunkLean","side":"left","max":1}]}`:        "/exercise/targets/0/side",
	} {
		r := w.do("POST", "/analyses/", w.token, fmt.Sprintf(`{"keypointId":%d,"exercise":%s}`, id, exercise))
		if r.status != 400 || !strings.Contains(string(r.body), `"pointer":"`+place+`"`) {
			t.Errorf("%.100s: %d %.300s, want %s", exercise, r.status, r.body, place)
		}
	}
	picture, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	if r := w.do("POST", "/analyses/", w.token, fmt.Sprintf(`{"keypointId":%d,"exercise":"squat"}`, picture)); r.status != 400 {
		t.Errorf("of an image: %d %s", r.status, r.body)
	}
}
