package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"
)

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
