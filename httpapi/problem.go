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
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/storage"
)

type mistake = wire.Mistake

// invalid is the refusal of a request with mistakes.
func invalid(mistakes ...mistake) wire.Problem {
	return wire.Problem{Status: http.StatusBadRequest, Detail: wire.Detail(mistakes), Errors: mistakes}
}

func inQuery(name, value, want string) mistake {
	return mistake{Parameter: name, Detail: fmt.Sprintf("The query parameter %s is %q; it has to be %s.", name, value, want)}
}

// noResult is the error of a record without a result: it tells the reason where it has failed.
func noResult(s motion.State, err error) error {
	if s.Status == storage.Failure && errors.Is(err, motion.ErrNotReady) {
		return wire.Refuse(http.StatusConflict, "There is no result: %s", s.Failure)
	}
	return err
}

// drained refuses new work when the handler drains.
func (c *call) drained() error {
	if c.drain.Err() == nil {
		return nil
	}
	c.w.Header().Set("Connection", "close") // so that the retry reaches another process
	return wire.Later(http.StatusServiceUnavailable, "The service is shutting down and accepts no new work; try again later.")
}

func (c *call) fail(err error) {
	p := c.problem(err)
	p.Instance = wire.Address(c.r)
	if p.Status >= 500 {
		p.RequestID = c.id
	}
	wire.Write(c.w, p)
}

// problem is the only table from kinds of errors to status codes.
func (c *call) problem(err error) wire.Problem {
	var known wire.Problem
	var bad *motion.RequestError
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &bad):
		return invalid(wire.Mistakes("/"+c.spelling(bad.Field), bad.Err)...)
	case errors.As(err, &tooLong):
		return wire.Refuse(http.StatusRequestEntityTooLarge, "The request is larger than the %d bytes that are allowed.", tooLong.Limit)
	case errors.Is(err, motion.ErrTooLarge):
		return wire.Refuse(http.StatusRequestEntityTooLarge, "The file is larger than the %d bytes that are allowed.", c.service.Limits().UploadBytes)
	case errors.Is(err, motion.ErrInvalid):
		return wire.Refuse(http.StatusBadRequest, "%v", err)
	case errors.Is(err, motion.ErrNotFound):
		what := strings.Trim(c.path, "/")
		if missing, ok := errors.AsType[*catalog.Missing](err); ok { // which the body names
			what = missing.What()
		} else if c.r.Method == http.MethodPost {
			what = strings.TrimSuffix(err.Error(), ": "+motion.ErrNotFound.Error())
		}
		return wire.Refuse(http.StatusNotFound, "There is no such record: %s.", what)
	case errors.Is(err, motion.ErrConflict):
		return wire.Refuse(http.StatusConflict, "%s", strings.TrimPrefix(err.Error(), motion.ErrConflict.Error()+": "))
	case errors.Is(err, motion.ErrUnavailable):
		c.log(slog.LevelError, "unavailable", "error", err)
		return wire.Later(http.StatusServiceUnavailable, "The service is overloaded or unavailable; try again later.")
	case errors.Is(c.r.Context().Err(), context.DeadlineExceeded):
		c.log(slog.LevelError, "unavailable", "error", err)
		return wire.Later(http.StatusServiceUnavailable, "The service did not answer in time; try again later.")
	case c.r.Context().Err() != nil:
		panic(http.ErrAbortHandler) // the client is gone
	}
	c.log(slog.LevelError, "request failed", "method", c.r.Method, "path", c.r.URL.Path, "error", err, panics.Stack(err))
	return wire.Refuse(http.StatusInternalServerError, "There is a problem on the service.")
}
