package memory

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// blobs is a storage.Blobs.
type blobs struct {
	opt BlobsOptions

	mu    sync.RWMutex
	blobs map[string]blob
	bytes int64
}

// BlobsOptions are the options of NewBlobs.
type BlobsOptions struct {
	MaxBytes int64 // of all blobs together; default 1 GiB
}

type blob struct {
	*bytes.Reader
	info storage.BlobInfo
}

func (b blob) Info() storage.BlobInfo { return b.info }
func (b blob) Close() error           { return nil }

// NewBlobs returns an empty Blobs.
func NewBlobs(opt BlobsOptions) storage.Blobs {
	opt.MaxBytes = cmp.Or(max(opt.MaxBytes, 0), 1<<30)
	return &blobs{opt: opt, blobs: map[string]blob{}}
}

// Put implements storage.Blobs. Full blobs are storage.ErrUnavailable.
func (b *blobs) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (storage.BlobInfo, error) {
	if err := driver.CheckBlobKey(key); err != nil {
		return storage.BlobInfo{}, err
	}
	var buf bytes.Buffer
	n, err := buf.ReadFrom(io.LimitReader(&driver.Content{Ctx: ctx, Key: key, R: r, Limit: opt.MaxSize}, b.opt.MaxBytes+1))
	if err := cmp.Or(err, ctx.Err()); err != nil {
		return storage.BlobInfo{}, err
	}
	info := storage.BlobInfo{Key: key, Size: n, MD5: md5.Sum(buf.Bytes()), Modified: time.Now().UTC()}
	if err := driver.CheckMD5(key, info.MD5, opt.MD5); err != nil {
		return storage.BlobInfo{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	was := b.blobs[key].info.Size
	if b.bytes-was+n > b.opt.MaxBytes {
		err := fmt.Errorf("blob %s: %w: the %d bytes in memory are used up", key, storage.ErrUnavailable, b.opt.MaxBytes)
		return storage.BlobInfo{}, err
	}
	b.bytes += n - was
	b.blobs[key] = blob{bytes.NewReader(buf.Bytes()), info}
	return info, nil
}

func (b *blobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	x, ok := b.blobs[key]
	if !ok {
		return nil, driver.BlobNotFound(key)
	}
	reader := *x.Reader // with a position of its own
	return blob{&reader, x.info}, nil
}

func (b *blobs) Delete(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes -= b.blobs[key].info.Size
	delete(b.blobs, key)
	return nil
}

func (b *blobs) List(ctx context.Context, prefix string, fn func(storage.BlobInfo) error) error {
	b.mu.RLock()
	var found []storage.BlobInfo
	for key, x := range b.blobs {
		if strings.HasPrefix(key, prefix) {
			found = append(found, x.info)
		}
	}
	b.mu.RUnlock()
	slices.SortFunc(found, func(x, y storage.BlobInfo) int { return strings.Compare(x.Key, y.Key) })
	return driver.Each(ctx, found, fn)
}
