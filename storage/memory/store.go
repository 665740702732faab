// Package memory keeps records, files and jobs in the memory of the process, for tests, notebooks and programs that run
// once. Nothing survives the process. All sizes are bounded:
//
//	service, err := motion.New(motion.Config{
//		Store:     memory.NewStore(memory.StoreOptions{}),
//		Blobs:     memory.NewBlobs(memory.BlobsOptions{}),
//		Queue:     memory.NewQueue(memory.QueueOptions{}),
//		Estimator: estimator,
//	})
package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// store is a storage.Store and a storage.AnswerKeeper.
type store struct {
	table // makes it a storage.AnswerKeeper
	opt   StoreOptions

	mu      sync.RWMutex
	records map[storage.Kind][]*storage.Record // by ascending ID
	last    map[storage.Kind]int64             // IDs
	count   int
	clock   time.Time // the latest time given
}

type table = driver.Answers

// StoreOptions are the options of NewStore.
type StoreOptions struct {
	MaxRecords int // of all owners and kinds but storage.Deletions; default 1,000,000
}

var _ storage.AnswerKeeper = (*store)(nil)

// NewStore returns an empty Store, which is a storage.AnswerKeeper too: its answers take at most 64 MiB.
// The time of List grows with the number of records.
func NewStore(opt StoreOptions) storage.Store {
	opt.MaxRecords = cmp.Or(max(opt.MaxRecords, 0), 1_000_000)
	return &store{opt: opt, records: map[storage.Kind][]*storage.Record{}, last: map[storage.Kind]int64{}}
}

// now returns a time later than every one before.
func (s *store) now() time.Time {
	t := time.Now().UTC().Truncate(time.Microsecond)
	if !t.After(s.clock) {
		t = s.clock.Add(time.Microsecond)
	}
	s.clock = t
	return t
}

// listed returns a copy of r as lists have it, without its result.
func listed(r *storage.Record) storage.Record {
	c := *r
	c.Result = nil
	return driver.Clone(c)
}

// Create implements storage.Store. A full store is storage.ErrUnavailable.
func (s *store) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	if err := cmp.Or(ctx.Err(), driver.CheckNew(r)); err != nil {
		return storage.Record{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := r.Kind != storage.Deletions
	if counts && s.count >= s.opt.MaxRecords {
		err := fmt.Errorf("%w: the store in memory holds its %d records", storage.ErrUnavailable, s.opt.MaxRecords)
		return storage.Record{}, err
	}
	kept := driver.Clone(r)
	s.last[r.Kind]++
	kept.ID = s.last[r.Kind]
	kept.CreatedAt = s.now()
	kept.UpdatedAt = kept.CreatedAt
	kept.At = driver.When(kept)
	s.records[r.Kind] = append(s.records[r.Kind], &kept)
	if counts {
		s.count++
	}
	return driver.Clone(kept), nil
}

// search returns the position of the first record of a kind whose ID is at least id.
func (s *store) search(kind storage.Kind, id int64) (position int, found bool) {
	return slices.BinarySearchFunc(s.records[kind], id, func(r *storage.Record, id int64) int {
		return cmp.Compare(r.ID, id)
	})
}

// find returns a record and its position among those of its kind; the mutex is held.
func (s *store) find(key storage.Key) (r *storage.Record, position int, err error) {
	i, ok := s.search(key.Kind, key.ID)
	if !ok || s.records[key.Kind][i].Owner != key.Owner {
		return nil, 0, driver.NotFound(key)
	}
	return s.records[key.Kind][i], i, nil
}

// read returns a record that shares its slices, which nothing changes, with the store.
func (s *store) read(ctx context.Context, key storage.Key) (storage.Record, error) {
	if err := ctx.Err(); err != nil {
		return storage.Record{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	r, _, err := s.find(key)
	if err != nil {
		return storage.Record{}, err
	}
	return *r, nil
}

func (s *store) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	r, err := s.read(ctx, key)
	return driver.Clone(r), err
}

func (s *store) Head(ctx context.Context, key storage.Key) (storage.Record, error) {
	r, err := s.read(ctx, key)
	return listed(&r), err
}

func (s *store) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if err := cmp.Or(ctx.Err(), driver.CheckFilter(f)); err != nil {
		return nil, 0, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []*storage.Record
	for _, r := range slices.Backward(s.records[kind]) {
		if r.Owner == owner && driver.Match(f, r) {
			found = append(found, r)
		}
	}
	if driver.ByAt(f) {
		slices.SortFunc(found, driver.LatestFirst)
	}
	return page(found[min(f.Offset, len(found)):], f.Limit), len(found), nil
}

func (s *store) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if err := cmp.Or(ctx.Err(), driver.CheckLabels(r)); err != nil {
		return storage.Record{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, _, err := s.find(r.Key)
	if err != nil {
		return storage.Record{}, err
	}
	if kept.Status != from || !r.UpdatedAt.IsZero() && !r.UpdatedAt.Equal(kept.UpdatedAt) {
		return storage.Record{}, driver.Conflict(r.Key, kept.Status, from)
	}
	r = driver.Clone(r)
	r.CreatedAt, r.UpdatedAt = kept.CreatedAt, s.now()
	r.At = driver.When(r)
	*kept = r
	return driver.Clone(r), nil
}

func (s *store) Delete(ctx context.Context, keys ...storage.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := false
	for _, key := range keys {
		_, i, err := s.find(key)
		if err != nil {
			continue
		}
		s.records[key.Kind] = slices.Delete(s.records[key.Kind], i, i+1)
		if gone = true; key.Kind != storage.Deletions {
			s.count--
		}
	}
	return driver.Gone(gone, keys)
}

func (s *store) Scan(ctx context.Context, kind storage.Kind, after int64, limit int) ([]storage.Record, error) {
	if err := cmp.Or(ctx.Err(), driver.CheckPositive("limit", limit)); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	i, found := s.search(kind, after)
	if found {
		i++
	}
	return page(s.records[kind][i:], limit), nil
}

// page returns copies of the first records, at most limit, as lists have them: without results.
func page(records []*storage.Record, limit int) (page []storage.Record) {
	for _, r := range records[:min(limit, len(records))] {
		page = append(page, listed(r))
	}
	return page
}

// sorted returns the records of all kinds that match, in an order, at most limit.
func (s *store) sorted(match func(*storage.Record) bool, order func(a, b *storage.Record) int, limit int) []storage.Record {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []*storage.Record
	for _, records := range s.records {
		for _, r := range records {
			if match(r) {
				found = append(found, r)
			}
		}
	}
	slices.SortFunc(found, order)
	return page(found, limit)
}

func (s *store) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	if err := cmp.Or(ctx.Err(), driver.CheckPositive("limit", limit)); err != nil {
		return nil, err
	}
	changed := func(r *storage.Record) bool { return r.Owner == owner && !r.UpdatedAt.Before(since) }
	latest := func(a, b *storage.Record) int { return b.UpdatedAt.Compare(a.UpdatedAt) }
	return s.sorted(changed, latest, limit), nil
}

func (s *store) Unfinished(ctx context.Context, fn func(storage.Record) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	open := func(r *storage.Record) bool { return r.Status == storage.Unprocessed || r.Status == storage.Processing }
	oldest := func(a, b *storage.Record) int { return a.CreatedAt.Compare(b.CreatedAt) }
	return driver.Each(ctx, s.sorted(open, oldest, math.MaxInt), fn)
}
