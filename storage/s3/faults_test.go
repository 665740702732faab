package s3_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

// faulty loses one of the requests, or the answer to it.
type faulty struct {
	at     int32 // the number of the request; 0: none
	answer bool
	n      atomic.Int32
}

func (f *faulty) Do(r *http.Request) (*http.Response, error) {
	lost := f.n.Add(1) == f.at
	if lost && !f.answer {
		return nil, io.ErrUnexpectedEOF
	}
	resp, err := http.DefaultClient.Do(r)
	if lost && err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		return nil, errors.Join(io.ErrUnexpectedEOF, err, resp.Body.Close())
	}
	return resp, err
}

// fetch returns the content of the blob "a"; "" where there is none.
func fetch(t *testing.T, b *s3.Blobs) string {
	t.Helper()
	x, err := b.Open(t.Context(), "a")
	if errors.Is(err, storage.ErrNotFound) {
		return ""
	}
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

// TestEachRequestLost: whichever request of a call is lost, or its answer, the call says
// so, the blob is whole, and it is the former one when a Put has failed.
func TestEachRequestLost(t *testing.T) {
	healthy, c := open(t, nil)
	wire := &faulty{}
	c.Client = awss3.New(sharedServer(t).client().Options(), func(o *awss3.Options) { o.HTTPClient = wire })
	b, err := s3.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	const former = "former"
	long := string(content(t, 20*mb))
	put := func(content string) func() error {
		return func() error {
			_, err := b.Put(t.Context(), "a", strings.NewReader(content), storage.PutOptions{})
			return err
		}
	}
	for _, call := range []struct {
		name  string
		do    func() error
		after string
	}{
		{"short", put("new"), "new"},
		{"long", put(long), long},
		{"delete", func() error { return b.Delete(t.Context(), "a") }, ""},
	} {
		for _, answer := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/answer=%v", call.name, answer), func(t *testing.T) {
				if err := healthy.Delete(t.Context(), "a"); err != nil {
					t.Fatal(err)
				}
				if _, err := healthy.Put(t.Context(), "a", strings.NewReader(former), storage.PutOptions{}); err != nil {
					t.Fatal(err)
				}
				before, uploads := left(t, c.Bucket)
				wire.answer = answer
				for at := int32(1); ; at++ {
					wire.at = at
					wire.n.Store(0)
					err := call.do()
					got := fetch(t, healthy)
					if err == nil {
						if got != call.after || at < 3 {
							t.Errorf("request %d lost: no error, and the blob has %d bytes", at, len(got))
						}
						break
					}
					if !errors.Is(err, storage.ErrUnavailable) {
						t.Errorf("request %d lost: %v, want ErrUnavailable", at, err)
					}
					if got != former && (call.after != "" || got != "") {
						t.Errorf("request %d lost: the blob has %d bytes, want the former", at, len(got))
					}
					// When the server's answer to the very first request of an upload is
					// lost nobody knows the upload's name: it is left to Sweep.
					if names, n := left(t, c.Bucket); call.after != "" && (len(names) != len(before) || n > uploads && !(answer && at == 1)) {
						t.Errorf("request %d lost: left are %q and %d uploads", at, names, n-uploads)
					} else {
						uploads = n
					}
				}
			})
		}
	}
}

// TestClock: a blob that was put by a machine whose clock is ahead is replaced all the same.
func TestClock(t *testing.T) {
	b, c := open(t, nil)
	future := time.Now().Add(time.Hour).UTC().Round(0)
	client := sharedServer(t).client()
	for _, name := range []string{"data-X", fmt.Sprintf("%016x-%032x-1-X", future.UnixNano(), 0)} {
		body := strings.NewReader(strings.Repeat("x", len(name)/len("data-X")%2)) // one byte of content
		name = "motion/a!/" + name
		if _, err := client.PutObject(t.Context(), &awss3.PutObjectInput{Bucket: &c.Bucket, Key: &name, Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	if got := fetch(t, b); got != "x" {
		t.Fatalf("the blob of the future reads %q", got)
	}
	info, err := b.Put(t.Context(), "a", strings.NewReader("new"), storage.PutOptions{})
	if got := fetch(t, b); err != nil || got != "new" || !info.Modified.After(future) {
		t.Errorf("the blob reads %q, put at %v (%v)", got, info.Modified, err)
	}
}

// TestStrangeNames: what is not written by this package is no blob, and stays.
func TestStrangeNames(t *testing.T) {
	b, c := open(t, func(c *s3.Config) { c.Keep = 1 })
	client := sharedServer(t).client()
	const sum = "d41d8cd98f00b204e9800998ecf8427e"
	names := []string{"a", "a!/x", "a!/0000000000000001-" + sum + "-0", "a!/000000000000000g-" + sum + "-0-X", "a!/0000000000000001-" + sum[1:] + "g-0-X",
		"a!/0000000000000001-" + sum + "-x-X", "a!/0000000000000001-" + sum + "-0-", "a!/f000000000000001-" + sum + "-0-X", "b/A!/data-X"}
	for _, name := range names {
		name = "motion/" + name
		if _, err := client.PutObject(t.Context(), &awss3.PutObjectInput{Bucket: &c.Bucket, Key: &name, Body: bytes.NewReader(nil)}); err != nil {
			t.Fatal(err)
		}
	}
	err := b.List(t.Context(), "", func(i storage.BlobInfo) error { return fmt.Errorf("%+v", i) })
	if err == nil {
		err = b.Sweep(t.Context())
	}
	if got, _ := left(t, c.Bucket); err != nil || len(got) != len(names) {
		t.Errorf("left are %q (%v)", got, err)
	}
}

// TestDisorder: a server whose lists are in another order is not used.
func TestDisorder(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `<ListBucketResult><Contents><Key>b!/data-X</Key></Contents><Contents><Key>a!/data-X</Key></Contents></ListBucketResult>`)
		}
	}))
	b, err := s3.Open(t.Context(), s3.Config{Client: newClient(url), Bucket: "b"})
	if err != nil {
		t.Fatal(err)
	}
	err = b.List(context.Background(), "", func(storage.BlobInfo) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "in order") {
		t.Errorf("%v", err)
	}
}
