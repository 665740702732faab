package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/storagetest"
)

var driver = storagetest.StoreDriver{
	Open: func(string) (storage.Store, error) { return memory.NewStore(memory.StoreOptions{}), nil },
}

func TestStore(t *testing.T) { storagetest.Store(t, driver) }

func TestAnswerKeeper(t *testing.T) { storagetest.AnswerKeeper(t, driver) }

func BenchmarkStore(b *testing.B) { storagetest.BenchStore(b, driver) }

var blobs = storagetest.BlobsDriver{
	Open: func(string) (storage.Blobs, error) { return memory.NewBlobs(memory.BlobsOptions{}), nil },
}

func TestBlobs(t *testing.T) { storagetest.Blobs(t, blobs) }

func BenchmarkBlobs(b *testing.B) { storagetest.BenchBlobs(b, blobs) }

func TestQueue(t *testing.T) {
	storagetest.Queue(t, func(*testing.T) storage.Queue { return memory.NewQueue(memory.QueueOptions{}) })
}

func BenchmarkQueue(b *testing.B) {
	storagetest.BenchQueue(b, func(*testing.B) storage.Queue { return memory.NewQueue(memory.QueueOptions{MaxJobs: 1 << 30}) })
}

func TestBounds(t *testing.T) {
	s := memory.NewStore(memory.StoreOptions{MaxRecords: 1})
	r := storage.Record{Key: storage.Key{Owner: "a", Kind: storage.Movies}}
	if _, err := s.Create(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create(t.Context(), r); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("a full store: %v", err)
	}
	b := memory.NewBlobs(memory.BlobsOptions{MaxBytes: 10})
	for _, content := range []string{"123456", "12345678"} { // replacing frees the former bytes
		if _, err := b.Put(t.Context(), "a", strings.NewReader(content), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Put(t.Context(), "b", strings.NewReader("123"), storage.PutOptions{}); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("full blobs: %v", err)
	}
	q := memory.NewQueue(memory.QueueOptions{MaxJobs: 1})
	for id, want := range []error{nil, storage.ErrUnavailable} {
		if err := q.Push(t.Context(), storage.Job{Key: storage.Key{ID: int64(id)}}); !errors.Is(err, want) {
			t.Errorf("job %d: %v, want %v", id, err, want)
		}
	}
}
