package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

// inMemory is the value of -db that keeps nothing.
const inMemory = "memory"

// kept is what the server keeps, and where.
type kept struct {
	records storage.Store
	blobs   *file.Blobs
	close   func() error // of records
}

// Close closes both.
func (k *kept) Close() error { return errors.Join(k.close(), k.blobs.Close()) }

// openStorage opens the files in the folder dir and the records in the SQLite file db,
// "" for motion.db in the folder. In memory, the files have a folder of their own, from
// which those of a former process are removed: their records are gone.
func openStorage(ctx context.Context, dir, db string) (*kept, error) {
	folder := filepath.Join(dir, "blobs")
	if db == inMemory {
		folder = filepath.Join(dir, "memory-blobs")
		if err := os.RemoveAll(folder); err != nil {
			return nil, err
		}
	}
	blobs, err := file.Open(folder)
	if err != nil {
		return nil, err
	}
	k := &kept{blobs: blobs, close: func() error { return nil }}
	switch db {
	case inMemory:
		k.records = memory.NewStore(memory.StoreOptions{})
		return k, nil
	case "":
		db = filepath.Join(dir, "motion.db")
	}
	records, err := sqlite.Open(db, sqlite.Options{})
	if err != nil {
		return nil, errors.Join(err, blobs.Close())
	}
	k.records, k.close = records, records.Close
	return k, nil
}
