package motion_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/testkit/host"
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

func (s *watchedStore) Head(ctx context.Context, key storage.Key) (storage.Record, error) {
	if err := s.note("Get"); err != nil {
		return storage.Record{}, err
	}
	return s.Store.Head(ctx, key)
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
	p := host.New()
	store := &watchedStore{Store: p.Store}
	return p.Service(t, func(cfg *motion.Config) { cfg.Store = store }), store
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
func text(c <-chan motion.Events) (lines []string) {
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
		keypoints := storage.Key{Owner: host.Owner, Kind: storage.Keypoints}
		before := move(t, store.Store, keypoints, storage.Processing, `{}`)
		ctx, cancel := context.WithCancel(t.Context())
		a, err := s.Watch(ctx, host.Owner)
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Watch(t.Context(), host.Owner)
		if err != nil {
			t.Fatal(err)
		}
		expect := func(when string, want ...string) {
			t.Helper()
			for _, c := range []<-chan motion.Events{a, b} {
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
		drawing := move(t, store.Store, storage.Key{Owner: host.Owner, Kind: storage.Drawings}, storage.Unprocessed, `{}`)
		move(t, store.Store, storage.Key{Owner: "bob", Kind: storage.Drawings}, storage.Unprocessed, `{}`)
		move(t, store.Store, storage.Key{Owner: host.Owner, Kind: storage.Movies}, "", `{}`)
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
		if _, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(uploadedMovie(t, store.Store))}); err != nil {
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
		if _, err := s.Watch(t.Context(), host.Owner); !errors.Is(err, store.fault) {
			t.Errorf("a fault at once: %v", err)
		}
	})
}

// uploadedMovie makes an uploaded movie.
func uploadedMovie(t *testing.T, s storage.Store) int64 {
	return move(t, s, storage.Key{Owner: host.Owner, Kind: storage.Movies}, "", `{"file":{}}`).ID
}

// TestChangesLost holds that a slow reader takes bounded memory and is told what it missed.
func TestChangesLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := watching(t)
		for range 1200 {
			move(t, store.Store, storage.Key{Owner: host.Owner, Kind: storage.Analyses}, storage.Unprocessed, `{}`)
		}
		c, err := s.Watch(t.Context(), host.Owner)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if got := text(c); len(got) != 0 {
			t.Errorf("what was there: %d", len(got))
		}
		for range 3 {
			for range 400 {
				move(t, store.Store, storage.Key{Owner: host.Owner, Kind: storage.Analyses}, storage.Unprocessed, `{}`)
			}
			time.Sleep(time.Second)
		}
		got := text(c)
		if len(got) != 1001 || got[0] != "analyses 1401 UNPROCESSED" || got[1000] != "lost" {
			t.Errorf("unread: %d, %.100q", len(got), got)
		}
		for range 1001 {
			move(t, store.Store, storage.Key{Owner: host.Owner, Kind: storage.Analyses}, storage.Unprocessed, `{}`)
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
		key := move(t, store.Store, storage.Key{Owner: host.Owner, Kind: storage.Keypoints}, storage.Processing, `{}`)
		for range 3 {
			if _, err := s.Watch(t.Context(), host.Owner); err != nil {
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
				if status, err := s.Wait(t.Context(), host.Owner, key.Kind, key.ID); status != storage.Success || err != nil {
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
			{func(k storage.Key) error { return s.DeleteRecord(t.Context(), k.Owner, k.Kind, k.ID) }, 0},
			{func(k storage.Key) error { return store.Delete(t.Context(), k) }, 5 * time.Second},
		} {
			key := move(t, store.Store, storage.Key{Owner: host.Owner, Kind: storage.Keypoints}, storage.Unprocessed, `{"from":[{"kind":"movies","id":1}]}`)
			done := make(chan error)
			go func() { _, err := s.Wait(t.Context(), host.Owner, key.Kind, key.ID); done <- err }()
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

// slowEncoder takes as long as each tells for a frame, and keeps nothing.
type slowEncoder struct{ each time.Duration }

func (e slowEncoder) Create(_ context.Context, path string, _ draw.Movie) (draw.MovieWriter, error) {
	return slowWriter(e), os.WriteFile(path, nil, 0o600)
}

type slowWriter struct{ each time.Duration }

func (w slowWriter) Write(image.Image, float64) error { time.Sleep(w.each); return nil }

func (slowWriter) Close() error { return nil }

func (slowWriter) Abort() {}

// writes counts what the service stores, and fails where broken says so.
type writes struct {
	storage.Store
	updates atomic.Int32
	broken  atomic.Bool
}

func (w *writes) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	w.updates.Add(1)
	if w.broken.Load() {
		return storage.Record{}, storage.ErrUnavailable
	}
	return w.Store.Update(ctx, r, from)
}

// TestProgress holds that records tell how far the work on them is, at most once a second,
// to programs that read the store.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = 100 * time.Millisecond // 60 frames take 6 s of the bubble's time
		p := host.New()
		kept := &writes{Store: p.Store}
		var opened atomic.Int32
		turn := make(chan struct{}, 1)
		var told atomic.Int32
		s := p.Service(t, func(c *motion.Config) {
			c.Store, c.Decoder, c.Encoder = kept, decoder{&opened}, slowEncoder{each}
			c.Estimator = host.Estimator{Before: func(context.Context) error {
				turn <- struct{}{} // one after the other, however many cores there are
				time.Sleep(each)
				<-turn
				return nil
			}}
			c.Progress = func(storage.Key, int, int) { told.Add(1) }
		})
		other := p.Service(t, nil) // another process
		stop := host.Run(t, s)
		m := host.UploadMovie(t, s, []byte("movie"))
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID)})
		if err != nil {
			t.Fatal(err)
		}
		follow := func(kind storage.Kind, id int64, state func() (motion.State, error)) {
			t.Helper()
			kept.updates.Store(0)
			told.Store(0)
			last := -1.0
			for {
				time.Sleep(500 * time.Millisecond)
				synctest.Wait()
				now, err := state()
				if err != nil {
					t.Fatal(err)
				}
				part, ok := now.Progress()
				if now.Status.Final() {
					if now.Status != storage.Success || part != 1 || !ok {
						t.Fatalf("%s at the end: %+v, progress %v %v", kind, now, part, ok)
					}
					break
				}
				if ok && part < last || part >= 1 {
					t.Errorf("%s: progress %v after %v", kind, part, last)
				}
				last = part
			}
			if last < 0.5 || told.Load() != decoded {
				t.Errorf("%s: the last progress was %v, told %d times", kind, last, told.Load())
			}
			if n := kept.updates.Load(); n < 5 || n > 11 { // each second, and three times in the first two
				t.Errorf("%s: stored %d times in 6 s", kind, n)
			}
			r, err := p.Store.Get(t.Context(), storage.Key{Owner: host.Owner, Kind: kind, ID: id})
			if err != nil || strings.Contains(string(r.Data), "progress") {
				t.Errorf("%s: progress is left in the data: %s (%v)", kind, r.Data, err)
			}
		}
		if part, ok := e.Progress(); part != 0 || !ok {
			t.Errorf("before the work: %v %v", part, ok)
		}
		follow(storage.Keypoints, e.ID, func() (motion.State, error) {
			e, err := other.GetExtraction(t.Context(), host.Owner, e.ID)
			return e.State, err
		})
		d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID})
		if err != nil {
			t.Fatal(err)
		}
		follow(storage.Drawings, d.ID, func() (motion.State, error) {
			list, _, err := other.ListDrawings(t.Context(), host.Owner, motion.Page{})
			if err != nil || len(list) != 1 {
				return motion.State{}, errors.Join(err, errors.New("no list"))
			}
			return list[0].State, nil
		})
		stop()
	})
}

// away is a store or blobs that cannot be reached for a while.
type away struct{ left atomic.Int32 }

func (a *away) err() error {
	if a.left.Add(-1) >= 0 {
		return storage.ErrUnavailable
	}
	return nil
}

type awayBlobs struct {
	storage.Blobs
	*away
}

func (b awayBlobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	if err := b.err(); err != nil {
		return nil, err
	}
	return b.Blobs.Open(ctx, key)
}

// TestOutageIsNoAttempt: files that cannot be reached cost a job time, and nothing else.
func TestOutageIsNoAttempt(t *testing.T) {
	p := host.New()
	var outage away
	s := p.Service(t, func(c *motion.Config) {
		c.MaxAttempts, c.Blobs = 1, awayBlobs{p.Blobs, &outage}
	})
	m := host.Upload(t, s, host.Picture(20, 20))
	outage.left.Store(2)
	host.Run(t, s)
	e := host.Extract(t, s, m.ID)
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if r, err := p.Store.Get(t.Context(), storage.Key{Owner: host.Owner, Kind: storage.Keypoints, ID: e.ID}); err != nil || r.Attempts != 1 || outage.left.Load() >= 0 {
		t.Errorf("%d attempts (%v), want 1; %d failures are left", r.Attempts, err, outage.left.Load())
	}
}
