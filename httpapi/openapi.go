package httpapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"net/http"
	"time"
)

// openapiJSON is the OpenAPI 3.1 document of the API. The tests validate every request and
// response against it.
//
//go:embed openapi.json
var openapiJSON []byte

// document serves the OpenAPI document at openapi.json and the page made from it at docs/,
// which need no token. It reports whether the path is one of them.
func (c *call) document() bool {
	var content []byte
	var wrong []mistake
	h := c.w.Header()
	switch c.path {
	case "/openapi.json":
		content = openapiJSON
		q := c.r.URL.Query()
		switch v := q.Get("plain"); {
		case v == "true":
			content = plainDocument()
		case q.Has("plain") && v != "false":
			wrong = []mistake{inQuery("plain", v, "true or false")}
		}
		h.Set("Content-Type", "application/json")
		h.Set("Access-Control-Allow-Origin", "*") // for viewers on other sites; it contains no secrets
	case "/docs/":
		content = docsPage()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	default:
		return false
	}
	c.pattern = c.path
	if !c.allow("GET", "HEAD") || !c.knownQuery() {
		return true
	}
	if len(wrong) > 0 {
		c.invalid(wrong...)
		return true
	}
	h.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(content)))
	h.Set("Cache-Control", "no-cache")
	http.ServeContent(c.w, c.r, "", time.Time{}, bytes.NewReader(content))
	return true
}
