package postgres_test

import (
	"errors"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
)

// TestNil: no pool and no Store are errors, not panics.
func TestNil(t *testing.T) {
	if _, err := postgres.New(t.Context(), nil, postgres.Options{}); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("New: %v", err)
	}
	if _, err := postgres.NewQueue(t.Context(), nil, postgres.QueueOptions{}); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("NewQueue: %v", err)
	}
}
