package exercise_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/say"
)

// TestShipped: each shipped exercise is read, written and read again, and has what people need.
func TestShipped(t *testing.T) {
	for _, name := range exercise.Names() {
		d, ok := exercise.Shipped(name)
		if !ok || d.Name != name || d.Title[say.Japanese] == "" || len(d.Sources) == 0 || len(d.Targets) == 0 || d.View == "" {
			t.Errorf("%s lacks something: %+v", name, d)
		}
		data, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		again, err := exercise.Parse(data)
		if err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("%s: read again %+v, %v", name, again, err)
		}
		byName, err := exercise.Parse([]byte(`"` + name + `"`))
		if err != nil || !reflect.DeepEqual(byName, d) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, ok := exercise.Shipped("nothing"); ok {
		t.Error("there is an exercise of an unknown name")
	}
}

func TestParseErrors(t *testing.T) {
	for doc, want := range map[string]string{
		`"sqat"`:       "did you mean squat",
		`{"name":"x"}`: "/targets",
		`{"name":" ","targets":[{"measure":"kneeFlexion","min":1}]}`:                  "/name",
		`{"name":"x","targets":[{"measure":"kneeFlexon","min":1}]}`:                   "did you mean kneeFlexion",
		`{"name":"x","targets":[{"measure":"vectorAngle","min":1}]}`:                  "/targets/0/measure",
		`{"name":"x","targets":[{"measure":"kneeFlexion"}]}`:                          "/targets/0/min",
		`{"name":"x","targets":[{"measure":"kneeFlexion","min":5,"max":4}]}`:          "/targets/0/max",
		`{"name":"x","targets":[{"measure":"trunkLean","side":"left","min":5}]}`:      "/targets/0/side",
		`{"name":"x","targets":[{"measure":"out","at":"turn","min":5}]}`:              "/targets/0/at",
		`{"name":"x","targets":[{"measure":"out","min":5,"tolerance":-1}]}`:           "/targets/0/tolerance",
		`{"name":"x","targets":[{"measure":"out","min":"5"}]}`:                        "/targets/0/min",
		`{"name":"x","targets":[{"measure":"out","min":5,"often":1}]}`:                "/targets/0/often",
		`{"name":"x","phases":["down"],"targets":[{"measure":"out","min":5}]}`:        "/phases",
		`{"name":"x","lead":{"side":"left"},"targets":[{"measure":"out","min":5}]}`:   "/lead/analysisType",
		`{"name":"x","norms":[{"sex":"male"}],"targets":[{"measure":"out","min":5}]}`: "/norms",
		`{"name":"x","title":{"en":"X"},"targets":[{"measure":"out","min":5}]}`:       "/title",
		`{"name":"x","movement":"squatting","targets":[{"measure":"out","min":5}]}`:   "/movement",
		`{"name":"x","targets":[{"measure":"out","min":1e7}]}`:                        "/targets/0/min",
		`{"name":"x","targets":[{"measure":"kneeFlexion","side":"middle","min":1}]}`:  "/targets/0/side",
		`{"name":"x","targets":[{"measure":"kneeFlexion","at":"always","min":1}]}`:    "/targets/0/at",
		`[]`: "want an object", `null`: "is required",
	} {
		if _, err := exercise.Parse([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", doc, err, want)
		}
	}
}

// TestSchema: the schema has the members and names that the Go types have.
func TestSchema(t *testing.T) {
	type object struct {
		Properties map[string]json.RawMessage
		Additional *bool `json:"additionalProperties"`
		Items      json.RawMessage
		Enum       []string
	}
	read := func(data []byte) (o object) {
		if err := json.Unmarshal(data, &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	members := func(of any, o object, place string) {
		var want, have []string
		if _, ok := of.(say.Text); ok {
			for _, l := range say.Languages() {
				want = append(want, string(l))
			}
			of = struct{}{}
		}
		for f := range reflect.TypeOf(of).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(of).Field(f).Tag.Get("json"), ",")
			want = append(want, name)
		}
		for name := range o.Properties {
			have = append(have, name)
		}
		slices.Sort(want)
		slices.Sort(have)
		if !slices.Equal(want, have) || o.Additional == nil || *o.Additional {
			t.Errorf("%s has %v, the Go type %v", place, have, want)
		}
	}
	root := read(exercise.Schema())
	members(exercise.Definition{}, root, "definition")
	members(say.Text{}, read(root.Properties["title"]), "title")
	targets := read(read(root.Properties["targets"]).Items)
	members(exercise.Target{}, targets, "target")
	norms := read(read(root.Properties["norms"]).Items)
	members(exercise.Norm{}, norms, "norm")
	lead := read(root.Properties["lead"])

	// Every name of the schema is taken, and an unknown one is refused with all of them.
	for place, schema := range map[string]json.RawMessage{
		`{"name":"x","targets":[{"measure":%,"min":1}]}`:                      targets.Properties["measure"],
		`{"name":"x","targets":[{"measure":"kneeFlexion","at":%,"min":1}]}`:   targets.Properties["at"],
		`{"name":"x","targets":[{"measure":"kneeFlexion","side":%,"min":1}]}`: targets.Properties["side"],
		`{"name":"x","lead":{"analysisType":%},"test":"chairStand30"}`:        lead.Properties["analysisType"],
		`{"name":"x","movement":%,"test":"chairStand30"}`:                     root.Properties["movement"],
		`{"name":"x","counts":%,"test":"chairStand30"}`:                       root.Properties["counts"],
		`{"name":"x","view":%,"test":"chairStand30"}`:                         root.Properties["view"],
		`{"name":"x","test":%}`:                                               root.Properties["test"],
		`{"name":"x","phases":[%,"hold","up"],"test":"chairStand30"}`:         read(root.Properties["phases"]).Items,
	} {
		names := read(schema).Enum
		for _, name := range names {
			if _, err := exercise.Parse([]byte(strings.Replace(place, "%", `"`+name+`"`, 1))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, err := exercise.Parse([]byte(strings.Replace(place, "%", `"?"`, 1)))
		if err == nil || !strings.HasSuffix(err.Error(), "one of "+strings.Join(names, ", ")) {
			t.Errorf("%s: the schema has %v, the error says %v", place, names, err)
		}
	}
}

// TestShippedPage: docs/use/exercises.md has the targets of each shipped exercise.
func TestShippedPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/use/exercises.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range exercise.Names() {
		d, _ := exercise.Shipped(name)
		_, row, _ := strings.Cut(string(page), "| `"+name+"` | "+string(d.View)+" | ")
		row, _, _ = strings.Cut(row, " |\n")
		var have, want []string
		for part := range strings.SplitSeq(row, "; ") {
			if _, after, ok := strings.Cut(part, "landing: "); ok {
				part = after
			}
			have = append(have, part)
		}
		for k, target := range d.Targets {
			unit := target.Measure.Unit()
			if unit == "" {
				unit = "s"
			}
			want = append(want, d.Describe(k, unit)[say.English])
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: the page has %q, the exercise %q", name, have, want)
		}
	}
}
