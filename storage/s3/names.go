package s3

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion/storage"
)

const (
	mark       = "!/"    // separates the key from the rest of an object's name
	dataPrefix = "data-" // begins the rest of a content's name; that of an entry begins with a digit
)

// entry is an object that makes content the blob.
type entry struct {
	time time.Time // when the blob was put; the latest counts
	sum  [md5.Size]byte
	size int64
	id   string // of the content; random
}

// folder returns the prefix of the names of all objects of a blob.
func (b *Blobs) folder(key string) string { return b.prefix + key + mark }

// dataName returns the name of the object with content.
func (b *Blobs) dataName(key, id string) string { return b.folder(key) + dataPrefix + id }

// entryName returns the name of an entry; names sort by time.
func (b *Blobs) entryName(key string, e entry) string {
	return b.folder(key) + fmt.Sprintf("%016x-%x-%x-%s", e.time.UnixNano(), e.sum, e.size, e.id)
}

// parseEntry parses the rest of an entry's name.
func parseEntry(rest string) (e entry, ok bool) {
	part := strings.Split(rest, "-")
	if len(part) != 4 || len(part[0]) != 16 || len(part[1]) != 2*md5.Size || part[3] == "" {
		return entry{}, false
	}
	nanos, timeErr := strconv.ParseInt(part[0], 16, 64)
	_, sumErr := hex.Decode(e.sum[:], []byte(part[1]))
	size, sizeErr := strconv.ParseInt(part[2], 16, 64)
	e.time, e.size, e.id = time.Unix(0, nanos).UTC(), size, part[3]
	return e, cmp.Or(timeErr, sumErr, sizeErr) == nil && nanos >= 0 && size >= 0
}

func (e entry) info(key string) storage.BlobInfo {
	return storage.BlobInfo{Key: key, Size: e.size, MD5: e.sum, Modified: e.time}
}
