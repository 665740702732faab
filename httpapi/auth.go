package httpapi

import (
	"errors"
	"net/http"
)

// Identity is who a request comes from.
type Identity struct {
	// Client is the owner of the records that the request sees and makes; not empty.
	Client string
	// ReadOnly forbids everything but reading.
	ReadOnly bool
}

// ErrUnauthenticated is the error of an Authenticator for a request without a valid
// credential. Its text goes to the client.
var ErrUnauthenticated = errors.New("the access token is missing, unknown or expired")

// ErrForbidden is the error of an Authenticator for a good credential that allows nothing
// here. Its text goes to the client.
var ErrForbidden = errors.New("the access token does not allow the use of this service")

// Authenticator tells who a request comes from. It is called by many goroutines at
// once. An error that wraps ErrUnauthenticated answers 401, ErrForbidden 403,
// motion.ErrUnavailable 503, and any other one 500.
type Authenticator interface {
	Authenticate(r *http.Request) (Identity, error)
}

// AuthenticatorFunc is a function that is an Authenticator.
type AuthenticatorFunc func(r *http.Request) (Identity, error)

// Authenticate implements Authenticator.
func (f AuthenticatorFunc) Authenticate(r *http.Request) (Identity, error) { return f(r) }

// authenticate finds out who asks, and answers those who may not or ask too often.
func (c *call) authenticate(writing bool) bool {
	id, err := c.opt.Authenticator.Authenticate(c.r)
	if err == nil && id.Client == "" {
		err = errors.New("the authenticator gave no client")
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
		c.fail(err, asIs)
		return false
	case writing && id.ReadOnly:
		c.lacks("The access token allows reading only.")
		return false
	}
	c.client = id.Client
	return !c.throttle()
}

// lacks answers 403 to a token that does not allow it.
func (c *call) lacks(detail string) {
	c.w.Header().Set("WWW-Authenticate", `Bearer realm="motion", error="insufficient_scope"`)
	c.problem(problem{Status: http.StatusForbidden, Detail: detail})
}
