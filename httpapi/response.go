package httpapi

import (
	"bytes"
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
	status int           // 0 before the answer
	sent   int64         // bytes of the body
	copy   *bytes.Buffer // also receives the body; may be nil
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
	if w.copy != nil {
		w.copy.Write(p)
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

// extend extends the deadline of the response, if the server supports deadlines.
func (w *response) extend() error {
	err := http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.idle))
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// Unwrap returns the underlying writer for http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// steady extends the deadline of a request body while data flows, whatever the timeouts of
// the host's server.
type steady struct {
	w       http.ResponseWriter
	control *http.ResponseController
	body    io.Reader
	idle    time.Duration
	err     error // of reading
}

func (c *call) steady() *steady {
	return &steady{w: c.w, control: http.NewResponseController(c.w), body: c.r.Body, idle: c.opt.IdleTimeout}
}

// Read reads the request's body.
func (s *steady) Read(p []byte) (int, error) {
	if err := s.extend(s.control.SetReadDeadline, time.Now().Add(s.idle)); err != nil {
		s.err = err
		return 0, err
	}
	n, err := s.body.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// Header implements http.ResponseWriter.
func (s *steady) Header() http.Header { return s.w.Header() }

// WriteHeader implements http.ResponseWriter.
func (s *steady) WriteHeader(status int) { s.w.WriteHeader(status) }

// Write implements http.ResponseWriter.
func (s *steady) Write(p []byte) (int, error) { return s.w.Write(p) }

// hold removes the deadline of the response until release.
func (s *steady) hold() error { return s.extend(s.control.SetWriteDeadline, time.Time{}) }

// release sets the deadline of the response.
func (s *steady) release() error {
	return s.extend(s.control.SetWriteDeadline, time.Now().Add(s.idle))
}

// extend sets a deadline, if the server supports deadlines.
func (s *steady) extend(set func(time.Time) error, at time.Time) error {
	if err := set(at); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
