package motion_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// watchedStore is a Store that counts what is asked of it, fails, and commits late.
type watchedStore struct {
	storage.Store

	mu     sync.Mutex
	asked  map[string]int
	fault  error
	hidden map[storage.Key]bool // what is not committed yet
}

func (s *watchedStore) note(method string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[method]++
	return s.fault
}

// took returns what was asked since the last call.
func (s *watchedStore) took() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

func (s *watchedStore) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	if err := s.note("Get"); err != nil {
		return storage.Record{}, err
	}
	return s.Store.Get(ctx, key)
}

func (s *watchedStore) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	if err := s.note("List"); err != nil {
		return nil, 0, err
	}
	return s.Store.List(ctx, owner, kind, f)
}

func (s *watchedStore) Changed(ctx context.Context, owner string, since time.Time, limit int) ([]storage.Record, error) {
	if err := s.note("Changed"); err != nil {
		return nil, err
	}
	page, err := s.Store.Changed(ctx, owner, since, limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(page, func(r storage.Record) bool { return s.hidden[r.Key] }), err
}

// watching is a Service on a watchedStore, which another process may change.
func watching(t *testing.T) (*motion.Service, *watchedStore) {
	p := newParts()
	store := &watchedStore{Store: p.store}
	return p.service(t, func(cfg *motion.Config) { cfg.Store = store }), store
}

// move makes a record, or changes one, in the Store itself: as another process does.
func move(t *testing.T, s storage.Store, key storage.Key, status storage.Status, data string) storage.Key {
	t.Helper()
	r := storage.Record{Key: key, Status: status, Data: []byte(data)}
	var err error
	if key.ID == 0 {
		r, err = s.Create(t.Context(), r)
	} else if r, err = s.Get(t.Context(), key); err == nil {
		from := r.Status
		r.Status, r.Data = status, []byte(data)
		r, err = s.Update(t.Context(), r, from)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.Key
}

// text says what a channel has brought.
func text(c <-chan motion.Changes) (lines []string) {
	synctest.Wait()
	for {
		select {
		case x, ok := <-c:
			if !ok {
				return append(lines, "closed")
			}
			for _, r := range x.Records {
				lines = append(lines, fmt.Sprint(r.Kind, " ", r.ID, " ", r.Status, map[bool]string{true: " advanced"}[r.Advanced]))
			}
			if x.Lost {
				lines = append(lines, "lost")
			}
			if x.Err != nil {
				lines = append(lines, x.Err.Error())
			}
		default:
			return lines
		}
	}
}

func TestChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := watching(t)
		keypoints := storage.Key{Owner: owner, Kind: storage.Keypoints}
		before := move(t, store.Store, keypoints, storage.Processing, `{}`)
		ctx, cancel := context.WithCancel(t.Context())
		a, err := s.Changes(ctx, owner)
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Changes(t.Context(), owner)
		if err != nil {
			t.Fatal(err)
		}
		expect := func(when string, want ...string) {
			t.Helper()
			for _, c := range []<-chan motion.Changes{a, b} {
				if got := text(c); !slices.Equal(got, want) {
					t.Errorf("%s: %q, want %q", when, got, want)
				}
			}
		}
		expect("what was there")
		time.Sleep(10 * time.Second)
		expect("nothing has happened")

		// Other processes' changes take a second at most, and come in order.
		move(t, store.Store, before, storage.Processing, `{"progress":0.5}`)
		drawing := move(t, store.Store, storage.Key{Owner: owner, Kind: storage.Drawings}, storage.Unprocessed, `{}`)
		move(t, store.Store, storage.Key{Owner: "bob", Kind: storage.Drawings}, storage.Unprocessed, `{}`)
		move(t, store.Store, storage.Key{Owner: owner, Kind: storage.Movies}, "", `{}`)
		expect("not seen yet")
		time.Sleep(time.Second)
		expect("another process", "keypoints 1 PROCESSING advanced", "drawings 1 UNPROCESSED")
		move(t, store.Store, before, storage.Success, `{}`)
		move(t, store.Store, drawing, storage.Processing, `{}`)
		time.Sleep(time.Second)
		expect("finished", "keypoints 1 SUCCESS", "drawings 1 PROCESSING")
		if err := store.Delete(t.Context(), drawing); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		expect("deleted")

		// The service's own changes are there at once, and only once.
		if _, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: uploadedMovie(t, store.Store)}); err != nil {
			t.Fatal(err)
		}
		expect("its own", "keypoints 2 UNPROCESSED")
		time.Sleep(20 * time.Second)
		expect("its own again")

		// A transaction may set the time of a change seconds before its commit.
		late := move(t, store.Store, keypoints, storage.Unprocessed, `{}`)
		store.mu.Lock()
		store.hidden = map[storage.Key]bool{late: true}
		store.mu.Unlock()
		time.Sleep(3 * time.Second)
		move(t, store.Store, keypoints, storage.Unprocessed, `{}`)
		time.Sleep(time.Second)
		expect("a later one", "keypoints 4 UNPROCESSED")
		store.mu.Lock()
		store.hidden = nil
		store.mu.Unlock()
		time.Sleep(time.Second)
		expect("committed late", "keypoints 3 UNPROCESSED")

		cancel()
		if got := text(a); !slices.Equal(got, []string{"closed"}) {
			t.Errorf("ended: %q", got)
		}
		store.mu.Lock()
		store.fault = errors.New("fault")
		store.mu.Unlock()
		time.Sleep(time.Second)
		if got := text(b); !slices.Equal(got, []string{"fault", "closed"}) {
			t.Errorf("a fault: %q", got)
		}
		if _, err := s.Changes(t.Context(), owner); !errors.Is(err, store.fault) {
			t.Errorf("a fault at once: %v", err)
		}
	})
}

// uploadedMovie makes an uploaded movie.
func uploadedMovie(t *testing.T, s storage.Store) int64 {
	return move(t, s, storage.Key{Owner: owner, Kind: storage.Movies}, "", `{"uploaded":true}`).ID
}

// TestChangesLost holds that a slow reader takes bounded memory and is told what it missed.
func TestChangesLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := watching(t)
		for range 1200 {
			move(t, store.Store, storage.Key{Owner: owner, Kind: storage.Analyses}, storage.Unprocessed, `{}`)
		}
		c, err := s.Changes(t.Context(), owner)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if got := text(c); len(got) != 0 {
			t.Errorf("what was there: %d", len(got))
		}
		for range 3 {
			for range 400 {
				move(t, store.Store, storage.Key{Owner: owner, Kind: storage.Analyses}, storage.Unprocessed, `{}`)
			}
			time.Sleep(time.Second)
		}
		got := text(c)
		if len(got) != 1001 || got[0] != "analyses 1401 UNPROCESSED" || got[1000] != "lost" {
			t.Errorf("unread: %d, %.100q", len(got), got)
		}
		for range 1001 {
			move(t, store.Store, storage.Key{Owner: owner, Kind: storage.Analyses}, storage.Unprocessed, `{}`)
		}
		time.Sleep(time.Second)
		if got := text(c); len(got) != 1001 || got[1000] != "lost" {
			t.Errorf("at once: %d", len(got))
		}
		time.Sleep(20 * time.Second)
		if got := text(c); len(got) != 0 {
			t.Errorf("again: %.100q", got)
		}
	})
}

// TestQueries counts what watching and waiting ask of the Store: all readers of an owner
// share one query a second, or four while somebody waits.
func TestQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := watching(t)
		key := move(t, store.Store, storage.Key{Owner: owner, Kind: storage.Keypoints}, storage.Processing, `{}`)
		for range 3 {
			if _, err := s.Changes(t.Context(), owner); err != nil {
				t.Fatal(err)
			}
		}
		store.took()
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := store.took(); got["Changed"] != 60 || len(got) != 1 {
			t.Errorf("three readers ask %v in a minute", got)
		}
		done := make(chan time.Time, 3)
		for range cap(done) {
			go func() {
				if status, err := s.Wait(t.Context(), owner, key.Kind, key.ID); status != storage.Success || err != nil {
					t.Error(status, err)
				}
				done <- time.Now()
			}()
		}
		synctest.Wait()
		store.took()
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := store.took(); got["Changed"] != 240 || got["Get"] > 36 || len(got) != 2 {
			t.Errorf("three that wait ask %v in a minute", got)
		}
		move(t, store.Store, key, storage.Success, `{}`)
		ended := time.Now()
		for range cap(done) {
			if late := (<-done).Sub(ended); late > 250*time.Millisecond {
				t.Errorf("a record that another process has finished is seen after %v", late)
			}
		}
	})
}

// TestWaitDeleted holds that nobody waits for a record that is gone, whoever deletes it.
func TestWaitDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := watching(t)
		for _, c := range []struct {
			remove func(storage.Key) error
			within time.Duration
		}{
			{func(k storage.Key) error { return s.Delete(t.Context(), k.Owner, k.Kind, k.ID) }, 0},
			{func(k storage.Key) error { return store.Delete(t.Context(), k) }, 5 * time.Second},
		} {
			key := move(t, store.Store, storage.Key{Owner: owner, Kind: storage.Keypoints}, storage.Unprocessed, `{"movie":1}`)
			done := make(chan error)
			go func() { _, err := s.Wait(t.Context(), owner, key.Kind, key.ID); done <- err }()
			synctest.Wait()
			began := time.Now()
			if err := c.remove(key); err != nil {
				t.Fatal(err)
			}
			if err := <-done; !errors.Is(err, motion.ErrNotFound) || time.Since(began) > c.within {
				t.Errorf("%v after %v", err, time.Since(began))
			}
		}
	})
}
