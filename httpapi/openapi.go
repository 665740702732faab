package httpapi

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// openapiJSON is the OpenAPI 3.1 document of the API. The tests validate every request and response against it.
//
//go:embed openapi.json
var openapiJSON []byte

// plainJSON is what generators of clients read of it; TestPlainIsMade makes it.
//
//go:embed openapi_plain.json
var plainJSON []byte

func document() (doc map[string]any) {
	if err := json.Unmarshal(openapiJSON, &doc); err != nil {
		panic(err) // the document is embedded
	}
	return doc
}

// refName returns the last name of a reference, such as "Image".
func refName(ref any) string {
	s, _ := ref.(string)
	return s[strings.LastIndexByte(s, '/')+1:]
}
