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

func (w *response) WriteHeader(status int) {
	if status >= 200 && !w.begun {
		w.begun, w.status = true, status
		_ = w.extend() // Write reports it
	}
	w.ResponseWriter.WriteHeader(status)
}

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

// most is the number of bytes written at a time, which clients must read before the deadline.
const most = 256 << 10

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

// steady reads a request body and extends its deadline while data flows, whatever the timeouts of the host's server.
type steady struct {
	control *http.ResponseController
	body    io.Reader
	idle    time.Duration
	least   int   // bytes per second; negative for no limit
	err     error // of reading

	waited time.Duration // for the bytes that have arrived since the rate was last checked
	bytes  int
}

// errSlow is the error of a body that arrives too slowly.
var errSlow = errors.New("the body arrives too slowly")

func (s *steady) Read(p []byte) (n int, err error) {
	began := time.Now()
	if err = setDeadline(s.control.SetReadDeadline, began.Add(s.idle)); err == nil {
		n, err = s.body.Read(p)
	}
	// The time in which the server stores what has arrived does not count.
	s.waited, s.bytes = s.waited+time.Since(began), s.bytes+n
	if s.waited >= time.Minute {
		if err == nil && float64(s.bytes) < float64(s.least)*s.waited.Seconds() {
			err = errSlow
		}
		s.waited, s.bytes = 0, 0
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// The content types of files.
const (
	csvType   = "text/csv; charset=utf-8; header=present"
	jsonType  = "application/json"
	jsonlType = "application/jsonl"
	textType  = "text/plain; charset=utf-8"
	htmlType  = "text/html; charset=utf-8"
)
