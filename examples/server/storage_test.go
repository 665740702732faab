package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// TestStorage: what is kept where for each value of -db, over two starts.
func TestStorage(t *testing.T) {
	dir := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "records")
	for _, c := range []struct {
		db, file string
		lasts    bool
	}{
		{"", filepath.Join(dir, "motion.db"), true},
		{elsewhere, elsewhere, true},
		{inMemory, "", false},
	} {
		key := storage.Key{Owner: "someone", Kind: storage.Movies, ID: 1}
		for _, again := range []bool{false, true} {
			k, err := openStorage(t.Context(), dir, c.db)
			if err != nil {
				t.Fatal(err)
			}
			_, recordErr := k.records.Get(t.Context(), key)
			blob, blobErr := k.blobs.Open(t.Context(), "of-"+filepath.Base(c.db))
			if blobErr == nil {
				blob.Close()
			}
			for _, err := range []error{recordErr, blobErr} {
				if there := err == nil; there != (again && c.lasts) || (!there && !errors.Is(err, storage.ErrNotFound)) {
					t.Errorf("-db %q, started again %v: %v", c.db, again, err)
				}
			}
			if !again {
				if _, err := k.records.Create(t.Context(), storage.Record{Key: key}); err != nil {
					t.Fatal(err)
				}
				if _, err := k.blobs.Put(t.Context(), "of-"+filepath.Base(c.db), strings.NewReader("x"), storage.PutOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			if err := k.Close(); err != nil {
				t.Error(err)
			}
		}
		if c.file != "" {
			if _, err := os.Stat(c.file); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, inMemory)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file has the name of %q: %v", inMemory, err)
	}
	// The server in memory took nothing from the one that keeps.
	k, err := openStorage(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	x, err := k.blobs.Open(t.Context(), "of-.")
	if err != nil {
		t.Fatal(err)
	}
	x.Close()
}
