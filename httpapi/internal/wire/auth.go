package wire

import (
	"errors"
	"net/http"
	"strings"
)

// The errors of an httpapi.Authenticator.
var (
	ErrUnauthenticated = errors.New("the access token is missing, unknown or expired")
	ErrForbidden       = errors.New("the access token does not allow the use of this service")
)

// Unauthorized returns the problem of a request whose authentication has failed with err, and sets the
// header that belongs to it. ok is false if err is neither of the two errors.
func Unauthorized(h http.Header, r *http.Request, err error) (p Problem, ok bool) {
	switch {
	case errors.Is(err, ErrUnauthenticated):
		challenge := `Bearer realm="motion"`
		if r.Header.Get("Authorization") != "" {
			challenge += `, error="invalid_token"` // RFC 6750
		}
		h.Set("WWW-Authenticate", challenge)
		return Problem{Status: http.StatusUnauthorized, Detail: "Unauthorized: " + ErrUnauthenticated.Error() + "."}, true
	case errors.Is(err, ErrForbidden):
		return Lacks(h, "Forbidden: "+ErrForbidden.Error()+"."), true
	}
	return Problem{}, false
}

// Lacks returns the problem of a token without the required permission.
func Lacks(h http.Header, detail string) Problem {
	h.Set("WWW-Authenticate", `Bearer realm="motion", error="insufficient_scope"`)
	return Problem{Status: http.StatusForbidden, Detail: detail}
}

// Bearer returns the token in the header "Authorization: Bearer", "" if there is none.
func Bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
