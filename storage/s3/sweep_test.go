package s3_test

import (
	"strings"
	"testing"
	"time"

	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

// TestSweep: leftovers that are old enough go, all else stays.
func TestSweep(t *testing.T) {
	young, c := open(t, nil)
	for _, content := range []string{"former", "new"} {
		if _, err := young.Put(t.Context(), "a/b", strings.NewReader(content), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	client := sharedServer(t).client()
	for _, name := range []string{"motion/a/b!/data-LEFT", "motion/foreign", "motion/C!/data-X", "elsewhere/a!/data-X"} {
		if _, err := client.PutObject(t.Context(), &awss3.PutObjectInput{Bucket: &c.Bucket, Key: &name, Body: strings.NewReader("x")}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"motion/c!/data-HALF", "motion/foreign2"} {
		if _, err := client.CreateMultipartUpload(t.Context(), &awss3.CreateMultipartUploadInput{Bucket: &c.Bucket, Key: &name}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(b *s3.Blobs, objects, uploads int) {
		t.Helper()
		if err := b.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if names, n := left(t, c.Bucket); len(names) != objects || n != uploads {
			t.Errorf("left are %q and %d uploads, want %d and %d", names, n, objects, uploads)
		}
	}
	check(young, 2+2+4, 2)

	c.Keep = time.Nanosecond
	old, err := s3.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	check(old, 2+3, 1)
	x, err := old.Open(t.Context(), "a/b")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if x.Info().Size != 3 {
		t.Errorf("%+v", x.Info())
	}
}

// TestManyPages: lists that are longer than the server's pages.
func TestManyPages(t *testing.T) {
	b, c := open(t, nil)
	client := sharedServer(t).client()
	put := func(name string) {
		if _, err := client.PutObject(t.Context(), &awss3.PutObjectInput{Bucket: &c.Bucket, Key: &name}); err != nil {
			t.Fatal(err)
		}
	}
	const blobs = 700 // two objects each
	for i := range blobs {
		key := "motion/k" + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + string(rune('a'+i%26))
		put(key + "!/data-X")
		put(key + "!/0000000000000001-d41d8cd98f00b204e9800998ecf8427e-0-X")
	}
	n, last := 0, ""
	err := b.List(t.Context(), "k", func(i storage.BlobInfo) error {
		if n++; i.Key <= last {
			t.Errorf("%s after %s", i.Key, last)
		}
		last = i.Key
		return nil
	})
	if err != nil || n != blobs {
		t.Errorf("%d blobs (%v), want %d", n, err, blobs)
	}
}
