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

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/spelling"
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

// knownQuery refuses a query that is malformed, or has a parameter twice or one that the OpenAPI document does not have.
func knownQuery(c *call) error {
	method := c.r.Method
	if c.reading() { // HEAD too
		method = http.MethodGet
	}
	if bad := unknownQuery(c.r, queryNames()[method+" "+c.pattern]); bad != nil {
		return invalid(bad...)
	}
	return nil
}

// number returns an integer parameter of the query from least to most, and 0 if it is missing. want says in words what it has to be.
func (c *call) number(name string, least, most int64, want string) (int, error) {
	n, err := jsonappend.Int(c.query.Get(name))
	switch {
	case !c.query.Has(name):
		return 0, nil
	case err != nil || n < least || n > most:
		return 0, invalid(inQuery(name, c.query.Get(name), want))
	}
	return int(n), nil
}

// truth returns a parameter of the query that is true or false, and false if it is missing.
func (c *call) truth(name string) (bool, error) {
	switch v := c.query.Get(name); {
	case !c.query.Has(name) || v == "false":
		return false, nil
	case v == "true":
		return true, nil
	default:
		return false, invalid(inQuery(name, v, "true or false"))
	}
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
		detail := ""
		switch {
		case !slices.Contains(known, name):
			detail = fmt.Sprintf("The query parameter %q is unknown%s; %s.", name, spelling.Hint(name, known...), list)
		case len(q[name]) > 1:
			detail = fmt.Sprintf("The query parameter %q is given %d times; give it once.", name, len(q[name]))
		}
		if detail != "" && len(bad) < maxMistakes {
			bad = append(bad, mistake{Parameter: name, Detail: detail})
		}
	}
	return bad
}

// maxMistakes is the maximum number of wrong parameters that a response names.
const maxMistakes = 20
