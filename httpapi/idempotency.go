package httpapi

import (
	"bytes"
	"crypto/sha256"
	"io"
	"net/http"
	"regexp"
	"time"
)

// A POST with the header Idempotency-Key is executed once: repeating it with the same key,
// path and body returns the first response (draft-ietf-httpapi-idempotency-key-header).

var validKey = regexp.MustCompile(`^[ -~]{1,255}$`)

// once executes a POST, or replays the response of an earlier one with the same key. Only
// responses that created a record are kept; any other response frees the key.
func (c *call) once(do func(*call)) {
	header := c.r.Header.Values("Idempotency-Key")
	if c.replays == nil || len(header) == 0 {
		do(c)
		return
	}
	if len(header) != 1 || !validKey.MatchString(header[0]) {
		c.problem(problem{Status: http.StatusBadRequest, Detail: "The Idempotency-Key has to be 1 to 255 visible ASCII characters."})
		return
	}
	body, bad := readJSON(c.w, c.r, maxBody, c.opt.IdleTimeout)
	if bad != nil {
		c.problem(problem{Status: bad.status, Detail: bad.detail})
		return
	}
	c.r.Body = io.NopCloser(bytes.NewReader(body))
	hash := sha256.New()
	io.WriteString(hash, c.path+"\n")
	hash.Write(body)
	name, request := replayKey{c.client, header[0]}, [32]byte(hash.Sum(nil))
	before, found := c.replays.begin(name, request, time.Now())
	switch {
	case !found:
		var answer bytes.Buffer
		defer func() { // also where the request panics
			c.w.copy = nil
			kept := answer.Bytes()
			if c.w.status != http.StatusCreated {
				kept = nil
			}
			c.replays.end(name, request, c.w.status, c.w.Header().Get("Location"), kept)
		}()
		c.w.copy = &answer
		do(c)
	case before.request != request:
		c.problem(problem{Status: http.StatusUnprocessableEntity, Detail: "The Idempotency-Key was used with another request; use a new key."})
	case !before.done:
		c.w.Header().Set("Retry-After", "1")
		c.problem(problem{Status: http.StatusConflict, Detail: "The first request with this Idempotency-Key is still in progress; try again later."})
	default:
		h := c.w.Header()
		h.Set("Location", before.location)
		h.Set("Idempotent-Replayed", "true")
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "no-store")
		c.w.WriteHeader(before.status)
		c.w.Write(c.relinked(before.body))
	}
}
