package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/sqlite"
	"github.com/bodymotion/motion/storage/storagetest"
)

var driver = storagetest.StoreDriver{
	Open:  func(place string) (storage.Store, error) { return sqlite.Open(place, sqlite.Options{}) },
	Place: func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "motion.db") },
}

func TestStore(t *testing.T) { storagetest.Store(t, driver) }

func TestAnswerKeeper(t *testing.T) { storagetest.AnswerKeeper(t, driver) }

func BenchmarkStore(b *testing.B) { storagetest.BenchStore(b, driver) }
