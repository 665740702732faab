package driver_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

// TestIdempotencyMemory holds that all answers together fit into a memory that is bounded, that the
// newest stay, and that nothing is forgotten of what they take.
func TestIdempotencyMemory(t *testing.T) {
	var table driver.Answers
	ctx := context.Background()
	big := make([]byte, 1<<20)
	post := func(i int) (made bool) {
		t.Helper()
		got, err := table.ReserveAnswer(ctx, storage.Request{Owner: fmt.Sprint("client", i%7), Key: fmt.Sprint("k", i)}, time.Hour, 1000)
		if err == nil && got.ID != 0 {
			err = table.KeepAnswer(ctx, got.ID, big, time.Hour)
		}
		if err != nil {
			t.Fatal(err)
		}
		return got.ID != 0
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	idle := heap()
	for range 2 {
		for i := range 300 {
			post(i)
		}
		if n := heap() - idle; n > 80<<20 {
			t.Errorf("%d bytes are in use", n)
		}
		for i := 299; i >= 300-63; i-- {
			if post(i) {
				t.Errorf("the answer %d has gone", i)
			}
		}
		if !post(0) {
			t.Error("the oldest answer has stayed")
		}
	}
	runtime.KeepAlive(&table)
}
