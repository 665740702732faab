package postgres_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/postgres"
)

// meteredStore and meteredQueue count calls, as a host does for its metrics.
type meteredStore struct {
	storage.Store
	calls *atomic.Int64
}

func (m meteredStore) Unwrap() storage.Store { return m.Store }

func (m meteredStore) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	m.calls.Add(1)
	return m.Store.Update(ctx, r, from)
}

type meteredQueue struct{ storage.Queue }

func (m meteredQueue) Unwrap() storage.Queue { return m.Queue }

// gated finds nobody, and lets each picture wait.
type gated struct {
	begun chan struct{}
	open  chan struct{}
}

func (g gated) Estimate(ctx context.Context, _ image.Image, _ inference.Hint) (keypoint.Frame, error) {
	g.begun <- struct{}{}
	select {
	case <-ctx.Done():
	case <-g.open:
	}
	return keypoint.Frame{}, ctx.Err()
}

// TestDecorated holds that services whose Store and Queue are decorated do not touch what
// another one works on, and learn when it is done.
func TestDecorated(t *testing.T) {
	place, blobs := newPlace(t), memory.NewBlobs(memory.BlobsOptions{})
	gate := gated{make(chan struct{}, 10), make(chan struct{})}
	var calls atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	start := func() *motion.Service {
		t.Helper()
		s := open(t, place)
		m, err := motion.New(motion.Config{
			Store: meteredStore{s, &calls}, Queue: meteredQueue{queue(t, s, postgres.QueueOptions{})},
			Blobs: blobs, Estimator: gate, WorkDir: t.TempDir(), Logger: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		go func() { ended <- m.Run(ctx) }()
		return m
	}
	first := start()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 20, 20))); err != nil {
		t.Fatal(err)
	}
	sum := md5.Sum(picture.Bytes())
	media, err := first.RegisterMedia(t.Context(), "alice", storage.Images, motion.NewMedia{ContentMD5: hex.EncodeToString(sum[:])})
	if err == nil {
		_, err = first.UploadMedia(t.Context(), "alice", storage.Images, media.ID, &picture)
	}
	if err != nil {
		t.Fatal(err)
	}
	extract := func() int64 {
		t.Helper()
		e, err := first.ExtractKeypoints(t.Context(), "alice", motion.ExtractRequest{Source: motion.Image(media.ID)})
		if err != nil {
			t.Fatal(err)
		}
		return e.ID
	}
	ids := []int64{extract()}
	<-gate.begun

	// The second one begins while the first one works, and then works, too.
	second := start()
	ids = append(ids, extract())
	<-gate.begun
	if e, err := second.GetExtraction(t.Context(), "alice", ids[0]); err != nil || e.Status != storage.Processing {
		t.Errorf("what the first one works on is %s (%v)", e.Status, err)
	}
	close(gate.open)
	for _, id := range ids {
		for _, m := range []*motion.Service{first, second} { // one of them has not done it
			wait, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			if status, err := m.Wait(wait, "alice", storage.Keypoints, id); err != nil || status != storage.Success {
				t.Errorf("record %d: %s (%v)", id, status, err)
			}
			cancel()
		}
	}
	cancel()
	for range cap(ended) {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	s := open(t, place)
	for _, id := range ids {
		if r, err := s.Get(t.Context(), storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: id}); err != nil || r.Attempts != 1 {
			t.Errorf("record %d was started %d times (%v)", id, r.Attempts, err)
		}
	}
	if len(gate.begun) != 0 || calls.Load() == 0 {
		t.Error(fmt.Sprint(len(gate.begun), " more pictures were worked on, with ", calls.Load(), " calls counted"))
	}
}
