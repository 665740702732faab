package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas are the compiled schemas of a document. Package openapi3 would compile a schema each time
// that it is used, which takes much longer than to check a body.
type schemas struct {
	named map[string]*jsonschema.Schema
	media map[*openapi3.MediaType]*jsonschema.Schema // of JSON bodies
}

// compile compiles the schemas of JSON bodies and the named ones. It removes the former from doc,
// which then checks everything but these bodies.
func compile(file string, doc *openapi3.T) (schemas, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return schemas{}, err
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return schemas{}, err
	}
	var media []*openapi3.MediaType
	var bodies []*openapi3.SchemaRef
	collect := func(content openapi3.Content) {
		for name, m := range content {
			if strings.HasSuffix(name, "json") && m.Schema != nil {
				media, bodies = append(media, m), append(bodies, m.Schema)
				m.Schema = nil
			}
		}
	}
	for _, item := range doc.Paths.Map() {
		for _, operation := range item.Operations() {
			if operation.RequestBody != nil {
				collect(operation.RequestBody.Value.Content)
			}
			for _, response := range operation.Responses.Map() {
				collect(response.Value.Content)
			}
		}
	}
	// They lie in the document, so that their references lead to its components.
	if b, err = json.Marshal(bodies); err != nil {
		return schemas{}, err
	}
	list, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return schemas{}, err
	}
	whole.(map[string]any)["x-bodies"] = list
	const url = "https://example.com/openapi.json"
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource(url, whole); err != nil {
		return schemas{}, err
	}
	s := schemas{map[string]*jsonschema.Schema{}, map[*openapi3.MediaType]*jsonschema.Schema{}}
	for i, m := range media {
		if s.media[m], err = compiler.Compile(fmt.Sprintf("%s#/x-bodies/%d", url, i)); err != nil {
			return schemas{}, err
		}
	}
	for name := range doc.Components.Schemas {
		if s.named[name], err = compiler.Compile(url + "#/components/schemas/" + name); err != nil {
			return schemas{}, err
		}
	}
	return s, nil
}

// request checks the JSON body of a request that has passed the check of all else.
func (s schemas) request(in *openapi3filter.RequestValidationInput, body []byte) error {
	of := in.Route.Operation.RequestBody
	if of == nil || len(body) == 0 {
		return nil
	}
	return s.body(of.Value.Content.Get(in.Request.Header.Get("Content-Type")), body)
}

// response checks the JSON body of a response that has passed the check of all else.
func (s schemas) response(out *openapi3filter.ResponseValidationInput, body []byte) error {
	responses := out.RequestValidationInput.Route.Operation.Responses
	of := responses.Status(out.Status)
	if of == nil {
		of = responses.Default()
	}
	if of == nil || len(of.Value.Content) == 0 {
		return nil
	}
	return s.body(of.Value.Content.Get(out.Header.Get("Content-Type")), body)
}

func (s schemas) body(of *openapi3.MediaType, body []byte) error {
	schema := s.media[of]
	if schema == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}
