package s3

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// inMemory is the number of parts of an upload in memory: one is read while the others are sent.
const inMemory = 3

// grace is how long running requests may take after the context has ended.
const grace = 2 * time.Second

// putParts uploads content in parts; the first one is already read. It completes the upload after
// all content is read and has the right MD5, and else aborts it.
func (b *Blobs) putParts(ctx context.Context, name string, first *bytes.Buffer, src *source) (err error) {
	made, check, err := b.begin(ctx, name)
	if err != nil {
		return fault(ctx, "put "+name, err)
	}
	defer func() {
		if err != nil {
			b.clean(ctx, err, func(ctx context.Context) {
				b.abort(ctx, name, made)
				b.remove(ctx, name) // the server may have completed it in spite of an error
			})
		}
	}()
	parts, err := b.sendParts(ctx, name, made, check, first, src)
	if err == nil {
		err = src.check()
	}
	if err != nil {
		return err
	}
	return fault(ctx, "put "+name, b.complete(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &b.bucket, Key: &name, UploadId: made,
		MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
	}))
}

// completeTime is how long a server may take to put the parts of an upload together.
const completeTime = 2 * time.Minute

// complete completes an upload. The server is not silent as long as it answers something else.
func (b *Blobs) complete(ctx context.Context, in *s3.CompleteMultipartUploadInput) error {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	completing, w := watched(ctx)
	defer w.end()
	var asking sync.WaitGroup
	defer asking.Wait()
	defer cancel()
	asking.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(patience / 4):
			}
			if _, err := b.client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: &b.bucket}); err == nil || statusOf(err) != 0 {
				w.heard()
			}
		}
	})
	_, err := b.client.CompleteMultipartUpload(completing, in)
	return err
}

// sendParts sends parts while it reads the next ones. When it returns, no request is running. If ctx ends, running requests may
// take for grace longer: a server may continue with a part whose request is cancelled, and then cannot abort the upload.
func (b *Blobs) sendParts(ctx context.Context, name string, upload *string, check checksum, part *bytes.Buffer, src *source) ([]types.CompletedPart, error) {
	failed, fail := context.WithCancelCause(ctx) // the cause is the first error
	defer fail(nil)
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })()
	free := make(chan *bytes.Buffer, inMemory)
	for range inMemory - 1 {
		free <- new(bytes.Buffer)
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	var sent []*types.CompletedPart
	for {
		body, done := part, &types.CompletedPart{PartNumber: aws.Int32(int32(len(sent) + 1))}
		sent = append(sent, done)
		wg.Go(func() {
			in := &s3.UploadPartInput{
				Bucket: &b.bucket, Key: &name, UploadId: upload, PartNumber: done.PartNumber,
				Body: bytes.NewReader(body.Bytes()), ContentLength: aws.Int64(int64(body.Len())),
			}
			check(in, done, body.Bytes())
			out, err := b.client.UploadPart(sending, in, unsigned)
			if err != nil {
				fail(fault(sending, fmt.Sprintf("put %s, part %d", name, *done.PartNumber), err))
			} else {
				done.ETag = out.ETag
			}
			free <- body
		})
		if src.ended {
			break
		}
		part = <-free
		err := context.Cause(failed)
		if err == nil {
			err = src.fill(part)
		}
		if err != nil {
			return nil, err
		}
		if part.Len() == 0 { // the former part was full and the last one
			break
		}
	}
	wg.Wait()
	if err := context.Cause(failed); err != nil {
		return nil, err
	}
	parts := make([]types.CompletedPart, len(sent))
	for i, p := range sent {
		parts[i] = *p
	}
	return parts, nil
}

// abort aborts an upload. It is no error if there is none.
func (b *Blobs) abort(ctx context.Context, name string, upload *string) error {
	// A part that the server is writing may outlive the abort: ask whether the upload is gone.
	for pause := 20 * time.Millisecond; ; pause *= 2 {
		_, err := b.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &b.bucket, Key: &name, UploadId: upload})
		if err == nil {
			_, err = b.client.ListParts(ctx, &s3.ListPartsInput{Bucket: &b.bucket, Key: &name, UploadId: upload, MaxParts: aws.Int32(1)})
		}
		if missing(err) {
			return nil
		}
		if pause > time.Second || err != nil && statusOf(err) == 0 { // no answer: leave it to Sweep
			return fault(ctx, "abort "+name, err)
		}
		select {
		case <-ctx.Done():
			return fault(ctx, "abort "+name, ctx.Err())
		case <-time.After(pause):
		}
	}
}
