package httpapi

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/storage"
)

// server is what all requests to a handler share.
type server struct {
	service   *motion.Service
	opt       Options
	base      *url.URL        // of Options.BaseURL; nil without one
	drain     context.Context // ends when the handler takes no more work
	buckets   *buckets        // nil without a limit
	waiters   *wire.Waiters
	streams   *wire.Waiters // those of them that are event streams
	uploads   *wire.Waiters // nil without a limit
	uses      uses          // of upload links
	bodies    *fair.Places  // for large bodies to arrive
	documents *fair.Places  // for them to be worked on
	lists     *fair.Places  // for lists to be read
	reads     *fair.Places  // for records with their results to be read and written
	reports   *fair.Places  // for those with pictures of the movie, which take longer

	mounting sync.Once // of the log line about a wrong mount
}

// call is a request being served.
type call struct {
	*server
	w       *response
	r       *http.Request
	query   url.Values
	path    string            // within the API, with a leading slash
	kind    storage.Kind      // of the records that the path is about
	name    string            // of the record or file that the path is about
	link    string            // to a report, that the path names
	movie   string            // the URL of the movie that a report shows
	pattern string            // the path as the OpenAPI document has it, "" if there is no such path
	id      string            // of the request, in every log line
	trace   string            // of the header traceparent, 32 hexadecimal digits; "" without one
	client  string            // the authenticated client
	spelled map[string]string // the client's spelling of members of the body, by camelCase name

	sent     []byte     // the body, if it was read
	held     []func()   // give the places of a large body back
	leave    func()     // gives the place among reads or reports back; nil without one
	key      motion.Key // of a request with an Idempotency-Key
	doubt    bool       // it may have made a record all the same
	reserved int64      // for its answer; 0: none
}

// reading reports whether the request changes nothing.
func (c *call) reading() bool { return c.r.Method == http.MethodGet || c.r.Method == http.MethodHead }

func (c *call) spelling(name string) string { return cmp.Or(c.spelled[name], name) }

// log writes a log line with the request's ID.
func (c *call) log(level slog.Level, message string, args ...any) {
	args = append([]any{"request", c.id}, args...)
	if c.trace != "" {
		args = append(args, "trace", c.trace)
	}
	c.opt.Logger.Log(c.r.Context(), level, message, args...)
}

// turn waits for the call's turn to read a record with its result, of which some are large. The turn ends when the
// answer is ready, before the client receives it.
func (c *call) turn() (err error) {
	places := c.reads
	if format := c.query.Get("format"); slices.Contains([]string{"report", "tables", "sheet", "phases"}, format) {
		places = c.reports
	}
	if c.leave == nil {
		c.leave, err = places.Enter(c.r.Context(), c.client, "results are being read")
	}
	return err
}

func (c *call) pass() {
	for _, leave := range c.held {
		leave()
	}
	c.held = nil
	if c.leave != nil {
		c.leave()
		c.leave = nil
	}
}

// public returns the absolute URL of a path within the API.
func (c *call) public(path string) *url.URL {
	u := url.URL{Scheme: "http", Host: c.r.Host}
	if c.base != nil {
		u = *c.base
	} else {
		if c.r.TLS != nil {
			u.Scheme = "https"
		}
		u.Path = c.mount()
		if c.opt.TrustForwarded {
			forwarded(c.r.Header, &u)
		}
	}
	u.Path += path
	return &u
}

// mount returns the path under which the API is mounted: the part removed by http.StripPrefix, and Options.Prefix.
func (c *call) mount() string {
	if u, err := url.ParseRequestURI(c.r.RequestURI); err == nil {
		if before, ok := strings.CutSuffix(u.Path, strings.TrimPrefix(c.path, "/")); ok {
			return strings.TrimSuffix(before, "/")
		}
	}
	return c.opt.Prefix
}

// forwarded applies a proxy's headers about the original request to an address.
func forwarded(h http.Header, u *url.URL) {
	first := func(name string) string {
		v, _, _ := strings.Cut(h.Get(name), ",")
		return strings.TrimSpace(v)
	}
	proto, host := first("X-Forwarded-Proto"), first("X-Forwarded-Host")
	for pair := range strings.SplitSeq(first("Forwarded"), ";") {
		k, v, _ := strings.Cut(strings.TrimSpace(pair), "=")
		switch v = strings.Trim(v, `"`); strings.ToLower(k) {
		case "proto":
			proto = v
		case "host":
			host = v
		}
	}
	if proto == "http" || proto == "https" {
		u.Scheme = proto
	}
	if host != "" {
		u.Host = host
	}
	if p := first("X-Forwarded-Prefix"); strings.HasPrefix(p, "/") {
		u.Path = strings.TrimSuffix(p, "/") + u.Path
	}
}

// orNull is null for the zero value.
func orNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// orZero is the zero value for null.
func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// present returns the value of a member, nil if it is absent.
func present[T any](v T, ok bool) *T {
	if !ok {
		return nil
	}
	return &v
}

// stamp writes a time with microseconds in UTC.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// handler serves a call, or returns why not.
type handler func(*call) error

// uses counts the uploads with each link, whether they succeed or not. Beyond maxLinks, the links that were
// first used longest ago are forgotten.
type uses struct {
	mu    sync.Mutex
	count map[string]int // by signature
	links []signedLink   // first used in front
}

// awaited reads a record. If the client asks for it, it first waits until the status is final, the time is up or the handler drains.
func awaited[T any](c *call, id int64, read func(context.Context, string, int64) (T, error)) (record T, err error) {
	seconds, err := c.number("wait", 0, 60, "an integer from 0 to 60, the seconds to wait at most")
	if err != nil {
		return record, err
	}
	if seconds > 0 {
		if leave, ok := c.waiters.Enter(c.client); ok {
			err = c.wait(time.Duration(seconds)*time.Second, id)
			leave()
		}
	}
	if err == nil {
		err = c.turn()
	}
	if err != nil {
		return record, err
	}
	return read(c.r.Context(), c.client, id)
}

// wait returns when the record that was asked for has a final status, the time is up, or the handler drains.
func (c *call) wait(patience time.Duration, id int64) error {
	if err := c.extend(patience + c.opt.Limits.IdleTimeout); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.r.Context(), patience)
	defer cancel()
	defer context.AfterFunc(c.drain, cancel)()
	_, err := c.service.Wait(ctx, c.client, c.kind, id)
	if ctx.Err() != nil {
		return c.r.Context().Err()
	}
	return err
}

// extend sets the deadlines of a request, whatever timeouts the host's server has.
func (c *call) extend(by time.Duration) error {
	control, at := http.NewResponseController(c.w), time.Now().Add(by)
	return errors.Join(setDeadline(control.SetReadDeadline, at), setDeadline(control.SetWriteDeadline, at))
}
