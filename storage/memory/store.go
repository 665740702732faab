// Package memory keeps records, files and work in the memory of the process: for
// tests, notebooks and programs that run once. Nothing survives the process, and the
// sizes are bounded.
package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Store is a storage.Store. The zero value is not ready: use NewStore.
type Store struct {
	opt StoreOptions

	mu      sync.RWMutex
	records map[storage.Kind]map[int64]*storage.Record
	owned   map[ownedKind][]int64    // ids, ascending
	ids     map[storage.Kind][]int64 // of all owners, ascending
	last    map[storage.Kind]int64
	count   int
	clock   time.Time // the latest time given
}

type ownedKind struct {
	owner string
	kind  storage.Kind
}

// StoreOptions bound a Store.
type StoreOptions struct {
	MaxRecords int // of all owners and kinds; 0 or less means 1,000,000
}

var _ storage.Store = (*Store)(nil)

// NewStore returns an empty Store.
func NewStore(opt StoreOptions) *Store {
	if opt.MaxRecords <= 0 {
		opt.MaxRecords = 1_000_000
	}
	return &Store{
		opt:     opt,
		records: map[storage.Kind]map[int64]*storage.Record{},
		owned:   map[ownedKind][]int64{},
		ids:     map[storage.Kind][]int64{},
		last:    map[storage.Kind]int64{},
	}
}

// now returns a time later than every one before.
func (s *Store) now() time.Time {
	t := time.Now().UTC().Truncate(time.Microsecond)
	if !t.After(s.clock) {
		t = s.clock.Add(time.Microsecond)
	}
	s.clock = t
	return t
}

func clone(r *storage.Record, result bool) storage.Record {
	c := *r
	c.Data = bytes.Clone(r.Data)
	c.Result = nil
	if result {
		c.Result = bytes.Clone(r.Result)
	}
	return c
}

// Create implements storage.Store. A full store is storage.ErrUnavailable.
func (s *Store) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	if err := ctx.Err(); err != nil {
		return storage.Record{}, err
	}
	if r.Owner == "" || r.Kind == "" {
		return storage.Record{}, fmt.Errorf("%w record: owner and kind are required", storage.ErrInvalid)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count >= s.opt.MaxRecords {
		return storage.Record{}, fmt.Errorf("%w: the store in memory holds its %d records", storage.ErrUnavailable, s.opt.MaxRecords)
	}
	kept := clone(&r, true)
	s.last[r.Kind]++
	kept.ID = s.last[r.Kind]
	kept.CreatedAt = s.now()
	kept.UpdatedAt = kept.CreatedAt
	if s.records[r.Kind] == nil {
		s.records[r.Kind] = map[int64]*storage.Record{}
	}
	s.records[r.Kind][kept.ID] = &kept
	o := ownedKind{r.Owner, r.Kind}
	s.owned[o] = append(s.owned[o], kept.ID)
	s.ids[r.Kind] = append(s.ids[r.Kind], kept.ID)
	s.count++
	return clone(&kept, true), nil
}

// find returns the record; the mutex is held.
func (s *Store) find(key storage.Key) (*storage.Record, error) {
	r := s.records[key.Kind][key.ID]
	if r == nil || r.Owner != key.Owner {
		return nil, fmt.Errorf("%s/%d: %w", key.Kind, key.ID, storage.ErrNotFound)
	}
	return r, nil
}

// Get implements storage.Store.
func (s *Store) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	if err := ctx.Err(); err != nil {
		return storage.Record{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	r, err := s.find(key)
	if err != nil {
		return storage.Record{}, err
	}
	return clone(r, true), nil
}

// List implements storage.Store.
func (s *Store) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if f.Offset < 0 || f.Limit < 1 {
		return nil, 0, fmt.Errorf("%w filter: offset %d and limit %d, want at least 0 and 1", storage.ErrInvalid, f.Offset, f.Limit)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	ids := s.owned[ownedKind{owner, kind}]
	if f.Status == "" {
		page := make([]storage.Record, 0, max(min(f.Limit, len(ids)-f.Offset), 0))
		for i := len(ids) - 1 - f.Offset; i >= 0 && len(page) < f.Limit; i-- {
			page = append(page, clone(s.records[kind][ids[i]], false))
		}
		return page, len(ids), nil
	}
	var page []storage.Record
	total := 0
	for _, id := range slices.Backward(ids) {
		r := s.records[kind][id]
		if r.Status != f.Status {
			continue
		}
		if total >= f.Offset && len(page) < f.Limit {
			page = append(page, clone(r, false))
		}
		total++
	}
	return page, total, nil
}

// Update implements storage.Store.
func (s *Store) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if err := ctx.Err(); err != nil {
		return storage.Record{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, err := s.find(r.Key)
	if err != nil {
		return storage.Record{}, err
	}
	if kept.Status != from {
		return storage.Record{}, fmt.Errorf("%s/%d is %s, not %s: %w", r.Kind, r.ID, kept.Status, from, storage.ErrConflict)
	}
	if !r.UpdatedAt.IsZero() && !r.UpdatedAt.Equal(kept.UpdatedAt) {
		return storage.Record{}, fmt.Errorf("%s/%d was changed meanwhile: %w", r.Kind, r.ID, storage.ErrConflict)
	}
	kept.Status, kept.Failure, kept.Attempts = r.Status, r.Failure, r.Attempts
	kept.Data, kept.Result = bytes.Clone(r.Data), bytes.Clone(r.Result)
	kept.UpdatedAt = s.now()
	return clone(kept, true), nil
}

// Delete implements storage.Store.
func (s *Store) Delete(ctx context.Context, key storage.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.find(key); err != nil {
		return err
	}
	delete(s.records[key.Kind], key.ID)
	o := ownedKind{key.Owner, key.Kind}
	s.owned[o] = without(s.owned[o], key.ID)
	s.ids[key.Kind] = without(s.ids[key.Kind], key.ID)
	s.count--
	return nil
}

// without removes an id from ascending ones.
func without(ids []int64, id int64) []int64 {
	if i, ok := slices.BinarySearch(ids, id); ok {
		return slices.Delete(ids, i, i+1)
	}
	return ids
}

// Scan implements storage.Store.
func (s *Store) Scan(ctx context.Context, kind storage.Kind, after int64, limit int) ([]storage.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if limit < 1 {
		return nil, fmt.Errorf("%w limit: %d, want at least 1", storage.ErrInvalid, limit)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	ids := s.ids[kind]
	i, found := slices.BinarySearch(ids, after)
	if found {
		i++
	}
	ids = ids[i:]
	var page []storage.Record
	for _, id := range ids[:min(limit, len(ids))] {
		page = append(page, clone(s.records[kind][id], false))
	}
	return page, nil
}

// Changed implements storage.Store.
func (s *Store) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if limit < 1 {
		return nil, fmt.Errorf("%w limit: %d, want at least 1", storage.ErrInvalid, limit)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var changed []*storage.Record
	for kind, records := range s.records {
		for _, id := range s.owned[ownedKind{owner, kind}] {
			if r := records[id]; !r.UpdatedAt.Before(since) {
				changed = append(changed, r)
			}
		}
	}
	slices.SortFunc(changed, func(a, b *storage.Record) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	var page []storage.Record
	for _, r := range changed[:min(limit, len(changed))] {
		page = append(page, clone(r, false))
	}
	return page, nil
}

// Unfinished implements storage.Store.
func (s *Store) Unfinished(ctx context.Context, fn func(storage.Record) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	var open []storage.Record
	for _, records := range s.records {
		for _, r := range records {
			if r.Status == storage.Unprocessed || r.Status == storage.Processing {
				open = append(open, clone(r, false))
			}
		}
	}
	s.mu.RUnlock()
	slices.SortFunc(open, func(a, b storage.Record) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for _, r := range open {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(r); err != nil {
			return err
		}
	}
	return nil
}
