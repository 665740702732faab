package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// contract is the OpenAPI document, which every request and answer of the tests is held
// against.
var contract = sync.OnceValues(func() (*openapi3.T, routers.Router) {
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.json")
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		panic(err)
	}
	doc.Servers = nil // the handler is held against it where the mount point is cut off
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	return doc, router
})

// beyondSchemas are the reasons for a 400 that the document cannot tell in its schemas.
var beyondSchemas = regexp.MustCompile(`more after the JSON document|given together with|is for movies only|` +
	`is for drawing a comparison|a label writes the value of an analysis|left out together with format|for an image, which has no times|takes \d+ parts?, not \d+|(page|wait) is \\"(\+1)?\\"`)

// checked holds every request and answer of a handler against the document: it has to allow
// what was done, to refuse what was refused, and to know the answer.
func checked(t testing.TB, next http.Handler) http.Handler { return check(t, next, true) }

// checkedAnswers holds only the answers against the document: it and the service need not
// agree about all that a fuzzer can think of.
func checkedAnswers(t testing.TB, next http.Handler) http.Handler { return check(t, next, false) }

func check(t testing.TB, next http.Handler, requests bool) http.Handler {
	doc, router := contract()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		operation := r.Clone(r.Context())
		operation.URL.Path = strings.TrimPrefix(r.URL.Path, "/anymotion/v1") // where nothing else has cut it off
		if r.Method == http.MethodHead {
			operation.Method = http.MethodGet
		}
		var body []byte
		readBody := r.Method == http.MethodPost || r.Method == http.MethodPatch
		if readBody {
			body, _ = io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		rec := &recorder{ResponseWriter: w}
		next.ServeHTTP(rec, r)
		if rec.status == 0 {
			return // nothing was answered: the connection broke
		}
		route, params, err := router.FindRoute(operation)
		if err != nil { // nothing there: a problem or a redirection
			if rec.status != http.StatusPermanentRedirect {
				var p any
				if err := json.Unmarshal(rec.body.Bytes(), &p); err == nil || r.Method != http.MethodHead {
					if err := doc.Components.Schemas["Problem"].Value.VisitJSON(p, openapi3.EnableJSONSchema2020()); err != nil {
						t.Errorf("%s %s: %d: %v\n%s", r.Method, r.URL.Path, rec.status, err, rec.body.Bytes())
					}
				}
			}
			return
		}
		in := &openapi3filter.RequestValidationInput{
			Request: operation, PathParams: params, Route: route,
			Options: &openapi3filter.Options{
				AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
				ExcludeRequestBody: !readBody, ExcludeResponseBody: r.Method == http.MethodHead || !rec.isJSON(),
			},
		}
		operation.Body = io.NopCloser(bytes.NewReader(body))
		switch {
		case !requests:
		case rec.status < 400:
			err := openapi3filter.ValidateRequest(r.Context(), in)
			// The document knows no largest page number, but the validator does.
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				t.Errorf("%s %s was answered %d, but the document refuses it: %v", r.Method, r.URL, rec.status, err)
			}
		case rec.status == 400 && r.Method != http.MethodPut && len(body) < 10_000 && !beyondSchemas.Match(rec.body.Bytes()):
			if openapi3filter.ValidateRequest(r.Context(), in) == nil {
				t.Errorf("%s %s was answered 400, but the document allows it: %s\n%s", r.Method, r.URL, body, rec.body.Bytes())
			}
		}
		out := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: in, Status: rec.status, Header: rec.Header(), Options: in.Options,
			Body: io.NopCloser(bytes.NewReader(rec.body.Bytes())),
		}
		if err := openapi3filter.ValidateResponse(r.Context(), out); err != nil {
			t.Errorf("%s %s: the answer is not as documented: %v\n%d %s", r.Method, r.URL, err, rec.status, rec.body.Bytes())
		}
	})
}

// recorder keeps the status of an answer, and its body where it is JSON.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (r *recorder) isJSON() bool { return strings.HasSuffix(r.Header().Get("Content-Type"), "json") }

func (r *recorder) WriteHeader(status int) {
	if status >= 200 && r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.isJSON() {
		r.body.Write(p)
	}
	return r.ResponseWriter.Write(p)
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// TestOpenAPI holds that the document is served as it is committed, to everybody.
func TestOpenAPI(t *testing.T) {
	w := newWorld(t, nil)
	r := w.do("GET", "/openapi.json", "", "")
	want, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if r.status != 200 || !bytes.Equal(r.body, want) || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %v", r.status, r.header)
	}
	if again := w.do("GET", "/openapi.json", "", "", "If-None-Match", r.header.Get("ETag")); again.status != 304 {
		t.Errorf("the same ETag: %d", again.status)
	}
	if r := w.do("DELETE", "/openapi.json", "", ""); r.status != 405 || r.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("DELETE: %d %v", r.status, r.header)
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
	doc, _ := contract()
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if !strings.Contains(page, `id="`+op.OperationID+`"`) {
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
	doc, _ := contract()
	values := func(schema string, path ...string) []any {
		s := doc.Components.Schemas[schema].Value
		for _, p := range path {
			s = s.Properties[p].Value
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
	for _, ref := range doc.Components.Schemas["AnalysisRule"].Value.AnyOf {
		points := ref.Value.Properties["points"].Value
		n := max(1, int(points.MinItems))
		var want []any
		for _, name := range append(types, "angle") {
			list := slices.Repeat([]string{"nose"}, n)
			if _, err := analyze.ParseRules(rule(map[string]any{"analysisType": name, "points": list})); err == nil {
				want = append(want, name)
			}
		}
		if d := cmp.Diff(want, ref.Value.Properties["analysisType"].Value.Enum); d != "" {
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
