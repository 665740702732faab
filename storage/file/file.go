// Package file keeps blobs as files in a folder.
//
// The blob "media/movies/7" lies in the folder media/movies/7, in a file whose name is
// its MD5 and the time when it was put. A new file is written under .tmp, synced,
// renamed into place and only then takes the place of the former one: a crash leaves
// the one or the other, whole.
//
// # Speed
//
// A Put takes as long as the MD5 of what it puts: 510 to 580 MB/s on a core of a Xeon, as much
// as md5sum alone, and 1.4 times of tee into md5sum with a sync of the copy. All else, which
// goes on meanwhile, would be 1.3 times as fast as cp with a sync (go run ./internal/lab/scale
// -only blobs).
//
// # Full disks
//
// A disk that is full, or is about to be (Options.MinFree), is storage.ErrUnavailable, and
// what was written of the blob is removed.
package file

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Blobs is a storage.Blobs. Open returns one.
type Blobs struct {
	root    *os.Root
	minFree int64 // bytes; negative: not looked at
	space   space
}

// Options of Blobs. The zero value is ready to use.
type Options struct {
	// MinFree is how many bytes are to stay free on the disk, for what else lies there,
	// such as the records. A Put that finds less at its beginning or every few megabytes
	// returns storage.ErrUnavailable. Default 64 MiB; -1: the disk is filled. Not looked at
	// on systems other than Linux, macOS, FreeBSD and Windows.
	MinFree int64
}

var (
	_ storage.Blobs   = (*Blobs)(nil)
	_ storage.Sweeper = (*Blobs)(nil)
)

const (
	tmpDir = ".tmp"
	// What lies under .tmp for longer than this was left there by a crash.
	leftover = 24 * time.Hour
)

// Open returns the blobs in a folder. It creates the folder if necessary and removes what
// crashes left there more than a day ago. Several processes may use the folder at once.
func Open(dir string, opt Options) (*Blobs, error) {
	if opt.MinFree == 0 {
		opt.MinFree = defaultMinFree
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	b := &Blobs{root: root, minFree: opt.MinFree, space: func() (int64, bool, error) { return freeSpace(root) }}
	if err := b.Sweep(context.Background()); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return b, nil
}

// Close closes the folder. Open blobs can be read on.
func (b *Blobs) Close() error { return b.root.Close() }

// Sweep implements storage.Sweeper: it removes what crashes have left for more than a day.
func (b *Blobs) Sweep(ctx context.Context) error {
	if err := b.root.MkdirAll(tmpDir, 0o700); err != nil {
		return err
	}
	entries, err := fs.ReadDir(b.root.FS(), tmpDir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > leftover {
			err = b.root.Remove(path.Join(tmpDir, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Put implements storage.Blobs.
func (b *Blobs) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (info storage.BlobInfo, err error) {
	if err := storage.CheckBlobKey(key); err != nil {
		return info, err
	}
	limit := int64(1) << 62
	if opt.MaxSize > 0 {
		limit = opt.MaxSize
	}
	if err := ctx.Err(); err != nil {
		return info, err
	}
	if err := b.check(); err != nil {
		return info, fmt.Errorf("blob %s: %w", key, err)
	}
	tmp := path.Join(tmpDir, rand.Text())
	f, err := b.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return info, full(err)
	}
	defer func() {
		if err != nil {
			b.root.Remove(tmp)
		}
	}()
	size, sum, err := fill(ctx, f, &writer{f, b, spaceStep}, r, limit)
	if err = errors.Join(err, full(f.Close())); err != nil {
		if errors.Is(err, storage.ErrTooLarge) {
			return info, fmt.Errorf("blob %s: %w: more than %d bytes", key, storage.ErrTooLarge, opt.MaxSize)
		}
		return info, err
	}
	info = storage.BlobInfo{Key: key, Size: size, MD5: sum}
	if opt.MD5 != nil && !bytes.Equal(opt.MD5, info.MD5[:]) {
		return storage.BlobInfo{}, fmt.Errorf("blob %s: %w content: its MD5 is %x, want %x", key, storage.ErrInvalid, info.MD5, opt.MD5)
	}
	if info.Modified, err = b.place(tmp, key, info.MD5); err != nil {
		return storage.BlobInfo{}, full(err)
	}
	return info, nil
}

// place moves a finished file to its name, which tells a time after those of the ones it
// replaces, and removes them. It returns the time.
func (b *Blobs) place(tmp, key string, sum [md5.Size]byte) (time.Time, error) {
	for tries := 0; ; tries++ {
		if err := b.root.MkdirAll(key, 0o700); err != nil {
			return time.Time{}, err
		}
		old, err := b.versions(key)
		if err != nil {
			return time.Time{}, err
		}
		at := time.Now().UTC().Round(0)
		for _, v := range old {
			if !v.time.Before(at) { // the clock went back
				at = v.time.Add(1)
			}
		}
		err = b.root.Rename(tmp, path.Join(key, fileName(sum, at)))
		if err == nil {
			b.syncFolders(key)
			return at, b.removeBefore(key, at)
		}
		// A Delete may have removed the folder in between.
		if !errors.Is(err, fs.ErrNotExist) || tries == 10 {
			return time.Time{}, err
		}
	}
}

// removeBefore removes the files of a blob that were put before a time. What stays in
// spite of it is older and is not read.
func (b *Blobs) removeBefore(key string, at time.Time) error {
	versions, err := b.versions(key)
	for _, v := range versions {
		if v.time.Before(at) {
			b.root.Remove(path.Join(key, v.file))
		}
	}
	return err
}

// syncFolders makes a rename last, and the folders that were made for it. Systems that
// cannot sync folders do without.
func (b *Blobs) syncFolders(key string) {
	for dir := key; ; dir = path.Dir(dir) {
		if d, err := b.root.Open(dir); err == nil {
			d.Sync()
			d.Close()
		}
		if dir == "." {
			return
		}
	}
}

// blob is an open file.
type blob struct {
	file *os.File
	info storage.BlobInfo
}

func (b *blob) Read(p []byte) (int, error)                   { return b.file.Read(p) }
func (b *blob) Seek(offset int64, whence int) (int64, error) { return b.file.Seek(offset, whence) }
func (b *blob) Close() error                                 { return b.file.Close() }

func (b *blob) Info() storage.BlobInfo { return b.info }

// File returns the file itself, for programs that read it by its path.
func (b *blob) File() *os.File { return b.file }

// Open implements storage.Blobs. The blob has the method File() *os.File.
func (b *Blobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if storage.CheckBlobKey(key) != nil {
		return nil, fmt.Errorf("blob %q: %w", key, storage.ErrNotFound)
	}
	var found storage.Blob
	err := b.latest(key, func(file string, info storage.BlobInfo) error {
		f, err := b.root.Open(file)
		if err != nil {
			return err
		}
		stat, err := f.Stat()
		if err != nil {
			return errors.Join(err, f.Close())
		}
		info.Size = stat.Size()
		found = &blob{f, info}
		return nil
	})
	return found, err
}

// Delete implements storage.Blobs.
func (b *Blobs) Delete(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if storage.CheckBlobKey(key) != nil {
		return nil
	}
	versions, err := b.versions(key)
	if err != nil {
		return err
	}
	for _, v := range versions {
		if err := b.root.Remove(path.Join(key, v.file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	b.root.Remove(key) // stays where another blob lies below it
	return nil
}
