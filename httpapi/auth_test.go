package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
)

// TestAuthenticatorErrors holds what the errors of an Authenticator answer, and that their
// details stay inside.
func TestAuthenticatorErrors(t *testing.T) {
	var fault error
	d := newDirect(t, func(o *httpapi.Options, _ *motion.Config) {
		o.Authenticator = func(*http.Request) (httpapi.Identity, error) {
			return httpapi.Identity{}, fault
		}
	})
	for _, c := range []struct {
		err    error
		status int
		header string
	}{
		{httpapi.ErrUnauthenticated, 401, "WWW-Authenticate"},
		{httpapi.ErrForbidden, 403, "WWW-Authenticate"},
		{motion.ErrUnavailable, 503, "Retry-After"},
		{errors.New("fault"), 500, "X-Request-Id"},
	} {
		fault = fmt.Errorf("detail: %w", c.err)
		r := d.do("GET", "/movies/", "x", "")
		if r.Code != c.status || r.Header().Get(c.header) == "" {
			t.Errorf("%v: %d %v", c.err, r.Code, r.Header())
		}
		if strings.Contains(r.Body.String(), "detail:") {
			t.Errorf("internals: %s", r.Body)
		}
	}
}
