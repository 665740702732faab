package main

import (
	"fmt"
	"sync"
	"time"
)

// record identifies a record that a client knows.
type record struct {
	kind string
	id   int64
}

func (r record) String() string { return fmt.Sprintf("%s/%d", r.kind, r.id) }

// op is what a client asks for.
type op string

// The operations.
const (
	make_  op = "make"   // a record; a client that gets no answer asks again with the same key
	upload op = "upload" // the file of a movie or image
	write  op = "write"  // a value into a field of a record: a name, or a correction
	read   op = "read"   // a record
	remove op = "remove" // a record, with all that is made from it
)

// event is one request and what its client was told.
type event struct {
	op   op
	of   record    // what it is about; of make_: its kind, and the ID once it is known
	from []record  // of make_: what it is made from
	key  string    // of make_: the idempotency key, which its attempts share
	what string    // of make_: what tells its result: the MD5 of media, a rule
	set  [2]string // of write: the field and the value

	began, ended time.Duration // since the history began
	code         int           // 0: there was no answer
	state        string        // of read: the status of the record
	told         map[string]string
}

func (e *event) String() string {
	return fmt.Sprintf("%s %v %s%v (%d after %.3f to %.3f s)", e.op, e.of, e.key, e.from, e.code, e.began.Seconds(), e.ended.Seconds())
}

// done reports whether the client was told that what it asked for is done.
func (e *event) done() bool {
	return e.code >= 200 && e.code < 300 || e.op == remove && e.code == 404 // gone, perhaps by an attempt without an answer
}

// unanswered reports whether the client cannot know if what it asked for is done, and asks again.
func (e *event) unanswered() bool { return e.code == 0 || e.code >= 500 || e.code == 429 }

// history is what clients asked and were told.
type history struct {
	start time.Time

	mu     sync.Mutex
	events []*event
}

func newHistory() *history { return &history{start: time.Now()} }

// begin notes a request. The caller fills in the rest of the event, and calls end.
func (h *history) begin(e event) *event {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.began, e.ended = time.Since(h.start), forever
	h.events = append(h.events, &e)
	return &e
}

// end notes the answer to a request.
func (h *history) end(e *event, answer event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.ended, e.code, e.state, e.told = time.Since(h.start), answer.code, answer.state, answer.told
	if e.op == make_ && e.done() {
		e.of = answer.of
	}
}

const forever = time.Duration(1<<63 - 1)
