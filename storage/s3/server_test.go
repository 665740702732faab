package s3_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage/s3"
)

// server is an S3 server of the tests' own.
type server struct {
	*testkit.S3
	dir     string
	buckets atomic.Int32
}

// shared is the server of the tests that stop none.
var shared *server

func TestMain(m *testing.M) {
	code := m.Run()
	if shared != nil {
		shared.Kill()
		os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// sharedServer returns a server that runs until all tests are over.
func sharedServer(tb testing.TB) *server {
	tb.Helper()
	if shared == nil {
		dir, err := os.MkdirTemp("", "motion-s3-")
		if err != nil {
			tb.Fatal(err)
		}
		shared = newServer(tb, dir)
	}
	return shared
}

// newServer starts a server in an empty folder.
func newServer(tb testing.TB, dir string) *server {
	tb.Helper()
	s, err := testkit.StartS3(dir)
	if errors.Is(err, testkit.ErrMissing) {
		testkit.Skip(tb, err.Error())
	}
	if err != nil {
		tb.Fatal(err)
	}
	return &server{S3: s, dir: dir}
}

func (s *server) client() *awss3.Client { return newClient(s.Endpoint()) }

// newClient returns a client that does not try again.
func newClient(endpoint string) *awss3.Client {
	return awss3.New(awss3.Options{
		BaseEndpoint: &endpoint, UsePathStyle: true, Region: "us-east-1", RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: testkit.AccessKey, SecretAccessKey: testkit.SecretKey}, nil
		}),
	})
}

// place makes a bucket and returns its address, for config.
func (s *server) place(tb testing.TB) string {
	tb.Helper()
	bucket := fmt.Sprintf("bucket-%d", s.buckets.Add(1))
	if _, err := s.client().CreateBucket(tb.Context(), &awss3.CreateBucketInput{Bucket: &bucket}); err != nil {
		tb.Fatal(err)
	}
	return s.Endpoint() + "/" + bucket
}

func config(place string) s3.Config {
	endpoint, bucket := filepath.Split(place)
	return s3.Config{Endpoint: strings.TrimSuffix(endpoint, "/"), Bucket: bucket, AccessKey: testkit.AccessKey, SecretKey: testkit.SecretKey, Prefix: "motion/"}
}

// open opens blobs in a new bucket of the shared server, and returns its configuration
// after change has had it.
func open(tb testing.TB, change func(*s3.Config)) (*s3.Blobs, s3.Config) {
	tb.Helper()
	c := config(sharedServer(tb).place(tb))
	if change != nil {
		change(&c)
	}
	b, err := s3.Open(tb.Context(), c)
	if err != nil {
		tb.Fatal(err)
	}
	return b, c
}

// left returns the names of the objects in a bucket and the number of uploads that are
// not done.
func left(tb testing.TB, bucket string) (names []string, uploads int) {
	tb.Helper()
	client := sharedServer(tb).client()
	for token := (*string)(nil); ; {
		page, err := client.ListObjectsV2(tb.Context(), &awss3.ListObjectsV2Input{Bucket: &bucket, ContinuationToken: token})
		if err != nil {
			tb.Fatal(err)
		}
		for _, o := range page.Contents {
			names = append(names, *o.Key)
		}
		if token = page.NextContinuationToken; token == nil {
			break
		}
	}
	page, err := client.ListMultipartUploads(tb.Context(), &awss3.ListMultipartUploadsInput{Bucket: &bucket})
	if err != nil {
		tb.Fatal(err)
	}
	return names, len(page.Uploads)
}
