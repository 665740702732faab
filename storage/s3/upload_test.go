package s3_test

import (
	"bytes"
	"crypto/md5"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

func do(t *testing.T, method, url, body string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		r.Header = header
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(got)
}

func TestSignUpload(t *testing.T) {
	t.Run("own client", func(t *testing.T) { signUpload(t, nil) })
	t.Run("the caller's client", func(t *testing.T) { signUpload(t, func(c *s3.Config) { c.Client = newClient(c.Endpoint) }) })
}

func signUpload(t *testing.T, change func(*s3.Config)) {
	b, c := open(t, change)
	if _, err := b.Put(t.Context(), "a", strings.NewReader("former"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	sum := md5.Sum([]byte("content"))
	up, err := b.SignUpload(t.Context(), "a", sum[:], time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Commit(t.Context(), "a", up.ID, storage.PutOptions{}); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("before the upload: %v, want ErrNotFound", err)
	}
	if resp, body := do(t, http.MethodPut, up.URL, "another", up.Header.Clone()); resp.StatusCode != http.StatusBadRequest {
		t.Errorf("other content: %s %s", resp.Status, body)
	}
	bare := up.Header.Clone()
	bare.Del("Content-Md5")
	if resp, body := do(t, http.MethodPut, up.URL, "another", bare); resp.StatusCode < 400 {
		t.Errorf("without Content-MD5: %s %s", resp.Status, body)
	}
	if resp, body := do(t, http.MethodPut, up.URL, "content", up.Header.Clone()); resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %s; header %v", resp.Status, body, up.Header)
	}
	read := func() string {
		x, err := b.Open(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		got, err := io.ReadAll(x)
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	if got := read(); got != "former" {
		t.Errorf("before Commit the blob reads %q", got)
	}
	for name, x := range map[string]struct {
		key, id string
		opt     storage.PutOptions
		want    error
	}{
		"too large":   {"a", up.ID, storage.PutOptions{MaxSize: 6}, storage.ErrTooLarge},
		"MD5":         {"a", up.ID, storage.PutOptions{MD5: make([]byte, 16)}, storage.ErrInvalid},
		"another key": {"b", up.ID, storage.PutOptions{}, storage.ErrNotFound},
		"no ID":       {"a", "", storage.PutOptions{}, storage.ErrNotFound},
		"bad key":     {"A", up.ID, storage.PutOptions{}, storage.ErrInvalid},
	} {
		if _, err := b.Commit(t.Context(), x.key, x.id, x.opt); !errors.Is(err, x.want) {
			t.Errorf("%s: %v, want %v", name, err, x.want)
		}
	}
	for range 2 { // again is no error and changes nothing
		info, err := b.Commit(t.Context(), "a", up.ID, storage.PutOptions{MD5: sum[:], MaxSize: 7})
		if err != nil || info.Size != 7 || info.MD5 != sum {
			t.Fatalf("%+v (%v)", info, err)
		}
		if got := read(); got != "content" {
			t.Errorf("the blob reads %q", got)
		}
	}
	c.Keep = time.Nanosecond
	old, err := s3.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := read(); got != "content" {
		t.Errorf("after Sweep the blob reads %q", got)
	}
	if _, err := b.SignUpload(t.Context(), "A", sum[:], 0); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("bad key: %v", err)
	}
	if _, err := b.SignUpload(t.Context(), "a", sum[:3], 0); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("bad MD5: %v", err)
	}
}

func TestLink(t *testing.T) {
	b, c := open(t, nil)
	want := content(t, 9*mb)
	if _, err := b.Put(t.Context(), "a", bytes.NewReader(want), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	x, err := b.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	link, err := x.(storage.Linker).Link(t.Context(), storage.LinkOptions{
		TTL: time.Minute, ContentType: "video/mp4", ContentDisposition: `inline; filename="a.mp4"`,
	})
	if err != nil {
		t.Fatal(err)
	}
	resp, got := do(t, http.MethodGet, link, "", http.Header{"Range": {"bytes=1000-1999"}})
	if resp.StatusCode != http.StatusPartialContent || got != string(want[1000:2000]) ||
		resp.Header.Get("Content-Type") != "video/mp4" || resp.Header.Get("Content-Disposition") != `inline; filename="a.mp4"` {
		t.Errorf("%s, %d bytes, %v", resp.Status, len(got), resp.Header)
	}
	if resp, _ := do(t, http.MethodGet, strings.Replace(link, "X-Amz-Signature=", "X-Amz-Signature=0", 1), "", nil); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a forged link: %s", resp.Status)
	}
	c.PublicEndpoint = "https://files.example.com"
	public, err := s3.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	y, err := public.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer y.Close()
	if link, err := y.(storage.Linker).Link(t.Context(), storage.LinkOptions{}); err != nil || !strings.HasPrefix(link, "https://files.example.com/"+c.Bucket+"/motion/a") {
		t.Errorf("%s (%v)", link, err)
	}
}
