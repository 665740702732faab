package s3_test

import (
	"bytes"
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
