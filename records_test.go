package motion_test

import (
	"context"
	"image"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// readStore counts by kind how many records are read, one by one or in lists.
type readStore struct {
	storage.Store

	mu    sync.Mutex
	reads map[storage.Kind]int
}

func (s *readStore) Unwrap() storage.Store { return s.Store }

func (s *readStore) note(kind storage.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads[kind]++
}

// took returns how often records of each kind were read since the last call.
func (s *readStore) took() map[storage.Kind]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	reads := s.reads
	s.reads = map[storage.Kind]int{}
	return reads
}

func (s *readStore) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	s.note(key.Kind)
	return s.Store.Get(ctx, key)
}

func (s *readStore) Head(ctx context.Context, key storage.Key) (storage.Record, error) {
	s.note(key.Kind)
	return s.Store.Head(ctx, key)
}

func (s *readStore) List(ctx context.Context, owner string, kind storage.Kind, f storage.Filter) ([]storage.Record, int, error) {
	s.note(kind)
	return s.Store.List(ctx, owner, kind, f)
}

func (s *readStore) Scan(ctx context.Context, kind storage.Kind, after int64, limit int) ([]storage.Record, error) {
	s.note(kind)
	return s.Store.Scan(ctx, kind, after, limit)
}

// TestReads: the record of a movie is read by its upload, by the request for its keypoints (for its name, and whether it is still there once they are kept), and
// by the work on them, and the download of a drawing reads nothing but the drawing's.
func TestReads(t *testing.T) {
	p := host.New()
	store := &readStore{Store: p.Store, reads: map[storage.Kind]int{}}
	s := p.Service(t, func(c *motion.Config) {
		c.Store, c.Decoder, c.UpkeepEvery = store, decoder{new(atomic.Int32)}, -1
	})
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("movie"))
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if n := store.took()[storage.Movies]; n != 5 {
		t.Errorf("the movie's record was read %d times until its keypoints were found, want 5", n)
	}

	picture := host.Extract(t, s, host.Upload(t, s, host.Picture(200, 300)).ID)
	d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: picture.ID})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Drawings, d.ID, storage.Success)
	store.took()
	if d, err = s.GetDrawing(t.Context(), host.Owner, d.ID); err != nil {
		t.Fatal(err)
	}
	blob, err := s.OpenDrawing(t.Context(), host.Owner, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	if _, format, err := image.DecodeConfig(blob); err != nil || format != "jpeg" {
		t.Errorf("the drawing is %s (%v)", format, err)
	}
	if reads := store.took(); reads[storage.Drawings] != 2 || len(reads) != 1 {
		t.Errorf("a download reads %v, want the drawing's record twice", reads)
	}
	if old, err := s.IsOutdated(t.Context(), host.Owner, d.State); old || err != nil || store.took()[storage.Keypoints] != 1 {
		t.Errorf("the drawing is outdated: %v (%v)", old, err)
	}
}
