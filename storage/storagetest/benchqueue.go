package storagetest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// BenchQueue measures a storage.Queue; open returns an empty one. Push is the call alone, Work the time per job while jobs of 32
// clients wait, and Start the time from the call of Push until the job's handler starts.
func BenchQueue(b *testing.B, open func(*testing.B) storage.Queue) {
	push := func(b *testing.B, q storage.Queue, i int) {
		j := job(int64(i + 1))
		j.Owner = fmt.Sprintf("owner-%d", i%32)
		if err := q.Push(b.Context(), j); err != nil {
			b.Fatal(err)
		}
	}
	work := func(b *testing.B, q storage.Queue, handlers int, handle func(context.Context, storage.Job) error) (stop func()) {
		ctx, cancel := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() { ended <- q.Work(ctx, handlers, handle) }()
		return func() {
			cancel()
			if err := <-ended; err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("Push", func(b *testing.B) {
		q := open(b)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			push(b, q, i)
		}
	})
	for _, handlers := range []int{1, 8} {
		b.Run(fmt.Sprintf("Work/handlers=%d", handlers), func(b *testing.B) {
			q := open(b)
			for i := range b.N {
				push(b, q, i)
			}
			var done atomic.Int64
			all := make(chan struct{})
			b.ResetTimer()
			stop := work(b, q, handlers, func(context.Context, storage.Job) error {
				if done.Add(1) == int64(b.N) {
					close(all)
				}
				return nil
			})
			<-all
			b.StopTimer()
			stop()
		})
	}
	b.Run("Start", func(b *testing.B) {
		q := open(b)
		begun := make(chan int64, 1)
		stop := work(b, q, 1, func(_ context.Context, j storage.Job) error {
			begun <- j.ID
			return nil
		})
		for i := 0; b.Loop(); i++ {
			push(b, q, i)
			if id := <-begun; id != int64(i+1) {
				b.Fatalf("job %d has begun, want %d", id, i+1)
			}
		}
		stop()
	})
}
