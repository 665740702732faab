package s3_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage/s3"
)

const (
	accessKey = "motion"
	secretKey = "secret"
)

// server is a versitygw on a port and a folder of its own. It can be stopped and
// started again.
type server struct {
	program, dir, addr string
	cmd                *exec.Cmd
	buckets            atomic.Int32
}

// shared is the server of the tests that stop none.
var shared *server

func TestMain(m *testing.M) {
	code := m.Run()
	if shared != nil {
		shared.stop()
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
		s := newServer(tb, dir)
		s.start(tb)
		shared = s
	}
	return shared
}

func newServer(tb testing.TB, dir string) *server {
	tb.Helper()
	program, err := exec.LookPath("versitygw")
	if err != nil {
		out, _ := exec.Command("go", "env", "GOPATH").Output()
		program = filepath.Join(strings.TrimSpace(string(out)), "bin", "versitygw")
		if _, err := os.Stat(program); err != nil {
			testkit.Skip(tb, "versitygw (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0)")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	return &server{program: program, dir: dir, addr: l.Addr().String()}
}

// start starts the server and waits until it answers.
func (s *server) start(tb testing.TB) {
	tb.Helper()
	objects, meta := filepath.Join(s.dir, "objects"), filepath.Join(s.dir, "meta")
	for _, dir := range []string{objects, meta} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	s.cmd = exec.Command(s.program, "--port", s.addr, "--access", accessKey, "--secret", secretKey,
		"--keep-alive", "--quiet", "posix", "--sidecar", meta, objects)
	if err := s.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); ; {
		c, err := net.Dial("tcp", s.addr)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(deadline) {
			tb.Fatalf("versitygw does not answer: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *server) stop() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

func (s *server) client() *awss3.Client { return newClient("http://" + s.addr) }

// newClient returns a client that does not try again.
func newClient(endpoint string) *awss3.Client {
	return awss3.New(awss3.Options{
		BaseEndpoint: &endpoint, UsePathStyle: true, Region: "us-east-1", RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: secretKey}, nil
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
	return "http://" + s.addr + "/" + bucket
}

func config(place string) s3.Config {
	endpoint, bucket := filepath.Split(place)
	return s3.Config{Endpoint: strings.TrimSuffix(endpoint, "/"), Bucket: bucket, AccessKey: accessKey, SecretKey: secretKey, Prefix: "motion/"}
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
