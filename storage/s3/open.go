package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage"
)

// Config is the configuration of Blobs.
type Config struct {
	// Bucket is the name of the bucket, which must exist. Required.
	Bucket string
	// Prefix begins the names of all objects, for example "motion/". Other programs' objects under it are ignored.
	Prefix string

	Client *s3.Client // the client to use; nil: one made from the fields below
	// Endpoint is the address of a server other than AWS, such as "https://s3.example.com:9000". The bucket is then part of the path.
	Endpoint string
	Region   string // the region of the server; default "us-east-1"
	// AccessKey and SecretKey identify the caller. Required without Client.
	AccessKey, SecretKey string

	PublicEndpoint string // the address of the server in signed links, if clients need another one than this process

	// Keep is how long an open blob stays readable after it was replaced, and how long an upload may take; default 24 hours.
	Keep time.Duration
}

// Blobs is a storage.Blobs. Open returns one.
type Blobs struct {
	client *s3.Client
	signer *s3.PresignClient
	bucket string
	prefix string
	keep   time.Duration

	onlyMD5 atomic.Bool // the server does not support CRC-32C
}

var (
	_ storage.Blobs   = (*Blobs)(nil)
	_ storage.Sweeper = (*Blobs)(nil)
)

// Open returns the blobs in a bucket. It returns storage.ErrUnavailable if the server does not
// answer, and another error if there is no such bucket or the caller may not use it.
func Open(ctx context.Context, c Config) (*Blobs, error) {
	switch {
	case c.Bucket == "":
		return nil, errors.New("s3: Config.Bucket is missing")
	case c.Client == nil && (c.AccessKey == "" || c.SecretKey == ""):
		return nil, errors.New("s3: Config.AccessKey or SecretKey is missing")
	case strings.Contains(c.Prefix, "!"):
		return nil, errors.New("s3: Config.Prefix contains '!'")
	case c.Keep < 0:
		return nil, errors.New("s3: Config.Keep is negative")
	}
	c.Keep = cmp.Or(c.Keep, 24*time.Hour)
	if c.Client == nil {
		c.Client = newClient(c)
	}
	b := &Blobs{client: patient(c.Client), bucket: c.Bucket, prefix: c.Prefix, keep: c.Keep}
	b.signer = s3.NewPresignClient(c.Client, s3.WithPresignClientFromClientOptions(func(o *s3.Options) {
		if c.PublicEndpoint != "" {
			o.BaseEndpoint = &c.PublicEndpoint
		}
	}))
	if _, err := b.client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: &b.bucket}); err != nil {
		return nil, fault(ctx, fmt.Sprintf("bucket %s", b.bucket), err)
	}
	return b, nil
}

// newClient returns a client that uses only what all servers support.
func newClient(c Config) *s3.Client {
	c.Region = cmp.Or(c.Region, "us-east-1")
	key := aws.Credentials{AccessKeyID: c.AccessKey, SecretAccessKey: c.SecretKey}
	o := s3.Options{
		Region: c.Region,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return key, nil
		}),
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
	}
	if c.Endpoint != "" {
		o.BaseEndpoint = &c.Endpoint
		o.UsePathStyle = true
	}
	return s3.New(o)
}
