package s3_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

// serve runs a handler until the test ends and returns its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// TestServerGone: while the server is away calls return ErrUnavailable, and when it is
// back all is there that was.
func TestServerGone(t *testing.T) {
	server := newServer(t, t.TempDir())
	defer func() { server.Kill() }()
	c := config(server.place(t))
	c.Client = server.client()
	b, err := s3.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	want := content(t, 20*mb)
	if _, err := b.Put(t.Context(), "kept", bytes.NewReader(want), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	x, err := b.Open(t.Context(), "kept")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := io.CopyN(io.Discard, x, mb); err != nil {
		t.Fatal(err)
	}

	// The server goes in the middle of an upload and of a download.
	first := true
	_, err = b.Put(t.Context(), "kept", io.MultiReader(noise(20*mb), hook{noise(20 * mb), func() error {
		if first {
			first = false
			server.Kill()
		}
		return io.EOF
	}}), storage.PutOptions{})
	if !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("upload: %v, want ErrUnavailable", err)
	}
	if _, err := io.Copy(io.Discard, x); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("download: %v, want ErrUnavailable", err)
	}
	calls := map[string]func() error{
		"put": func() error {
			_, err := b.Put(t.Context(), "b", strings.NewReader("x"), storage.PutOptions{})
			return err
		},
		"open":  func() error { _, err := b.Open(t.Context(), "kept"); return err },
		"list":  func() error { return b.List(t.Context(), "", func(storage.BlobInfo) error { return nil }) },
		"del":   func() error { return b.Delete(t.Context(), "kept") },
		"sweep": func() error { return b.Sweep(t.Context()) },
		"new":   func() error { _, err := s3.Open(t.Context(), c); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("%s: %v, want ErrUnavailable", name, err)
		}
	}

	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	for name, call := range calls {
		if name == "del" {
			continue
		}
		if err := call(); err != nil {
			t.Errorf("%s, when the server is back: %v", name, err)
		}
	}
	if _, err := x.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(x); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of the blob are left (%v)", len(got), err)
	}
	var keys []string
	err = b.List(t.Context(), "", func(i storage.BlobInfo) error { keys = append(keys, i.Key); return nil })
	if err != nil || strings.Join(keys, " ") != "b kept" {
		t.Errorf("there are %v (%v)", keys, err)
	}
}

// TestKinds holds which answers of a server mean that trying again may help.
func TestKinds(t *testing.T) {
	for status, want := range map[int]bool{500: true, 503: true, 429: true, 403: false, 400: false, 301: false} {
		var answer int
		url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodHead {
				w.WriteHeader(answer)
			}
		}))
		b, err := s3.Open(t.Context(), s3.Config{Client: newClient(url), Bucket: "b"})
		if err != nil {
			t.Fatal(err)
		}
		answer = status
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err = b.Open(ctx, "a")
		cancel()
		if err == nil || errors.Is(err, storage.ErrUnavailable) != want || errors.Is(err, storage.ErrNotFound) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestOpenErrors: what is wrong is said when the blobs are opened.
func TestOpenErrors(t *testing.T) {
	_, c := open(t, nil)
	for name, change := range map[string]func(*s3.Config){
		"no such bucket": func(c *s3.Config) { c.Bucket = "nobodys" },
		"wrong key":      func(c *s3.Config) { c.SecretKey = "other" },
		"no key":         func(c *s3.Config) { c.AccessKey = "" },
		"no bucket":      func(c *s3.Config) { c.Bucket = "" },
		"prefix":         func(c *s3.Config) { c.Prefix = "a!" },
		"keep":           func(c *s3.Config) { c.Keep = -1 },
	} {
		c := c
		change(&c)
		_, err := s3.Open(t.Context(), c)
		if err == nil || errors.Is(err, storage.ErrUnavailable) || errors.Is(err, storage.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
