package house_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// TestNames: tables that explain the names of something explain all of them, and no others.
func TestNames(t *testing.T) {
	named := slices.DeleteFunc(analyze.Types(), func(a analyze.Type) bool { return a.Points() > 0 })
	for _, c := range []struct {
		path, section string
		names         []string
	}{
		{"docs/how/formulas.md", "Points", keypoint.PointTypeNames()},
		{"docs/how/formulas.md", "Statistics", enum(t, "max")},
		{"docs/how/formulas.md", "Raw and cleaned", enum(t, "swapped")},
		{"docs/how/formulas.md", "Named angles", strings.Fields(strings.Trim(fmt.Sprint(named), "[]"))},
		{"docs/how/quality.md", "Warnings", submatches(t, "keypoint/quality/quality.go", `Code = "(\w+)"`)},
	} {
		doc, err := os.ReadFile(c.path)
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(doc), "\n## "+c.section+"\n")
		text, _, _ = strings.Cut(text, "\n## ")
		var found []string
		for line := range strings.Lines(text) {
			if cells := strings.Split(line, "|"); strings.HasPrefix(line, "| `") {
				for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[1], -1) {
					found = append(found, m[1])
				}
			}
		}
		slices.Sort(found)
		found = slices.Compact(found)
		slices.Sort(c.names)
		if diff := cmp.Diff(c.names, found); diff != "" {
			t.Errorf("%s, %s:\n%s", c.path, c.section, diff)
		}
	}
}

// enum returns the values of the first enumeration of the OpenAPI document that begins with one.
func enum(t *testing.T, first string) []string {
	t.Helper()
	all := submatches(t, "httpapi/openapi.json", `"enum":\s*\[(\s*"`+first+`"[^\]]*)\]`)
	var values []string
	if err := json.Unmarshal([]byte("["+all[0]+"]"), &values); err != nil {
		t.Fatal(err)
	}
	return values
}

// submatches returns what the group of a pattern matches in a file.
func submatches(t *testing.T, path, pattern string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
		found = append(found, m[1])
	}
	if found == nil {
		t.Fatalf("%s: nothing matches %s", path, pattern)
	}
	return found
}
