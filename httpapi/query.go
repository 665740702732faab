package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// queryNames returns the names of the query parameters of the operations of the OpenAPI
// document, by method and path, such as "GET /movies/".
var queryNames = sync.OnceValue(func() map[string][]string {
	type parameter struct {
		Ref      string `json:"$ref"`
		Name, In string
	}
	var doc struct {
		Paths      map[string]map[string]struct{ Parameters []parameter }
		Components struct{ Parameters map[string]parameter }
	}
	if err := json.Unmarshal(openapiJSON, &doc); err != nil {
		panic(err) // the document is embedded
	}
	names := map[string][]string{}
	for path, operations := range doc.Paths {
		for method, o := range operations {
			for _, p := range o.Parameters {
				if p.Ref != "" {
					p = doc.Components.Parameters[refName(p.Ref)]
				}
				if p.In == "query" {
					key := strings.ToUpper(method) + " " + path
					names[key] = append(names[key], p.Name)
				}
			}
		}
	}
	return names
})

// knownQuery answers 400 to a query that is malformed or has parameters that the OpenAPI
// document does not have.
func (c *call) knownQuery() bool {
	method := c.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	bad := unknownQuery(c.r, queryNames()[method+" "+c.pattern])
	if bad != nil {
		c.invalid(bad...)
	}
	return bad == nil
}

// unknownQuery returns the mistakes in the names of the query's parameters.
func unknownQuery(r *http.Request, known []string) (bad []mistake) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return []mistake{{Detail: fmt.Sprintf("The query is malformed: %v.", err)}}
	}
	list := "there are none here"
	if len(known) > 0 {
		list = "known are " + strings.Join(known, ", ")
	}
	for _, name := range slices.Sorted(maps.Keys(q)) {
		if !slices.Contains(known, name) && len(bad) < maxMistakes {
			bad = append(bad, mistake{Parameter: name, Detail: fmt.Sprintf("The query parameter %q is unknown; %s.", name, list)})
		}
	}
	return bad
}

// maxMistakes is the maximum number of unknown parameters that a response names.
const maxMistakes = 20
