package storagetest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// over reads the same content repeatedly, which costs no time, and measures the peak memory.
type over struct {
	content []byte
	left    int64
	read    int
	most    uint64 // bytes of heap and stacks
}

var noise = sync.OnceValue(func() []byte {
	content := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(content)
	return content
})

func newOver(size int64) *over { return &over{content: noise(), left: size} }

func (o *over) Read(p []byte) (int, error) {
	if o.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), o.left)], o.content[o.read:])
	o.left -= int64(n)
	if o.read += n; o.read == len(o.content) {
		o.read = 0
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		o.most = max(o.most, s.HeapInuse+s.StackInuse)
	}
	return n, nil
}

// BenchBlobs measures a storage.Blobs: Put and reading of small, usual and large blobs, reading a
// range, and List. It reports the peak memory of each Put.
func BenchBlobs(b *testing.B, d BlobsDriver) {
	place := ""
	if d.Place != nil {
		place = d.Place(b)
	}
	blobs := d.open(b, place)
	must := func(b *testing.B, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	sizes := []struct {
		name  string
		bytes int64
	}{{"1KB", 1 << 10}, {"5MB", 5 << 20}, {"100MB", 100 << 20}}
	for _, size := range sizes {
		key := "bench/" + fmt.Sprint(size.bytes)
		b.Run("Put/"+size.name, func(b *testing.B) {
			runtime.GC()
			b.SetBytes(size.bytes)
			b.ReportAllocs()
			most := uint64(0)
			for b.Loop() {
				r := newOver(size.bytes)
				must(b, second(blobs.Put(b.Context(), key, r, storage.PutOptions{})))
				most = max(most, r.most)
			}
			if most > 0 {
				b.ReportMetric(float64(most)/(1<<20), "peak-MB")
			}
		})
		must(b, second(blobs.Put(b.Context(), key, newOver(size.bytes), storage.PutOptions{})))
		b.Run("Read/"+size.name, func(b *testing.B) {
			b.SetBytes(size.bytes)
			b.ReportAllocs()
			for b.Loop() {
				x, err := blobs.Open(b.Context(), key)
				must(b, err)
				n, err := io.Copy(io.Discard, x)
				must(b, err)
				must(b, x.Close())
				if n != size.bytes {
					b.Fatalf("%d bytes, want %d", n, size.bytes)
				}
			}
		})
	}
	b.Run("Range/64KB", func(b *testing.B) {
		size := sizes[1].bytes
		random, part := rand.New(rand.NewPCG(1, 2)), make([]byte, 64<<10)
		b.SetBytes(int64(len(part)))
		for b.Loop() {
			x, err := blobs.Open(b.Context(), "bench/"+fmt.Sprint(size))
			must(b, err)
			must(b, second(x.Seek(random.Int64N(size-int64(len(part))), io.SeekStart)))
			must(b, second(io.ReadFull(x, part)))
			must(b, x.Close())
		}
	})
	for _, size := range sizes {
		must(b, blobs.Delete(b.Context(), "bench/"+fmt.Sprint(size.bytes)))
	}
	const listed = 200
	for i := range listed {
		must(b, second(blobs.Put(b.Context(), fmt.Sprintf("list/%d", i), newOver(100), storage.PutOptions{})))
	}
	b.Run(fmt.Sprintf("List/blobs=%d", listed), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			must(b, blobs.List(b.Context(), "list/", func(storage.BlobInfo) error { n++; return nil }))
			if n != listed {
				b.Fatalf("%d blobs, want %d", n, listed)
			}
		}
	})
}
