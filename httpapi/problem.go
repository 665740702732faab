package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
)

type (
	problem = wire.Problem
	mistake = wire.Mistake
)

// at is a mistake in the body.
func at(pointer, detail string) mistake { return wire.At(pointer, detail) }

// inQuery is a mistake in a parameter of the query.
func inQuery(name, value, want string) mistake {
	return mistake{Parameter: name, Detail: fmt.Sprintf("The query parameter %s is %q; it has to be %s.", name, value, want)}
}

// problem answers with an error response.
func (c *call) problem(p problem) {
	p.Instance, p.RequestID = wire.Address(c.r), ""
	if p.Status >= 500 {
		p.RequestID = c.info.ID
	}
	wire.Write(c.w, p)
}

// invalid answers 400 with the mistakes of the request.
func (c *call) invalid(mistakes ...mistake) {
	c.problem(problem{Status: http.StatusBadRequest, Detail: wire.Detail(mistakes), Errors: mistakes})
}

// fail answers with the status of an error of the service. It is the only table from kinds
// of errors to status codes.
func (c *call) fail(err error) {
	var bad *motion.RequestError
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &bad):
		c.invalid(wire.Mistakes("/"+c.spelling(bad.Field), bad.Err)...)
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
