package file_test

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
)

func open(t *testing.T, dir string) file.Blobs {
	t.Helper()
	b, err := file.Open(dir, file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, b)
	return b
}

// TestReopen: blobs survive, leftovers of crashes do not.
func TestReopen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	b := open(t, dir)
	if _, err := b.Put(t.Context(), "a/b", strings.NewReader("content"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	old, young := filepath.Join(dir, ".tmp", "old"), filepath.Join(dir, ".tmp", "young")
	for _, path := range []string{old, young} {
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	b = open(t, dir)
	x, err := b.Open(t.Context(), "a/b")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	f := x.(interface{ File() *os.File }).File()
	if content, err := os.ReadFile(f.Name()); err != nil || string(content) != "content" {
		t.Errorf("the file's path reads %q (%v)", content, err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("an old leftover is still there: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("the file of a running upload is gone: %v", err)
	}
}

// TestFiles: one file a blob, readable by its owner only.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	for range 3 {
		if _, err := b.Put(t.Context(), "a", strings.NewReader("x"), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		n++
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil || n != 1 {
		t.Errorf("%d files (%v), want 1", n, err)
	}
}

// TestClock: a clock that goes back does not make a former content come back.
func TestClock(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	put := func(content string) storage.BlobInfo {
		t.Helper()
		info, err := b.Put(t.Context(), "a", strings.NewReader(content), storage.PutOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	put("former")
	names, err := filepath.Glob(filepath.Join(dir, "a", "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v (%v)", names, err)
	}
	sum, _, _ := strings.Cut(filepath.Base(names[0]), "-")
	future := time.Now().Add(time.Hour)
	if err := os.Rename(names[0], filepath.Join(dir, "a", fmt.Sprintf("%s-%020d", sum, future.UnixNano()))); err != nil {
		t.Fatal(err)
	}
	info := put("new")
	x, err := b.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if content, err := io.ReadAll(x); err != nil || string(content) != "new" || !info.Modified.After(future) || !x.Info().Modified.Equal(info.Modified) {
		t.Errorf("reads %q of %v, put at %v (%v)", content, x.Info().Modified, info.Modified, err)
	}
}
