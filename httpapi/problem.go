package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/keypoint"
)

// problem is an error response: RFC 9457 with the members of the reference service as
// extensions.
type problem struct {
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

	Errors    []mistake `json:"errors,omitempty"`
	RequestID string    `json:"requestId,omitempty"`
}

// mistake is an error at one place of a request.
type mistake struct {
	Pointer   *string `json:"pointer,omitempty"`   // JSON Pointer into the body
	Parameter string  `json:"parameter,omitempty"` // of the query
	Detail    string  `json:"detail"`
}

// at is a mistake in the body.
func at(pointer, detail string) mistake { return mistake{Pointer: &pointer, Detail: detail} }

// inQuery is a mistake in a parameter of the query.
func inQuery(name, value, want string) mistake {
	return mistake{Parameter: name, Detail: fmt.Sprintf("The query parameter %s is %q; it has to be %s.", name, value, want)}
}

// String returns the mistake in one line.
func (m mistake) String() string {
	if m.Pointer == nil || *m.Pointer == "" {
		return m.Detail
	}
	return *m.Pointer + " " + m.Detail
}

// problem answers with an error response.
func (c *call) problem(p problem) {
	p.Instance, p.RequestID = address(c.r), ""
	if p.Status >= 500 {
		p.RequestID = c.info.ID
	}
	writeProblem(c.w, p)
}

func writeProblem(w http.ResponseWriter, p problem) {
	p.Type, p.Title = "about:blank", http.StatusText(p.Status)
	p.ErrorCode, p.ErrorMessage, p.DeveloperMessage = p.Status, p.Detail, p.Detail
	p.Details = []string{}
	for _, e := range p.Errors {
		p.Details = append(p.Details, e.String())
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p)
}

// invalid answers 400 with the mistakes of the request.
func (c *call) invalid(mistakes ...mistake) {
	p := problem{Status: http.StatusBadRequest, Errors: mistakes}
	for i, m := range mistakes {
		if i > 0 {
			p.Detail += "; "
		}
		p.Detail += m.String()
	}
	c.problem(p)
}

// mistakes returns the mistakes in an error, with pointers relative to the given one.
func mistakes(under string, err error) []mistake {
	var many keypoint.FieldErrors
	if !errors.As(err, &many) {
		return []mistake{at(under, err.Error())}
	}
	var list []mistake
	for _, e := range many {
		list = append(list, at(under+e.Pointer, e.Detail))
	}
	return list
}

// fail answers with the status of an error of the service. It is the only table from kinds
// of errors to status codes.
func (c *call) fail(err error) {
	var bad *motion.RequestError
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &bad):
		c.invalid(mistakes("/"+c.spelling(bad.Field), bad.Err)...)
	case errors.As(err, &tooLong):
		c.problem(problem{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("The request is larger than the %d bytes that are allowed.", tooLong.Limit)})
	case errors.Is(err, motion.ErrTooLarge):
		c.problem(problem{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("The file is larger than the %d bytes that are allowed.", c.service.Limits().UploadBytes)})
	case errors.Is(err, motion.ErrInvalid):
		c.problem(problem{Status: http.StatusBadRequest, Detail: err.Error()})
	case errors.Is(err, motion.ErrNotFound):
		what := strings.Trim(c.path, "/")
		if c.r.Method == http.MethodPost { // one that the body names
			what = strings.TrimSuffix(err.Error(), ": "+motion.ErrNotFound.Error())
		}
		c.problem(problem{Status: http.StatusNotFound, Detail: "There is no such record: " + what + "."})
	case errors.Is(err, motion.ErrConflict):
		c.problem(problem{Status: http.StatusConflict, Detail: strings.TrimPrefix(err.Error(), motion.ErrConflict.Error()+": ")})
	case errors.Is(err, motion.ErrUnavailable):
		c.unavailable("The service is overloaded or unavailable; try again later.", err)
	case errors.Is(c.r.Context().Err(), context.DeadlineExceeded):
		c.unavailable("The service did not answer in time; try again later.", err)
	case c.r.Context().Err() != nil:
		panic(http.ErrAbortHandler) // the client is gone
	default:
		c.log(slog.LevelError, "request failed", "method", c.r.Method, "path", c.r.URL.Path, "error", err)
		c.problem(problem{Status: http.StatusInternalServerError, Detail: "There is a problem on the service."})
	}
}

// unavailable answers 503.
func (c *call) unavailable(detail string, err error) {
	c.log(slog.LevelError, "unavailable", "error", err)
	c.w.Header().Set("Retry-After", "5")
	c.problem(problem{Status: http.StatusServiceUnavailable, Detail: detail})
}

// address returns the path of the original request, before a host's StripPrefix.
func address(r *http.Request) string {
	if u, err := url.ParseRequestURI(r.RequestURI); err == nil {
		return u.EscapedPath()
	}
	return r.URL.EscapedPath()
}
