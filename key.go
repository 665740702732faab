package motion

import (
	"context"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// Key names a request of an owner for a new record, which its client may repeat because it got no answer. See WithKey.
type Key struct {
	Name  string // of the request with all that it says
	Again bool   // an earlier request with the key may have made the record, at most a day ago: it is looked for first

	// Doubt is set if it is not known whether the record was made: storage did not answer, or lost its answer.
	Doubt bool
}

type keyInContext struct{}

// WithKey returns a context for one call that makes a record: Register, Extract, Compare, Analyze or Draw. If storage makes the
// record and its answer is lost, the call finds it and returns it.
func WithKey(ctx context.Context, key *Key) context.Context {
	return context.WithValue(ctx, keyInContext{}, key)
}

// keyAge is how long a record is looked for, and keyTime how long that may take when its creation has failed.
const (
	keyAge  = 24 * time.Hour
	keyTime = 5 * time.Second
)

// createOnce stores a new record like insert, if there is none with the key.
func (s *Service) createOnce(ctx context.Context, r storage.Record, key *Key) (storage.Record, error) {
	if key.Again {
		if made, ok, err := s.made(ctx, r, key); ok || err != nil {
			return made, err
		}
	}
	r, err := catalog.WithKey(r, key.Name)
	if err != nil {
		return r, err
	}
	created, err := s.insert(ctx, r)
	if err == nil {
		return created, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keyTime)
	defer cancel()
	if made, ok, _ := s.made(ctx, r, key); ok {
		return made, nil
	}
	return created, err
}

// made returns the record with a key, whose other fields are like r, and queues its job.
func (s *Service) made(ctx context.Context, r storage.Record, key *Key) (made storage.Record, ok bool, err error) {
	defer func() { key.Doubt = err != nil }()
	oldest := time.Now().Add(-keyAge)
	for f := (storage.Filter{Limit: 500}); ; f.Offset += f.Limit {
		page, _, err := s.cfg.Store.List(ctx, r.Owner, r.Kind, f)
		if err != nil {
			return r, false, err
		}
		for _, made := range page {
			name, err := catalog.KeyOf(made)
			if err != nil {
				return r, false, err
			}
			if name == key.Name && made.CreatedAt.After(oldest) {
				return made, true, s.push(ctx, made)
			}
		}
		if len(page) < f.Limit || page[len(page)-1].CreatedAt.Before(oldest) {
			return r, false, nil
		}
	}
}

// push queues the job of a record, if it has one that a JobCreator has not queued.
func (s *Service) push(ctx context.Context, r storage.Record) error {
	if s.jobs != nil || r.Status == "" || r.Status.Final() {
		return nil
	}
	return s.cfg.Queue.Push(ctx, storage.Job{Key: r.Key, Slow: catalog.Slow(r)})
}
