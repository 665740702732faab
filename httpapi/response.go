package httpapi

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"
)

// response remembers what was answered.
type response struct {
	http.ResponseWriter
	begun  bool
	status int           // 0 before the answer
	sent   int64         // bytes of the body
	copy   *bytes.Buffer // gets the body, too, where it is not nil
}

// WriteHeader implements http.ResponseWriter.
func (w *response) WriteHeader(status int) {
	if status >= 200 && !w.begun {
		w.begun, w.status = true, status
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
	n, err := w.ResponseWriter.Write(p)
	w.sent += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the writer below.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// steady moves the deadlines of a request on while data flows, whatever timeouts the
// host's server has.
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
func (s *steady) Write(p []byte) (int, error) {
	if err := s.extend(s.control.SetWriteDeadline, time.Now().Add(s.idle)); err != nil {
		return 0, err
	}
	return s.w.Write(p)
}

// hold lifts the deadline of the answer until release.
func (s *steady) hold() error { return s.extend(s.control.SetWriteDeadline, time.Time{}) }

// release sets the deadline of the answer.
func (s *steady) release() error {
	return s.extend(s.control.SetWriteDeadline, time.Now().Add(s.idle))
}

// extend sets a deadline. Servers that know none go without.
func (s *steady) extend(set func(time.Time) error, at time.Time) error {
	if err := set(at); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
