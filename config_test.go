package motion_test

import (
	"bytes"
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

// TestFullQueue: a request that cannot be queued leaves no record.
func TestFullQueue(t *testing.T) {
	p := newParts()
	p.queue = memory.NewQueue(memory.QueueOptions{MaxJobs: 1})
	s := p.service(t, nil)
	m := upload(t, s, picture(20, 20))
	extract(t, s, m.ID)
	if _, err := s.Extract(t.Context(), owner, motion.ExtractRequest{ImageID: m.ID}); !errors.Is(err, motion.ErrUnavailable) {
		t.Errorf("a full queue: %v", err)
	}
	if list, total, err := s.Extractions(t.Context(), owner, motion.Page{}); err != nil || total != 1 {
		t.Errorf("%d records are left: %v (%v)", total, list, err)
	}
}

func TestNewNamesWhatIsMissing(t *testing.T) {
	p := newParts()
	full := motion.Config{Store: p.store, Blobs: p.blobs, Queue: p.queue, Estimator: estimator{}}
	for field, remove := range map[string]func(*motion.Config){
		"Store": func(c *motion.Config) { c.Store = nil }, "Blobs": func(c *motion.Config) { c.Blobs = nil },
		"Queue": func(c *motion.Config) { c.Queue = nil }, "Estimator": func(c *motion.Config) { c.Estimator = nil },
	} {
		cfg := full
		remove(&cfg)
		if _, err := motion.New(cfg); err == nil || !strings.Contains(err.Error(), "Config."+field) {
			t.Errorf("without %s: %v", field, err)
		}
	}
}

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
