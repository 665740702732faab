package upkeep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/storage"
)

const (
	readyEvery = time.Second     // between two questions to the storage
	readyTime  = 2 * time.Second // for the answers
	readyWait  = 3 * time.Second // for a driver that ignores its context

	moviesTime = 30 * time.Second // for Movies: on a busy machine, it takes seconds to start a program
)

// Readiness knows whether a storage answers and movies can be decoded. The exported fields are required. Its methods may be
// called from many goroutines.
type Readiness struct {
	Store  storage.Store
	Blobs  storage.Blobs
	Logger *slog.Logger
	Movies func(context.Context) error // whether movies can be decoded; asked until they can

	mu     sync.Mutex
	asking chan struct{} // closed when the storage has answered; nil: it is not being asked
	began  time.Time     // when it was asked last
	err    error         // its last answer
	movies movies
}

// movies is what is known of Readiness.Movies.
type movies struct {
	asking chan struct{} // closed when Movies has answered; nil: it is not being asked
	can    bool          // Movies has returned nil
	err    error         // its last answer; nil before the first one
}

// Check reports whether Store and Blobs answer: it reads a record and a file that do not exist. It
// asks at most once a second, however often it is called, and waits at most three seconds. Its
// errors only say which of the two does not answer, or why movies cannot be decoded. The causes are logged.
// Movies has a deadline of its own: until it answers, its last answer counts, and before the first one it is good.
func (r *Readiness) Check(ctx context.Context) error {
	r.mu.Lock()
	if r.asking == nil && time.Since(r.began) >= readyEvery {
		r.began, r.asking = time.Now(), make(chan struct{})
		go r.ask() // a driver may ignore its context
	}
	asking, left, err := r.asking, time.Until(r.began.Add(readyWait)), r.err
	r.mu.Unlock()
	if asking == nil {
		return err
	}
	select {
	case <-asking:
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.err
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(left):
		return fmt.Errorf("storage: %w", storage.ErrUnavailable)
	}
}

func (r *Readiness) ask() {
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	var answer, cause error
	if crash := panics.Call(func() error { answer, cause = r.look(ctx); return nil }); crash != nil {
		answer, cause = fmt.Errorf("storage: %w", storage.ErrUnavailable), crash
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case answer != nil && r.err == nil:
		r.Logger.Warn("not ready", "reason", answer, "error", cause, panics.Stack(cause))
	case answer == nil && r.err != nil:
		r.Logger.Info("ready again")
	}
	r.err = answer
	close(r.asking)
	r.asking = nil
}

// look returns what is not ready, nil if all is, and why.
func (r *Readiness) look(ctx context.Context) (answer, cause error) {
	if _, err := r.Store.Get(ctx, storage.Key{Owner: "ready", Kind: storage.Images}); !errors.Is(err, storage.ErrNotFound) {
		answer, cause = fmt.Errorf("records: %w", storage.ErrUnavailable), err
	} else if blob, err := r.Blobs.Open(ctx, "ready"); err == nil {
		blob.Close() // somebody's file
	} else if !errors.Is(err, storage.ErrNotFound) {
		answer, cause = fmt.Errorf("files: %w", storage.ErrUnavailable), err
	} else if err := check(ctx, r.Store); err != nil {
		answer, cause = fmt.Errorf("%w: the disk of the records is full", storage.ErrUnavailable), err
	} else if err := check(ctx, r.Blobs); err != nil {
		answer, cause = fmt.Errorf("%w: the disk of the files is full", storage.ErrUnavailable), err
	} else if err := r.decodes(ctx); err != nil {
		answer, cause = fmt.Errorf("%w: movies: %v", storage.ErrUnavailable, err), err
		if _, crash := errors.AsType[*panics.Error](err); crash { // its text is for the log
			answer = fmt.Errorf("movies: %w", storage.ErrUnavailable)
		}
	}
	return answer, cause
}

// decodes returns the last answer of Movies. Unless that was nil, it asks, and waits for the answer until ctx ends.
func (r *Readiness) decodes(ctx context.Context) error {
	r.mu.Lock()
	if r.movies.asking == nil && !r.movies.can {
		r.movies.asking = make(chan struct{})
		go r.askMovies()
	}
	asking := r.movies.asking
	r.mu.Unlock()
	if asking != nil {
		select {
		case <-asking:
		case <-ctx.Done():
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.movies.err
}

func (r *Readiness) askMovies() {
	ctx, cancel := context.WithTimeout(context.Background(), moviesTime)
	defer cancel()
	err := panics.Call(func() error { return r.Movies(ctx) })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.movies.err, r.movies.can = err, err == nil
	close(r.movies.asking)
	r.movies.asking = nil
}

// check returns what the method Check of a Store or Blobs says, which is of the disk; nil if there is none.
func check(ctx context.Context, x any) error {
	if c, ok := storage.As[interface{ Check(context.Context) error }](x); ok {
		return c.Check(ctx)
	}
	return nil
}
