package motion_test

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit/faults"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// hangs returns a service whose storage hangs in calls of a name, from the n-th on, and the storage as it is.
func hangs(t *testing.T, name *atomic.Value, n int) (*motion.Service, host.Parts) {
	t.Helper()
	real := host.New()
	faults := &faults.Faults{Choose: func(c faults.Call) faults.Fault {
		if c.Name == name.Load() && c.N >= n {
			return faults.Hang
		}
		return faults.None
	}}
	parts := host.Parts{Store: faults.Store(real.Store), Blobs: faults.Blobs(real.Blobs), Queue: real.Queue}
	return parts.Service(t, func(c *motion.Config) { c.Queue = faults.Queue(real.Queue) }), real
}

// TestStorageHangs: whichever call hangs, its caller is told after a while to try again.
func TestStorageHangs(t *testing.T) {
	ctx := context.Background()
	newImage := motion.NewMedia{ContentMD5: host.MD5(nil)}
	for name, call := range map[string]func(s *motion.Service, id int64) error{
		"Store.Create": func(s *motion.Service, _ int64) error {
			_, err := s.RegisterMedia(ctx, host.Owner, storage.Images, newImage)
			return err
		},
		"Store.Head": func(s *motion.Service, id int64) error {
			_, err := s.GetMedia(ctx, host.Owner, storage.Images, id)
			return err
		},
		"Store.Get": func(s *motion.Service, id int64) error { _, err := s.GetExtraction(ctx, host.Owner, id); return err },
		"Store.List": func(s *motion.Service, _ int64) error {
			_, _, err := s.ListMedia(ctx, host.Owner, storage.Images, motion.Page{})
			return err
		},
		"Store.Update": func(s *motion.Service, id int64) error {
			_, err := s.UploadMedia(ctx, host.Owner, storage.Images, id, bytes.NewReader(nil))
			return err
		},
		"Store.Delete":     func(s *motion.Service, id int64) error { return s.DeleteRecord(ctx, host.Owner, storage.Images, id) },
		"Store.Scan":       func(s *motion.Service, _ int64) error { return s.Upkeep(ctx) },
		"Store.Changed":    func(s *motion.Service, _ int64) error { _, err := s.Watch(ctx, host.Owner); return err },
		"Store.Unfinished": func(s *motion.Service, _ int64) error { return s.Run(ctx) },
		"Queue.Push": func(s *motion.Service, id int64) error {
			_, err := s.UploadMedia(ctx, host.Owner, storage.Images, id, bytes.NewReader(nil))
			if err == nil {
				_, err = s.ExtractKeypoints(ctx, host.Owner, motion.ExtractRequest{Source: motion.Image(id)})
			}
			return err
		},
		"Blobs.Open": func(s *motion.Service, id int64) error {
			_, err := s.UploadMedia(ctx, host.Owner, storage.Images, id, bytes.NewReader(nil))
			return err
		},
		"Blobs.Delete": func(s *motion.Service, id int64) error { return s.DeleteRecord(ctx, host.Owner, storage.Images, id) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var hanging atomic.Value // the name of a call
				s, _ := hangs(t, &hanging, 1)
				m, err := s.RegisterMedia(ctx, host.Owner, storage.Images, newImage)
				if err != nil {
					t.Fatal(err)
				}
				hanging.Store(name)
				began := time.Now()
				if err := call(s, m.ID); !errors.Is(err, motion.ErrUnavailable) || time.Since(began) != 15*time.Second {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			})
		})
	}
}

// TestJobsOutliveHangs: a job whose storage hangs is tried again, and that is no attempt.
func TestJobsOutliveHangs(t *testing.T) {
	for _, name := range []string{"Store.Get", "Store.Update", "Blobs.Open"} {
		synctest.Test(t, func(t *testing.T) {
			var hanging atomic.Value // the name of a call
			s, real := hangs(t, &hanging, 1)
			e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(host.Upload(t, s, host.Picture(64, 48)).ID)})
			if err != nil {
				t.Fatal(err)
			}
			hanging.Store(name)
			stop := host.Run(t, s)
			time.Sleep(2 * time.Minute)
			key := storage.Key{Owner: host.Owner, Kind: storage.Keypoints, ID: e.ID}
			if r, err := real.Store.Get(t.Context(), key); err != nil || r.Status.Final() {
				t.Errorf("%s: %s (%v)", name, r.Status, err)
			}
			synctest.Wait()
			hanging.Store("")
			time.Sleep(2 * time.Minute)
			if r, err := real.Store.Get(t.Context(), key); err != nil || r.Status != storage.Success || r.Attempts != 1 {
				t.Errorf("%s: %s after %d attempts (%v)", name, r.Status, r.Attempts, err)
			}
			stop()
		})
	}
}
