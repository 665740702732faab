package viewer_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
)

// TestTypes: the page knows the types of analysis, how many points each takes, and a name in every
// language.
func TestTypes(t *testing.T) {
	read := func(name string) []byte {
		b, err := os.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	more := read("recording/more.js")
	object := func(name string, v any) {
		m := regexp.MustCompile(`const ` + name + ` = (\{[^}]*\});`).FindSubmatch(more)
		if m == nil {
			t.Fatalf("more.js has no %s", name)
		}
		text := regexp.MustCompile(`(\w+):`).ReplaceAll(m[1], []byte(`"$1":`))
		if err := json.Unmarshal(regexp.MustCompile(`'([^']*)'`).ReplaceAll(text, []byte(`"$1"`)), v); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	var points map[string]int
	object("points", &points)
	var sided []string
	list := regexp.MustCompile(`const sided = (\[[^]]*\]);`).FindSubmatch(more)
	if list == nil {
		t.Fatal("more.js has no sided")
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(list[1]), "'", `"`)), &sided); err != nil {
		t.Fatalf("%s: %v", list[1], err)
	}
	types := analyze.Types()
	if len(points) != len(types) {
		t.Errorf("the page has %d types, want %d", len(points), len(types))
	}
	nose := []any{"nose", "nose", "nose"}
	for _, typ := range types {
		n := points[string(typ)]
		members := map[string]any{"analysisType": typ, "points": nose[:n]}
		if n == 0 {
			delete(members, "points")
		}
		if slices.Contains(sided, string(typ)) {
			members["side"] = "left"
		}
		rule, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := analyze.ParseRules(rule); err != nil {
			t.Errorf("%s of %d points: %v", typ, n, err)
		}
		for _, language := range []string{"base/en.js", "base/ja.js"} {
			text := string(read(language))
			if !regexp.MustCompile(`'type\.` + string(typ) + `': '.`).MatchString(text) {
				t.Errorf("%s has no name of %s", language, typ)
			}
		}
	}
}
