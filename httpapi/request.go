package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/strictjson"
)

// The largest JSON body and the largest member of one, such as a rule, in bytes. A list of edits may fill
// a body.
const (
	maxBody   = 1 << 20
	maxMember = 64 << 10
)

// bodyError tells why a body cannot be read.
type bodyError struct {
	status int
	detail string
}

// readJSON returns the body of a request with a JSON content type. The body must arrive
// within a time limit, so that slow senders cannot hold connections.
func readJSON(w http.ResponseWriter, r *http.Request, limit int64, within time.Duration) ([]byte, *bodyError) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return nil, &bodyError{http.StatusUnsupportedMediaType, "The Content-Type has to be application/json."}
	}
	// Servers without support for deadlines get none.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(within))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return nil, &bodyError{http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is larger than the %d bytes that are allowed.", limit)}
	}
	if err != nil {
		return nil, &bodyError{http.StatusBadRequest, "The body is incomplete; send the request again."}
	}
	return body, nil
}

// body is the JSON object of a request. Member names may be in camelCase or snake_case.
type body struct {
	call  *call
	doc   *strictjson.Document
	raw   map[string]json.RawMessage
	wrong []mistake // in members with a form of their own
	none  []string  // members whose ID no record can have
}

// body reads the body of a POST and rejects unknown members. If ok is false, it has
// answered.
func (c *call) body(names ...string) (b *body, ok bool) {
	data, bad := readJSON(c.w, c.r, maxBody, c.opt.IdleTimeout)
	if bad != nil {
		c.problem(problem{Status: bad.status, Detail: bad.detail})
		return nil, false
	}
	doc, err := strictjson.Parse(data)
	if err != nil {
		c.invalid(wire.Mistakes("", err)...)
		return nil, false
	}
	b = &body{call: c, doc: doc}
	c.spelled = map[string]string{}
	known := slices.Clone(names)
	for _, n := range names {
		if s := snake(n); s != n {
			known = append(known, s)
		}
	}
	root := doc.Root()
	if !root.Require("an object") || !root.Known(known...) {
		c.invalid(wire.Mistakes("", doc.Err())...)
		return nil, false
	}
	if err := json.Unmarshal(data, &b.raw); err != nil {
		c.invalid(at("", err.Error()))
		return nil, false
	}
	for _, n := range names {
		s := snake(n)
		camelGiven, snakeGiven := root.Get(n).Present(), s != n && root.Get(s).Present()
		if camelGiven && snakeGiven && !equalJSON(b.raw[n], b.raw[s]) {
			root.Get(s).Errorf("is given together with %s, with another value", n)
		}
		if snakeGiven && !camelGiven {
			c.spelled[n] = s
		}
		if len(b.raw[b.call.spelling(n)]) > maxMember && n != "edits" {
			b.get(n).Errorf("is longer than 64 KiB of JSON")
		}
	}
	return b, true
}

func equalJSON(x, y []byte) bool {
	var a, b bytes.Buffer
	return json.Compact(&a, x) == nil && json.Compact(&b, y) == nil && bytes.Equal(a.Bytes(), b.Bytes())
}

// snake converts a name to snake_case: "movieId" becomes "movie_id".
func snake(name string) string {
	var s strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			s.WriteByte('_')
			r += 'a' - 'A'
		}
		s.WriteRune(r)
	}
	return s.String()
}

// spelling returns the client's spelling of a member.
func (c *call) spelling(name string) string { return cmp.Or(c.spelled[name], name) }

// get returns a member, absent if it is missing or null.
func (b *body) get(name string) strictjson.Value { return b.doc.Root().Get(b.call.spelling(name)) }

// id returns a member with a record ID, or 0 if it is missing. An integer that is not a
// valid ID is noted as one that no record has.
func (b *body) id(name string) int64 {
	literal := string(b.raw[b.call.spelling(name)])
	id, err := strconv.ParseInt(literal, 10, 64)
	if err == nil && id > 0 {
		return id
	}
	if err == nil || errors.Is(err, strconv.ErrRange) {
		b.none = append(b.none, name+": "+literal)
		return 0
	}
	b.get(name).Int() // notes what is wrong
	return 0
}

// parsed returns a member that parse reads, zero if it is missing or null. Its mistakes are
// noted in the body.
func parsed[T any](b *body, name string, parse func([]byte) (T, error)) (v T) {
	if !b.get(name).Present() {
		return v
	}
	v, err := parse(b.raw[b.call.spelling(name)])
	if err != nil {
		b.wrong = append(b.wrong, wire.Mistakes("/"+b.call.spelling(name), err)...)
	}
	return v
}

// placed returns an error of the service with the places that mistakes in rules have in the body.
func (b *body) placed(err error) error {
	var bad *motion.RequestError
	if errors.As(err, &bad) {
		bad.Err = wire.Placed(b.get(bad.Field), bad.Err)
	}
	return err
}

// done answers 400 if there are mistakes, and 404 if a record cannot exist.
func (c *call) done(b *body) bool {
	wrong := b.wrong
	if err := b.doc.Err(); err != nil {
		wrong = append(wire.Mistakes("", err), wrong...)
	}
	switch {
	case wrong != nil:
		c.invalid(wrong...)
	case b.none != nil:
		c.problem(problem{Status: http.StatusNotFound, Detail: "There is no such record: " + strings.Join(b.none, ", ") + "."})
	}
	return wrong == nil && b.none == nil
}
