package s3

import (
	"bytes"
	"context"
	"crypto/md5"
	"hash"
	"io"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/internal/driver"
)

const (
	partSize  = 5 << 20 // the minimum of S3
	maxParts  = 10_000  // the maximum of S3
	smallSize = 1 << 20 // until which the buffer of the first part grows by doubling
)

// source reads the content of a blob in parts and sums it.
type source struct {
	driver.Content
	want  []byte // the MD5; nil: any
	hash  hash.Hash
	ended bool
}

func newSource(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) *source {
	s := &source{want: opt.MD5, hash: md5.New()}
	s.Content = driver.Content{Ctx: ctx, Key: key, R: io.TeeReader(r, s.hash), Limit: partSize * maxParts}
	if opt.MaxSize > 0 {
		s.Limit = min(s.Limit, opt.MaxSize)
	}
	return s
}

// fill reads the next part into a buffer. A part that is not full is the last one.
func (s *source) fill(part *bytes.Buffer) error {
	part.Reset()
	_, err := part.ReadFrom(io.LimitReader(s, smallSize))
	if err == nil && part.Len() == smallSize {
		part.Grow(partSize - smallSize + bytes.MinRead)
		_, err = part.ReadFrom(io.LimitReader(s, partSize-smallSize))
	}
	s.ended = part.Len() < partSize
	return err
}

func (s *source) sum() (sum [md5.Size]byte) {
	s.hash.Sum(sum[:0])
	return sum
}

// check compares the MD5 of all content with the wanted one.
func (s *source) check() error {
	if err := driver.CheckMD5(s.Key, s.sum(), s.want); err != nil {
		return err
	}
	return s.Ctx.Err()
}
