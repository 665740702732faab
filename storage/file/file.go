// Package file keeps blobs as files in a folder:
//
//	blobs, err := file.Open("blobs", file.Options{})
//	if err != nil {
//		return err
//	}
//	defer blobs.Close()
//
// The blob "media/movies/7" is in the folder media/movies/7, in a file named by its MD5 and the time of the Put. A new file is written
// under .tmp, synced and renamed into place before it replaces the former one: a crash leaves one of the two, complete. If the disk is
// full, or nearly so (Options.MinFree), Put returns storage.ErrUnavailable and removes what it has written. Check tells before.
package file

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// Blobs is what Open returns. A Blob of it is a storage.Local. List reads one folder at a time: its memory grows with the largest
// one. Sweep removes what a Put has written whose process was killed: on Linux, macOS and FreeBSD at once, elsewhere, and where
// the file system has no locks, after a day.
type Blobs interface {
	storage.Blobs
	storage.Sweeper

	// Check returns storage.ErrUnavailable if less than Options.MinFree is free.
	Check(ctx context.Context) error

	// Close closes the folder. Open blobs stay readable.
	Close() error
}

type blobs struct {
	root    *os.Root
	minFree int64 // bytes; negative: not checked
	space   func() (free int64, err error)
}

// Options of Blobs. The zero value is ready to use.
type Options struct {
	// MinFree is the number of bytes to keep free on the disk for other data, such as the records. A Put that finds
	// less when it begins, or every few megabytes, returns storage.ErrUnavailable. Default 64 MiB; -1: no limit. Only
	// Linux, macOS, FreeBSD and Windows are checked.
	MinFree int64
}

const (
	tmpDir         = ".tmp"
	held           = "held-"        // begins the names of files under .tmp that are held while a process writes them
	leftover       = 24 * time.Hour // older files under .tmp were left by a crash
	defaultMinFree = 64 << 20
)

// Open returns the blobs in a folder. It creates the folder if necessary and removes what crashes left there, as Sweep does. Several
// processes may use the folder at once; where it lies in a network, its file system must tell them of each other's locks (flock).
func Open(dir string, opt Options) (Blobs, error) {
	opt.MinFree = cmp.Or(opt.MinFree, defaultMinFree)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	b := &blobs{root: root, minFree: opt.MinFree, space: func() (int64, error) { return freeSpace(root) }}
	if err := b.Sweep(context.Background()); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return b, nil
}

func (b *blobs) Close() error { return b.root.Close() }

func (b *blobs) Sweep(ctx context.Context) error {
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
		name := path.Join(tmpDir, e.Name())
		info, err := e.Info()
		switch {
		case err != nil:
		case time.Since(info.ModTime()) > leftover:
			err = b.root.Remove(name)
		case strings.HasPrefix(e.Name(), held):
			err = removeUnheld(b.root, name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (b *blobs) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (info storage.BlobInfo, err error) {
	if err := cmp.Or(driver.CheckBlobKey(key), ctx.Err()); err != nil {
		return info, err
	}
	if err := b.check(); err != nil {
		return info, fmt.Errorf("blob %s: %w", key, err)
	}
	f, tmp, release, err := b.create()
	if err != nil {
		return info, full(err)
	}
	defer release()
	defer func() {
		if err != nil {
			b.root.Remove(tmp)
		}
	}()
	content := &driver.Content{Ctx: ctx, Key: key, R: r, Limit: opt.MaxSize}
	sum, err := fill(f, &writer{f, b, spaceStep}, content)
	if err = errors.Join(err, full(f.Close())); err != nil {
		return info, err
	}
	if err := driver.CheckMD5(key, sum, opt.MD5); err != nil {
		return info, err
	}
	at, err := b.place(tmp, key, sum)
	if err != nil {
		return info, full(err)
	}
	return storage.BlobInfo{Key: key, Size: content.Size, MD5: sum, Modified: at}, nil
}

// create creates a file under .tmp and holds it until release is called.
func (b *blobs) create() (f *os.File, name string, release func(), err error) {
	for ok := false; !ok; {
		name = path.Join(tmpDir, held+rand.Text())
		if f, err = b.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return nil, "", nil, err
		}
		if release, ok = hold(b.root, name); !ok {
			f.Close()
			b.root.Remove(name)
		}
	}
	return f, name, release, nil
}

// place renames a finished file into place and removes the versions that it replaces. Its name
// has a time later than theirs, which place returns.
func (b *blobs) place(tmp, key string, sum [md5.Size]byte) (time.Time, error) {
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
		err = b.root.Rename(tmp, path.Join(key, fmt.Sprintf("%x-%020d", sum, at.UnixNano()))) // which parseVersion reads
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

// removeBefore removes the versions of a blob that were put before a time. Those that it cannot remove are older and are not read.
func (b *blobs) removeBefore(key string, at time.Time) error {
	versions, err := b.versions(key)
	for _, v := range versions {
		if v.time.Before(at) {
			b.root.Remove(path.Join(key, v.file))
		}
	}
	return err
}

// syncFolders syncs the folders above a renamed file. Systems that cannot sync folders ignore it.
func (b *blobs) syncFolders(key string) {
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
	io.ReadSeekCloser
	file *os.File
	info storage.BlobInfo
}

func (b *blob) Info() storage.BlobInfo { return b.info }

func (b *blob) File() *os.File { return b.file }

func (b *blobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if driver.CheckBlobKey(key) != nil {
		return nil, driver.BlobNotFound(key)
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
		found = &blob{f, f, info}
		return nil
	})
	return found, err
}

func (b *blobs) Delete(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if driver.CheckBlobKey(key) != nil {
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
	b.root.Remove(key) // fails if there is another blob below it
	return nil
}

func (b *blobs) List(ctx context.Context, prefix string, fn func(storage.BlobInfo) error) error {
	return b.list(ctx, ".", prefix, fn)
}

func (b *blobs) list(ctx context.Context, dir, prefix string, fn func(storage.BlobInfo) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := fs.ReadDir(b.root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // deleted in between
	}
	if err != nil {
		return err
	}
	// A folder is its own blob and, with a slash, those below it. In the order of keys, other
	// blobs may be between the two: "a", "a-b", "a/b".
	var names []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != tmpDir {
			names = append(names, e.Name(), e.Name()+"/")
		}
	}
	slices.Sort(names)
	for _, name := range names {
		key := path.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			if below := key + "/"; strings.HasPrefix(below, prefix) || strings.HasPrefix(prefix, below) {
				err = b.list(ctx, key, prefix, fn)
			}
		} else if strings.HasPrefix(key, prefix) {
			err = b.one(ctx, key, fn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// one calls fn for the blob with that key, if there is one.
func (b *blobs) one(ctx context.Context, key string, fn func(storage.BlobInfo) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var found storage.BlobInfo
	err := b.latest(key, func(file string, info storage.BlobInfo) error {
		stat, err := b.root.Stat(file)
		if err == nil {
			info.Size = stat.Size()
			found = info
		}
		return err
	})
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	return fn(found)
}
