package s3

import (
	"context"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage"
)

// Sweep removes what is older than Config.Keep and of no use: former content of blobs,
// uploads that a crash has left half done, and content that never became a blob. It
// reads the whole list of the bucket's objects under the prefix; other calls may go on
// meanwhile, in any process.
func (b *Blobs) Sweep(ctx context.Context) error {
	now := time.Now()
	if err := b.sweepUploads(ctx, now.Add(-b.keep)); err != nil {
		return err
	}
	return b.walk(ctx, b.prefix, func(v versions) error {
		return b.remove(ctx, b.outdated(v, now, b.keep)...)
	})
}

// sweepUploads aborts the uploads that began before a time.
func (b *Blobs) sweepUploads(ctx context.Context, old time.Time) error {
	in := &s3.ListMultipartUploadsInput{Bucket: &b.bucket, Prefix: &b.prefix}
	for {
		page, err := b.client.ListMultipartUploads(ctx, in)
		if err != nil {
			return fault(ctx, "list uploads", err)
		}
		for _, u := range page.Uploads {
			name := aws.ToString(u.Key)
			if !b.ours(name) || !aws.ToTime(u.Initiated).Before(old) {
				continue
			}
			if err := b.abort(ctx, name, u.UploadId); err != nil {
				return err
			}
		}
		if !aws.ToBool(page.IsTruncated) {
			return nil
		}
		in.KeyMarker, in.UploadIdMarker = page.NextKeyMarker, page.NextUploadIdMarker
	}
}

// ours reports whether a name is that of content.
func (b *Blobs) ours(name string) bool {
	rest, ok := strings.CutPrefix(name, b.prefix)
	key, rest, marked := strings.Cut(rest, mark)
	return ok && marked && strings.HasPrefix(rest, dataPrefix) && storage.CheckBlobKey(key) == nil
}
