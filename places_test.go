package motion_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

// kept is what Services stand on, and may share.
type kept struct {
	store storage.Store
	blobs storage.Blobs
	queue storage.Queue
	files string // the folder in which the blobs lie somehow; "" in memory
}

func (k kept) service(t testing.TB, change func(*motion.Config)) *motion.Service {
	t.Helper()
	return parts{}.service(t, func(c *motion.Config) {
		c.Store, c.Blobs, c.Queue = k.store, k.blobs, k.queue
		c.UpkeepEvery = -1
		if change != nil {
			change(c)
		}
	})
}

// place is a place where Services keep things; two returns what two processes have of it.
type place struct {
	name string
	two  func(t *testing.T) [2]kept
}

// places are those that the tests of all of storage go over.
func places() []place {
	return append(elsewhere, []place{
		{"memory", func(t *testing.T) [2]kept {
			p := newParts()
			k := kept{p.store, p.blobs, p.queue, ""}
			return [2]kept{k, k}
		}},
		{"sqlite and files", func(t *testing.T) (both [2]kept) {
			dir := t.TempDir()
			for i := range both {
				store, err := sqlite.Open(filepath.Join(dir, "motion.db"), sqlite.Options{})
				closed(t, err, store.Close)
				blobs, err := file.Open(filepath.Join(dir, "blobs"), file.Options{})
				closed(t, err, blobs.Close)
				both[i] = kept{store, blobs, memory.NewQueue(memory.QueueOptions{}), filepath.Join(dir, "blobs")}
			}
			return both
		}},
	}...)
}

// elsewhere are places on servers, which internal/lab/overlay.json adds: their drivers would cost
// every host that imports motion more than twenty modules.
var elsewhere []place

// closed fails the test for an error, and calls close when the test is over.
func closed(t *testing.T, err error, close func() error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if close != nil {
		t.Cleanup(func() {
			if err := close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// everything lists what is kept of all owners: records as kind/id and blobs by their keys.
func (k kept) everything(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, kind := range []storage.Kind{storage.Movies, storage.Images, storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings} {
		records, err := k.store.Scan(t.Context(), kind, 0, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			all[fmt.Sprintf("%s/%d", r.Kind, r.ID)] = true
		}
	}
	err := k.blobs.List(t.Context(), "", func(b storage.BlobInfo) error { all["blob "+b.Key] = true; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// put puts a blob.
func (k kept) put(t *testing.T, key, content string) {
	t.Helper()
	if _, err := k.blobs.Put(context.Background(), key, strings.NewReader(content), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
}
