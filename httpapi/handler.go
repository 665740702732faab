package httpapi

import (
	"cmp"
	"net/http"
)

// handler serves a call, or returns why not.
type handler func(*call) error

// callKey is the context key of the call that a request belongs to.
type callKey struct{}

func (do handler) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	c := r.Context().Value(callKey{}).(*call)
	c.name = cmp.Or(r.PathValue("id"), r.PathValue("file"))
	if err := do(c); err != nil {
		c.fail(err)
	}
}

// recordHandler serves a request about one record.
type recordHandler func(c *call, id int64) error
