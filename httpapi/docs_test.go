package httpapi

import (
	"bytes"
	"html/template"
	"maps"
	"slices"
	"strings"
	"testing"
)

// docsPage returns the page at docs/: openapi.json as testdata/docs.html lays it out.
func docsPage(t *testing.T) []byte {
	page, err := template.New("docs.html").Funcs(template.FuncMap{
		"schema": schemaText, "refName": refName, "tagged": tagged, "methods": methods, "upper": strings.ToUpper,
	}).ParseFiles("testdata/docs.html")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, document()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
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
