//go:build unix

package storagetest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/sqlite"
	"github.com/bodymotion/motion/storage/storagetest"
)

// lock locks a place as bbolt and badger do, or fails where it is locked.
func lock(place string) (*os.File, error) {
	if err := os.MkdirAll(place, 0o700); err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(place, "lock"))
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("%s is open already: %w", place, err), f.Close())
	}
	return f, nil
}

type lockedStore struct {
	sqlite.Store
	lock *os.File
}

func (s lockedStore) Close() error { return errors.Join(s.Store.Close(), s.lock.Close()) }

type lockedBlobs struct {
	file.Blobs
	lock *os.File
}

func (b lockedBlobs) Close() error { return errors.Join(b.Blobs.Close(), b.lock.Close()) }

// TestExclusiveStore holds that a store which only one may open passes the suite, its crash
// test among it.
func TestExclusiveStore(t *testing.T) {
	storagetest.Store(t, storagetest.StoreDriver{Exclusive: true, Place: newFolder, Open: func(place string) (storage.Store, error) {
		lock, err := lock(place)
		if err != nil {
			return nil, err
		}
		s, err := sqlite.Open(filepath.Join(place, "motion.db"), sqlite.Options{})
		if err != nil {
			return nil, errors.Join(err, lock.Close())
		}
		return lockedStore{s, lock}, nil
	}})
}

// TestExclusiveBlobs holds the same of blobs.
func TestExclusiveBlobs(t *testing.T) {
	storagetest.Blobs(t, storagetest.BlobsDriver{Place: newFolder, Open: func(place string) (storage.Blobs, error) {
		lock, err := lock(place)
		if err != nil {
			return nil, err
		}
		b, err := file.Open(filepath.Join(place, "blobs"), file.Options{})
		if err != nil {
			return nil, errors.Join(err, lock.Close())
		}
		return lockedBlobs{b, lock}, nil
	}})
}
