package storage_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// A decorator of each interface.
type (
	meteredStore struct{ storage.Store }
	meteredQueue struct{ storage.Queue }
	meteredBlobs struct{ storage.Blobs }
	meteredBlob  struct{ storage.Blob }
)

func (m meteredStore) Unwrap() storage.Store { return m.Store }
func (m meteredQueue) Unwrap() storage.Queue { return m.Queue }
func (m meteredBlobs) Unwrap() storage.Blobs { return m.Blobs }
func (m meteredBlob) Unwrap() storage.Blob   { return m.Blob }

type sweptBlobs struct{ storage.Blobs }

func (sweptBlobs) Sweep(context.Context) error { return nil }

type localBlob struct{ storage.Blob }

func (localBlob) File() *os.File { return nil }

type innermost struct{ storage.Store }

// TestAs finds abilities through any number of decorators, and none where there are none.
func TestAs(t *testing.T) {
	store, queue := innermost{memory.NewStore(memory.StoreOptions{})}, memory.NewQueue(memory.QueueOptions{})
	if got, ok := storage.As[innermost](meteredStore{meteredStore{store}}); !ok || got != store {
		t.Errorf("store: %v, %v", got, ok)
	}
	if got, ok := storage.As[storage.Counter](meteredQueue{meteredQueue{queue}}); !ok || got != storage.Counter(queue) {
		t.Errorf("queue: %v, %v", got, ok)
	}
	if _, ok := storage.As[storage.Sweeper](meteredBlobs{sweptBlobs{}}); !ok {
		t.Error("blobs")
	}
	if _, ok := storage.As[storage.Local](meteredBlob{meteredBlob{localBlob{}}}); !ok {
		t.Error("blob")
	}
	for _, x := range []any{nil, 7, queue, meteredQueue{queue}, meteredQueue{}, struct{ storage.Queue }{queue}} {
		if _, ok := storage.As[storage.JobCreator](x); ok {
			t.Errorf("%T creates jobs", x)
		}
	}
}

// A queue that is decorated loses no ability.
func ExampleAs() {
	queue := meteredQueue{memory.NewQueue(memory.QueueOptions{})}
	counter, ok := storage.As[storage.Counter](queue)
	fmt.Println(ok)
	backlog, err := counter.Backlog(context.Background())
	fmt.Println(backlog, err)
	// Output:
	// true
	// {0 0} <nil>
}
