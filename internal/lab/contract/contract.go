// Package contract checks requests and responses of the API against its OpenAPI document. The tests
// of httpapi use it through internal/lab/overlay.json, because its validator would cost every host
// that imports httpapi seven modules.
package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// Document is an OpenAPI document.
type Document struct {
	router routers.Router
	beyond *regexp.Regexp
	schemas
}

// Load reads a document from a file. It panics if the document is invalid. beyond matches the problems
// with status 400 that schemas cannot express.
func Load(file string, beyond *regexp.Regexp) *Document {
	doc, err := openapi3.NewLoader().LoadFromFile(file)
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		panic(err)
	}
	doc.Servers = nil // the mount point is already stripped
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	schemas, err := compile(file, doc)
	if err != nil {
		panic(err)
	}
	return &Document{router, beyond, schemas}
}

// Schema checks a JSON value against a named schema.
func (d *Document) Schema(name string, value any) error { return d.named[name].Validate(value) }

// Body checks the JSON body of a request against the document.
func (d *Document) Body(method, path, body string) error {
	r, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	route, params, err := d.router.FindRoute(r)
	if err != nil {
		return err
	}
	in := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route, Options: &openapi3filter.Options{},
	}
	if err := openapi3filter.ValidateRequestBody(r.Context(), in, route.Operation.RequestBody.Value); err != nil {
		return err
	}
	return d.request(in, []byte(body))
}

// Check wraps a handler: the document must describe every response. If requests is set, the document
// must also allow the accepted requests and refuse the refused ones.
func (d *Document) Check(t testing.TB, next http.Handler, requests bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		operation := r.Clone(r.Context())
		operation.URL.Path = strings.TrimPrefix(r.URL.Path, "/anymotion/v1") // if nothing else has stripped it
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
			return // no response: the connection broke
		}
		route, params, err := d.router.FindRoute(operation)
		if err != nil { // no such path: a problem or a redirection
			if rec.status != http.StatusPermanentRedirect {
				var p any
				if err := json.Unmarshal(rec.body.Bytes(), &p); err == nil || r.Method != http.MethodHead {
					if err := d.Schema("Problem", p); err != nil {
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
			err := d.validateRequest(in, body)
			// The document has no maximum page number, but the validator does.
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				t.Errorf("%s %s was answered %d, but the document refuses it: %v", r.Method, r.URL, rec.status, err)
			}
		case rec.status == 400 && r.Method != http.MethodPut && len(body) < 10_000 && !d.beyond.Match(rec.body.Bytes()):
			if d.validateRequest(in, body) == nil {
				t.Errorf("%s %s was answered 400, but the document allows it: %s\n%s", r.Method, r.URL, body, rec.body.Bytes())
			}
		}
		out := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: in, Status: rec.status, Header: rec.Header(), Options: in.Options,
			Body: io.NopCloser(bytes.NewReader(rec.body.Bytes())),
		}
		err = openapi3filter.ValidateResponse(r.Context(), out)
		if err == nil && !in.Options.ExcludeResponseBody {
			err = d.response(out, rec.body.Bytes())
		}
		if err != nil {
			t.Errorf("%s %s: the answer is not as documented: %v\n%d %s", r.Method, r.URL, err, rec.status, rec.body.Bytes())
		}
	})
}

// validateRequest checks a request and its body.
func (d *Document) validateRequest(in *openapi3filter.RequestValidationInput, body []byte) error {
	err := openapi3filter.ValidateRequest(in.Request.Context(), in)
	if err == nil && !in.Options.ExcludeRequestBody {
		err = d.request(in, body)
	}
	return err
}

// recorder keeps the status of a response, and its body if it is JSON.
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
