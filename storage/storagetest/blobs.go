package storagetest

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bodymotion/motion/storage"
)

func put(t *testing.T, b storage.Blobs, key, content string) storage.BlobInfo {
	t.Helper()
	info, err := b.Put(t.Context(), key, strings.NewReader(content), storage.PutOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func read(t *testing.T, b storage.Blobs, key string) string {
	t.Helper()
	x, err := b.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	content, err := io.ReadAll(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func keys(t *testing.T, b storage.Blobs, prefix string) (list []string) {
	t.Helper()
	err := b.List(t.Context(), prefix, func(i storage.BlobInfo) error { list = append(list, i.Key); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// BlobsDriver describes the blobs under test; see StoreDriver. The suite never opens a place twice
// at the same time, so that exclusive drivers pass it, too.
type BlobsDriver struct {
	Open  func(place string) (storage.Blobs, error)
	Place func(tb testing.TB) string // nil: the driver keeps its blobs in memory
}

// open opens blobs and closes them when the test ends.
func (d BlobsDriver) open(tb testing.TB, place string) storage.Blobs {
	tb.Helper()
	b, err := d.Open(place)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { shut(tb, b) })
	return b
}

// Blobs tests a storage.Blobs.
func Blobs(t *testing.T, d BlobsDriver) {
	if untilKilled(t, d.Open, putVersions) {
		return
	}
	for _, c := range []struct {
		name string
		test func(*testing.T, storage.Blobs)
	}{
		{"put and open", putAndOpen},
		{"refused content leaves nothing", refused},
		{"readers that give nothing", unreadable},
		{"replace while open", replace},
		{"replace by a slow upload", slowUpload},
		{"delete and list", deleteAndList},
		{"list in order", listInOrder},
		{"list and delete", listAndDelete},
		{"keys", badKeys},
		{"large and concurrent", large},
	} {
		t.Run(c.name, func(t *testing.T) {
			place := ""
			if d.Place != nil {
				place = d.Place(t)
			}
			c.test(t, d.open(t, place))
		})
	}
	if d.Place == nil {
		return
	}
	t.Run("reopen", func(t *testing.T) { reopenBlobs(t, d) })
	t.Run("crash", func(t *testing.T) { crashBlobs(t, d) })
}

// idle is a reader that returns nothing for ever.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func unreadable(t *testing.T, b storage.Blobs) {
	for want, r := range map[error]io.Reader{storage.ErrInvalid: nil, io.ErrNoProgress: idle{}} {
		if _, err := b.Put(t.Context(), "a", r, storage.PutOptions{}); !errors.Is(err, want) {
			t.Errorf("a reader %v: %v, want %v", r, err, want)
		}
	}
	if _, err := b.Open(t.Context(), "a"); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("something is left: %v", err)
	}
}

func putAndOpen(t *testing.T, b storage.Blobs) {
	info := put(t, b, "media/movies/1", "hello world")
	if info.Key != "media/movies/1" || info.Size != 11 || info.MD5 != md5.Sum([]byte("hello world")) || info.Modified.IsZero() {
		t.Errorf("%+v", info)
	}
	x, err := b.Open(t.Context(), "media/movies/1")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if got := x.Info(); got.Size != info.Size || got.MD5 != info.MD5 || got.Key != info.Key {
		t.Errorf("%+v, want %+v", got, info)
	}
	if _, err := x.Seek(6, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(x); err != nil || string(rest) != "world" {
		t.Errorf("from 6: %q (%v)", rest, err)
	}
	if end, err := x.Seek(0, io.SeekEnd); err != nil || end != 11 {
		t.Errorf("the end is at %d (%v)", end, err)
	}
}

func refused(t *testing.T, b storage.Blobs) {
	put(t, b, "kept", "before")
	broken := errors.New("broken")
	sum := md5.Sum([]byte("other"))
	for name, c := range map[string]struct {
		r    func() io.Reader
		opt  storage.PutOptions
		want error
	}{
		"MD5":       {func() io.Reader { return strings.NewReader("this") }, storage.PutOptions{MD5: sum[:]}, storage.ErrInvalid},
		"too large": {func() io.Reader { return strings.NewReader("12345") }, storage.PutOptions{MaxSize: 4}, storage.ErrTooLarge},
		"reader":    {func() io.Reader { return io.MultiReader(strings.NewReader("12"), failing{broken}) }, storage.PutOptions{}, broken},
	} {
		for _, key := range []string{"kept", "fresh"} {
			if _, err := b.Put(t.Context(), key, c.r(), c.opt); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Put(ctx, "fresh", strings.NewReader("x"), storage.PutOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
	if got := keys(t, b, ""); !slices.Equal(got, []string{"kept"}) || read(t, b, "kept") != "before" {
		t.Errorf("kept: %v", got)
	}
	sum = md5.Sum([]byte("1234"))
	if _, err := b.Put(t.Context(), "fresh", strings.NewReader("1234"), storage.PutOptions{MD5: sum[:], MaxSize: 4}); err != nil {
		t.Errorf("exactly the limit and the MD5: %v", err)
	}
}

func replace(t *testing.T, b storage.Blobs) {
	put(t, b, "a", "former")
	x, err := b.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	put(t, b, "a", "the new one")
	if got, err := io.ReadAll(x); err != nil || string(got) != "former" {
		t.Errorf("the open blob reads %q (%v)", got, err)
	}
	if got := read(t, b, "a"); got != "the new one" {
		t.Errorf("a new reader reads %q", got)
	}
	if got := keys(t, b, ""); len(got) != 1 {
		t.Errorf("listed: %v", got)
	}
}

// slowUpload: the Put that ends last wins, however early it began.
func slowUpload(t *testing.T, b storage.Blobs) {
	put(t, b, "a", "former")
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := b.Put(context.Background(), "a", r, storage.PutOptions{})
		done <- err
	}()
	if _, err := w.Write([]byte("slow")); err != nil { // returns when the upload has read it
		t.Fatal(err)
	}
	put(t, b, "a", "fast")
	if got := read(t, b, "a"); got != "fast" {
		t.Errorf("while the slow one is on its way: %q", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := read(t, b, "a"); got != "slow" {
		t.Errorf("after the slow one was put: %q", got)
	}
	if got := keys(t, b, ""); len(got) != 1 {
		t.Errorf("listed: %v", got)
	}
}

func deleteAndList(t *testing.T, b storage.Blobs) {
	for _, k := range []string{"b/2", "a", "b/1", "b/1/x", "c"} {
		put(t, b, k, k)
	}
	if got := keys(t, b, ""); !slices.Equal(got, []string{"a", "b/1", "b/1/x", "b/2", "c"}) {
		t.Errorf("all: %v", got)
	}
	if got := keys(t, b, "b/"); !slices.Equal(got, []string{"b/1", "b/1/x", "b/2"}) {
		t.Errorf("b/: %v", got)
	}
	for range 2 { // deleting what is not there is no error
		if err := b.Delete(t.Context(), "b/1"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Open(t.Context(), "b/1"); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("deleted: %v", err)
	}
	if got := read(t, b, "b/1/x"); got != "b/1/x" {
		t.Errorf("the blob below reads %q", got)
	}
	stop := errors.New("stop")
	if err := b.List(t.Context(), "", func(storage.BlobInfo) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("fn's error: %v", err)
	}
}

// listInOrder: '-' and '.' sort before '/', digits and letters after it.
func listInOrder(t *testing.T, b storage.Blobs) {
	all := []string{"a", "b", "b-1", "b-1/x", "b.x", "b/0", "b/1", "b/1-0", "b/1.0", "b/1/0", "b/1/f", "b/1/z", "b/10", "b0", "ba", "c/d/e"}
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(all)) {
		put(t, b, all[i], all[i])
		put(t, b, all[i], all[i]+" again")
	}
	for _, prefix := range []string{"", "b", "b-", "b/", "b/1", "b/1/", "c", "c/d/e", "c/d/ex", "d", "/", ".."} {
		var want []string
		for _, k := range all {
			if strings.HasPrefix(k, prefix) {
				want = append(want, k)
			}
		}
		if got := keys(t, b, prefix); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", prefix, got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := b.List(ctx, "", func(i storage.BlobInfo) error {
		if n++; i.Size != int64(len(i.Key)+len(" again")) {
			t.Errorf("%+v", i)
		}
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%d blobs after the context's end (%v)", n, err)
	}
}

// listAndDelete: deleting blobs during List does not hide others.
func listAndDelete(t *testing.T, b storage.Blobs) {
	var want, left []string
	for i := range 40 {
		key := fmt.Sprintf("%s/%02d", []string{"a", "b", "b/c"}[i%3], i)
		put(t, b, key, key)
		if want = append(want, key); i%2 == 1 {
			left = append(left, key)
		}
	}
	slices.Sort(want)
	slices.Sort(left)
	var got []string
	err := b.List(t.Context(), "", func(i storage.BlobInfo) error {
		got = append(got, i.Key)
		if slices.Contains(left, i.Key) {
			x, err := b.Open(t.Context(), i.Key)
			if err != nil {
				return err
			}
			return x.Close()
		}
		return b.Delete(t.Context(), i.Key)
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	if got := keys(t, b, ""); !slices.Equal(got, left) {
		t.Errorf("left are %v, want %v", got, left)
	}
}

func badKeys(t *testing.T, b storage.Blobs) {
	for _, k := range []string{"", "/a", "a/", "a//b", "../a", "a/../b", ".hidden", "a/.b", "A", "a b", "ä", strings.Repeat("x", 201)} {
		if _, err := b.Put(t.Context(), k, strings.NewReader("x"), storage.PutOptions{}); !errors.Is(err, storage.ErrInvalid) {
			t.Errorf("%q: %v, want ErrInvalid", k, err)
		}
		if _, err := b.Open(t.Context(), k); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("open %q: %v", k, err)
		}
	}
}

func large(t *testing.T, b storage.Blobs) {
	const size = 3 << 20
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			content := bytes.Repeat([]byte{byte(i)}, size)
			for _, key := range []string{fmt.Sprint("own-", i), "shared"} {
				if _, err := b.Put(context.Background(), key, bytes.NewReader(content), storage.PutOptions{}); err != nil {
					t.Error(err)
				}
			}
			x, err := b.Open(context.Background(), "shared")
			if err != nil {
				t.Error(err)
				return
			}
			defer x.Close()
			got, err := io.ReadAll(x)
			if err != nil || len(got) != size || bytes.Count(got, got[:1]) != size || x.Info().MD5 != md5.Sum(got) {
				t.Errorf("mixed content of %d bytes (%v)", len(got), err)
			}
		})
	}
	wg.Wait()
	for i := range 8 {
		if got := read(t, b, fmt.Sprint("own-", i)); len(got) != size || got[0] != byte(i) {
			t.Errorf("blob %d has %d bytes", i, len(got))
		}
	}
}
