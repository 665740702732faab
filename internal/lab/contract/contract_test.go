package contract_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/bodymotion/motion/internal/lab/contract"
)

// failures counts the errors of a test instead of failing.
type failures struct {
	testing.TB
	n int
}

func (f *failures) Errorf(string, ...any) { f.n++ }

// TestCheck checks that undocumented responses are found.
func TestCheck(t *testing.T) {
	d := contract.Load("../../../httpapi/openapi.json", regexp.MustCompile("^$"))
	const empty = `{"next":null,"previous":null,"maxPage":1,"data":[]}`
	for _, c := range []struct {
		target, body string
		status, want int
	}{
		{"/images/", empty, 200, 0},
		{"/images/", `{}`, 200, 1},
		{"/images/", empty, 299, 1},
		{"/images/?page=x", empty, 200, 1},
		{"/nowhere/", `{}`, 404, 1},
	} {
		f := &failures{TB: t}
		h := d.Check(f, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(c.status)
			w.Write([]byte(c.body))
		}), true)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", c.target, nil))
		if f.n != c.want {
			t.Errorf("%s %d %s: %d errors, want %d", c.target, c.status, c.body, f.n, c.want)
		}
	}
	if d.Schema("Event", map[string]any{"kind": 1}) == nil {
		t.Error("a wrong event passes")
	}
}
