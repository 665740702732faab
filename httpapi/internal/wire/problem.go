// Package wire has the forms of requests and responses that httpapi and httpapi/live share.
package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// Problem is an error response: RFC 9457 with the members of the reference service as extensions.
type Problem struct {
	Type     string `json:"type"`
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Detail   string `json:"detail"`
	Instance string `json:"instance"`

	ErrorCode        int      `json:"errorCode"`
	ErrorMessage     string   `json:"errorMessage"`
	DeveloperMessage string   `json:"developerMessage"`
	MoreInfo         string   `json:"moreInfo"`
	Details          []string `json:"details"`

	Errors    []Mistake `json:"errors,omitempty"`
	RequestID string    `json:"requestId,omitempty"`

	RetryAfter int `json:"-"` // seconds, of the header; 0: none
}

// Error returns the detail: a Problem is the error of a handler that refuses a request.
func (p Problem) Error() string { return p.Detail }

// Refuse returns a problem with a detail.
func Refuse(status int, format string, args ...any) Problem {
	return Problem{Status: status, Detail: fmt.Sprintf(format, args...)}
}

// Later returns the problem of a request that the client may send again soon.
func Later(status int, format string, args ...any) Problem {
	return Problem{Status: status, Detail: fmt.Sprintf(format, args...), RetryAfter: 5}
}

// Mistake is an error at one place of a request.
type Mistake struct {
	Pointer   *string `json:"pointer,omitempty"`   // JSON Pointer into the body
	Parameter string  `json:"parameter,omitempty"` // of the query
	Detail    string  `json:"detail"`
}

// At is a mistake in the body.
func At(pointer, detail string) Mistake { return Mistake{Pointer: &pointer, Detail: detail} }

func (m Mistake) String() string {
	if m.Pointer == nil || *m.Pointer == "" {
		return m.Detail
	}
	return *m.Pointer + " " + m.Detail
}

// Mistakes returns the mistakes in an error, with pointers relative to the given one.
func Mistakes(under string, err error) []Mistake {
	var many keypoint.FieldErrors
	if !errors.As(err, &many) {
		return []Mistake{At(under, err.Error())}
	}
	var list []Mistake
	for _, e := range many {
		list = append(list, At(under+e.Pointer, e.Detail))
	}
	return list
}

// Placed returns an error with the places that mistakes in a list have in v, which may be the only element instead of an array.
func Placed(v strictjson.Value, err error) error {
	if wrong, ok := errors.AsType[keypoint.FieldErrors](err); ok && v.IsObject() {
		for _, e := range wrong {
			e.Pointer = strings.TrimPrefix(e.Pointer, "/0")
		}
	}
	return err
}

// Detail returns the mistakes in one line.
func Detail(mistakes []Mistake) (detail string) {
	for i, m := range mistakes {
		if i > 0 {
			detail += "; "
		}
		detail += m.String()
	}
	return detail
}

// Write answers with an error response.
func Write(w http.ResponseWriter, p Problem) {
	p.Type, p.Title = "about:blank", http.StatusText(p.Status)
	p.ErrorCode, p.ErrorMessage, p.DeveloperMessage = p.Status, p.Detail, p.Detail
	p.Details = []string{}
	for _, e := range p.Errors {
		p.Details = append(p.Details, e.String())
	}
	h := w.Header()
	if p.RetryAfter != 0 {
		h.Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p)
}

// Address returns the path of the original request, before a host's StripPrefix.
func Address(r *http.Request) string {
	if u, err := url.ParseRequestURI(r.RequestURI); err == nil {
		return u.EscapedPath()
	}
	return r.URL.EscapedPath()
}

// TakesGzip reports whether the client accepts gzip: it names it, not with the weight 0.
func TakesGzip(r *http.Request) bool {
	for _, coding := range strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q="), 64)
			return err != nil || q > 0
		}
	}
	return false
}

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
