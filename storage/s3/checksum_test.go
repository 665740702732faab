package s3_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

// through opens blobs whose requests go through do, and are not tried again.
func through(t *testing.T, do func(*http.Request) (*http.Response, error)) (*s3.Blobs, s3.Config) {
	t.Helper()
	return open(t, func(c *s3.Config) {
		c.Client = awss3.New(sharedServer(t).client().Options(), func(o *awss3.Options) {
			o.HTTPClient = doer(do)
			o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		})
	})
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

func isPart(r *http.Request) bool { return r.URL.Query().Has("partNumber") }

// asks reports whether a request begins an upload whose parts have checksums.
func asks(r *http.Request) bool {
	return r.URL.Query().Has("uploads") && r.Header.Get("X-Amz-Checksum-Algorithm") != ""
}

// TestFlippedBit: what is changed on its way, in a part or in a small blob, is no blob.
func TestFlippedBit(t *testing.T) {
	flips := false
	b, c := through(t, func(r *http.Request) (*http.Response, error) {
		if flips && r.Method == http.MethodPut && r.ContentLength > 0 {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			body[len(body)/2] ^= 1
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		return http.DefaultClient.Do(r)
	})
	if _, err := b.Put(t.Context(), "a", strings.NewReader("former"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	before, _ := left(t, c.Bucket)
	flips = true
	for _, size := range []int64{100, 20 * mb} {
		_, err := b.Put(t.Context(), "a", noise(size), storage.PutOptions{})
		if !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("%d bytes: %v, want ErrUnavailable", size, err)
		}
		if names, uploads := left(t, c.Bucket); len(names) != len(before) || uploads != 0 {
			t.Errorf("%d bytes: left are %v and %d uploads", size, names, uploads)
		}
	}
	if got := fetch(t, b); got != "former" {
		t.Errorf("the blob has %d bytes, want the former", len(got))
	}
}

// TestChecksums: parts carry the CRC-32C where the server knows it, else Content-MD5, be it
// that the server refuses what it does not know or takes no notice of it; that is asked once.
func TestChecksums(t *testing.T) {
	const refusal = `<?xml version="1.0"?><Error><Code>%s</Code><Message>no checksums here</Message></Error>`
	answer := func(status int, body string) *http.Response {
		return &http.Response{
			StatusCode: status, Header: http.Header{"Content-Type": {"application/xml"}},
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}
	}
	for _, c := range []struct {
		name   string
		asked  func(*http.Request, *awss3.Client) (*http.Response, error) // nil: the server's own answer
		header string
		times  int // that checksums are asked for, by two uploads
	}{
		{"known", nil, "X-Amz-Checksum-Crc32c", 2},
		{"refused", func(*http.Request, *awss3.Client) (*http.Response, error) {
			return answer(http.StatusBadRequest, fmt.Sprintf(refusal, "InvalidArgument")), nil
		}, "Content-Md5", 1},
		{"not implemented", func(*http.Request, *awss3.Client) (*http.Response, error) {
			return answer(http.StatusNotImplemented, fmt.Sprintf(refusal, "NotImplemented")), nil
		}, "Content-Md5", 1},
		{"overlooked", func(r *http.Request, plain *awss3.Client) (*http.Response, error) {
			_, path, _ := strings.Cut(r.URL.Path, "/")
			bucket, key, _ := strings.Cut(path, "/")
			made, err := plain.CreateMultipartUpload(r.Context(), &awss3.CreateMultipartUploadInput{Bucket: &bucket, Key: &key})
			if err != nil {
				return nil, err
			}
			return answer(http.StatusOK, "<InitiateMultipartUploadResult><UploadId>"+*made.UploadId+"</UploadId></InitiateMultipartUploadResult>"), nil
		}, "Content-Md5", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			times := 0
			headers := map[string]int{}
			plain := awss3.New(sharedServer(t).client().Options(), func(o *awss3.Options) {
				o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
			})
			b, _ := through(t, func(r *http.Request) (*http.Response, error) {
				mu.Lock()
				for name := range r.Header {
					if isPart(r) && (strings.HasPrefix(name, "X-Amz-Checksum") || name == "Content-Md5") {
						headers[name]++
					}
				}
				if asks(r) {
					times++
				}
				mu.Unlock()
				if asks(r) && c.asked != nil {
					return c.asked(r, plain)
				}
				return http.DefaultClient.Do(r)
			})
			for range 2 {
				want := sumOf(t, noise(13*mb))
				if _, err := b.Put(t.Context(), "a", noise(13*mb), storage.PutOptions{MD5: want}); err != nil {
					t.Fatal(err)
				}
				if got := sumOf(t, strings.NewReader(fetch(t, b))); !bytes.Equal(got, want) {
					t.Errorf("the blob's MD5 is %x, want %x", got, want)
				}
			}
			if len(headers) != 1 || headers[c.header] < 4 {
				t.Errorf("the parts carried %v, want %s alone", headers, c.header)
			}
			if times != c.times {
				t.Errorf("asked %d times, want %d", times, c.times)
			}
		})
	}
}
