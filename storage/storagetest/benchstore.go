package storagetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// benchData has the length of the data of a movie.
var benchData = []byte(`{"name":"swing.mp4","contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg==","uploaded":true,"width":1920,"height":1080,"frames":300,"frameRate":30,"duration":10}`)

// BenchStore measures a storage.Store. An operation is one call, or two for Update; "parallel" uses one goroutine per CPU.
func BenchStore(b *testing.B, d StoreDriver) {
	r := record("alice", storage.Keypoints, storage.Unprocessed)
	r.Data = benchData
	must := func(b *testing.B, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("Create", func(b *testing.B) {
		s := d.empty(b)
		b.ReportAllocs()
		for b.Loop() {
			must(b, second(s.Create(b.Context(), r)))
		}
	})
	b.Run("Create/parallel", func(b *testing.B) {
		s := d.empty(b)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := s.Create(context.Background(), r); err != nil {
					b.Error(err)
				}
			}
		})
	})
	for _, size := range []int{0, 1 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("Update/result=%d", size), func(b *testing.B) {
			s := d.empty(b)
			now, err := s.Create(b.Context(), r)
			must(b, err)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				from := now.Status
				now.Status, now.Result = storage.Processing, nil
				now, err = s.Update(b.Context(), now, from)
				must(b, err)
				if now.Status, now.Result = storage.Success, nil; size > 0 {
					now.Result = make([]byte, size)
				}
				now, err = s.Update(b.Context(), now, storage.Processing)
				must(b, err)
			}
		})
	}
	benchLabels(b, d)
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			s := d.empty(b)
			for range n {
				must(b, second(s.Create(b.Context(), r)))
			}
			b.Run("Get", func(b *testing.B) {
				key := r.Key
				key.ID = int64(n / 2)
				b.ReportAllocs()
				for b.Loop() {
					must(b, second(s.Get(b.Context(), key)))
				}
			})
			for _, status := range []storage.Status{"", storage.Unprocessed} {
				for _, offset := range []int{0, n - 20} {
					name := fmt.Sprintf("List/offset=%d", offset)
					if status != "" {
						name = fmt.Sprintf("List/status=%s/offset=%d", status, offset)
					}
					b.Run(name, func(b *testing.B) {
						b.ReportAllocs()
						for b.Loop() {
							page, total, err := s.List(b.Context(), "alice", storage.Keypoints, storage.Filter{Status: status, Offset: offset, Limit: 20})
							if err != nil || len(page) != 20 || total != n {
								b.Fatalf("%d of %d (%v)", len(page), total, err)
							}
						}
					})
				}
			}
		})
	}
}
