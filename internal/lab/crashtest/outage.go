package main

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/bodymotion/motion/storage"
)

// outage stops the engines, one after the other, while the clients work.
func (r *ran) outage(say func(string, ...any), stop <-chan struct{}, done *atomic.Int64, pairs int) error {
	until := func(n int) bool {
		for done.Load() < int64(n) {
			select {
			case <-stop:
				return false
			case <-time.After(20 * time.Millisecond):
			}
		}
		return true
	}
	if !until(pairs / 8) {
		return nil
	}
	say("PostgreSQL crashes, with %d of %d pairs done", done.Load(), pairs)
	if err := r.pg.Stop(true); err != nil {
		return err
	}
	time.Sleep(5 * time.Second)
	if err := r.pg.Start(); err != nil {
		return err
	}
	say("PostgreSQL is back, with %d pairs done", done.Load())
	if !until(pairs * 3 / 8) {
		return nil
	}
	say("S3 is down, with %d pairs done", done.Load())
	r.s3.Kill()
	time.Sleep(20 * time.Second)
	if err := r.s3.Start(); err != nil {
		return err
	}
	say("S3 is back, with %d pairs done", done.Load())
	if !until(pairs * 5 / 8) {
		return nil
	}
	err := errors.Join(r.pg.Stop(false), r.pg.Start())
	say("PostgreSQL was restarted, with %d pairs done", done.Load())
	return err
}

// settle waits until no record is unfinished, including those of which no client knows.
func (f fleet) settle(ctx context.Context, p place, broken error) error {
	if broken != nil {
		return broken
	}
	k, err := p.open(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer k.close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		n := 0
		if err := k.store.Unfinished(ctx, func(storage.Record) error { n++; return nil }); err != nil {
			return err
		}
		deletions, err := k.store.Scan(ctx, storage.Deletions, 0, 1)
		if err != nil {
			return err
		}
		if n += len(deletions); n == 0 || ctx.Err() != nil {
			return nil // checkStates reports what is still unfinished
		}
		pause(ctx, 50*time.Millisecond)
	}
}
