package s3

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// versions are the objects of a blob.
type versions struct {
	key     string
	entries []entry         // oldest first
	data    map[string]data // content by its ID
}

// data describes content.
type data struct {
	size     int64
	modified time.Time
}

// latest returns the newest entry whose content exists.
func (v versions) latest() (entry, bool) {
	for _, e := range slices.Backward(v.entries) {
		if d, ok := v.data[e.id]; ok && d.size == e.size {
			return e, true
		}
	}
	return entry{}, false
}

// outdated returns the names of the objects that are garbage at a time: entries that were replaced
// before keep, with their content, and content as old without an entry.
func (b *Blobs) outdated(v versions, now time.Time) (names []string) {
	old := now.Add(-b.keep)
	replaced := map[string]bool{} // content by its ID; false: needed
	for i, e := range v.entries {
		replaced[e.id] = i+1 < len(v.entries) && v.entries[i+1].time.Before(old)
		if replaced[e.id] {
			names = append(names, b.entryName(v.key, e))
		}
	}
	for id, d := range v.data {
		if gone, named := replaced[id]; gone || !named && d.modified.Before(old) {
			names = append(names, b.dataName(v.key, id))
		}
	}
	return names
}

// versions lists the objects of a blob.
func (b *Blobs) versions(ctx context.Context, key string) (versions, error) {
	found := versions{key: key}
	err := b.walk(ctx, b.folder(key), func(v versions) error { found = v; return nil })
	return found, err
}

// walk calls fn for each blob with objects whose names begin with a prefix, in the order of their
// keys. It stops at fn's first error and returns it.
func (b *Blobs) walk(ctx context.Context, prefix string, fn func(versions) error) error {
	var now versions
	last := ""
	for token := (*string)(nil); ; {
		page, err := b.client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: &b.bucket, Prefix: &prefix, ContinuationToken: token})
		if err != nil {
			return fault(ctx, "list "+prefix, err)
		}
		for _, o := range page.Contents {
			name := aws.ToString(o.Key)
			if name <= last {
				return fmt.Errorf("s3: list %s: the server does not list names in order: %q after %q", prefix, name, last)
			}
			last = name
			key, rest, ok := strings.Cut(strings.TrimPrefix(name, b.prefix), mark)
			if !ok || !strings.HasPrefix(name, b.prefix) || driver.CheckBlobKey(key) != nil {
				continue
			}
			if key != now.key {
				if now.key != "" {
					if err := fn(now); err != nil {
						return err
					}
				}
				now = versions{key: key, data: map[string]data{}}
			}
			if id, ok := strings.CutPrefix(rest, dataPrefix); ok {
				now.data[id] = data{aws.ToInt64(o.Size), aws.ToTime(o.LastModified)}
			} else if e, ok := parseEntry(rest); ok {
				now.entries = append(now.entries, e)
			}
		}
		if !aws.ToBool(page.IsTruncated) {
			break
		}
		if token = page.NextContinuationToken; token == nil {
			return fmt.Errorf("s3: list %s: the server's list has no end", prefix)
		}
	}
	if now.key == "" {
		return nil
	}
	return fn(now)
}

// remove deletes objects, one after the other. It is no error if one does not exist.
func (b *Blobs) remove(ctx context.Context, names ...string) error {
	for _, name := range names {
		_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.bucket, Key: &name})
		if err != nil && !missing(err) {
			return fault(ctx, "delete "+name, err)
		}
	}
	return nil
}

// List implements storage.Blobs. It requests 1,000 objects at a time.
func (b *Blobs) List(ctx context.Context, prefix string, fn func(storage.BlobInfo) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if prefix != "" && driver.CheckBlobKey(prefix) != nil && driver.CheckBlobKey(prefix+"x") != nil {
		return nil // no key begins like this
	}
	return b.walk(ctx, b.prefix+prefix, func(v versions) error {
		e, ok := v.latest()
		if !ok {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return fn(e.info(v.key))
	})
}

// Delete implements storage.Blobs. It deletes all content of the blob at once: reading an open blob may then fail with storage.ErrNotFound.
func (b *Blobs) Delete(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if driver.CheckBlobKey(key) != nil {
		return nil
	}
	v, err := b.versions(ctx, key)
	if err != nil {
		return err
	}
	// Oldest first, so that no former content reappears. Sweep removes content without an entry, which may be that of a running Put.
	var entries, contents []string
	for _, e := range v.entries {
		entries = append(entries, b.entryName(key, e))
		contents = append(contents, b.dataName(key, e.id))
	}
	return b.remove(ctx, append(entries, contents...)...)
}

// Sweep implements storage.Sweeper. It removes garbage older than Config.Keep: former content of blobs, unfinished
// uploads, and content that never became a blob. It lists all objects under the prefix.
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
