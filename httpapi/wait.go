package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bodymotion/motion"
)

const (
	maxWait       = 60                     // seconds
	pollEvery     = 250 * time.Millisecond // how often a waiting request looks at its record
	defaultWaiter = 100
)

// waiters count the requests of each client that wait.
type waiters struct {
	most int

	mu    sync.Mutex
	count map[string]int
}

func newWaiters(most int) *waiters {
	if most == 0 {
		most = defaultWaiter
	}
	return &waiters{most: most, count: map[string]int{}}
}

// enter reports whether one more request of a client may wait; leave ends it then.
func (w *waiters) enter(client string) (leave func(), ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count[client] >= w.most {
		return nil, false
	}
	w.count[client]++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.count[client]--; w.count[client] == 0 {
			delete(w.count, client)
		}
	}, true
}

// patience reads how long the client wants to wait for a result; it has answered when ok is
// false.
func (c *call) patience() (d time.Duration, ok bool) {
	q := c.r.URL.Query()
	if !q.Has("wait") {
		return 0, true
	}
	n, err := strconv.ParseUint(q.Get("wait"), 10, 31)
	if err != nil || n > maxWait {
		c.invalid(inQuery("wait", q.Get("wait"), fmt.Sprintf("an integer from 0 to %d, the seconds to wait at most", maxWait)))
		return 0, false
	}
	return time.Duration(n) * time.Second, true
}

// awaited reads a record and, where the client wants it, waits until its state is final,
// the time is up or the handler drains. It has answered when ok is false.
func awaited[T any](c *call, id int64, read func(context.Context, string, int64) (T, error), state func(T) motion.State) (record T, ok bool) {
	patience, ok := c.patience()
	if !ok {
		return record, false
	}
	record, err := read(c.r.Context(), c.client, id)
	if patience > 0 && err == nil && !state(record).Status.Final() {
		if leave, ok := c.waiters.enter(c.client); ok {
			err = c.poll(patience, func() (done bool, err error) {
				record, err = read(c.r.Context(), c.client, id)
				return err != nil || state(record).Status.Final(), err
			})
			leave()
		}
	}
	if err != nil {
		c.fail(err, asIs)
		return record, false
	}
	return record, true
}

// poll calls look until it is done, the time is up, or the handler drains.
func (c *call) poll(patience time.Duration, look func() (done bool, err error)) error {
	if err := c.extend(patience + c.opt.IdleTimeout); err != nil {
		return err
	}
	end := time.NewTimer(patience)
	defer end.Stop()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.r.Context().Done():
			return c.r.Context().Err()
		case <-end.C:
			return nil
		case <-c.drain.done:
			return nil
		case <-tick.C:
		}
		if done, err := look(); done {
			return err
		}
	}
}

// extend moves the deadlines of a request on, whatever timeouts the host's server has.
func (c *call) extend(by time.Duration) error {
	control, s := http.NewResponseController(c.w), c.steady()
	at := time.Now().Add(by)
	if err := s.extend(control.SetReadDeadline, at); err != nil {
		return err
	}
	return s.extend(control.SetWriteDeadline, at)
}
