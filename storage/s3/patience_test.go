package s3_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

// hold returns the writer for the answer to a request; nil: it is not answered. over is closed
// when the test ends.
type hold func(w http.ResponseWriter, r *http.Request, over <-chan struct{}) http.ResponseWriter

// front is a proxy of the shared server that holds some requests.
type front struct {
	over chan struct{}
	hold atomic.Pointer[hold]
}

// behind returns blobs in a new bucket of the shared server, behind a front.
func behind(t *testing.T) (*s3.Blobs, s3.Config, *front) {
	t.Helper()
	_, c := open(t, nil)
	target, err := url.Parse(c.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	f := &front{over: make(chan struct{})}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // it is signed
	}}
	c.Endpoint = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hold := f.hold.Load(); hold != nil {
			w = (*hold)(w, r, f.over)
		}
		if w == nil {
			<-f.over
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { close(f.over) })
	b, err := s3.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return b, c, f
}

// stalling answers with the first bytes and then nothing.
type stalling struct {
	http.ResponseWriter
	left int
	done <-chan struct{}
}

func (s *stalling) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *stalling) Write(p []byte) (int, error) {
	n, err := s.ResponseWriter.Write(p[:min(len(p), s.left)])
	if s.left -= n; err == nil && n < len(p) {
		http.NewResponseController(s.ResponseWriter).Flush()
		<-s.done
		err = io.ErrClosedPipe
	}
	return n, err
}

// TestSilentServer: whatever a server leaves unanswered, the call gives up within 15 s and says
// that trying again may help.
func TestSilentServer(t *testing.T) {
	never := func(http.ResponseWriter, *http.Request, <-chan struct{}) http.ResponseWriter { return nil }
	unless := func(answered func(*http.Request) bool) hold {
		return func(w http.ResponseWriter, r *http.Request, _ <-chan struct{}) http.ResponseWriter {
			if answered(r) {
				return w
			}
			return nil
		}
	}
	stalls := func(after int) hold {
		return func(w http.ResponseWriter, _ *http.Request, over <-chan struct{}) http.ResponseWriter {
			return &stalling{w, after, over}
		}
	}
	put := func(size int) func(*testing.T, *s3.Blobs, s3.Config) error {
		return func(t *testing.T, b *s3.Blobs, _ s3.Config) error {
			_, err := b.Put(t.Context(), "new", bytes.NewReader(make([]byte, size)), storage.PutOptions{})
			return err
		}
	}
	get := func(t *testing.T, b *s3.Blobs, _ s3.Config) error {
		x, err := b.Open(t.Context(), "kept")
		if err != nil {
			return err
		}
		defer x.Close()
		_, err = io.Copy(io.Discard, x)
		return err
	}
	var calls []func()
	for name, c := range map[string]struct {
		hold hold
		call func(*testing.T, *s3.Blobs, s3.Config) error
	}{
		"new": {never, func(t *testing.T, _ *s3.Blobs, c s3.Config) error { _, err := s3.Open(t.Context(), c); return err }},
		"list": {never, func(t *testing.T, b *s3.Blobs, _ s3.Config) error {
			return b.List(t.Context(), "", func(storage.BlobInfo) error { return nil })
		}},
		"half a list": {stalls(100), func(t *testing.T, b *s3.Blobs, _ s3.Config) error {
			return b.List(t.Context(), "", func(storage.BlobInfo) error { return nil })
		}},
		"delete":         {never, func(t *testing.T, b *s3.Blobs, _ s3.Config) error { return b.Delete(t.Context(), "kept") }},
		"sweep":          {never, func(t *testing.T, b *s3.Blobs, _ s3.Config) error { return b.Sweep(t.Context()) }},
		"read":           {unless(func(r *http.Request) bool { return r.Header.Get("Range") == "" }), get},
		"half a read":    {stalls(mb), get},
		"small upload":   {never, put(100)},
		"large upload":   {never, put(12 * mb)},
		"part":           {unless(func(r *http.Request) bool { return r.Method != http.MethodPut }), put(12 * mb)},
		"completion":     {unless(func(r *http.Request) bool { return r.Method == http.MethodPut || r.URL.Query().Has("uploads") }), put(12 * mb)},
		"entry":          {unless(func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/data-") }), put(100)},
		"second request": {unless(func(r *http.Request) bool { return r.Method == http.MethodGet }), func(t *testing.T, b *s3.Blobs, _ s3.Config) error { return b.Delete(t.Context(), "kept") }},
	} {
		b, config, front := behind(t)
		if _, err := b.Put(t.Context(), "kept", bytes.NewReader(make([]byte, 2*mb)), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, func() {
			front.hold.Store(&c.hold)
			begin := time.Now()
			err := c.call(t, b, config)
			if took := time.Since(begin); !errors.Is(err, storage.ErrUnavailable) || took > 15*time.Second {
				t.Errorf("%s: after %v: %v", name, took, err)
			}
		})
	}
	t.Parallel()
	var all sync.WaitGroup
	defer all.Wait()
	for _, call := range calls {
		all.Go(call)
	}
}

// TestSlowServer: what flows may take longer than a server may be silent, and so may the
// completion of an upload while the server answers other requests.
func TestSlowServer(t *testing.T) {
	b, _, front := behind(t)
	want := content(t, 12*mb)
	if _, err := b.Put(t.Context(), "kept", bytes.NewReader(want), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Parallel()
	const pause = 13 * time.Second
	slow := hold(func(w http.ResponseWriter, r *http.Request, _ <-chan struct{}) http.ResponseWriter {
		switch {
		case r.Method == http.MethodPost && r.URL.Query().Has("uploadId"):
			time.Sleep(pause)
		case r.Header.Get("Range") != "":
			return &dripping{w, pause / 16}
		case r.URL.Query().Get("partNumber") == "1":
			r.Body = struct {
				io.Reader
				io.Closer
			}{&drippingReader{r.Body, pause / 16}, r.Body}
		}
		return w
	})
	front.hold.Store(&slow)
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() {
		if _, err := b.Put(t.Context(), "new", bytes.NewReader(want), storage.PutOptions{}); err != nil {
			t.Errorf("upload: %v", err)
		}
	})
	x, err := b.Open(t.Context(), "kept")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	half := make([]byte, len(want)/2)
	_, err = io.ReadFull(x, half)
	time.Sleep(pause) // the reader's own pause does not count
	rest, err2 := io.ReadAll(x)
	if err != nil || err2 != nil || !bytes.Equal(append(half, rest...), want) {
		t.Errorf("download: %v, %v", err, err2)
	}
}

// dripping writes a MiB at a time, with pauses.
type dripping struct {
	http.ResponseWriter
	pause time.Duration
}

func (d *dripping) Unwrap() http.ResponseWriter { return d.ResponseWriter }

func (d *dripping) Write(p []byte) (int, error) {
	time.Sleep(d.pause / 32) // the proxy copies 32 KiB at a time
	return d.ResponseWriter.Write(p)
}

// drippingReader reads with pauses.
type drippingReader struct {
	io.Reader
	pause time.Duration
}

func (d *drippingReader) Read(p []byte) (int, error) {
	time.Sleep(d.pause / 16)
	return d.Reader.Read(p[:min(len(p), 32<<10)])
}
