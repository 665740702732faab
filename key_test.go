package motion_test

import (
	"fmt"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// TestKey: a repeated request finds what it has made, among many records and after changes, in one look.
func TestKey(t *testing.T) {
	p := host.New()
	store := &readStore{Store: p.Store, reads: map[storage.Kind]int{}}
	s := p.Service(t, func(c *motion.Config) { c.Store = store })
	register := func(owner, key string, again bool) int64 {
		t.Helper()
		name := "a movie"
		m, err := s.RegisterMedia(t.Context(), owner, storage.Movies, motion.NewMedia{
			Name: &name, ContentMD5: "1B2M2Y8AsgTpgAmY7PhCfg==", Key: motion.Key{Name: key, Again: again},
		})
		if err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	first := register("alice", "k", false)
	for i := range 700 {
		register("alice", fmt.Sprint("k", i), false)
	}
	other := "another name"
	if _, err := s.UpdateMedia(t.Context(), "alice", storage.Movies, first, motion.MediaUpdate{Name: &other}); err != nil {
		t.Fatal(err)
	}
	store.took()
	if id := register("alice", "k", true); id != first {
		t.Errorf("the repeated request returns %d, want %d", id, first)
	}
	if n := store.took()[storage.Movies]; n != 1 {
		t.Errorf("it looks %d times", n)
	}
	if id := register("bob", "k", true); id != first+701 {
		t.Errorf("another owner's request returns %d", id)
	}
	if id := register("alice", "unknown", true); id != first+702 {
		t.Errorf("a request that has made nothing returns %d", id)
	}
}
