package httpapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/testkit/exchange"
	"github.com/bodymotion/motion/keypoint"
)

// checked notes the exchanges with a handler, to be held against the document in internal/lab/contract.
func checked(t testing.TB, next http.Handler) http.Handler { return exchange.Record(t, next, true) }

// checkedAnswers is for requests about which the document and the service need not agree: those that a
// fuzzer can think of.
func checkedAnswers(t testing.TB, next http.Handler) http.Handler {
	return exchange.Record(t, next, false)
}

// TestOpenAPI holds that the whole document is served as it is committed, to everybody.
func TestOpenAPI(t *testing.T) {
	w := newWorld(t, nil)
	r := w.do("GET", "/openapi.json?full=true", "", "")
	want, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if r.status != 200 || !bytes.Equal(r.body, want) || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %v", r.status, r.header)
	}
	if again := w.do("GET", "/openapi.json?full=true", "", "", "If-None-Match", r.header.Get("ETag")); again.status != 304 {
		t.Errorf("the same ETag: %d", again.status)
	}
	if r := w.do("GET", "/openapi.json?full=yes", "", ""); r.status != 400 || !strings.Contains(string(r.body), `"full"`) {
		t.Errorf("?full=yes: %d %s", r.status, r.body)
	}
	if r := w.do("DELETE", "/openapi.json", "", ""); r.status != 405 || r.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("DELETE: %d %v", r.status, r.header)
	}
}

// TestPlainDocument holds that the document that generators read has all that clients need, and nothing that
// generators cannot read. That they read it is tested in internal/lab/clients.
func TestPlainDocument(t *testing.T) {
	w := newWorld(t, nil)
	r := w.do("GET", "/openapi.json", "", "")
	for _, bad := range []string{`"not"`, `"const"`, `"propertyNames"`, `"default"`, `"*/*"`, `"keypoint_id"`, `"#/components/parameters/`} {
		if bytes.Contains(r.body, []byte(bad)) {
			t.Errorf("it has %s", bad)
		}
	}
	if bytes.Contains(r.body, []byte("\n")) {
		t.Error("it is indented")
	}
	var plain document
	if err := json.Unmarshal(r.body, &plain); r.status != 200 || err != nil {
		t.Fatalf("%d, %v", r.status, err)
	}
	strict := readDocument(t)
	for path, item := range strict.Paths {
		if len(plain.Paths[path]) != len(item) {
			t.Errorf("%s has %d operations, want %d", path, len(plain.Paths[path]), len(item))
		}
	}
	for name, want := range map[string]string{
		"NewMedia": "contentMd5", "NewAnalysis": "keypointId", "NewComparison": "sourceId targetId", "NewSubject": "name", "Edit": "frame part", "NewDrawing": "", "MediaChange": "",
	} {
		if got := strings.Join(plain.Components.Schemas[name].Required, " "); got != want {
			t.Errorf("%s requires %q, want %q", name, got, want)
		}
	}
	for name, s := range strict.Components.Schemas {
		if plain.Components.Schemas[name].Ref != "" {
			continue // the same as another with less
		}
		for member := range s.Properties {
			if _, ok := plain.Components.Schemas[name].Properties[member]; ok == strings.Contains(member, "_") {
				t.Errorf("%s.%s: %v", name, member, ok)
			}
		}
	}
}

// TestDocumentedFormulas holds that the document says the formula of every type of analysis and statistic, what each
// type of point and each change means, and what is drawn how.
func TestDocumentedFormulas(t *testing.T) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				Description string
				Properties  map[string]struct{ Description string }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	s := doc.Components.Schemas
	says := func(what, text string, words ...string) {
		t.Helper()
		for _, word := range words {
			if !strings.Contains(text, word) {
				t.Errorf("%s: nothing is said of %s", what, word)
			}
		}
	}
	rule := s["AnalysisRule"].Properties
	for _, name := range analyze.Types() {
		says("analysisType", rule["analysisType"].Description, string(name))
	}
	says("movieOption", rule["movieOption"].Description, "median", "range", "standardDeviation", "percentile5", "percentile95", "positive", "negative")
	says("pointType", s["PointType"].Description, "single", "horizontalRight", "horizontalLeft", "verticalTop", "verticalDown", "midpoint", "centroid")
	for _, name := range draw.Types() {
		says("drawingType", s["DrawingRule"].Properties["drawingType"].Description, string(name))
	}
	says("drawingType", s["DrawingRule"].Properties["drawingType"].Description, "cross the whole picture")
	says("size", s["DrawingRule"].Properties["size"].Description, "L/400", "L/150", "L/45")
	says("bands", s["Band"].Description, "two ends")
	says("changes", s["Keypoint"].Properties["changes"].Description,
		"swapped", "rejected", "filled", "smoothed", "ambiguous", "coincident", "doubted", "corrected", "interpolated", "exchanged")
}

// document is what the tests here read of the OpenAPI document.
type document struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Ref        string `json:"$ref"`
	Enum       []any
	Properties map[string]schema
	AnyOf      []schema
	Required   []string
	MinItems   int
}

func readDocument(t *testing.T) (d document) {
	t.Helper()
	b, err := os.ReadFile("openapi.json")
	if err == nil {
		err = json.Unmarshal(b, &d)
	}
	if err != nil || len(d.Paths) == 0 || len(d.Components.Schemas) == 0 {
		t.Fatalf("the document has %d paths (%v)", len(d.Paths), err)
	}
	return d
}

// TestExamples holds that the document has an example of each JSON request and answer, as it may be.
func TestExamples(t *testing.T) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Examples []any }
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	body := regexp.MustCompile(`"application/(?:problem\+)?json": \{"schema": \{"\$ref": "#/components/schemas/(\w+)"`)
	for _, found := range body.FindAllSubmatch(text, -1) {
		if name := string(found[1]); len(doc.Components.Schemas[name].Examples) == 0 && !bytes.Contains(text, append(found[0], `}, "example`...)) {
			t.Errorf("%s has no example", name)
		}
	}
	for name, s := range doc.Components.Schemas {
		for _, example := range s.Examples {
			exchange.Value(t, name, example)
		}
	}
}

// TestAdditions holds that docs/use/api.md names every member and query parameter that the
// interface of the original service does not have.
func TestAdditions(t *testing.T) {
	text, err := os.ReadFile("../docs/use/api.md")
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields("movieId imageId keypointId comparisonId sourceId targetId rule backgroundRule analysisType points movieOption " +
		"drawingType pattern color size comparisons")
	doc := readDocument(t)
	for _, schema := range []string{"NewKeypoint", "KeypointChange", "NewAnalysis", "AnalysisRule", "NewComparison", "NewDrawing", "DrawingRule"} {
		for name := range doc.Components.Schemas[schema].Properties {
			if !strings.Contains(name, "_") && !slices.Contains(known, name) && !bytes.Contains(text, []byte("`"+name+"`")) {
				t.Errorf("it does not name %s of %s", name, schema)
			}
		}
	}
	for path, item := range doc.Paths {
		var get struct{ Parameters []struct{ Name, In string } }
		if err := json.Unmarshal(item["get"], &get); item["get"] != nil && err != nil {
			t.Fatal(err)
		}
		for _, p := range get.Parameters {
			if p.In == "query" && !bytes.Contains(text, []byte("?"+p.Name+"=")) {
				t.Errorf("it does not name ?%s= of %s", p.Name, path)
			}
		}
	}
}

// TestDocs holds that the page shows every operation and needs nothing from elsewhere.
func TestDocs(t *testing.T) {
	w := newWorld(t, nil)
	if r := w.do("GET", "/docs", "", ""); r.status != 308 {
		t.Errorf("without the slash: %d", r.status)
	}
	r := w.do("GET", "/docs/", "", "")
	page := string(r.body)
	if r.status != 200 || r.header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Fatalf("%d %v", r.status, r.header)
	}
	for _, bad := range []string{"<script", "src=", "http://", "ZgotmplZ", "<no value>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	doc := readDocument(t)
	for path, item := range doc.Paths {
		for method, raw := range item {
			var op struct{ OperationID string }
			if method == "parameters" {
				continue
			}
			if err := json.Unmarshal(raw, &op); err != nil || op.OperationID == "" || !strings.Contains(page, `id="`+op.OperationID+`"`) {
				t.Errorf("%s %s is missing", method, path)
			}
		}
	}
	for name := range doc.Components.Schemas {
		if !strings.Contains(page, `id="`+name+`"`) {
			t.Errorf("the schema %s is missing", name)
		}
	}
}

// TestDocumentedRules holds that the values that the document allows in rules are those
// that the rules know.
func TestDocumentedRules(t *testing.T) {
	doc := readDocument(t)
	values := func(name string, path ...string) []any {
		s := doc.Components.Schemas[name]
		for _, p := range path {
			s = s.Properties[p]
			if s.Ref != "" {
				s = doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
			}
		}
		if len(s.Enum) == 0 {
			t.Fatalf("the schema %s has no values at %v", name, path)
		}
		return s.Enum
	}
	unknown := func(err error, member string) bool {
		var many keypoint.FieldErrors
		if errors.As(err, &many) {
			for _, e := range many {
				if e.Pointer == member {
					return true
				}
			}
		}
		return false
	}
	rule := func(m map[string]any) []byte {
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var types []any
	for _, name := range analyze.Types() {
		types = append(types, string(name))
	}
	if d := cmp.Diff(types, values("AnalysisResult", "analysisType")); d != "" {
		t.Errorf("analysisType of results: %s", d)
	}
	if d := cmp.Diff(append(types, "angle"), values("AnalysisRule", "analysisType")); d != "" {
		t.Errorf("analysisType of rules: %s", d)
	}
	for _, name := range values("AnalysisRule", "analysisType") {
		if _, err := analyze.ParseRules(rule(map[string]any{"analysisType": name, "points": []string{}})); unknown(err, "/analysisType") {
			t.Errorf("analysisType: %v", err)
		}
	}
	// Each alternative of a rule names all types that take as many points.
	for _, ref := range doc.Components.Schemas["AnalysisRule"].AnyOf {
		n := max(1, ref.Properties["points"].MinItems)
		members := map[string]any{"points": slices.Repeat([]string{"nose"}, n)}
		if !slices.Contains(ref.Required, "points") {
			members = map[string]any{}
		}
		if slices.Contains(ref.Required, "side") {
			members["side"] = "left"
		}
		if slices.Contains(ref.Required, "symmetry") {
			members["symmetry"] = true
		}
		var want []any
		for _, name := range append(types, "angle") {
			members["analysisType"] = name
			rules, err := analyze.ParseRules(rule(members))
			if err == nil && analyze.Check(rules, true) == nil {
				want = append(want, name)
			}
		}
		if d := cmp.Diff(want, ref.Properties["analysisType"].Enum); d != "" {
			t.Errorf("types of %d points: %s", n, d)
		}
	}
	for _, name := range values("DrawingRule", "drawingType") {
		if _, err := draw.ParseRules(rule(map[string]any{"drawingType": name})); unknown(err, "/drawingType") {
			t.Errorf("drawingType: %v", err)
		}
	}
	for _, name := range values("Color") {
		if _, err := draw.ParseRules(rule(map[string]any{"drawingType": "keypoint", "color": name})); err != nil {
			t.Errorf("color: %v", err)
		}
	}
	if got, want := len(values("DrawingRule", "drawingType")), len(draw.Types()); got != want {
		t.Errorf("%d kinds of drawing are documented, there are %d", got, want)
	}
}
