package wire

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// Content serves content with ranges, or returns why not. A range of another unit than bytes is ignored.
func Content(to http.ResponseWriter, r *http.Request, modified time.Time, content io.ReadSeeker) error {
	if ranges := r.Header.Get("Range"); ranges != "" && !strings.HasPrefix(ranges, "bytes=") {
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	w := &refusing{ResponseWriter: to}
	http.ServeContent(w, r, "", modified, content)
	switch w.refused {
	case 0:
		return nil
	case http.StatusRequestedRangeNotSatisfiable, http.StatusPreconditionFailed:
		return Refuse(w.refused, "The file has no such range, or is not the one that the request asks for: read it without Range, If-Match and If-Unmodified-Since.")
	}
	return errors.New(w.detail)
}

// refusing keeps an error response of net/http, which is text, from the client.
type refusing struct {
	http.ResponseWriter
	refused int // its status; 0: none
	detail  string
}

func (w *refusing) WriteHeader(status int) {
	if status >= 400 {
		w.Header().Del("Content-Disposition")
		w.Header().Del("Content-Encoding")
		w.refused = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *refusing) Write(p []byte) (int, error) {
	if w.refused != 0 {
		w.detail += string(p)
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}
