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

// inMemory is how many parts of an upload are in memory: one is read, the others are
// sent.
const inMemory = 3

// grace is how long requests on their way may take when the context has ended.
const grace = 2 * time.Second

// putParts uploads content in parts of which the first is read already. The server
// puts them together only when all is read and the MD5 is right; else the upload is
// aborted.
func (b *Blobs) putParts(ctx context.Context, key, name string, first []byte, src *source) (err error) {
	made, check, err := b.begin(ctx, name)
	if err != nil {
		return fault(ctx, "put "+name, err)
	}
	defer func() {
		if err != nil {
			b.clean(ctx, func(ctx context.Context) {
				b.abort(ctx, name, made)
				b.remove(ctx, name) // where the server is done in spite of an error
			})
		}
	}()
	parts, err := b.sendParts(ctx, name, made, check, first, src)
	if err == nil {
		err = src.check(key)
	}
	if err != nil {
		return err
	}
	_, err = b.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &b.bucket, Key: &name, UploadId: made,
		MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
	})
	return fault(ctx, "put "+name, err)
}

// sendParts reads parts and sends them while the next ones are read. All requests have
// ended when it returns. It lets those on their way end, for a while also when ctx has
// ended: a server may go on with a part that is broken off, and cannot abort the upload
// then.
func (b *Blobs) sendParts(ctx context.Context, name string, upload *string, check checksum, part []byte, src *source) ([]types.CompletedPart, error) {
	failed, fail := context.WithCancelCause(ctx) // ends with the first error, its cause
	defer fail(nil)
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, cut) })()
	free := make(chan []byte, inMemory)
	for range inMemory - 1 {
		free <- nil // is made when it is used
	}
	var wg sync.WaitGroup
	defer func() {
		wg.Wait()
		for context.Cause(failed) == nil && len(free) > 0 { // else a request that was broken off may still read one
			b.bufs.put(<-free)
		}
	}()
	var sent []*types.CompletedPart
	for {
		body, done := part, &types.CompletedPart{PartNumber: aws.Int32(int32(len(sent) + 1))}
		sent = append(sent, done)
		wg.Go(func() {
			in := &s3.UploadPartInput{
				Bucket: &b.bucket, Key: &name, UploadId: upload, PartNumber: done.PartNumber,
				Body: bytes.NewReader(body), ContentLength: aws.Int64(int64(len(body))),
			}
			check(in, done, body)
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
		buf := <-free
		err := context.Cause(failed)
		if err == nil {
			buf, err = src.fill(buf)
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == 0 { // the part before was full and the last
			break
		}
		part = buf
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

// abort gives up an upload. One that is not there is no error.
func (b *Blobs) abort(ctx context.Context, name string, upload *string) error {
	// A part that the server still writes may outlive it: ask whether it is gone.
	for pause := 20 * time.Millisecond; ; pause *= 2 {
		_, err := b.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &b.bucket, Key: &name, UploadId: upload})
		if err == nil {
			_, err = b.client.ListParts(ctx, &s3.ListPartsInput{Bucket: &b.bucket, Key: &name, UploadId: upload, MaxParts: aws.Int32(1)})
		}
		if missing(err) {
			return nil
		}
		if pause > time.Second || err != nil && statusOf(err) == 0 { // it does not answer: leave it to Sweep
			return fault(ctx, "abort "+name, err)
		}
		select {
		case <-ctx.Done():
			return fault(ctx, "abort "+name, ctx.Err())
		case <-time.After(pause):
		}
	}
}
