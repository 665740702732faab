package httpapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write openapi_plain.json and docs.html anew")

// TestPlainIsMade: openapi_plain.json is openapi.json without what only validators need and generators of clients cannot read: which
// members go together, the snake_case spelling of members, what a value must not be, defaults, and webhooks. It allows whatever the API
// accepts in camelCase, and more. docs.html is the page of it.
func TestPlainIsMade(t *testing.T) {
	doc := document()
	delete(doc, "webhooks")
	want, err := json.Marshal(plainObject(doc, doc))
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range map[string][2][]byte{"openapi_plain.json": {plainJSON, want}, "docs.html": {docsHTML, docsPage(t)}} {
		if *update {
			if err := os.WriteFile(name, files[1], 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: openapi.json has changed: go test ./httpapi -run TestPlainIsMade -update", name)
		}
	}
}

func document() (doc map[string]any) {
	if err := json.Unmarshal(openapiJSON, &doc); err != nil {
		panic(err) // the document is embedded
	}
	return doc
}

// plain returns a part of the document for generators.
func plain(doc map[string]any, part any) any {
	switch part := part.(type) {
	case []any:
		out := make([]any, len(part))
		for i, x := range part {
			out[i] = plain(doc, x)
		}
		return out
	case map[string]any:
		return plainObject(doc, part)
	}
	return part
}

func plainObject(doc, in map[string]any) map[string]any {
	const parameters = "#/components/parameters/"
	if ref, ok := in["$ref"].(string); ok && strings.HasPrefix(ref, parameters) {
		// A parameter and a schema of one name are too much for oapi-codegen.
		all := doc["components"].(map[string]any)["parameters"].(map[string]any)
		return plainObject(doc, all[refName(ref)].(map[string]any))
	}
	_, object := in["properties"].(map[string]any)
	for _, x := range listOf(in["allOf"]) {
		if s := x.(map[string]any); object && s["$ref"] != nil { // a schema with less
			return s
		}
	}
	out := map[string]any{}
	values, types := listOf(in["enum"]), listOf(in["type"])
	if len(types) == 2 && values != nil && !slices.Contains(values, any("")) { // null is no name of a constant: a kind of its own
		words := slices.DeleteFunc(slices.Clone(values), func(v any) bool { return v == nil })
		out["anyOf"] = []any{map[string]any{"type": types[0], "enum": words}, map[string]any{"type": "null"}}
		in = maps.Clone(in)
		maps.DeleteFunc(in, func(name string, _ any) bool { return name == "type" || name == "enum" })
	}
	for name, v := range in {
		switch name {
		case "not", "const", "propertyNames":
		case "default": // openapi-python-client would send it, also where it is not for the request
		case "enum":
			if !slices.Contains(v.([]any), any("")) { // no name of a constant
				out[name] = v
			}
		case "properties":
			out[name] = plainMembers(doc, in, out)
		case "required":
			if !object {
				out[name] = v
			}
		case "allOf", "anyOf", "oneOf":
			if !object {
				alternatives(doc, out, name, v.([]any))
			}
		case "*/*":
			out["application/octet-stream"] = map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}
		case "application/json":
			content := plain(doc, v).(map[string]any)
			if one, ok := content["schema"].(map[string]any)["oneOf"].([]any); ok {
				content["schema"] = one[0] // the others are files, which ?format= asks for
			}
			out[name] = content
		case "type":
			types, list := v.([]any)
			if list && len(types) > 2 {
				continue // anything: generators know no other unions than with null
			}
			if out[name] = v; v == "number" || slices.Contains(types, any("number")) {
				out["format"] = "double" // generators take the short type for a number
			}
		default:
			out[name] = plain(doc, v)
		}
	}
	return out
}

// plainMembers returns the members of an object in camelCase, and tells out which of them it requires, in whatever spelling.
func plainMembers(doc, in, out map[string]any) map[string]any {
	members, always := map[string]any{}, requiredBy(in)
	var required []string
	for member, s := range in["properties"].(map[string]any) {
		if strings.Contains(member, "_") {
			continue
		}
		one := plain(doc, s).(map[string]any)
		if members[member] = one; always[snake(member)] {
			required = append(required, member)
			if types := listOf(one["type"]); types != nil && !slices.Contains(listOf(in["required"]), any(member)) {
				one["type"] = types[0] // null does not count as given
			}
		}
	}
	if slices.Sort(required); required != nil {
		out["required"] = required
	}
	return members
}

// requiredBy returns the members that a schema requires in each of its alternatives, in snake_case.
func requiredBy(s map[string]any) map[string]bool {
	always := map[string]bool{}
	for _, name := range listOf(s["required"]) {
		always[snake(name.(string))] = true
	}
	for _, x := range listOf(s["allOf"]) {
		maps.Copy(always, requiredBy(x.(map[string]any)))
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		var common map[string]bool
		for _, x := range listOf(s[word]) {
			one := requiredBy(x.(map[string]any))
			if common == nil {
				common = one
			}
			maps.DeleteFunc(common, func(name string, _ bool) bool { return !one[name] })
		}
		maps.Copy(always, common)
	}
	return always
}

func listOf(v any) []any { list, _ := v.([]any); return list }

// alternatives writes the kinds of a value that is no object. Values that are listed without a type become kinds of
// their types. 0 and "", which take something away, are allowed by leaving out what the other kind of their type asks for.
func alternatives(doc, out map[string]any, word string, list []any) {
	var kinds []any
	var null []any
	free := ""
	for _, x := range list {
		s := x.(map[string]any)
		values := listOf(s["enum"])
		if v, ok := s["const"]; ok {
			values = []any{v}
		}
		if s["type"] != nil || values == nil {
			if k := plain(doc, s); !noKind(k) {
				kinds = append(kinds, k)
			}
			continue
		}
		var words []any
		for _, v := range values {
			switch v {
			case nil:
				null = []any{map[string]any{"type": "null"}}
			case false, true:
				kinds = append(kinds, map[string]any{"type": "boolean"})
			case 0.0, "":
				free = map[any]string{0.0: "minimum", "": "pattern"}[v]
			default:
				words = append(words, v)
			}
		}
		if words != nil {
			kinds = append(kinds, map[string]any{"type": "string", "enum": words})
		}
	}
	if free != "" {
		one := kinds[0].(map[string]any)
		delete(one, free)
		delete(one, map[string]string{"minimum": "exclusiveMinimum", "pattern": "format"}[free])
		one["type"] = []any{one["type"], "null"}
		maps.Copy(out, one)
		return
	}
	if kinds = append(kinds, null...); len(kinds) > 0 {
		out[word] = kinds
	}
}

// noKind reports whether a schema only restricts the one that it is in.
func noKind(v any) bool {
	s := v.(map[string]any)
	return s["type"] == nil && s["$ref"] == nil && s["anyOf"] == nil && s["oneOf"] == nil
}
