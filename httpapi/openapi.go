package httpapi

import (
	_ "embed"
	"net/http"
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

// docsHTML is the page made from it, without scripts; TestPlainIsMade makes it.
//
//go:embed docs.html
var docsHTML []byte

// documentHeaders are headers of every answer at the addresses of documents, and of reports that are open to others. Viewers on
// other sites may read the OpenAPI document, which contains no secrets.
var documentHeaders = map[string][2]string{
	"/openapi.json":         {"Access-Control-Allow-Origin", "*"},
	"/docs/":                {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"},
	"/files/reports/{file}": {"Content-Security-Policy", "default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"},
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
		contentType, content = htmlType, docsHTML
	case !full:
		content = plainJSON
	}
	c.answerBytes(http.StatusOK, contentType, "no-cache", content)
	return nil
}

// refName returns the last name of a reference, such as "Image".
func refName(ref any) string {
	s, _ := ref.(string)
	return s[strings.LastIndexByte(s, '/')+1:]
}
