package s3

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage"
)

// cleaning is how long it may take to remove what a failed call leaves.
const cleaning = 30 * time.Second

// Put implements storage.Blobs. It holds 15 MiB of a large blob in memory, which the
// Blobs keep for the next one. A blob has at most 10,000 parts of 5 MiB; ErrTooLarge past
// that. Where ctx ends or the server fails it returns after some seconds, in which it
// removes what was uploaded; what the server does not remove then is left to Sweep.
func (b *Blobs) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (storage.BlobInfo, error) {
	if err := storage.CheckBlobKey(key); err != nil {
		return storage.BlobInfo{}, err
	}
	e, err := b.upload(ctx, key, newSource(ctx, r, opt, b.bufs))
	if errors.Is(err, errLimit) {
		err = fmt.Errorf("blob %s: %w: more than %d bytes", key, storage.ErrTooLarge, limit(opt))
	}
	if err != nil {
		return storage.BlobInfo{}, err
	}
	if e, err = b.show(ctx, key, e); err != nil {
		b.clean(ctx, func(ctx context.Context) { b.remove(ctx, b.dataName(key, e.id)) })
		return storage.BlobInfo{}, err
	}
	return e.info(key), nil
}

// upload uploads content and returns its entry, without a time. Where it fails it
// leaves nothing.
func (b *Blobs) upload(ctx context.Context, key string, src *source) (entry, error) {
	first, err := src.fill(nil)
	if err != nil {
		return entry{}, err
	}
	id := newID()
	if name := b.dataName(key, id); src.ended {
		err = b.putSmall(ctx, key, name, first, src)
		if err == nil { // else a request that was broken off may still read it
			b.bufs.put(first)
		}
	} else {
		err = b.putParts(ctx, key, name, first, src)
	}
	return entry{sum: src.sum(), size: src.size, id: id}, err
}

// putSmall uploads content that is in memory.
func (b *Blobs) putSmall(ctx context.Context, key, name string, content []byte, src *source) error {
	if err := src.check(key); err != nil {
		return err
	}
	_, err := b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.bucket, Key: &name, Body: bytes.NewReader(content), ContentMD5: contentMD5(src.sum()),
		ContentLength: aws.Int64(int64(len(content))),
	}, unsigned)
	if err != nil {
		b.clean(ctx, func(ctx context.Context) { b.remove(ctx, name) })
	}
	return fault(ctx, "put "+name, err)
}

// show makes uploaded content the blob, and removes what is outdated of it. Where it
// fails the blob is what it was.
func (b *Blobs) show(ctx context.Context, key string, e entry) (entry, error) {
	v, err := b.versions(ctx, key)
	if err != nil {
		return e, err
	}
	if d, ok := v.data[e.id]; !ok || d.size != e.size {
		return e, fmt.Errorf("s3: put %s: %w: the server does not list what was uploaded", key, storage.ErrUnavailable)
	}
	e.time = time.Now().UTC().Round(0)
	if n := len(v.entries); n > 0 && !v.entries[n-1].time.Before(e.time) { // a clock that is ahead of ours
		e.time = v.entries[n-1].time.Add(1)
	}
	name := b.entryName(key, e)
	_, err = b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.bucket, Key: &name, Body: bytes.NewReader(nil), ContentMD5: contentMD5(md5.Sum(nil)),
		ContentLength: aws.Int64(0),
	})
	if err != nil {
		// The server may have got it in spite of the error, or get it yet: without its
		// content it does not count.
		b.clean(ctx, func(ctx context.Context) { b.remove(ctx, name) })
		return e, fault(ctx, "put "+name, err)
	}
	v.entries = append(v.entries, e)
	b.remove(ctx, b.outdated(v, e.time, b.keep)...) // what stays is left to Sweep
	return e, nil
}

// clean removes what a failed call leaves, also when its context has ended.
func (b *Blobs) clean(ctx context.Context, remove func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
	defer cancel()
	remove(ctx)
}

// unsigned makes a request whose content is not part of its signature: the header by which
// the server checks the content is. To sum it by SHA-256 as well would take both sides as
// long as all else.
func unsigned(o *s3.Options) {
	o.APIOptions = append(o.APIOptions, v4.SwapComputePayloadSHA256ForUnsignedPayloadMiddleware)
}
