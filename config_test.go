package motion_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// creator is a queue that pushes the job of a new record by itself.
type creator struct {
	storage.Counter
	store storage.Store
	fault error
	slow  *[]bool // of the records created
}

func (c creator) CreatesIn(s storage.Store) bool {
	for s != c.store {
		w, ok := s.(interface{ Unwrap() storage.Store })
		if !ok {
			return false
		}
		s = w.Unwrap()
	}
	return true
}

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
	p := host.New()
	var slow []bool
	queue := creator{p.Queue, p.Store, nil, &slow}
	s := p.Service(t, func(cfg *motion.Config) { cfg.Queue = queue })

	// What others work on is left alone.
	key := storage.Key{Owner: host.Owner, Kind: storage.Keypoints}
	other, err := p.Store.Create(t.Context(), storage.Record{Key: key, Status: storage.Processing, Data: []byte(`{"from":[{"kind":"images","id":1}],"request":{"imageId":1}}`)})
	if err != nil {
		t.Fatal(err)
	}
	stop := host.Run(t, s)
	e := host.Extract(t, s, host.Upload(t, s, host.Picture(20, 20)).ID)
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Drawings, d.ID, storage.Success)
	stop()
	if !slices.Equal(slow, []bool{false, false}) {
		t.Errorf("slow: %v; the two jobs on a picture are quick, and a picture has none", slow)
	}
	if r, err := p.Store.Get(t.Context(), other.Key); err != nil || r.Status != storage.Processing || !r.UpdatedAt.Equal(other.UpdatedAt) {
		t.Errorf("another process's record is %s (%v)", r.Status, err)
	}

	// A movie's jobs are slow.
	movie, err := p.Store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: host.Owner, Kind: storage.Movies}, Data: []byte(`{"file":{}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(movie.ID)}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slow, []bool{false, false, true}) {
		t.Errorf("slow: %v", slow)
	}

	// Nothing is made besides where it fails.
	queue.fault = errors.New("fault")
	s = p.Service(t, func(cfg *motion.Config) { cfg.Queue = queue })
	if _, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(1)}); !errors.Is(err, queue.fault) {
		t.Error(err)
	}
}

// meteredStore and meteredQueue are what hosts wrap for metrics.
type meteredStore struct {
	storage.Store
	calls atomic.Int64
}

func (m *meteredStore) Unwrap() storage.Store { return m.Store }

func (m *meteredStore) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	m.calls.Add(1)
	return m.Store.Get(ctx, key)
}

type meteredQueue struct{ storage.Queue }

func (m meteredQueue) Unwrap() storage.Queue { return m.Queue }

// TestDecoratedJobCreator holds that decorators of Store and Queue take no safety away:
// what others work on is left alone, also in a process that only works.
func TestDecoratedJobCreator(t *testing.T) {
	for _, role := range []motion.Role{motion.ServeAndWork, motion.WorkOnly} {
		p := host.New()
		var slow []bool
		store := &meteredStore{Store: p.Store}
		s := p.Service(t, func(cfg *motion.Config) {
			cfg.Store, cfg.Queue, cfg.Role = store, meteredQueue{meteredQueue{creator{p.Queue, p.Store, nil, &slow}}}, role
		})
		other, err := p.Store.Create(t.Context(), storage.Record{
			Key: storage.Key{Owner: host.Owner, Kind: storage.Keypoints}, Status: storage.Processing, Data: []byte(`{"from":[{"kind":"images","id":1}],"request":{"imageId":1}}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		stop := host.Run(t, s)
		if role == motion.ServeAndWork {
			e := host.Extract(t, s, host.Upload(t, s, host.Picture(20, 20)).ID)
			host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
			if len(slow) != 1 || store.calls.Load() == 0 {
				t.Errorf("%d jobs were created with their records, after %d counted calls", len(slow), store.calls.Load())
			}
		}
		stop()
		if r, err := p.Store.Get(t.Context(), other.Key); err != nil || r.Status != storage.Processing || !r.UpdatedAt.Equal(other.UpdatedAt) {
			t.Errorf("another process's record is %s (%v)", r.Status, err)
		}
	}
}

// TestForeignJobCreator holds that a Service refuses a queue of another Store, and a
// decorated Store that does not tell what it decorates.
func TestForeignJobCreator(t *testing.T) {
	p := host.New()
	queue := creator{p.Queue, p.Store, nil, nil}
	for _, role := range []motion.Role{motion.ServeAndWork, motion.ServeOnly, motion.WorkOnly} {
		for name, store := range map[string]storage.Store{
			"another": memory.NewStore(memory.StoreOptions{}), "opaque": struct{ storage.Store }{p.Store},
		} {
			for _, q := range []storage.Queue{queue, meteredQueue{queue}} {
				_, err := motion.New(motion.Config{Store: store, Blobs: p.Blobs, Queue: q, Estimator: host.Estimator{}, Role: role})
				if err == nil || !strings.Contains(err.Error(), "another Store than Config.Store") {
					t.Errorf("%s store, role %q: %v", name, role, err)
				}
			}
		}
	}
}

// localBlobs are blobs that are files, decorated.
type localBlobs struct {
	storage.Blobs
	file *os.File
}

func (b localBlobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	blob, err := b.Blobs.Open(ctx, key)
	return meteredBlob{localBlob{blob, b.file}}, err
}

type localBlob struct {
	storage.Blob
	file *os.File
}

func (b localBlob) File() *os.File { return b.file }

type meteredBlob struct{ storage.Blob }

func (m meteredBlob) Unwrap() storage.Blob { return m.Blob }

// fileDecoder notes the file of what it is to decode.
type fileDecoder struct {
	inference.Decoder
	file *os.File
}

func (d *fileDecoder) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	_, err := d.Open(ctx, r)
	return inference.Info{}, err
}

func (d *fileDecoder) Open(_ context.Context, r io.ReadSeeker) (inference.Frames, error) {
	if local, ok := r.(storage.Local); ok {
		d.file = local.File()
	}
	return nil, inference.ErrFormat
}

// TestDecoratedBlob holds that decoders find the local file of a decorated blob.
func TestDecoratedBlob(t *testing.T) {
	p := host.New()
	var decoder fileDecoder
	s := p.Service(t, func(cfg *motion.Config) { cfg.Blobs, cfg.Decoder = localBlobs{p.Blobs, os.Stderr}, &decoder })
	defer host.Run(t, s)()
	content := []byte("a movie")
	sum := md5.Sum(content)
	m, err := s.RegisterMedia(t.Context(), host.Owner, storage.Movies, motion.NewMedia{ContentMD5: hex.EncodeToString(sum[:])})
	if err == nil {
		_, err = s.UploadMedia(t.Context(), host.Owner, storage.Movies, m.ID, bytes.NewReader(content))
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Failure)
	if decoder.file != os.Stderr {
		t.Error("the decoder sees no file")
	}
}

// TestFullQueue: a request that cannot be queued leaves no record.
func TestFullQueue(t *testing.T) {
	p := host.New()
	p.Queue = memory.NewQueue(memory.QueueOptions{MaxJobs: 1})
	s := p.Service(t, nil)
	m := host.Upload(t, s, host.Picture(20, 20))
	host.Extract(t, s, m.ID)
	if _, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(m.ID)}); !errors.Is(err, motion.ErrUnavailable) {
		t.Errorf("a full queue: %v", err)
	}
	if list, total, err := s.ListExtractions(t.Context(), host.Owner, motion.Page{}); err != nil || total != 1 {
		t.Errorf("%d records are left: %v (%v)", total, list, err)
	}
}

func TestNewNamesWhatIsMissing(t *testing.T) {
	p := host.New()
	full := motion.Config{Store: p.Store, Blobs: p.Blobs, Queue: p.Queue, Estimator: host.Estimator{}}
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
	p := host.New()
	var slow []bool
	shared := creator{p.Queue, p.Store, nil, &slow}
	of := func(role motion.Role) *motion.Service {
		return p.Service(t, func(c *motion.Config) {
			c.Role, c.Queue = role, shared
			if role == motion.ServeOnly {
				c.Estimator = nil
			}
		})
	}
	serves, works := of(motion.ServeOnly), of(motion.WorkOnly)
	host.Run(t, works)
	m := host.Upload(t, serves, host.Picture(20, 20))
	e := host.Extract(t, serves, m.ID)
	host.Wait(t, serves, storage.Keypoints, e.ID, storage.Success)

	if err := serves.Run(t.Context()); err == nil {
		t.Error("a Service that only serves runs")
	}
	data := host.Picture(10, 10)
	if _, err := works.RegisterMedia(t.Context(), host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(data)}); err == nil {
		t.Error("a Service that only works registers")
	}
	if _, err := works.UploadMedia(t.Context(), host.Owner, storage.Images, m.ID, bytes.NewReader(data)); err == nil {
		t.Error("a Service that only works takes a file")
	}
	if _, err := works.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(m.ID)}); err == nil {
		t.Error("a Service that only works takes work")
	}
}

func TestImpossibleRoles(t *testing.T) {
	p := host.New()
	for role, text := range map[motion.Role]string{
		motion.ServeOnly: "shared", motion.WorkOnly: "shared", // the queue is in this process
		"rest": "Role",
	} {
		_, err := motion.New(motion.Config{Role: role, Store: p.Store, Blobs: p.Blobs, Queue: p.Queue, Estimator: host.Estimator{}})
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", role, err)
		}
	}
}
