package motion_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

func TestFaultsAreTriedAgain(t *testing.T) {
	var calls atomic.Int32
	flaky := func(failures int32) func(context.Context) error {
		calls.Store(0)
		return func(context.Context) error {
			if calls.Add(1) <= failures {
				return errors.New("the network of the estimator is down")
			}
			return nil
		}
	}
	for _, c := range []struct {
		failures int32
		want     storage.Status
		detail   string
	}{{2, storage.Success, ""}, {3, storage.Failure, "There is a problem on the service."}} {
		s := newParts().service(t, func(cfg *motion.Config) { cfg.Estimator = estimator{flaky(c.failures)} })
		stop := run(t, s)
		e := extract(t, s, upload(t, s, picture(20, 20)).ID)
		wait(t, s, storage.Keypoints, e.ID, c.want)
		if e, _ = s.Extraction(t.Context(), owner, e.ID); e.Failure != c.detail {
			t.Errorf("failure %q, want %q", e.Failure, c.detail)
		}
		if got := calls.Load(); got != 3 {
			t.Errorf("%d attempts, want 3", got)
		}
		stop()
	}
	s := newParts().service(t, func(cfg *motion.Config) {
		cfg.Estimator = estimator{func(context.Context) error { panic("a bug") }}
	})
	run(t, s)
	e := extract(t, s, upload(t, s, picture(20, 20)).ID)
	wait(t, s, storage.Keypoints, e.ID, storage.Failure)
}

// TestInterruptedJobs: a job that is under way when Run has to end is handed back, and
// one that a crash has left half done is started again.
func TestInterruptedJobs(t *testing.T) {
	p := newParts()
	started := make(chan struct{}, 10)
	s := p.service(t, func(cfg *motion.Config) {
		cfg.DrainTimeout = time.Millisecond
		cfg.Estimator = estimator{func(ctx context.Context) error { started <- struct{}{}; <-ctx.Done(); return ctx.Err() }}
	})
	stop := run(t, s)
	e := extract(t, s, upload(t, s, picture(20, 20)).ID)
	<-started
	stop()
	key := storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID}
	r, err := p.store.Get(t.Context(), key)
	if err != nil || r.Status != storage.Unprocessed || r.Attempts != 0 {
		t.Fatalf("after draining: %s, %d attempts (%v)", r.Status, r.Attempts, err)
	}

	// A crash: the record says PROCESSING and no queue knows of it.
	r.Status, r.Attempts = storage.Processing, 1
	if _, err := p.store.Update(t.Context(), r, storage.Unprocessed); err != nil {
		t.Fatal(err)
	}
	p.queue = memory.NewQueue(memory.QueueOptions{})
	s = p.service(t, nil)
	run(t, s)
	wait(t, s, storage.Keypoints, e.ID, storage.Success)

	// After three attempts it is given up.
	r, err = p.store.Get(t.Context(), storage.Key{Owner: owner, Kind: storage.Keypoints, ID: extract(t, s, 1).ID})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Keypoints, r.ID, storage.Success)
	crashed, err := p.store.Create(t.Context(), storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Keypoints}, Status: storage.Unprocessed, Data: []byte(`{"image":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	crashed.Attempts = 3
	crashed.Status = storage.Unprocessed
	if _, err := p.store.Update(t.Context(), crashed, storage.Unprocessed); err != nil {
		t.Fatal(err)
	}
	if err := p.queue.Push(t.Context(), storage.Job{Key: crashed.Key}); err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Keypoints, crashed.ID, storage.Failure)
}

// TestDrainLetsJobsFinish: Run returns only when the jobs under way are done.
func TestDrainLetsJobsFinish(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	s := newParts().service(t, func(cfg *motion.Config) {
		cfg.Estimator = estimator{func(context.Context) error { close(started); <-release; return nil }}
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	e := extract(t, s, upload(t, s, picture(20, 20)).ID)
	<-started
	cancel()
	select {
	case err := <-done:
		t.Fatalf("Run returned %v while a job was under way", err)
	default:
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Keypoints, e.ID, storage.Success)
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

func TestExtractorReadsPictures(t *testing.T) {
	var done, total int
	x := motion.Extractor{Estimator: estimator{}, Progress: func(d, n int) { done, total = d, n }}
	seq, err := x.Read(t.Context(), bytes.NewReader(picture(100, 50)))
	if err != nil || seq.Len() != 1 || done != 1 || total != 1 {
		t.Errorf("%+v, progress %d of %d (%v)", seq, done, total, err)
	}
	if _, err := x.Read(t.Context(), strings.NewReader("no picture at all")); !errors.Is(err, inference.ErrFormat) {
		t.Errorf("text: %v", err)
	}
	if _, err := x.File(t.Context(), "missing.jpg"); err == nil {
		t.Error("a missing file is read")
	}
	if _, err := (motion.Extractor{}).Read(t.Context(), bytes.NewReader(nil)); err == nil || !strings.Contains(err.Error(), "Estimator") {
		t.Errorf("without an estimator: %v", err)
	}
}

func TestClock(t *testing.T) {
	for seconds, want := range map[float64]string{0: "00:00:00", 1.4: "00:00:01", 1.5: "00:00:02", 59.5: "00:01:00", 3661: "01:01:01", -3: "00:00:00"} {
		if got := motion.Clock(seconds); got != want {
			t.Errorf("Clock(%v) = %s, want %s", seconds, got, want)
		}
	}
}

// TestUploadStreams: a reader that fails leaves nothing behind.
func TestUploadStreams(t *testing.T) {
	p := newParts()
	s := p.service(t, func(c *motion.Config) { c.Limits.UploadBytes = 1000 })
	data := picture(20, 20)
	m, err := s.RegisterImage(t.Context(), owner, motion.NewMedia{ContentMD5: hexMD5(data)})
	if err != nil {
		t.Fatal(err)
	}
	broken := io.MultiReader(bytes.NewReader(data[:20]), failing{})
	if _, err := s.Upload(t.Context(), owner, storage.Images, m.ID, broken); !errors.Is(err, errBroken) {
		t.Errorf("a broken upload: %v", err)
	}
	if _, err := s.Upload(t.Context(), owner, storage.Images, m.ID, bytes.NewReader(make([]byte, 1001))); !errors.Is(err, motion.ErrTooLarge) {
		t.Errorf("a large upload: %v", err)
	}
	if err := p.blobs.List(t.Context(), "", func(b storage.BlobInfo) error { return errors.New(b.Key) }); err != nil {
		t.Errorf("left behind: %v", err)
	}
}

var errBroken = errors.New("the line is broken")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBroken }
