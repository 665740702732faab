package s3_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
)

const mb = 1 << 20

// noise is a movie's worth of bytes that do not repeat.
func noise(size int64) io.Reader {
	return io.LimitReader(rand.NewChaCha8([32]byte{1}), size)
}

func sumOf(tb testing.TB, r io.Reader) []byte {
	tb.Helper()
	h := md5.New()
	if _, err := io.Copy(h, r); err != nil {
		tb.Fatal(err)
	}
	return h.Sum(nil)
}

// TestSizes: contents around the size of a part come back as they were.
func TestSizes(t *testing.T) {
	b, _ := open(t, nil)
	for _, size := range []int64{0, 1, 5*mb - 1, 5 * mb, 5*mb + 1, 10 * mb, 40*mb + 7} {
		want := sumOf(t, noise(size))
		info, err := b.Put(t.Context(), "a", noise(size), storage.PutOptions{MD5: want, MaxSize: size})
		if err != nil || info.Size != size || !bytes.Equal(info.MD5[:], want) {
			t.Fatalf("%d bytes: %+v (%v)", size, info, err)
		}
		x, err := b.Open(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if got := sumOf(t, x); !bytes.Equal(got, want) || x.Info() != info {
			t.Errorf("%d bytes come back with the MD5 %x, want %x; %+v", size, got, want, x.Info())
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// hook is a reader that does something at its end.
type hook struct {
	io.Reader
	end func() error
}

func (h hook) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if err == io.EOF {
		err = h.end()
	}
	return n, err
}

// TestRefusedParts: an upload of many parts that fails leaves the former blob and
// nothing else.
func TestRefusedParts(t *testing.T) {
	b, c := open(t, nil)
	if _, err := b.Put(t.Context(), "a", strings.NewReader("former"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	before, _ := left(t, c.Bucket)
	broken := errors.New("broken")
	for name, x := range map[string]struct {
		opt  storage.PutOptions
		end  error // of the reader
		want error
	}{
		"MD5":       {storage.PutOptions{MD5: make([]byte, 16)}, io.EOF, storage.ErrInvalid},
		"too large": {storage.PutOptions{MaxSize: 30*mb - 1}, io.EOF, storage.ErrTooLarge},
		"reader":    {storage.PutOptions{}, broken, broken},
		"context":   {storage.PutOptions{}, nil, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r := hook{noise(30 * mb), func() error {
				if _, uploads := left(t, c.Bucket); uploads != 1 && x.want != storage.ErrTooLarge {
					t.Errorf("%d uploads on their way, want 1", uploads)
				}
				if x.end == nil {
					cancel()
				}
				return x.end
			}}
			_, err := b.Put(ctx, "a", r, x.opt)
			if !errors.Is(err, x.want) || x.want == broken && err != broken {
				t.Errorf("%v, want %v", err, x.want)
			}
			if names, uploads := left(t, c.Bucket); uploads != 0 || len(names) != len(before) {
				t.Errorf("left are %v and %d uploads, want %v", names, uploads, before)
			}
		})
	}
	x, err := b.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if got, err := io.ReadAll(x); err != nil || string(got) != "former" {
		t.Errorf("the blob reads %q (%v)", got, err)
	}
}

// TestLongestKey: a key of one name, as long as keys may be.
func TestLongestKey(t *testing.T) {
	b, _ := open(t, nil)
	key := strings.Repeat("x", 200)
	if _, err := b.Put(t.Context(), key, strings.NewReader("content"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	n := 0
	err := b.List(t.Context(), key, func(i storage.BlobInfo) error { n++; return nil })
	if err != nil || n != 1 {
		t.Errorf("%d blobs (%v)", n, err)
	}
}

// meter notes the most memory of the heap that it sees while it is read.
type meter struct {
	io.Reader
	read, next, most uint64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if m.read += uint64(n); m.read >= m.next || err != nil {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		m.most = max(m.most, s.HeapInuse+s.StackInuse)
		m.next = m.read + mb
	}
	return n, err
}

// TestMemory: what an upload holds in memory does not grow with its size.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("uploads 200 MB")
	}
	b, _ := open(t, nil)
	runtime.GC()
	m := &meter{Reader: noise(200 * mb)}
	if _, err := b.Put(t.Context(), "a", m, storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if m.most > 64*mb {
		t.Errorf("%d MB of memory while 200 MB are uploaded, want 64 at most", m.most/mb)
	}
}
