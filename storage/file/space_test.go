package file_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
)

const mb = 1 << 20

// endless is content of which no more than a limit may be read.
type endless struct {
	t    *testing.T
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		e.t.Error("the disk is full, and the reading goes on")
		return 0, io.EOF
	}
	return len(p), nil
}

// files lists the files in a folder, and below it.
func files(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestMinFree: what is to stay free stays so, before a Put and on its way.
func TestMinFree(t *testing.T) {
	dir := t.TempDir()
	b, err := file.Open(dir, file.Options{MinFree: 100 * mb})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	free := int64(100 * mb)
	file.SetFree(b, func() int64 { return free })
	if _, err := b.Put(t.Context(), "kept", strings.NewReader("former"), storage.PutOptions{}); err != nil {
		t.Fatalf("with just as much: %v", err)
	}
	free--
	for _, key := range []string{"kept", "new"} {
		if _, err := b.Put(t.Context(), key, &endless{t, 0}, storage.PutOptions{}); !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("%s, with a byte less: %v", key, err)
		}
	}
	looks := 0
	file.SetFree(b, func() int64 { looks++; return 100*mb + 3 - int64(looks) })
	if _, err := b.Put(t.Context(), "kept", &endless{t, 100 * mb}, storage.PutOptions{}); !errors.Is(err, storage.ErrUnavailable) || looks != 4 {
		t.Errorf("on the way, after %d looks: %v", looks, err)
	}
	if left := files(t, dir); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
	if got, err := os.ReadFile(files(t, dir)[0]); err != nil || string(got) != "former" {
		t.Errorf("the former blob reads %q (%v)", got, err)
	}
	b, err = file.Open(dir, file.Options{MinFree: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	file.SetFree(b, func() int64 { return 0 })
	if _, err := b.Put(t.Context(), "new", bytes.NewReader(make([]byte, 20*mb)), storage.PutOptions{}); err != nil {
		t.Errorf("-1: %v", err)
	}
}

// TestFreeSpace: the system tells how much is free; nobody has an exabyte.
func TestFreeSpace(t *testing.T) {
	b, err := file.Open(t.TempDir(), file.Options{MinFree: 1 << 60})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	if _, err := b.Put(t.Context(), "a", strings.NewReader("x"), storage.PutOptions{}); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("%v, want ErrUnavailable", err)
	}
}
