package s3_test

import (
	"context"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
	"github.com/bodymotion/motion/storage/storagetest"
)

var driver = storagetest.BlobsDriver{
	Open:  func(place string) (storage.Blobs, error) { return s3.Open(context.Background(), config(place)) },
	Place: func(tb testing.TB) string { return sharedServer(tb).place(tb) },
}

func TestBlobs(t *testing.T) { storagetest.Blobs(t, driver) }

func BenchmarkBlobs(b *testing.B) {
	driver := driver
	driver.Open = func(place string) (storage.Blobs, error) {
		c := config(place)
		c.Keep = 1 // former content would fill the disk
		return s3.Open(context.Background(), c)
	}
	storagetest.BenchBlobs(b, driver)
}
