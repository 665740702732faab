package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	sqlite3 "github.com/ncruces/go-sqlite3/driver"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/sqlite"
)

func TestFullDisk(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "x.db"))
	r, err := s.Create(t.Context(), storage.Record{Key: storage.Key{Owner: "a", Kind: storage.Keypoints}, Status: storage.Unprocessed})
	if err != nil {
		t.Fatal(err)
	}
	s.LimitPages(t, s.LimitPages(t, 0)+20)
	large := r
	large.Status, large.Result = storage.Success, make([]byte, 1<<20)
	if _, err := s.Update(t.Context(), large, storage.Unprocessed); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("update: %v", err)
	}
	if _, err := s.Create(t.Context(), large); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("create: %v", err)
	}
	got, err := s.Get(t.Context(), r.Key)
	if err != nil || got.Status != storage.Unprocessed || !got.UpdatedAt.Equal(r.UpdatedAt) {
		t.Errorf("a full disk changed something: %+v (%v)", got, err)
	}
	if _, total, err := s.List(t.Context(), "a", storage.Keypoints, storage.Filter{Limit: 1}); err != nil || total != 1 {
		t.Errorf("%d records (%v)", total, err)
	}
	s.LimitPages(t, 1<<20)
	if _, err := s.Update(t.Context(), large, storage.Unprocessed); err != nil {
		t.Errorf("after there is room again: %v", err)
	}
	if next, err := s.Create(t.Context(), r); err != nil || next.ID != 2 {
		t.Errorf("the next id is %d (%v)", next.ID, err)
	}
}

// TestLocked: another process that writes is waited for, not for ever, and nobody who
// reads waits.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	const wait = 200 * time.Millisecond
	s, err := sqlite.Open(path, sqlite.Options{Wait: wait})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := storage.Record{Key: storage.Key{Owner: "a", Kind: storage.Movies}}
	if r, err = s.Create(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	other, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := lock.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}

	began := time.Now()
	if _, err := s.Update(t.Context(), r, ""); !errors.Is(err, storage.ErrUnavailable) || time.Since(began) < wait {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait/10)
	defer cancel()
	if _, err := s.Create(ctx, r); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("context's end: %v", err)
	}
	if got, err := s.Get(t.Context(), r.Key); err != nil || !got.UpdatedAt.Equal(r.UpdatedAt) {
		t.Errorf("get: %+v (%v)", got, err)
	}
	// The file can be opened.
	again, err := sqlite.Open(path, sqlite.Options{Wait: wait})
	if err == nil {
		err = again.Close()
	}
	if err != nil {
		t.Errorf("open: %v", err)
	}

	done := make(chan error, 1)
	go func() { _, err := s.Update(context.Background(), r, ""); done <- err }()
	if _, err := lock.ExecContext(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the lock was given back: %v", err)
	}
}

func TestClosed(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "x.db"))
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Get(t.Context(), storage.Key{Owner: "a", Kind: storage.Movies, ID: 1}); err == nil || errors.Is(err, storage.ErrNotFound) {
		t.Errorf("get after close: %v", err)
	}
	if err := s.Delete(t.Context(), storage.Key{Owner: "a", Kind: storage.Movies, ID: 1}); err == nil || errors.Is(err, storage.ErrNotFound) {
		t.Errorf("delete after close: %v", err)
	}
}

// TestClock: times grow where the clock goes back.
func TestClock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, path)
	r, err := s.Create(t.Context(), storage.Record{Key: storage.Key{Owner: "a", Kind: storage.Movies}})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, path, "UPDATE records SET updated_at = updated_at + 3600000000")
	if r, err = s.Get(t.Context(), r.Key); err != nil {
		t.Fatal(err)
	}
	if next, err := s.Update(t.Context(), r, ""); err != nil || !next.UpdatedAt.After(r.UpdatedAt) {
		t.Errorf("%v after %v (%v)", next.UpdatedAt, r.UpdatedAt, err)
	}
}
