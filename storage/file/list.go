package file

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bodymotion/motion/storage"
)

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
