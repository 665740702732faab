package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
)

// The largest JSON body and the largest member of one, such as a rule, in bytes. A list of edits may fill a body.
const (
	maxBody   = 1 << 20
	maxMember = 64 << 10
	maxGiven  = 16 << 20 // of a body with keypoints
	maxFrames = 100_000  // of them, if the service has no limit
)

// given are the members of a request for keypoints that hold keypoints. They may fill a body.
var given = []string{"keypoints", "scores", "timestamps", "data"}

// document returns the body of the request. A large one waits for its turn before it is read, and its turn ends when the answer is
// ready: large bodies take memory, and one client's keep another's waiting for one of them only.
func (c *call) document() (data []byte, err error) {
	if c.sent != nil {
		return c.sent, nil
	}
	largest := int64(maxBody)
	if c.pattern == "/keypoints/" {
		largest = maxGiven
	}
	turn := func() error { return c.enter(c.bodies, "large bodies") }
	if c.sent, err = readJSON(c.w, c.r, largest, c.opt.Limits.IdleTimeout, turn); err == nil && len(c.sent) > maxMember {
		err = c.enter(c.documents, "large bodies")
	}
	return c.sent, err
}

// enter waits for a place to do what, which the call has until its answer is ready.
func (c *call) enter(places *fair.Places, what string) error {
	leave, err := places.Enter(c.r.Context(), c.client, what)
	if err == nil {
		c.held = append(c.held, leave)
	}
	return err
}

// readJSON returns the body of a request with a JSON content type. The body must arrive
// within a time limit, so that slow senders cannot hold connections. turn waits before more than maxBody is read.
func readJSON(w http.ResponseWriter, r *http.Request, limit int64, within time.Duration, turn func() error) ([]byte, error) {
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset, given := params["charset"]; err != nil || t != "application/json" || given && !strings.EqualFold(charset, "utf-8") {
		return nil, wire.Refuse(http.StatusUnsupportedMediaType, "The Content-Type has to be application/json, in UTF-8.")
	}
	// Servers without support for deadlines get none.
	deadline := func(within time.Duration) { _ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(within)) }
	deadline(within)
	from := http.MaxBytesReader(w, r.Body, limit)
	body, err := io.ReadAll(io.LimitReader(from, maxBody+1))
	if err == nil && len(body) > maxBody {
		if err := turn(); err != nil {
			return nil, err
		}
		size, end := limit, time.Now().Add(within) // of chunks
		if r.ContentLength >= 0 {
			size = min(limit, r.ContentLength)
		}
		all := bytes.NewBuffer(append(make([]byte, 0, int(size)+bytes.MinRead), body...))
		for err == nil { // a body that trickles keeps no place
			deadline(min(5*time.Second, time.Until(end)))
			_, err = io.CopyN(all, from, maxBody/4)
		}
		body = all.Bytes()
	}
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return nil, wire.Refuse(http.StatusRequestEntityTooLarge, "The body is larger than the %d bytes that are allowed.", limit)
	}
	if err != nil && err != io.EOF {
		return nil, wire.Refuse(http.StatusBadRequest, "The body is incomplete; send the request again.")
	}
	return body, nil
}

// body is the JSON object of a request. Member names may be in camelCase or snake_case.
type body struct {
	call  *call
	doc   *strictjson.Document
	wrong []mistake // in members with a form of their own
	none  []string  // members whose ID no record can have
}

// body reads the body of a request and rejects unknown members.
func (c *call) body(names ...string) (*body, error) {
	data, err := c.document()
	if err == nil && len(data) > maxMember {
		err = tooLarge(data)
	}
	if err != nil {
		return nil, err
	}
	doc, err := strictjson.Parse(data, given...)
	if err != nil {
		return nil, invalid(wire.Mistakes("", err)...)
	}
	b := &body{call: c, doc: doc}
	c.spelled = map[string]string{}
	known := slices.Clone(names)
	for _, n := range names {
		if s := snake(n); s != n {
			known = append(known, s)
		}
	}
	root := doc.Root()
	if !root.Require("an object") || !root.Known(known...) {
		return nil, invalid(wire.Mistakes("", doc.Err())...)
	}
	for _, n := range names {
		s := snake(n)
		camel, other := root.Get(n), root.Get(s)
		if s != n && camel.Present() && other.Present() && !strictjson.Equal(camel, other) {
			other.Errorf("is given together with %s, with another value", n)
		}
		if other.Present() && !camel.Present() {
			c.spelled[n] = s
		}
	}
	return b, nil
}

// tooLarge refuses a body with much beside given keypoints and edits, before it is parsed: its values take more memory
// than its text. Of one that is no object all is.
func tooLarge(data []byte) error {
	var wrong []mistake
	rest := len(data)
	members := strictjson.Members(data)
	for _, m := range members {
		switch {
		case slices.Contains(given, m.Name):
			rest -= len(m.Raw)
		case len(m.Raw) > maxMember && m.Name != "edits":
			wrong = append(wrong, wire.At("/"+m.Name, "is longer than 64 KiB of JSON"))
		}
	}
	switch {
	case rest > maxBody:
		return wire.Refuse(http.StatusRequestEntityTooLarge, "The body is larger than the %d bytes that are allowed beside keypoints.", maxBody)
	case wrong != nil:
		return invalid(wrong...)
	}
	return nil
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

// get returns a member, absent if it is missing or null.
func (b *body) get(name string) strictjson.Value { return b.doc.Root().Get(b.call.spelling(name)) }

// flag returns a member that is true or false, false if it is absent.
func (b *body) flag(name string) bool { value, _ := b.get(name).Bool(); return value }

// text returns a member with a text, nil if it is absent.
func (b *body) text(name string) *string { return present(b.get(name).Text()) }

// id returns a member with a record ID, or 0 if it is missing. An integer that is not a valid ID is noted as one that no record has.
func (b *body) id(name string) int64 { return b.idOf(name, b.get(name)) }

// ids returns a member with a list of record IDs, nil if it is missing.
func (b *body) ids(name string) []int64 {
	return orZero(eachOf(b.get(name), "the id of a record", func(v strictjson.Value) int64 { return b.idOf(name, v) }))
}

func (b *body) idOf(name string, v strictjson.Value) int64 {
	literal := string(v.Raw())
	id, err := jsonappend.Int(literal)
	if err == nil && id > 0 {
		return id
	}
	if err == nil || errors.Is(err, strconv.ErrRange) {
		b.none = append(b.none, name+": "+literal)
		return 0
	}
	v.Int() // notes what is wrong
	return 0
}

// part returns the members from and to, the part of a movie in seconds.
func (b *body) part() (from, to float64) {
	from, _ = b.get("from").Number()
	return from, b.get("to").Positive()
}

// parsed returns a value that parse reads, zero if it is missing or null. Its mistakes are noted in the body.
func parsed[T any](b *body, v strictjson.Value, parse func([]byte) (T, error)) (x T) {
	if !v.Present() {
		return x
	}
	x, err := parse(v.Raw())
	if err != nil {
		b.wrong = append(b.wrong, wire.Mistakes(v.Pointer(), err)...)
	}
	return x
}

// ruleJSON returns the JSON of the rules of a request as its client has written them: one alone, or an array; nil for none.
func ruleJSON[R any](b *body, rules []R) json.RawMessage {
	if rules == nil {
		return nil
	}
	text, err := rulejson.Marshal(rules, b.get("rule").IsObject())
	if err != nil {
		b.wrong = append(b.wrong, wire.Mistakes("/rule", err)...)
	}
	return text
}

// placed returns an error of the service with the places that mistakes in rules have in the body.
func (b *body) placed(err error) error {
	if bad, ok := errors.AsType[*motion.RequestError](err); ok {
		bad.Err = wire.Placed(b.get(bad.Field), bad.Err)
	}
	return err
}

// err refuses a body with mistakes, and one that names a record that cannot exist.
func (b *body) err() error {
	wrong := b.wrong
	if err := b.doc.Err(); err != nil {
		wrong = append(wire.Mistakes("", err), wrong...)
	}
	switch {
	case wrong != nil:
		return invalid(wrong...)
	case b.none != nil:
		return wire.Refuse(http.StatusNotFound, "There is no such record: %s.", strings.Join(b.none, ", "))
	}
	return nil
}

func oneRule(data []byte) (analyze.Rule, error) { return rulejson.One(analyze.ParseRules(data)) }
