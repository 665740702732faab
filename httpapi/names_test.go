package httpapi_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/storage"
)

// TestWords: mistakes say what is wanted.
func TestWords(t *testing.T) {
	w := newWorld(t, nil)
	image := w.image(w.token)
	for _, c := range []struct{ path, body, want string }{
		{"/comparisons/", `{"sourceId":1,"targetId":1,"score":"yes"}`, `is \"yes\", want true, false or always`},
		{"/analyses/", `{"keypointId":1,"rule":7}`, `is a number, want a rule object or an array of rule objects`},
		{"/drawings/", `{"keypointId":1,"rule":"keypoint"}`, `is a string, want a rule object or an array of rule objects`},
		{"/keypoints/", fmt.Sprintf(`{"imageId":%d,"rate":0}`, image), `"pointer":"/rate"`},
		{"/keypoints/", `{"keypointIds":[1,2],"clean":true}`, `but for scale`},
		{"/analyses/", `{"keypointId":1,"jumps":true,"jump":false}`, `"pointer":"/jump"`},
	} {
		if r := w.do("POST", c.path, w.token, c.body); r.status != 400 || !strings.Contains(string(r.body), c.want) {
			t.Errorf("%s: %d %s, want %s", c.body, r.status, r.body, c.want)
		}
	}
	if r := w.do("POST", "/keypoints/", w.token, fmt.Sprintf(`{"imageId":%d,"rate":null}`, image)); r.status != 201 {
		t.Errorf("no rate: %d %s", r.status, r.body)
	}
}

// TestJumpNames: jumps asks for jumps, and so does its older name.
func TestJumpNames(t *testing.T) {
	var store storage.Store
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { store, c.Decoder = c.Store, fakes.Decoder{} })
	w.put(storage.Movies, greys(41, 10))
	key := w.keypointRecord(func(r storage.Record) int64 {
		r.Owner = "alice"
		r, err := store.Create(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}, squat())
	for _, body := range []string{`"jumps":true`, `"jump":true`, `"jumps":true,"jump":true`} {
		if _, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,%s}`, key, body)); m["jumps"] == nil {
			t.Errorf("%s: %v", body, m)
		}
	}
	// A measure that a rule and the overview have is one column.
	id, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"overview":true,"rule":{"analysisType":"kneeFlexion","side":"left","symmetry":true}}`, key))
	head, _, _ := strings.Cut(string(w.do("GET", fmt.Sprintf("/analyses/%d/?format=csv", id), w.token, "").body), "\n")
	if strings.Count(head, "right knee flexion [deg]") != 1 || strings.Contains(head, " 2 ") {
		t.Errorf("columns %s", head)
	}
}

// TestRepetitionNames: repetitionRule says what repetitions of a comparison are found by, and so does its older name.
func TestRepetitionNames(t *testing.T) {
	w, put := filed(t)
	a, b := w.keypointRecord(put, squat()), w.keypointRecord(put, squat())
	rule := `{"analysisType":"kneeFlexion","side":"left"}`
	for _, body := range []string{`"repetitionRule":` + rule, `"repetition_rule":` + rule, `"repetitions":` + rule, `"repetitionRule":` + rule + `,"repetitions":` + rule} {
		if _, m := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d,%s}`, a, b, body)); len(m["repetitions"].([]any)) == 0 {
			t.Errorf("%s: %v", body, m)
		}
	}
	for body, want := range map[string]string{
		`"repetitionRule":` + rule + `,"repetitions":{"analysisType":"hipFlexion","side":"left"}`: `"pointer":"/repetitions"`,
		`"repetitionRule":7`: `"pointer":"/repetitionRule"`,
	} {
		if r := w.do("POST", "/comparisons/", w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d,%s}`, a, b, body)); r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
}

// TestFormatsOmit: docs/use/files.md says of each format what the header Format-Omits can name.
func TestFormatsOmit(t *testing.T) {
	rows := map[string]map[string][]string{}
	kind := ""
	text, err := os.ReadFile("../docs/use/files.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| leaves out |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table) {
		row := strings.Split(strings.Trim(line, "|\n"), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		if len(row) != 4 || strings.HasPrefix(row[0], "-") {
			continue
		}
		if row[0] != "" {
			kind = row[0]
			rows[kind] = map[string][]string{}
		}
		cell, _, _ := strings.Cut(row[3], ";")
		rows[kind][strings.Trim(row[1], "`")] = strings.Split(cell, ", ")
	}
	all := map[string][]string{
		"keypoints":   {"scores", "visibility", "timestamps", "size", "smallToes", "personChanges", "looks", "world", "positions"},
		"analyses":    {"constant", "movieOption", "repetitions", "statistics", "symmetry", "uncertainty", "unit"},
		"comparisons": {"score", "largest", "repetitions", "warnings"},
	}
	beside := []string{"gait", "jumps", "overview", "neutral", "exercise", "warnings"}
	for kind, contents := range all {
		for _, format := range httpapi.Formats(storage.Kind(kind)) {
			if format == "report" || format == "phases" {
				continue
			}
			want := httpapi.Omits(storage.Kind(kind), format, contents, map[bool][]string{true: beside}[kind == "analyses"])
			got := rows[kind][format]
			slices.Sort(want)
			slices.Sort(got)
			if strings.Join(got, ", ") != strings.Join(want, ", ") {
				t.Errorf("%s as %s leaves out %v, the table says %v", kind, format, want, got)
			}
		}
	}
}
