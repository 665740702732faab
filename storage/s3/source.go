package s3

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/bodymotion/motion/storage"
)

const (
	partSize = 5 << 20 // the least that S3 takes
	maxParts = 10_000  // by the rules of S3
)

// errLimit ends a source at its limit.
var errLimit = errors.New("limit")

// limit is how many bytes a blob may have.
func limit(opt storage.PutOptions) int64 {
	if opt.MaxSize > 0 {
		return min(opt.MaxSize, partSize*maxParts)
	}
	return partSize * maxParts
}

// begins is how large a buffer grows by itself, before a whole part's takes its place.
const begins = 1 << 20

// buffers are those of whole parts, which uploads hand on to each other: as many are kept as
// one upload needs, and those that more uploads at once need besides are not.
type buffers chan []byte

func (b buffers) get() []byte {
	select {
	case buf := <-b:
		return buf[:0]
	default:
		return make([]byte, 0, partSize)
	}
}

// put takes a buffer back, if it is one of a whole part.
func (b buffers) put(buf []byte) {
	if cap(buf) != partSize {
		return
	}
	select {
	case b <- buf:
	default:
	}
}

// source reads content in parts, until the context ends or the limit is passed, and
// sums what it reads.
type source struct {
	ctx   context.Context
	r     io.Reader
	want  []byte // the MD5; nil: any
	limit int64
	hash  hash.Hash
	bufs  buffers
	size  int64
	ended bool
}

func newSource(ctx context.Context, r io.Reader, opt storage.PutOptions, bufs buffers) *source {
	return &source{ctx: ctx, r: r, want: opt.MD5, limit: limit(opt), hash: md5.New(), bufs: bufs}
}

// fill reads the next part into a buffer, or into one of its own where that is nil, which
// grows with what there is. A part that is not full is the last.
func (s *source) fill(buf []byte) ([]byte, error) {
	if buf == nil && s.size > 0 {
		buf = s.bufs.get() // it follows a part that was full
	}
	buf = buf[:0]
	for idle := 0; len(buf) < partSize && !s.ended; {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			if len(buf) < begins {
				buf = slices.Grow(buf, max(len(buf), 64<<10))
			} else {
				buf = append(s.bufs.get(), buf...)
			}
		}
		n, err := s.r.Read(buf[len(buf):min(cap(buf), partSize)])
		s.hash.Write(buf[len(buf) : len(buf)+n])
		buf = buf[:len(buf)+n]
		switch s.size += int64(n); {
		case s.size > s.limit:
			return nil, errLimit
		case err == io.EOF:
			s.ended = true
		case err != nil:
			return nil, err
		case n > 0:
			idle = 0
		default:
			if idle++; idle == 100 {
				return nil, io.ErrNoProgress
			}
		}
	}
	return buf, nil
}

func (s *source) sum() (sum [md5.Size]byte) {
	s.hash.Sum(sum[:0])
	return sum
}

// check returns ErrInvalid when all has been read and its MD5 is not the wanted one.
func (s *source) check(key string) error {
	if sum := s.sum(); s.want != nil && !bytes.Equal(s.want, sum[:]) {
		return fmt.Errorf("blob %s: %w content: its MD5 is %x, want %x", key, storage.ErrInvalid, sum, s.want)
	}
	return s.ctx.Err()
}
