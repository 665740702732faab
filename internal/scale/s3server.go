package main

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage/s3"
)

const s3Key, s3Secret, s3Bucket = "motion", "secret", "scale"

// s3Server is a versitygw of this program's own, with a bucket.
type s3Server struct {
	endpoint string
	stop     func() error
}

// errNoS3 says that the server is missing.
var errNoS3 = errors.New("versitygw is missing: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")

// startS3 starts one whose files lie in dir.
func startS3(ctx context.Context, dir string) (*s3Server, error) {
	program, err := exec.LookPath("versitygw")
	if err != nil {
		out, _ := exec.CommandContext(ctx, "go", "env", "GOPATH").Output()
		program = filepath.Join(strings.TrimSpace(string(out)), "bin", "versitygw")
		if _, err := os.Stat(program); err != nil {
			return nil, errNoS3
		}
	}
	objects, meta := filepath.Join(dir, "objects"), filepath.Join(dir, "meta")
	if err := errors.Join(os.MkdirAll(objects, 0o700), os.MkdirAll(meta, 0o700)); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "--port", addr, "--access", s3Key, "--secret", s3Secret,
		"--keep-alive", "--quiet", "posix", "--sidecar", meta, objects)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &s3Server{endpoint: "http://" + addr, stop: func() error {
		err := cmd.Process.Kill()
		_ = cmd.Wait() // it says that it was killed
		return err
	}}
	for end := time.Now().Add(30 * time.Second); ; {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			err = c.Close()
			if err == nil {
				break
			}
		}
		if time.Now().After(end) {
			return nil, errors.Join(err, s.stop())
		}
		time.Sleep(10 * time.Millisecond)
	}
	client := awss3.New(awss3.Options{
		BaseEndpoint: &s.endpoint, UsePathStyle: true, Region: "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: s3Key, SecretAccessKey: s3Secret}, nil
		}),
	})
	if _, err := client.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: aws.String(s3Bucket)}); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func openS3(ctx context.Context, endpoint string) (*s3.Blobs, error) {
	return s3.Open(ctx, s3.Config{Endpoint: endpoint, Bucket: s3Bucket, AccessKey: s3Key, SecretKey: s3Secret})
}
