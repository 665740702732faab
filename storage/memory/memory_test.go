package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

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
