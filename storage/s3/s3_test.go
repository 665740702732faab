package s3_test

import (
	"context"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
	"github.com/bodymotion/motion/storage/storagetest"
)

func TestBlobs(t *testing.T) {
	storagetest.Blobs(t, storagetest.BlobsDriver{
		Open:  func(place string) (storage.Blobs, error) { return s3.Open(context.Background(), config(place)) },
		Place: func(tb testing.TB) string { return sharedServer(tb).place(tb) },
	})
}
