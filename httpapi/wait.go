package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

const (
	maxWait        = 60 // seconds
	defaultWaiting = 100
)

// patience returns how long the client wants to wait for a result. It has answered when ok
// is false.
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

// awaited reads a record. If the client asks for it, it first waits until the status is
// final, the time is up or the handler drains. It has answered when ok is false.
func awaited[T any](c *call, id int64, read func(context.Context, string, int64) (T, error)) (record T, ok bool) {
	patience, ok := c.patience()
	if !ok {
		return record, false
	}
	var err error
	if patience > 0 {
		if leave, ok := c.waiters.Enter(c.client); ok {
			err = c.wait(patience, id)
			leave()
		}
	}
	if err == nil {
		record, err = read(c.r.Context(), c.client, id)
	}
	if err != nil {
		c.fail(err)
		return record, false
	}
	return record, true
}

// wait returns when the record that was asked for has a final status, the time is up, or
// the handler drains.
func (c *call) wait(patience time.Duration, id int64) error {
	if err := c.extend(patience + c.opt.IdleTimeout); err != nil {
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
