package s3

import (
	"context"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage/internal/driver"
)

// Sweep implements storage.Sweeper. It removes garbage older than Config.Keep: former content of
// blobs, unfinished uploads, and content that never became a blob. It lists all objects under
// the prefix.
func (b *Blobs) Sweep(ctx context.Context) error {
	now := time.Now()
	if err := b.sweepUploads(ctx, now.Add(-b.keep)); err != nil {
		return err
	}
	return b.walk(ctx, b.prefix, func(v versions) error {
		return b.remove(ctx, b.outdated(v, now)...)
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

// ours reports whether a name is that of an object with content.
func (b *Blobs) ours(name string) bool {
	rest, ok := strings.CutPrefix(name, b.prefix)
	key, rest, marked := strings.Cut(rest, mark)
	return ok && marked && strings.HasPrefix(rest, dataPrefix) && driver.CheckBlobKey(key) == nil
}
