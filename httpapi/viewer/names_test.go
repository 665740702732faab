package viewer_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// TestNames: the page is told every part and type of analysis, with how a rule of it looks and words in every
// language.
func TestNames(t *testing.T) {
	h := handler(t)
	text, err := io.ReadAll(ask(h, "GET", "/viewer/base/names.js").Body)
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]json.RawMessage{}
	for line := range bytes.Lines(text) {
		name, value, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("export const ")), []byte(" = "))
		if !ok {
			t.Fatalf("names.js has the line %s", line)
		}
		told[string(name)] = bytes.TrimSuffix(bytes.TrimSpace(value), []byte(";"))
	}
	read := func(name string, v any) {
		if err := json.Unmarshal(told[name], v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var parts []string
	read("parts", &parts)
	if len(parts) != keypoint.NumParts {
		t.Errorf("parts: %v", parts)
	}
	for _, part := range parts {
		for language, list := range dictionaries(t, h) {
			if list["part."+part] == "" {
				t.Errorf("%s has no name of %s", language, part)
			}
		}
	}
	var skeleton []keypoint.Edge
	read("skeleton", &skeleton)
	edges := keypoint.Skeleton()
	if len(skeleton) != len(edges) || !slices.Contains(skeleton, edges[0]) {
		t.Errorf("skeleton: %v", skeleton)
	}
	var types []struct {
		Name   string
		Points int
		Sided  bool
	}
	read("types", &types)
	if len(types) != len(analyze.Types()) {
		t.Errorf("the page has %d types, want %d", len(types), len(analyze.Types()))
	}
	for _, typ := range types {
		for language, list := range dictionaries(t, h) {
			if list["type."+typ.Name] == "" || typ.Sided && list["joint.right."+typ.Name] == "" {
				t.Errorf("%s has no name of %s", language, typ.Name)
			}
		}
		members := map[string]any{"analysisType": typ.Name}
		if typ.Points > 0 {
			members["points"] = []any{"nose", "nose", "nose"}[:typ.Points]
		}
		if typ.Sided {
			members["side"] = "left"
		}
		rule, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := analyze.ParseRules(rule); err != nil {
			t.Errorf("%s of %d points: %v", typ.Name, typ.Points, err)
		}
	}
}
