package places_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/sqlite"
)

// endlessZeros has no end.
type endlessZeros struct{}

func (endlessZeros) Read(b []byte) (int, error) { return len(b), nil }

// TestFullDisk: on a full disk, nothing is made, the service is not ready, and everything can be deleted, after which
// it is ready again.
func TestFullDisk(t *testing.T) {
	dir := testkit.Disk(t, "size=24m")
	store, err := sqlite.Open(filepath.Join(dir, "motion.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	blobs, err := file.Open(filepath.Join(dir, "blobs"), file.Options{MinFree: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	service := func() *motion.Service {
		return host.New().Service(t, func(c *motion.Config) { c.Store, c.Blobs = store, blobs })
	}
	s := service()
	register := func() (motion.Media, error) {
		return s.RegisterMedia(t.Context(), host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(nil), Text: new(strings.Repeat("x", 9000))})
	}
	var kept []motion.Media
	for range 200 {
		m, err := register()
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, m)
	}
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	other, err := os.Create(filepath.Join(dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := io.Copy(other, endlessZeros{}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	failed := error(nil)
	for i := 0; failed == nil && i < 3000; i++ { // the log of SQLite has some room
		_, failed = register()
	}
	if !errors.Is(failed, motion.ErrUnavailable) {
		t.Errorf("registered on a full disk: %v", failed)
	}
	ready := func() error { return service().Ready(t.Context()) } // a Service keeps the answer for a second
	if err := ready(); !errors.Is(err, motion.ErrUnavailable) {
		t.Errorf("ready with a full disk: %v", err)
	}
	for _, m := range kept {
		if err := s.DeleteRecord(t.Context(), host.Owner, storage.Images, m.ID); err != nil {
			t.Fatalf("deleting %d of %d: %v", m.ID, len(kept), err)
		}
	}
	if _, err := s.GetMedia(t.Context(), host.Owner, storage.Images, kept[0].ID); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("a deleted record: %v", err)
	}
	if err := other.Truncate(0); err != nil {
		t.Fatal(err)
	}
	if err := ready(); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if _, err := register(); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "motion.db-room")); err != nil || info.Size() == 0 {
		t.Errorf("no room is kept back: %v", err)
	}
}

// TestEraseFromFull: a person with many results is erased on a full disk, where one transaction has no room for all of them; and if
// the erasure is interrupted between two transactions, upkeep does the rest.
func TestEraseFromFull(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		t.Run(fmt.Sprint("interrupted ", interrupted), func(t *testing.T) {
			dir := testkit.Disk(t, "size=96m")
			store, err := sqlite.Open(filepath.Join(dir, "motion.db"), sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { store.Close() })
			deleting := &interruptedStore{Store: store}
			parts := host.New()
			s := parts.Service(t, func(c *motion.Config) { c.Store, c.UpkeepEvery = deleting, -1 })
			who, err := s.CreateSubject(t.Context(), host.Owner, motion.NewSubject{Name: "Kenji"})
			if err != nil {
				t.Fatal(err)
			}
			for range 78 {
				r, err := catalog.Labelled(storage.Record{
					Key:    storage.Key{Owner: host.Owner, Kind: storage.Keypoints},
					Status: storage.Success, Data: fmt.Appendf(nil, `{"about":{"subjectId":%d}}`, who.ID), Result: bytes.Repeat([]byte("Kenji Sato "), 30_000),
				})
				if err == nil {
					_, err = store.Create(t.Context(), r)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			other, err := os.Create(filepath.Join(dir, "other"))
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			if _, err := io.Copy(other, endlessZeros{}); !errors.Is(err, syscall.ENOSPC) {
				t.Fatal(err)
			}
			if interrupted {
				deleting.after = 3
			}
			erased, err := s.DeleteSubject(t.Context(), host.Owner, who.ID, true)
			if interrupted != (err != nil) || erased.Records[storage.Keypoints] != 78 {
				t.Fatalf("%+v (%v)", erased, err)
			}
			deleting.after = 0
			if err := s.Upkeep(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, kind := range []storage.Kind{storage.Subjects, storage.Keypoints, storage.Deletions} {
				if left, err := store.Scan(t.Context(), kind, 0, 100); err != nil || len(left) != 0 {
					t.Errorf("%d %s are left (%v)", len(left), kind, err)
				}
			}
		})
	}
}

// interruptedStore is a Store that ends, when so many of its calls of Delete have done something, if any.
type interruptedStore struct {
	storage.Store
	after, done int
}

func (s *interruptedStore) Unwrap() storage.Store { return s.Store }

func (s *interruptedStore) Delete(ctx context.Context, keys ...storage.Key) error {
	if s.after > 0 && s.done >= s.after {
		return errors.New("the process is gone")
	}
	err := s.Store.Delete(ctx, keys...)
	if err == nil {
		s.done++
	}
	return err
}
