package main

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// outage stops the engines, one after the other, while the clients work.
func (r *ran) outage(say func(string, ...any), stop <-chan struct{}) error {
	wait := func(d time.Duration) bool {
		select {
		case <-stop:
			return false
		case <-time.After(d):
			return true
		}
	}
	if !wait(5 * time.Second) {
		return nil
	}
	say("PostgreSQL crashes")
	if err := r.pg.Stop(true); err != nil {
		return err
	}
	wait(5 * time.Second)
	if err := r.pg.Start(); err != nil || !wait(5*time.Second) {
		return err
	}
	say("S3 is down")
	r.s3.Kill()
	wait(20 * time.Second)
	if err := r.s3.Start(); err != nil || !wait(5*time.Second) {
		return err
	}
	say("PostgreSQL is restarted")
	return errors.Join(r.pg.Stop(false), r.pg.Start())
}

// settle waits until nothing is unfinished, and upkeep has removed what is left, but no longer than a minute.
func (f fleet) settle(ctx context.Context, p place) error {
	k, err := p.open(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		left, err := k.unfinished(ctx)
		if err == nil && len(left) == 0 {
			if f, gone := look(ctx, p, k); gone != nil { // a file that is being removed
				left = []string{gone.Error()}
			} else {
				left = f.faults
			}
		}
		if ctx.Err() != nil { // the last look reports what is still there
			err = nil
		}
		if err != nil || len(left) == 0 || ctx.Err() != nil {
			return errors.Join(err, k.close())
		}
		pause(ctx, 200*time.Millisecond)
	}
}
