package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// response records the status and size of a response. If the client stops reading, the
// response is aborted after the idle timeout, whatever the timeouts of the host's server.
type response struct {
	http.ResponseWriter
	idle   time.Duration // maximum time without progress
	begun  bool
	status int   // 0 before the answer
	sent   int64 // bytes of the body
}

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if status >= 200 && !w.begun {
		w.begun, w.status = true, status
		_ = w.extend() // Write reports it
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *response) Write(p []byte) (int, error) {
	if !w.begun {
		w.begun, w.status = true, http.StatusOK
	}
	var n int
	for {
		if err := w.extend(); err != nil {
			return n, err
		}
		m, err := w.ResponseWriter.Write(p[n:min(n+most, len(p))])
		n += m
		w.sent += int64(m)
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// most is the number of bytes written at a time, which clients must read before the
// deadline.
const most = 256 << 10

// extend extends the deadline of the response.
func (w *response) extend() error {
	return setDeadline(http.NewResponseController(w.ResponseWriter).SetWriteDeadline, time.Now().Add(w.idle))
}

// setDeadline sets a deadline, if the server supports deadlines.
func setDeadline(set func(time.Time) error, at time.Time) error {
	if err := set(at); !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// Unwrap returns the underlying writer for http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// steady reads a request body and extends its deadline while data flows, whatever the
// timeouts of the host's server.
type steady struct {
	control *http.ResponseController
	body    io.Reader
	idle    time.Duration
	err     error // of reading
}

// Read reads the request's body.
func (s *steady) Read(p []byte) (n int, err error) {
	if err = setDeadline(s.control.SetReadDeadline, time.Now().Add(s.idle)); err == nil {
		n, err = s.body.Read(p)
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
