package file_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
)

// TestFull: a disk that is full in the middle of a blob keeps what was there, and nothing
// else; what fits fits afterwards.
func TestFull(t *testing.T) {
	dir := filepath.Join(testkit.Disk(t, "size=4m"), "blobs")
	b, err := file.Open(dir, file.Options{MinFree: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	former := bytes.Repeat([]byte("f"), mb)
	if _, err := b.Put(t.Context(), "a", bytes.NewReader(former), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		_, err := b.Put(t.Context(), key, &endless{t, 64 * mb}, storage.PutOptions{})
		if !errors.Is(err, storage.ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v, want ErrUnavailable", key, err)
		}
	}
	var wg sync.WaitGroup // two that fit alone and not together: one of them fails, or both
	var mu sync.Mutex
	failed := 0
	start := make(chan struct{})
	for _, key := range []string{"c", "d"} {
		wg.Go(func() {
			r, w := io.Pipe()
			go func() {
				_, err := w.Write(make([]byte, mb))
				<-start
				if err == nil {
					_, err = w.Write(make([]byte, mb))
				}
				w.CloseWithError(err)
			}()
			_, err := b.Put(context.Background(), key, r, storage.PutOptions{})
			r.Close()
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, storage.ErrUnavailable) {
				failed++
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	wg.Wait()
	if left := files(t, dir); len(left) != 3-failed || failed == 0 {
		t.Errorf("%d of two uploads have failed, and there are %v", failed, left)
	}
	for _, key := range []string{"c", "d"} {
		if err := b.Delete(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	x, err := b.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(x); err != nil || !bytes.Equal(got, former) {
		t.Errorf("the former blob has %d bytes (%v)", len(got), err)
	}
	x.Close()
	if _, err := b.Put(t.Context(), "e", bytes.NewReader(make([]byte, 2*mb)), storage.PutOptions{}); err != nil {
		t.Errorf("what fits: %v", err)
	}
}

// TestNoMoreFiles: a disk that has room for bytes and not for files.
func TestNoMoreFiles(t *testing.T) {
	dir := filepath.Join(testkit.Disk(t, "size=4m,nr_inodes=6"), "blobs")
	b, err := file.Open(dir, file.Options{MinFree: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	n := 0
	for ; n < 10 && err == nil; n++ {
		_, err = b.Put(t.Context(), strings.Repeat("x", n+1), strings.NewReader("x"), storage.PutOptions{})
	}
	if !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("after %d blobs: %v, want ErrUnavailable", n, err)
	}
	if left := files(t, dir); len(left) != n-1 {
		t.Errorf("%d blobs were put, and there are %v", n-1, left)
	}
	entries, err := os.ReadDir(filepath.Join(dir, ".tmp"))
	if err != nil || len(entries) != 0 {
		t.Errorf("half a blob is left: %v (%v)", entries, err)
	}
}
