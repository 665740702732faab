package motion_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/storage"
)

// heldStore makes updates of results wait until go on is closed, and counts them.
type heldStore struct {
	storage.Store
	goOn    chan struct{}
	updates atomic.Int32
}

func (s *heldStore) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	if from == storage.Success {
		s.updates.Add(1)
		<-s.goOn
	}
	return s.Store.Update(context.WithoutCancel(ctx), r, from)
}

// corrected returns a service with keypoint records of pictures, whose corrections wait for the store.
func corrected(t *testing.T, records int) (s *motion.Service, store *heldStore, ids []int64) {
	t.Helper()
	parts := host.New()
	store = &heldStore{Store: parts.Store, goOn: make(chan struct{})}
	parts.Store = store
	s = parts.Service(t, nil)
	host.Run(t, s)
	for range records {
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(host.Upload(t, s, host.Picture(64, 48)).ID)})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		ids = append(ids, e.ID)
	}
	return s, store, ids
}

func nose(x float64) []correct.Edit {
	return []correct.Edit{{Part: keypoint.Nose, Point: &keypoint.Point{x, 20}}}
}

// TestCorrectTogether: corrections that come while one is made wait for its turn, and are then made at once, each whole
// or not at all.
func TestCorrectTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store, ids := corrected(t, 1)
		var all sync.WaitGroup
		call := func(ctx context.Context, edits []correct.Edit, check func(motion.Extraction, error)) {
			all.Go(func() { check(s.CorrectKeypoints(ctx, host.Owner, ids[0], edits)) })
			synctest.Wait()
		}
		good := func(_ motion.Extraction, err error) {
			if err != nil {
				t.Error(err)
			}
		}
		call(t.Context(), nose(10), good)
		ended, end := context.WithCancel(t.Context())
		call(ended, nose(11), func(_ motion.Extraction, err error) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("one whose context ends: %v", err)
			}
		})
		end()
		synctest.Wait()
		for i := range 30 {
			call(t.Context(), nose(20+float64(i)), good)
		}
		wrong := nose(30)
		wrong[0].Frame = 1
		call(t.Context(), wrong, func(_ motion.Extraction, err error) {
			if bad := new(motion.RequestError); !errors.As(err, &bad) || bad.Field != "edits" {
				t.Errorf("wrong edits: %v", err)
			}
		})
		knee := []correct.Edit{{Part: keypoint.LeftKnee, Point: &keypoint.Point{30, 40}}}
		call(t.Context(), knee, func(e motion.Extraction, err error) {
			list, errList := e.Corrections()
			if err != nil || errList != nil || len(list) != 2 || list[0].Point[0] != 49 {
				t.Errorf("the last one returns %+v (%v, %v)", list, err, errList)
			}
		})
		close(store.goOn)
		all.Wait()
		if n := store.updates.Load(); n != 2 {
			t.Errorf("%d updates, want 2", n)
		}
	})
}

// TestCorrectElsewhere: another process corrects at the same time, and nothing is lost.
func TestCorrectElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store, ids := corrected(t, 1)
		go func() {
			if _, err := s.CorrectKeypoints(t.Context(), host.Owner, ids[0], nose(10)); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		key := storage.Key{Owner: host.Owner, Kind: storage.Keypoints, ID: ids[0]}
		r, err := store.Get(t.Context(), key)
		if err == nil {
			time.Sleep(time.Second)
			_, err = store.Store.Update(t.Context(), r, storage.Success)
		}
		if err != nil {
			t.Fatal(err)
		}
		close(store.goOn)
		synctest.Wait()
		if n := store.updates.Load(); n != 2 {
			t.Errorf("%d updates, want one that fails and another one", n)
		}
		e, err := s.GetExtraction(t.Context(), host.Owner, ids[0])
		if list, errList := e.Corrections(); err != nil || errList != nil || len(list) != 1 {
			t.Errorf("%+v (%v, %v)", list, err, errList)
		}
	})
}

// TestCorrectLimit: few records are corrected at a time. Who waits for too long is told so, and can try again.
func TestCorrectLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store, ids := corrected(t, 3)
		var all sync.WaitGroup
		for _, id := range ids[:2] {
			all.Go(func() {
				if _, err := s.CorrectKeypoints(t.Context(), host.Owner, id, nose(10)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		for _, id := range []int64{ids[0], ids[2]} {
			all.Go(func() {
				if _, err := s.CorrectKeypoints(t.Context(), host.Owner, id, nose(11)); !errors.Is(err, motion.ErrUnavailable) || time.Since(began) != 18*time.Second {
					t.Errorf("record %d: %v after %v", id, err, time.Since(began))
				}
			})
		}
		time.Sleep(20 * time.Second)
		close(store.goOn)
		all.Wait()
		if _, err := s.CorrectKeypoints(t.Context(), host.Owner, ids[2], nose(11)); err != nil || store.updates.Load() != 3 {
			t.Errorf("tried again: %v, %d updates", err, store.updates.Load())
		}
	})
}
