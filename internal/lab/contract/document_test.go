// Package contract_test checks requests and responses of the API against its OpenAPI document.
package contract_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/bodymotion/motion/internal/testkit/exchange"
)

// Document is an OpenAPI document.
type Document struct {
	router routers.Router
	schemas
}

// Load reads a document from a file. It panics if the document is invalid.
func Load(file string) *Document {
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
	return &Document{router, schemas}
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

// spelled matches the error about an integer in another spelling, such as 13.0.
var spelled = regexp.MustCompile(`value -?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?: an invalid integer`)

// Check returns what is wrong with an exchange: the document must describe every response. If x.Requests is
// set, the document must also allow the accepted request and refuse the refused one.
func (d *Document) Check(x exchange.Exchange) error {
	if x.Schema != "" {
		return d.Schema(x.Schema, x.Value)
	}
	if x.Status == 0 {
		return nil // no response: the connection broke
	}
	r, err := http.NewRequest(x.Method, x.Target, bytes.NewReader(x.Body))
	if err != nil {
		return err
	}
	r.Header = x.Header
	r.URL.Path = strings.TrimPrefix(r.URL.Path, "/anymotion/v1") // if nothing else has stripped it
	if x.Method == http.MethodHead {
		r.Method = http.MethodGet
	}
	route, params, err := d.router.FindRoute(r)
	if err != nil { // no such path: a problem or a redirection
		var p any
		if x.Status == http.StatusPermanentRedirect || json.Unmarshal(x.Content, &p) != nil && x.Method == http.MethodHead {
			return nil
		}
		return d.Schema("Problem", p)
	}
	withBody := x.Method == http.MethodPost || x.Method == http.MethodPatch
	in := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
			ExcludeRequestBody: !withBody, ExcludeResponseBody: x.Method == http.MethodHead || !exchange.IsJSON(x.Answer),
		},
	}
	switch {
	case !x.Requests:
	case x.Status < 400:
		// The document has no maximum page number, but the validator does, which knows one spelling of an integer in a parameter.
		if err := d.validateRequest(in, x.Body); err != nil && !errors.Is(err, strconv.ErrRange) && !spelled.MatchString(err.Error()) {
			return fmt.Errorf("it was answered, but the document refuses it: %w", err)
		}
	case x.Status == 400 && x.Method != http.MethodPut && len(x.Body) < 10_000 && !exchange.Beyond.Match(x.Content):
		if d.validateRequest(in, x.Body) == nil {
			return errors.New("it was refused, but the document allows it")
		}
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: x.Status, Header: x.Answer, Options: in.Options,
		Body: io.NopCloser(bytes.NewReader(x.Content)),
	}
	err = openapi3filter.ValidateResponse(r.Context(), out)
	if err == nil && !in.Options.ExcludeResponseBody {
		err = d.response(out, x.Content)
	}
	if err != nil {
		return fmt.Errorf("the answer is not as documented: %w", err)
	}
	return nil
}

// validateRequest checks a request and its body.
func (d *Document) validateRequest(in *openapi3filter.RequestValidationInput, body []byte) error {
	err := openapi3filter.ValidateRequest(in.Request.Context(), in)
	if err == nil && !in.Options.ExcludeRequestBody {
		err = d.request(in, body)
	}
	return err
}
