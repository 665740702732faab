package httpapi

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// plainDocument returns the OpenAPI document without what only validators need and generators of clients cannot read: which
// members go together, the snake_case spelling of members, what a value must not be, defaults, and
// webhooks. What it allows is more than the API accepts.
var plainDocument = sync.OnceValue(func() []byte {
	doc := document()
	delete(doc, "webhooks")
	b, err := json.MarshalIndent(plainObject(doc, doc), "", "  ")
	if err != nil {
		panic(err)
	}
	return b
})

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
	properties, object := in["properties"].(map[string]any)
	if all, ok := in["allOf"].([]any); ok && object {
		for _, x := range all { // a schema with less
			if s := x.(map[string]any); s["$ref"] != nil {
				return s
			}
		}
	}
	out := map[string]any{}
	for name, v := range in {
		switch name {
		case "not", "const", "propertyNames":
		case "default": // openapi-python-client would send it, also where it is not for the request
		case "enum":
			if words := slices.DeleteFunc(slices.Clone(v.([]any)), noWord); len(words) > 0 {
				out[name] = words
			}
		case "properties":
			members := map[string]any{}
			for member, s := range properties {
				if !strings.Contains(member, "_") {
					members[member] = plain(doc, s)
				}
			}
			out[name] = members
		case "allOf", "anyOf", "oneOf":
			if kinds := slices.DeleteFunc(plain(doc, v).([]any), noKind); !object && len(kinds) > 0 {
				out[name] = kinds
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

// noWord reports whether a value of an enumeration cannot be the name of a constant.
func noWord(v any) bool {
	s, _ := v.(string)
	return s == ""
}

// noKind reports whether a schema only restricts the one that it is in.
func noKind(v any) bool {
	s := v.(map[string]any)
	return s["type"] == nil && s["$ref"] == nil && s["anyOf"] == nil && s["oneOf"] == nil
}
