package fair

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestPlaces: as many work at once as there are places, an owner with much work keeps another one
// waiting for one piece of it only, and nothing is left of those who have gone.
func TestPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(2)
		var mu sync.Mutex
		working, most := 0, 0
		change := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			working += by
			most = max(most, working)
		}
		work := func(name string) {
			leave, err := p.Take(t.Context(), name)
			if err != nil {
				t.Error(err)
				return
			}
			change(1)
			time.Sleep(10 * time.Second)
			change(-1)
			leave()
		}
		begin := time.Now()
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { work("busy") })
		}
		synctest.Wait()
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := p.Take(ctx, "impatient"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("one whose context ends: %v", err)
			}
			cancel()
		}
		work("other")
		if took := time.Since(begin); took != 20*time.Second {
			t.Errorf("another owner's work is done after %v, want 20 s", took)
		}
		all.Wait()
		if took := time.Since(begin); most != 2 || took != 110*time.Second {
			t.Errorf("%d at once, all done after %v: want 2 and 110 s", most, took)
		}
		if len(p.owners) != 0 || len(p.all) != 0 {
			t.Errorf("%d owners and %d places are left", len(p.owners), len(p.all))
		}
	})
}

// TestEach: an owner takes turns, whatever others do.
func TestEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := Each(1)
		begin := time.Now()
		var all sync.WaitGroup
		for i := range 30 {
			all.Go(func() {
				leave, err := p.Take(t.Context(), string(rune('a'+i%10)))
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Second)
				leave()
			})
		}
		all.Wait()
		if took := time.Since(begin); took != 3*time.Second || len(p.owners) != 0 {
			t.Errorf("three turns each take %v, want 3 s; %d owners are left", took, len(p.owners))
		}
	})
}
