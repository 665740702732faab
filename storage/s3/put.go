package s3

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/rand"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/internal/reading"
	"github.com/bodymotion/motion/storage"
)

// Put implements storage.Blobs. It holds 15 MiB of a large blob in memory. A blob has at most
// 10,000 parts of 5 MiB; more is storage.ErrTooLarge. If ctx ends or the server fails, Put
// removes what it has uploaded, which takes some seconds, and leaves the rest to Sweep.
func (b *Blobs) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (storage.BlobInfo, error) {
	if err := driver.CheckBlobKey(key); err != nil {
		return storage.BlobInfo{}, err
	}
	e, err := b.upload(ctx, newSource(ctx, key, r, opt))
	if err != nil {
		return storage.BlobInfo{}, err
	}
	if e, err = b.publish(ctx, key, e); err != nil {
		b.clean(ctx, err, func(ctx context.Context) { b.remove(ctx, b.dataName(key, e.id)) })
		return storage.BlobInfo{}, err
	}
	return e.info(key), nil
}

// upload uploads content and returns its entry, without a time. If it fails, it removes what it has uploaded.
func (b *Blobs) upload(ctx context.Context, src *source) (entry, error) {
	first := new(bytes.Buffer)
	if err := src.fill(first); err != nil {
		return entry{}, err
	}
	id := rand.Text()
	put := b.putParts
	if src.ended {
		put = b.putSmall
	}
	err := put(ctx, b.dataName(src.Key, id), first, src)
	return entry{sum: src.sum(), size: src.Size, id: id}, err
}

// putSmall uploads content that is in memory.
func (b *Blobs) putSmall(ctx context.Context, name string, content *bytes.Buffer, src *source) error {
	if err := src.check(); err != nil {
		return err
	}
	_, err := b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.bucket, Key: &name, Body: bytes.NewReader(content.Bytes()), ContentMD5: contentMD5(src.sum()),
		ContentLength: aws.Int64(int64(content.Len())),
	}, unsigned)
	if err != nil {
		b.clean(ctx, err, func(ctx context.Context) { b.remove(ctx, name) })
	}
	return fault(ctx, "put "+name, err)
}

// publish makes uploaded content the blob and removes outdated content. If it fails, the blob is unchanged.
func (b *Blobs) publish(ctx context.Context, key string, e entry) (entry, error) {
	v, err := b.versions(ctx, key)
	if err != nil {
		return e, err
	}
	if d, ok := v.data[e.id]; !ok || d.size != e.size {
		return e, fmt.Errorf("s3: put %s: %w: the server does not list what was uploaded", key, storage.ErrUnavailable)
	}
	e.time = time.Now().UTC().Round(0)
	if n := len(v.entries); n > 0 && !v.entries[n-1].time.Before(e.time) { // another clock is ahead
		e.time = v.entries[n-1].time.Add(1)
	}
	name := b.entryName(key, e)
	_, err = b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.bucket, Key: &name, Body: bytes.NewReader(nil), ContentMD5: contentMD5(md5.Sum(nil)),
		ContentLength: aws.Int64(0),
	})
	if err != nil {
		// The entry may exist in spite of the error, now or later. Put removes its content, and latest ignores an entry without content.
		b.clean(ctx, err, func(ctx context.Context) { b.remove(ctx, name) })
		return e, fault(ctx, "put "+name, err)
	}
	v.entries = append(v.entries, e)
	b.remove(ctx, b.outdated(v, e.time)...) // Sweep removes the rest
	return e, nil
}

// clean calls remove after a call has failed, with a context that outlives ctx, for at most patience, unless the server is silent.
func (b *Blobs) clean(ctx context.Context, err error, remove func(context.Context)) {
	if errors.Is(err, errSilent) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	remove(ctx)
}

// unsigned leaves the content out of a request's signature, which would need its SHA-256. The
// header with which the server checks the content is signed.
func unsigned(o *s3.Options) {
	o.APIOptions = append(o.APIOptions, v4.SwapComputePayloadSHA256ForUnsignedPayloadMiddleware)
}

const (
	partSize  = 5 << 20 // the minimum of S3
	maxParts  = 10_000  // the maximum of S3
	smallSize = 1 << 20 // until which the buffer of the first part grows by doubling
)

// source reads the content of a blob in parts and sums it.
type source struct {
	driver.Content
	want  []byte // the MD5; nil: any
	hash  hash.Hash
	ended bool
}

func newSource(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) *source {
	s := &source{want: opt.MD5, hash: md5.New()}
	s.Content = driver.Content{Ctx: ctx, Key: key, R: io.TeeReader(reading.Of(r), s.hash), Limit: partSize * maxParts}
	if opt.MaxSize > 0 {
		s.Limit = min(s.Limit, opt.MaxSize)
	}
	return s
}

// fill reads the next part into a buffer. A part that is not full is the last one.
func (s *source) fill(part *bytes.Buffer) error {
	part.Reset()
	_, err := part.ReadFrom(io.LimitReader(s, smallSize))
	if err == nil && part.Len() == smallSize {
		part.Grow(partSize - smallSize + bytes.MinRead)
		_, err = part.ReadFrom(io.LimitReader(s, partSize-smallSize))
	}
	s.ended = part.Len() < partSize
	return err
}

func (s *source) sum() (sum [md5.Size]byte) {
	s.hash.Sum(sum[:0])
	return sum
}

// check compares the MD5 of all content with the wanted one.
func (s *source) check() error {
	if err := driver.CheckMD5(s.Key, s.sum(), s.want); err != nil {
		return err
	}
	return s.Ctx.Err()
}
