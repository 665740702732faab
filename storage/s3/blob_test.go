package s3_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

func content(tb testing.TB, size int64) []byte {
	tb.Helper()
	b, err := io.ReadAll(noise(size))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// TestSeek reads at random positions.
func TestSeek(t *testing.T) {
	b, _ := open(t, nil)
	want := content(t, 3*mb)
	if _, err := b.Put(t.Context(), "a", bytes.NewReader(want), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	x, err := b.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := iotest.TestReader(x, want); err != nil {
		t.Error(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	p := make([]byte, 1000)
	for range 100 {
		at := random.IntN(len(want))
		if _, err := x.Seek(int64(at), io.SeekStart); err != nil {
			t.Fatal(err)
		}
		n, err := io.ReadFull(x, p)
		if err != nil && err != io.ErrUnexpectedEOF || !bytes.Equal(p[:n], want[at:min(at+len(p), len(want))]) {
			t.Fatalf("other bytes at %d (%v)", at, err)
		}
	}
	if _, err := x.Seek(-1, io.SeekStart); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("a negative position: %v", err)
	}
}

// TestReplaceAndSeek: who has the former content open reads it from any position.
func TestReplaceAndSeek(t *testing.T) {
	b, _ := open(t, nil)
	put := func(content string) {
		t.Helper()
		if _, err := b.Put(t.Context(), "a", strings.NewReader(content), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	put("former")
	x, err := b.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for _, next := range []string{"the new one", "the newest"} {
		put(next)
		if err := b.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Seek(2, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(x); err != nil || string(got) != "rmer" {
			t.Errorf("the open blob reads %q (%v)", got, err)
		}
	}
	if err := b.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(x); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("a deleted blob: %v, want ErrNotFound", err)
	}
}

// TestReadingEnds with the context.
func TestReadingEnds(t *testing.T) {
	b, _ := open(t, nil)
	if _, err := b.Put(t.Context(), "a", noise(3*mb), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	x, err := b.Open(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := io.CopyN(io.Discard, x, mb); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(x); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
}

// TestResume: a blob is read to its end over connections that break.
func TestResume(t *testing.T) {
	var cuts atomic.Int32
	b, _ := open(t, func(c *s3.Config) {
		to, err := url.Parse(c.Endpoint)
		if err != nil {
			t.Fatal(err)
		}
		proxy := &httputil.ReverseProxy{
			Rewrite:  func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host },
			ErrorLog: log.New(io.Discard, "", 0),
		}
		proxy.ModifyResponse = func(r *http.Response) error {
			if r.Request.Method == http.MethodGet && strings.Contains(r.Request.URL.Path, "/data-") && r.ContentLength > mb {
				cuts.Add(1)
				r.Body = struct {
					io.Reader
					io.Closer
				}{io.MultiReader(io.LimitReader(r.Body, mb), iotest.ErrReader(errors.New("cut"))), r.Body}
			}
			return nil
		}
		c.Endpoint = serve(t, proxy)
	})
	want := content(t, 5*mb)
	if _, err := b.Put(t.Context(), "a", bytes.NewReader(want), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	x, err := b.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if got, err := io.ReadAll(x); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes (%v)", len(got), err)
	}
	if n := cuts.Load(); n < 4 {
		t.Errorf("%d broken connections, want 4 at least", n)
	}
}
