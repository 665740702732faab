package main

import (
	"bytes"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
)

// TestRequests counts the requests to S3 for a file: how many docs/use/operating.md says.
func TestRequests(t *testing.T) {
	at, err := url.Parse(startS3(t).Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	var n atomic.Int64
	counter := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		n.Add(1)
		r.SetURL(at)
		r.Out.Host = r.In.Host // which is signed
	}})
	defer counter.Close()
	blobs, err := openS3(t.Context(), counter.URL)
	if err != nil {
		t.Fatal(err)
	}
	counted := func(do func() error) int64 {
		before := n.Load()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		return n.Load() - before
	}
	for size, want := range map[int][3]int64{100 << 10: {3, 2, 3}, 4 << 20: {3, 2, 3}, 60_000_000: {16, 2, 3}} {
		put := counted(func() error {
			_, err := blobs.Put(t.Context(), "scale/counted", bytes.NewReader(make([]byte, size)), storage.PutOptions{})
			return err
		})
		read := counted(func() error {
			blob, err := blobs.Open(t.Context(), "scale/counted")
			if err != nil {
				return err
			}
			testkit.Close(t, blob)
			_, err = io.Copy(io.Discard, blob)
			return err
		})
		gone := counted(func() error { return blobs.Delete(t.Context(), "scale/counted") })
		if got := [3]int64{put, read, gone}; got != want {
			t.Errorf("%d bytes: %v requests to put, read and delete, want %v", size, got, want)
		}
	}
}
