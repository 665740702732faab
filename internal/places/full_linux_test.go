package places_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bodymotion/motion"
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
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=24m"); err != nil {
		testkit.SkipMachine(t, testkit.SmallDisk, err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, 0) })
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
		return s.Register(t.Context(), host.Owner, storage.Images, motion.NewMedia{ContentMD5: host.MD5(nil), Text: new(strings.Repeat("x", 9000))})
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
		if err := s.Delete(t.Context(), host.Owner, storage.Images, m.ID); err != nil {
			t.Fatalf("deleting %d of %d: %v", m.ID, len(kept), err)
		}
	}
	if _, err := s.Media(t.Context(), host.Owner, storage.Images, kept[0].ID); !errors.Is(err, motion.ErrNotFound) {
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
