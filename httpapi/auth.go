package httpapi

import (
	"errors"
	"net/http"
)

// Identity identifies the client of a request.
type Identity struct {
	// Client owns the records that the request sees and creates; not empty.
	Client string
	// ReadOnly allows reading only.
	ReadOnly bool
}

// ErrUnauthenticated is returned by an Authenticator for a request without valid
// credentials. Its text is sent to the client.
var ErrUnauthenticated = errors.New("the access token is missing, unknown or expired")

// ErrForbidden is returned by an Authenticator for valid credentials that do not allow the
// use of the service. Its text is sent to the client.
var ErrForbidden = errors.New("the access token does not allow the use of this service")

// Authenticator identifies the client of a request. It must be safe for concurrent use. An
// error that wraps ErrUnauthenticated results in status 401, ErrForbidden in 403,
// motion.ErrUnavailable in 503, and any other error in 500.
type Authenticator interface {
	Authenticate(r *http.Request) (Identity, error)
}

// AuthenticatorFunc adapts a function to an Authenticator.
type AuthenticatorFunc func(r *http.Request) (Identity, error)

// Authenticate implements Authenticator.
func (f AuthenticatorFunc) Authenticate(r *http.Request) (Identity, error) { return f(r) }

// authenticate identifies the client, and reports whether the request may proceed. If not,
// it has answered.
func (c *call) authenticate(writing bool) bool {
	id, err := c.opt.Authenticator.Authenticate(c.r)
	if err == nil && id.Client == "" {
		err = errors.New("the authenticator returned no client")
	}
	switch {
	case errors.Is(err, ErrUnauthenticated):
		challenge := `Bearer realm="motion"`
		if c.r.Header.Get("Authorization") != "" {
			challenge += `, error="invalid_token"` // RFC 6750
		}
		c.w.Header().Set("WWW-Authenticate", challenge)
		c.problem(problem{Status: http.StatusUnauthorized, Detail: "Unauthorized: " + ErrUnauthenticated.Error() + "."})
		return false
	case errors.Is(err, ErrForbidden):
		c.lacks("Forbidden: " + ErrForbidden.Error() + ".")
		return false
	case err != nil:
		c.fail(err)
		return false
	case writing && id.ReadOnly:
		c.lacks("The access token allows reading only.")
		return false
	}
	c.client = id.Client
	return !c.throttle()
}

// lacks answers 403 to a token without the required permission.
func (c *call) lacks(detail string) {
	c.w.Header().Set("WWW-Authenticate", `Bearer realm="motion", error="insufficient_scope"`)
	c.problem(problem{Status: http.StatusForbidden, Detail: detail})
}
