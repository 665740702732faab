package motion_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// creator is a queue that pushes the job of a new record by itself.
type creator struct {
	*memory.Queue
	store storage.Store
	fault error
	slow  *[]bool // of the records created
}

func (c creator) CreatesIn(s storage.Store) bool { return s == c.store }

func (c creator) CreateWithJob(ctx context.Context, r storage.Record, slow bool) (storage.Record, error) {
	if c.fault != nil {
		return storage.Record{}, c.fault
	}
	*c.slow = append(*c.slow, slow)
	r, err := c.store.Create(ctx, r)
	if err != nil {
		return r, err
	}
	return r, c.Push(ctx, storage.Job{Key: r.Key})
}

func TestJobCreator(t *testing.T) {
	p := newParts()
	var slow []bool
	queue := creator{p.queue, p.store, nil, &slow}
	s := p.service(t, func(cfg *motion.Config) { cfg.Queue = queue })

	// What others work on is left alone.
	key := storage.Key{Owner: owner, Kind: storage.Keypoints}
	other, err := p.store.Create(t.Context(), storage.Record{Key: key, Status: storage.Processing, Data: []byte(`{"image":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, s)
	e := extract(t, s, upload(t, s, picture(20, 20)).ID)
	wait(t, s, storage.Keypoints, e.ID, storage.Success)
	d, err := s.Draw(t.Context(), owner, motion.DrawRequest{KeypointID: e.ID})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Drawings, d.ID, storage.Success)
	stop()
	if !slices.Equal(slow, []bool{false, false}) {
		t.Errorf("slow: %v; the two jobs on a picture are quick, and a picture has none", slow)
	}
	if r, err := p.store.Get(t.Context(), other.Key); err != nil || r.Status != storage.Processing || !r.UpdatedAt.Equal(other.UpdatedAt) {
		t.Errorf("another process's record is %s (%v)", r.Status, err)
	}

	// A movie's jobs are slow.
	movie, err := p.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Movies}, Data: []byte(`{"uploaded":true}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: movie.ID}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slow, []bool{false, false, true}) {
		t.Errorf("slow: %v", slow)
	}

	// Nothing is created when it fails, and a queue for another store is refused.
	queue.fault = errors.New("fault")
	s = p.service(t, func(cfg *motion.Config) { cfg.Queue = queue })
	if _, err := s.Extract(t.Context(), owner, motion.ExtractRequest{ImageID: 1}); !errors.Is(err, queue.fault) {
		t.Error(err)
	}
	queue.store = memory.NewStore(memory.StoreOptions{})
	_, err = motion.New(motion.Config{Store: p.store, Blobs: p.blobs, Queue: queue, Estimator: estimator{}})
	if err == nil || !strings.Contains(err.Error(), "Config.Queue") || !strings.Contains(err.Error(), "Config.Store") {
		t.Errorf("a queue for another store: %v", err)
	}
}
