package httpapi

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"github.com/bodymotion/motion/storage"
)

// Where the Store can tell whether anything has changed (storage.Versioned), an answer is
// kept, and given again to the same client at the same address while nothing has: pages that
// poll ask for the same again and again.

// again answers a GET by read, or as before. Drawings are read each time: the links in them
// end. So are files, and what is waited for.
func (c *call) again(kind storage.Kind, read func()) {
	version, ok := c.service.Version(c.client, kind)
	if !ok || kind == storage.Drawings || c.r.Method != http.MethodGet || !repeatable(c.r.URL) {
		read()
		return
	}
	at := question{client: c.client, host: c.r.Host, uri: c.r.RequestURI, path: c.path, query: c.r.URL.RawQuery, tls: c.r.TLS != nil}
	if c.opt.TrustForwarded {
		at.host = c.public("").String() // links in lists are made from it
	}
	if body, ok := c.answers.get(at, version); ok {
		h := c.w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(body)))
		h.Set("Cache-Control", "no-store")
		c.w.WriteHeader(http.StatusOK)
		c.w.Write(body)
		return
	}
	var body bytes.Buffer
	defer func() { c.w.copy = nil }() // also where reading panics
	c.w.copy = &body
	read()
	if c.w.status == http.StatusOK {
		c.answers.put(at, version, body.Bytes())
	}
}

// repeatable reports whether the query asks neither to wait nor for a file.
func repeatable(u *url.URL) bool {
	if u.RawQuery == "" {
		return true
	}
	q := u.Query()
	return !q.Has("wait") && !q.Has("format")
}

// question is what was asked, and by whom: all that an answer is made from.
type question struct {
	client, host, uri, path, query string
	tls                            bool
}

// maxAnswers bounds the bytes of all answers together that are kept.
const maxAnswers = 16 << 20

// answers are kept in two generations: when the young one is full, the old one goes. The zero
// value is ready.
type answers struct {
	mu         sync.Mutex
	young, old map[question]answer
	size       int // of the young ones
}

type answer struct {
	version uint64
	body    []byte
}

func (a *answers) get(at question, version uint64) (body []byte, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept, ok := a.young[at]
	if !ok {
		if kept, ok = a.old[at]; ok && kept.version == version {
			a.keep(at, kept)
		}
	}
	return kept.body, ok && kept.version == version
}

func (a *answers) put(at question, version uint64, body []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keep(at, answer{version, body})
}

// keep makes an answer a young one; the mutex is held.
func (a *answers) keep(at question, kept answer) {
	size := kept.size(at)
	if size > maxAnswers/16 {
		return
	}
	if before, ok := a.young[at]; ok {
		a.size -= before.size(at)
	}
	if a.size+size > maxAnswers/2 || a.young == nil {
		a.old, a.young, a.size = a.young, map[question]answer{}, 0
	}
	a.young[at] = kept
	a.size += size
}

// size is about how many bytes an answer takes.
func (a answer) size(at question) int {
	return len(a.body) + len(at.client) + len(at.host) + len(at.uri) + len(at.path) + len(at.query) + 256
}
