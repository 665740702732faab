package motion_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// TestRoles: one Service takes work in and another one does it.
func TestRoles(t *testing.T) {
	p := newParts()
	var slow []bool
	shared := creator{p.queue, p.store, nil, &slow}
	of := func(role motion.Role) *motion.Service {
		return p.service(t, func(c *motion.Config) {
			c.Role, c.Queue = role, shared
			if role == motion.ServeOnly {
				c.Estimator = nil
			}
		})
	}
	serves, works := of(motion.ServeOnly), of(motion.WorkOnly)
	run(t, works)
	m := upload(t, serves, picture(20, 20))
	e := extract(t, serves, m.ID)
	wait(t, serves, storage.Keypoints, e.ID, storage.Success)

	if err := serves.Run(t.Context()); err == nil {
		t.Error("a Service that only serves runs")
	}
	data := picture(10, 10)
	if _, err := works.RegisterImage(t.Context(), owner, motion.NewMedia{ContentMD5: hexMD5(data)}); err == nil {
		t.Error("a Service that only works registers")
	}
	if _, err := works.Upload(t.Context(), owner, storage.Images, m.ID, bytes.NewReader(data)); err == nil {
		t.Error("a Service that only works takes a file")
	}
	if _, err := works.Extract(t.Context(), owner, motion.ExtractRequest{ImageID: m.ID}); err == nil {
		t.Error("a Service that only works takes work")
	}
}

func TestImpossibleRoles(t *testing.T) {
	p := newParts()
	for role, text := range map[motion.Role]string{
		motion.ServeOnly: "shared", motion.WorkOnly: "shared", // the queue is in this process
		"rest": "Role",
	} {
		_, err := motion.New(motion.Config{Role: role, Store: p.store, Blobs: p.blobs, Queue: p.queue, Estimator: estimator{}})
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", role, err)
		}
	}
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
	p := newParts()
	var outage away
	s := p.service(t, func(c *motion.Config) {
		c.MaxAttempts, c.Blobs = 1, awayBlobs{p.blobs, &outage}
	})
	m := upload(t, s, picture(20, 20))
	outage.left.Store(2)
	run(t, s)
	e := extract(t, s, m.ID)
	wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if r, err := p.store.Get(t.Context(), storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID}); err != nil || r.Attempts != 1 || outage.left.Load() >= 0 {
		t.Errorf("%d attempts (%v), want 1; %d failures are left", r.Attempts, err, outage.left.Load())
	}
}

type awayStore struct {
	storage.Store
	*away
	lost bool // updates are made, and the answer is lost
}

func (s awayStore) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if !r.Status.Final() {
		return s.Store.Update(ctx, r, from)
	}
	if err := s.err(); err != nil {
		if s.lost {
			s.Store.Update(ctx, r, from)
		}
		return storage.Record{}, err
	}
	return s.Store.Update(ctx, r, from)
}

// TestEndIsKept: the result of a job outlives a store that cannot be reached when it is
// done, and one that keeps it and whose answer is lost; the job is worked on once.
func TestEndIsKept(t *testing.T) {
	for _, lost := range []bool{false, true} {
		p := newParts()
		var outage away
		var estimates, told atomic.Int32
		s := p.service(t, func(c *motion.Config) {
			c.Store = awayStore{p.store, &outage, lost}
			c.Estimator = estimator{func(context.Context) error { estimates.Add(1); return nil }}
			c.Finished = func(motion.Finished) { told.Add(1) }
		})
		m := upload(t, s, picture(20, 20))
		outage.left.Store(2)
		stop := run(t, s)
		e := extract(t, s, m.ID)
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		stop()
		if estimates.Load() != 1 || told.Load() != 1 {
			t.Errorf("answers lost %v: %d estimates, told %d times", lost, estimates.Load(), told.Load())
		}
	}
}

// TestStaleWorker: a worker that was away for too long, whose job another one has started
// meanwhile, does not take it from that one, and nobody lets the record lie.
func TestStaleWorker(t *testing.T) {
	p := newParts()
	var starts atomic.Int32
	key := storage.Key{Owner: owner, Kind: storage.Keypoints}
	s := p.service(t, func(c *motion.Config) {
		c.Estimator = estimator{func(ctx context.Context) error {
			if starts.Add(1) > 1 {
				return nil
			}
			// The other process: it has started the job, and then the whole process dies.
			r, err := p.store.Get(ctx, key)
			if err != nil {
				return err
			}
			r.Attempts++
			if _, err := p.store.Update(ctx, r, storage.Processing); err != nil {
				return err
			}
			r.Status = storage.Unprocessed
			if _, err := p.store.Update(ctx, r, storage.Processing); err != nil {
				return err
			}
			return nil
		}}
	})
	m := upload(t, s, picture(20, 20))
	e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{ImageID: m.ID})
	if err != nil {
		t.Fatal(err)
	}
	key.ID = e.ID
	run(t, s)
	wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if starts.Load() != 2 {
		t.Errorf("%d starts, want 2: the result of the first came too late", starts.Load())
	}
}

// TestHandBackLeavesOthersAlone: a job that is handed back stays with the process that has
// started it again in the meantime.
func TestHandBackLeavesOthersAlone(t *testing.T) {
	p := newParts()
	key := storage.Key{Owner: owner, Kind: storage.Keypoints}
	taken := make(chan struct{})
	s := p.service(t, func(c *motion.Config) {
		c.Estimator = estimator{func(ctx context.Context) error {
			r, err := p.store.Get(ctx, key)
			if err != nil {
				return err
			}
			r.Attempts++
			if _, err := p.store.Update(ctx, r, storage.Processing); err != nil {
				return err
			}
			close(taken)
			return errors.Join(storage.ErrUnavailable, errors.New("away"))
		}}
	})
	m := upload(t, s, picture(20, 20))
	e := extract(t, s, m.ID)
	key.ID = e.ID
	stop := run(t, s)
	<-taken
	stop()
	if r, err := p.store.Get(t.Context(), key); err != nil || r.Status != storage.Processing || r.Attempts != 2 {
		t.Errorf("the other process's job is %s with %d attempts (%v)", r.Status, r.Attempts, err)
	}
}

// TestFailedDrawingLeavesNoFile: neither that of an attempt that a crash has ended, nor one
// that is found when the record has failed already.
func TestFailedDrawingLeavesNoFile(t *testing.T) {
	for _, status := range []storage.Status{storage.Unprocessed, storage.Failure} {
		p := newParts()
		s := p.service(t, nil)
		m := upload(t, s, picture(20, 20))
		e := extract(t, s, m.ID)
		stop := run(t, s)
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		stop()
		d, err := s.Draw(t.Context(), owner, motion.DrawRequest{KeypointID: e.ID})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.store.Get(t.Context(), storage.Key{Owner: owner, Kind: storage.Drawings, ID: d.ID})
		if err != nil {
			t.Fatal(err)
		}
		r.Attempts, r.Status = 3, status
		if _, err := p.store.Update(t.Context(), r, storage.Unprocessed); err != nil {
			t.Fatal(err)
		}
		if _, err := p.blobs.Put(t.Context(), "drawings/1.jpg", strings.NewReader("x"), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		// The queue is done with the job when it has come to one that was pushed later.
		later := extract(t, s, m.ID)
		stop = run(t, s)
		wait(t, s, storage.Keypoints, later.ID, storage.Success)
		stop()
		wait(t, s, storage.Drawings, d.ID, storage.Failure)
		if _, err := p.blobs.Open(t.Context(), "drawings/1.jpg"); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("%s: a file is left (%v)", status, err)
		}
	}
}
