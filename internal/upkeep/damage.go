package upkeep

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// Damage is the error of a file that is missing, or is not what its record says.
type Damage Finding

func (d *Damage) Error() string {
	if d.Detail == "" {
		return d.Problem + " " + d.Blob
	}
	return d.Problem + " " + d.Blob + ": " + d.Detail
}

// OpenFile opens the file of a record, which must have one. If the file is missing or has another
// size than the record says, the error is a *Damage.
func (k *Keeper) OpenFile(ctx context.Context, r storage.Record) (storage.Blob, error) {
	want, ok, err := catalog.FileOf(r)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("file of %s/%d: %w", r.Kind, r.ID, storage.ErrNotFound)
	}
	blob, f, err := k.open(ctx, want)
	if err != nil {
		return nil, err
	}
	if f.Problem == "" {
		return blob, nil
	}
	if _, err := k.Store.Head(ctx, r.Key); err != nil {
		return nil, err // deleted meanwhile
	}
	d := Damage(f)
	return nil, &d
}

// CheckFile reads the file of a record, and returns a *Damage if it is missing or its content is
// not what the record says. A record that does not exist, or has no file, is no error.
func (k *Keeper) CheckFile(ctx context.Context, key storage.Key) error {
	err := k.checkFile(ctx, key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	return err
}

func (k *Keeper) checkFile(ctx context.Context, key storage.Key) error {
	r, err := k.Store.Head(ctx, key)
	if err != nil {
		return err
	}
	blob, err := k.OpenFile(ctx, r)
	if err != nil {
		return err
	}
	defer blob.Close()
	want, _, err := catalog.FileOf(r)
	if err != nil {
		return err
	}
	f, err := inspectContent(ctx, blob, want, true)
	if d := Damage(f); err == nil && f.Problem != "" {
		err = &d
	}
	return err
}

// open opens a file, unless it is missing or has another size: then it returns a Finding.
func (k *Keeper) open(ctx context.Context, want catalog.File) (storage.Blob, Finding, error) {
	f := Finding{Blob: want.Name}
	blob, err := k.Blobs.Open(ctx, want.Name)
	if errors.Is(err, storage.ErrNotFound) {
		f.Problem = MissingBlob
		return nil, f, nil
	}
	if err != nil {
		return nil, f, err
	}
	if size := blob.Info().Size; want.Size != 0 && size != want.Size {
		f.Problem, f.Detail = WrongBlob, fmt.Sprintf("it has %d bytes, want %d", size, want.Size)
		return nil, f, blob.Close()
	}
	return blob, f, nil
}

// inspectContent compares the MD5 of a file with what its record says: that of the content if it is
// to be read, else that in the file's Info.
func inspectContent(ctx context.Context, blob storage.Blob, want catalog.File, read bool) (Finding, error) {
	f := Finding{Blob: want.Name}
	info := blob.Info()
	size, sum := info.Size, info.MD5[:]
	if read {
		hash := md5.New()
		var err error
		size, err = io.Copy(hash, blob)
		if err != nil && (ctx.Err() != nil || errors.Is(err, storage.ErrUnavailable)) {
			return f, err
		}
		if err != nil {
			f.Problem, f.Detail = WrongBlob, fmt.Sprintf("reading stops after %d bytes: %v", size, err)
			return f, nil
		}
		sum = hash.Sum(nil)
		if len(want.MD5) == 0 {
			want.MD5 = info.MD5[:]
		}
	}
	switch {
	case size != info.Size:
		f.Problem, f.Detail = WrongBlob, fmt.Sprintf("it has %d bytes, want %d", size, info.Size)
	case len(want.MD5) != 0 && string(sum) != string(want.MD5):
		f.Problem, f.Detail = WrongBlob, fmt.Sprintf("its MD5 is %x, want %x", sum, want.MD5)
	}
	return f, nil
}
