package upkeep

import (
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// Error describes a file that is missing, or is not what its record says.
func (f Finding) Error() string {
	text := f.Problem + " " + f.Blob
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

// OpenFile opens the file of a record. If the record has no file, it returns the error none. If the file is missing or has
// another size than the record says, the error is a Finding.
func (k *Keeper) OpenFile(ctx context.Context, r storage.Record, none error) (storage.Blob, error) {
	want, ok, err := catalog.FileOf(r)
	if err != nil || !ok {
		return nil, cmp.Or(err, none)
	}
	blob, err := k.open(ctx, want)
	if errors.As(err, new(Finding)) {
		if _, gone := k.Store.Head(ctx, r.Key); gone != nil {
			return nil, gone // deleted meanwhile
		}
	}
	return blob, err
}

// CheckFile reads the file of a record, and returns a Finding if it is missing or its content is not what the
// record says. A record that does not exist, or has no file, is no error.
func (k *Keeper) CheckFile(ctx context.Context, key storage.Key) error {
	r, err := k.Store.Head(ctx, key)
	var blob storage.Blob
	if err == nil {
		blob, err = k.OpenFile(ctx, r, storage.ErrNotFound)
	}
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer blob.Close()
	want, _, err := catalog.FileOf(r)
	if err != nil {
		return err
	}
	return inspectContent(ctx, blob, want, true)
}

// open opens a file. If it is missing or has another size, the error is a Finding.
func (k *Keeper) open(ctx context.Context, want catalog.File) (storage.Blob, error) {
	blob, err := k.Blobs.Open(ctx, want.Name)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, Finding{Problem: MissingBlob, Blob: want.Name}
	}
	if err != nil {
		return nil, err
	}
	if size := blob.Info().Size; want.Size != 0 && size != want.Size {
		return nil, cmp.Or(blob.Close(), wrong(want, "it has %d bytes, want %d", size, want.Size))
	}
	return blob, nil
}

// inspectContent returns a Finding if the MD5 of a file is not what its record says: that of the content if it
// is to be read, else that in the file's Info.
func inspectContent(ctx context.Context, blob storage.Blob, want catalog.File, read bool) error {
	info := blob.Info()
	size, sum := info.Size, info.MD5[:]
	if read {
		hash := md5.New()
		var err error
		size, err = io.Copy(hash, blob)
		if err != nil && (ctx.Err() != nil || errors.Is(err, storage.ErrUnavailable)) {
			return err
		}
		if err != nil {
			return wrong(want, "reading stops after %d bytes: %v", size, err)
		}
		sum = hash.Sum(nil)
		if len(want.MD5) == 0 {
			want.MD5 = info.MD5[:]
		}
	}
	switch {
	case size != info.Size:
		return wrong(want, "it has %d bytes, want %d", size, info.Size)
	case len(want.MD5) != 0 && string(sum) != string(want.MD5):
		return wrong(want, "its MD5 is %x, want %x", sum, want.MD5)
	}
	return nil
}

func wrong(file catalog.File, format string, args ...any) error {
	return Finding{Problem: WrongBlob, Blob: file.Name, Detail: fmt.Sprintf(format, args...)}
}
