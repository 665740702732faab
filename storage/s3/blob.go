package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

const (
	skip   = 256 << 10 // the largest gap that is read instead of a new request
	resume = 3         // requests for one read when connections break
)

// blob reads content with range requests. Content never changes, so any number of requests read the same.
type blob struct {
	b    *Blobs
	ctx  context.Context
	name string
	info storage.BlobInfo

	pos  int64         // of the next Read
	body io.ReadCloser // the content from at on; nil: none
	at   int64
}

var _ storage.Linker = (*blob)(nil)

// Open implements storage.Blobs. The end of ctx also ends reading. Read reconnects when a connection breaks, and
// returns storage.ErrUnavailable if that fails or the server is silent. The blob is a storage.Linker.
func (b *Blobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if driver.CheckBlobKey(key) != nil {
		return nil, driver.BlobNotFound(key)
	}
	v, err := b.versions(ctx, key)
	if err != nil {
		return nil, err
	}
	e, ok := v.latest()
	if !ok {
		return nil, driver.BlobNotFound(key)
	}
	return &blob{b: b, ctx: ctx, name: b.dataName(key, e.id), info: e.info(key)}, nil
}

func (x *blob) Info() storage.BlobInfo { return x.info }

func (x *blob) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for try := 1; ; try++ {
		if err := x.ctx.Err(); err != nil {
			return 0, err
		}
		if x.pos >= x.info.Size {
			return 0, io.EOF
		}
		n, err := x.read(p)
		if err != nil {
			x.Close()
		}
		switch {
		case n > 0:
			return n, nil // an error that lasts comes back
		case err != nil && (try == resume || !errors.Is(err, storage.ErrUnavailable) || errors.Is(err, errSilent)):
			return 0, err
		}
	}
}

// read reads once, from the open connection if possible.
func (x *blob) read(p []byte) (int, error) {
	if x.body != nil && x.at != x.pos {
		if gap := x.pos - x.at; gap < 0 || gap > skip {
			x.Close()
		} else if n, err := io.CopyN(io.Discard, x.body, gap); err != nil {
			return 0, x.fault(err)
		} else {
			x.at += n
		}
	}
	if x.body == nil {
		from := fmt.Sprintf("bytes=%d-", x.pos)
		out, err := x.b.client.GetObject(x.ctx, &s3.GetObjectInput{Bucket: &x.b.bucket, Key: &x.name, Range: &from})
		if missing(err) {
			return 0, fmt.Errorf("blob %s was deleted while it was read: %w", x.info.Key, storage.ErrNotFound)
		}
		if err != nil {
			return 0, fault(x.ctx, "get "+x.name, err)
		}
		x.body, x.at = out.Body, x.pos
	}
	n, err := x.body.Read(p[:min(int64(len(p)), x.info.Size-x.pos)])
	x.at += int64(n)
	x.pos = x.at
	if err == io.EOF && x.pos == x.info.Size {
		err = nil
	}
	if err != nil {
		err = x.fault(err)
	}
	return n, err
}

// fault returns the error of a connection that broke while it was read.
func (x *blob) fault(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if x.ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
	}
	return fault(x.ctx, "get "+x.name, err)
}

// Seek implements io.Seeker. It sends no request.
func (x *blob) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += x.pos
	case io.SeekEnd:
		offset += x.info.Size
	}
	if whence < io.SeekStart || whence > io.SeekEnd || offset < 0 {
		return 0, fmt.Errorf("blob %s: %w position %d, whence %d", x.info.Key, storage.ErrInvalid, offset, whence)
	}
	x.pos = offset
	return offset, nil
}

// Close closes the connection.
func (x *blob) Close() error {
	if x.body == nil {
		return nil
	}
	body := x.body
	x.body = nil
	return body.Close()
}

// Link implements storage.Linker. It sends no request. The link is for the open content, even if
// the blob is replaced, and is valid for at most 7 days, a limit of S3.
func (x *blob) Link(ctx context.Context, o storage.LinkOptions) (string, error) {
	in := &s3.GetObjectInput{Bucket: &x.b.bucket, Key: &x.name}
	if o.ContentType != "" {
		in.ResponseContentType = &o.ContentType
	}
	if o.ContentDisposition != "" {
		in.ResponseContentDisposition = &o.ContentDisposition
	}
	o.TTL = cmp.Or(max(o.TTL, 0), time.Hour)
	req, err := x.b.signer.PresignGetObject(ctx, in, s3.WithPresignExpires(min(o.TTL, 7*24*time.Hour)))
	if err != nil {
		return "", fault(ctx, "sign "+x.name, err)
	}
	return req.URL, nil
}
