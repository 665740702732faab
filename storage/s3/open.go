package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage"
)

// Config says where blobs are kept.
type Config struct {
	// Bucket is the name of the bucket, which must exist. Required.
	Bucket string
	// Prefix begins the names of all objects, such as "motion/". Objects of others
	// under it are left alone.
	Prefix string

	// Client talks to the server. nil: one is made of the fields below.
	Client *s3.Client
	// Endpoint is the address of a server other than AWS, such as
	// "https://s3.example.com:9000", with the bucket in the path.
	Endpoint string
	// Region is the server's; default "us-east-1".
	Region string
	// AccessKey and SecretKey identify the caller. Required without Client.
	AccessKey, SecretKey string

	// PublicEndpoint is the address of the server in signed links, where clients
	// reach it under another one than this process.
	PublicEndpoint string

	// Keep is how long the content of a blob stays readable for those who have it
	// open when the blob is replaced, and how long an upload may take at most;
	// default 24 hours.
	Keep time.Duration
}

// Blobs is a storage.Blobs. Open returns one.
type Blobs struct {
	client *s3.Client
	signer *s3.PresignClient
	bucket string
	prefix string
	keep   time.Duration
	bufs   buffers

	onlyMD5 atomic.Bool // the server is known to check parts by Content-MD5 alone
}

var (
	_ storage.Blobs   = (*Blobs)(nil)
	_ storage.Sweeper = (*Blobs)(nil)
)

// Open returns the blobs in a bucket after asking the server for it. It returns
// ErrUnavailable where the server does not answer, and another error where there is no
// such bucket or the caller may not use it.
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
	if c.Keep == 0 {
		c.Keep = 24 * time.Hour
	}
	if c.Client == nil {
		c.Client = newClient(c)
	}
	b := &Blobs{client: c.Client, bucket: c.Bucket, prefix: c.Prefix, keep: c.Keep, bufs: make(buffers, inMemory)}
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

// patience is how long a server may take to answer a request that it has got. To put
// the parts of a large upload together takes some servers a while.
const patience = 2 * time.Minute

// newClient makes a client that asks of the server only what all servers can do.
func newClient(c Config) *s3.Client {
	if c.Region == "" {
		c.Region = "us-east-1"
	}
	key := aws.Credentials{AccessKeyID: c.AccessKey, SecretAccessKey: c.SecretKey}
	o := s3.Options{
		Region: c.Region,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return key, nil
		}),
		HTTPClient: awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
			t.ResponseHeaderTimeout = patience
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
