package storagetest_test

import (
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
	"github.com/bodymotion/motion/storage/storagetest"
)

// The drivers of the library. Those of PostgreSQL and S3 are modules of their own, with tests of their own.
var (
	memoryStore = storagetest.StoreDriver{
		Open: func(string) (storage.Store, error) { return memory.NewStore(memory.StoreOptions{}), nil },
	}
	sqliteStore = storagetest.StoreDriver{
		Open:  func(place string) (storage.Store, error) { return sqlite.Open(place, sqlite.Options{}) },
		Place: func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "motion.db") },
	}
	memoryBlobs = storagetest.BlobsDriver{
		Open: func(string) (storage.Blobs, error) { return memory.NewBlobs(memory.BlobsOptions{}), nil },
	}
	fileBlobs = storagetest.BlobsDriver{
		Open:  func(place string) (storage.Blobs, error) { return file.Open(place, file.Options{}) },
		Place: newFolder,
	}
)

func newFolder(tb testing.TB) string { return tb.TempDir() }

func TestMemoryStore(t *testing.T) { storagetest.Store(t, memoryStore) }

func TestMemoryAnswerKeeper(t *testing.T) { storagetest.AnswerKeeper(t, memoryStore) }

func TestMemoryBlobs(t *testing.T) { storagetest.Blobs(t, memoryBlobs) }

func TestMemoryQueue(t *testing.T) {
	storagetest.Queue(t, func(*testing.T) storage.Queue { return memory.NewQueue(memory.QueueOptions{}) })
}

func TestSQLiteStore(t *testing.T) { storagetest.Store(t, sqliteStore) }

func TestSQLiteAnswerKeeper(t *testing.T) { storagetest.AnswerKeeper(t, sqliteStore) }

func TestSQLiteRelabeler(t *testing.T) { storagetest.Relabeler(t, sqliteStore) }

func TestFileBlobs(t *testing.T) { storagetest.Blobs(t, fileBlobs) }

func BenchmarkMemoryStore(b *testing.B) { storagetest.BenchStore(b, memoryStore) }

func BenchmarkMemoryBlobs(b *testing.B) { storagetest.BenchBlobs(b, memoryBlobs) }

func BenchmarkMemoryQueue(b *testing.B) {
	storagetest.BenchQueue(b, func(*testing.B) storage.Queue { return memory.NewQueue(memory.QueueOptions{MaxJobs: 1 << 30}) })
}

func BenchmarkSQLiteStore(b *testing.B) { storagetest.BenchStore(b, sqliteStore) }

func BenchmarkFileBlobs(b *testing.B) { storagetest.BenchBlobs(b, fileBlobs) }
