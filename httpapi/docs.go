package httpapi

import (
	"bytes"
	_ "embed"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

//go:embed docs.html
var docsHTML string

// docsPage returns the page at docs/: the OpenAPI document as HTML, without scripts.
var docsPage = sync.OnceValue(func() []byte {
	page := template.Must(template.New("docs").Funcs(template.FuncMap{
		"schema": schemaText, "refName": refName, "tagged": tagged, "methods": methods, "upper": strings.ToUpper,
	}).Parse(docsHTML))
	var b bytes.Buffer
	if err := page.Execute(&b, document()); err != nil {
		panic(err)
	}
	return b.Bytes()
})

// documentHeaders are headers of every answer at the addresses of documents. Viewers on other sites may read
// the OpenAPI document, which contains no secrets.
var documentHeaders = map[string][2]string{
	"/openapi.json": {"Access-Control-Allow-Origin", "*"},
	"/docs/":        {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"},
}

// documents serves the OpenAPI document and the page made from it, which need no token.
func documents(c *call) error {
	if err := knownQuery(c); err != nil {
		return err
	}
	full, err := c.truth("full")
	if err != nil {
		return err
	}
	contentType, content := jsonType, openapiJSON
	switch {
	case c.pattern == "/docs/":
		contentType, content = htmlType, docsPage()
	case !full:
		content = plainJSON
	}
	c.answerBytes(http.StatusOK, contentType, "no-cache", content)
	return nil
}

// operation is an operation of the OpenAPI document.
type operation struct {
	Path, Method string
	Spec         map[string]any
}

// tagged returns the operations with a tag, sorted by path.
func tagged(paths map[string]any, tag any) []operation {
	var list []operation
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item, _ := paths[path].(map[string]any)
		for _, o := range methods(item) {
			if tags, _ := o.Spec["tags"].([]any); slices.Contains(tags, tag) {
				o.Path = path
				list = append(list, o)
			}
		}
	}
	return list
}

// methods returns the operations of a path, GET first.
func methods(path map[string]any) []operation {
	var list []operation
	for _, m := range []string{"get", "put", "post", "patch", "delete"} {
		if spec, ok := path[m].(map[string]any); ok {
			list = append(list, operation{Method: m, Spec: spec})
		}
	}
	return list
}

// schemaText writes a schema in one line, such as "string or null".
func schemaText(v any) string {
	s, _ := v.(map[string]any)
	if s["$ref"] != nil {
		return refName(s["$ref"])
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if list, ok := s[word].([]any); ok && s["properties"] == nil {
			var names []string
			for _, x := range list {
				names = append(names, schemaText(x))
			}
			return strings.Join(names, " or ")
		}
	}
	types, _ := s["type"].([]any)
	if one, ok := s["type"].(string); ok {
		types = []any{one}
	}
	var names []string
	for _, t := range types {
		name := t.(string)
		rest := s["additionalProperties"]
		values, listed := s["enum"].([]any)
		switch {
		case name == "array":
			name = "array of (" + schemaText(s["items"]) + ")"
		case name == "object" && rest != nil && rest != false:
			name = "object of (" + schemaText(rest) + ")"
		case name == "string" && listed:
			var words []string
			for _, v := range values {
				if word, ok := v.(string); ok {
					words = append(words, word)
				}
			}
			name = strings.Join(words, " | ")
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "anything"
	}
	return strings.Join(names, " or ")
}
