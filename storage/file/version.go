package file

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// version is a file of a blob; the one with the greatest name is the content.
type version struct {
	file string // in the blob's folder
	name string // the part of the file name that is the time
	sum  [md5.Size]byte
	time time.Time
}

// versions returns the files of a blob; none if there is no such blob.
func (b *blobs) versions(key string) ([]version, error) {
	entries, err := fs.ReadDir(b.root.FS(), key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var found []version
	for _, e := range entries {
		if v, ok := parseVersion(e); ok {
			found = append(found, v)
		}
	}
	return found, err
}

func parseVersion(e fs.DirEntry) (version, bool) {
	name := e.Name()
	if !e.Type().IsRegular() || len(name) != md5.Size*2+21 || name[md5.Size*2] != '-' {
		return version{}, false
	}
	v := version{file: name, name: name[md5.Size*2:]}
	if _, err := hex.Decode(v.sum[:], []byte(name[:md5.Size*2])); err != nil {
		return version{}, false
	}
	nanos, err := strconv.ParseInt(strings.TrimLeft(v.name[1:], "0"), 10, 64)
	v.time = time.Unix(0, nanos).UTC()
	return v, err == nil
}

// latest calls use with the file of a blob and its info but for the size. If use finds no file,
// because it was replaced meanwhile, latest tries again.
func (b *blobs) latest(key string, use func(file string, info storage.BlobInfo) error) error {
	for tries := 0; ; tries++ {
		versions, err := b.versions(key)
		if err != nil {
			return err
		}
		if len(versions) == 0 {
			return driver.BlobNotFound(key)
		}
		v := slices.MaxFunc(versions, func(v, w version) int { return strings.Compare(v.name, w.name) })
		err = use(path.Join(key, v.file), storage.BlobInfo{Key: key, MD5: v.sum, Modified: v.time})
		if !errors.Is(err, fs.ErrNotExist) || tries == 10 {
			return err
		}
	}
}
