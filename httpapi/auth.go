package httpapi

import (
	"net/http"

	"github.com/bodymotion/motion/httpapi/internal/wire"
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
var ErrUnauthenticated = wire.ErrUnauthenticated

// ErrForbidden is returned by an Authenticator for valid credentials that do not allow the
// use of the service. Its text is sent to the client.
var ErrForbidden = wire.ErrForbidden

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
