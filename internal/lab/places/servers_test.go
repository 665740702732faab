package places_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/s3"
)

// onServers is a place in PostgreSQL and S3.
func onServers(t *testing.T) (both [2]kept) {
	pg, cloud, dir := servers(t)
	bucket := fmt.Sprint("bucket-", number.Add(1))
	if err := cloud.MakeBucket(bucket); err != nil {
		t.Fatal(err)
	}
	schema := fmt.Sprint("motion_", number.Add(1))
	for i := range both {
		store, err := postgres.Open(t.Context(), pg.URL(), postgres.Options{Schema: schema})
		closed(t, err, store.Close)
		queue, err := postgres.NewQueue(t.Context(), store, postgres.QueueOptions{})
		closed(t, err, nil)
		blobs, err := s3.Open(t.Context(), s3.Config{Endpoint: cloud.Endpoint(), Bucket: bucket, AccessKey: testkit.AccessKey, SecretKey: testkit.SecretKey})
		closed(t, err, nil)
		both[i] = kept{store, blobs, queue, filepath.Join(dir, "s3", "objects", bucket)}
	}
	return both
}

var number atomic.Int64

// servers starts PostgreSQL and an S3 server until the test is over.
func servers(t *testing.T) (*testkit.Postgres, *testkit.S3, string) {
	t.Helper()
	// Not t.TempDir, which PostgreSQL's account cannot reach.
	dir, err := os.MkdirTemp("", "motion-keep-")
	if err == nil {
		t.Cleanup(func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Error(err)
			}
		})
		err = os.Chmod(dir, 0o711)
	}
	for _, name := range []string{"pg", "s3"} {
		if err == nil {
			err = os.Mkdir(filepath.Join(dir, name), 0o700)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if errors.Is(err, testkit.ErrMissing) {
			testkit.Skip(t, err.Error())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	pg, err := testkit.StartPostgres(filepath.Join(dir, "pg"), testkit.NoSync)
	check(err)
	t.Cleanup(func() { pg.Stop(true) })
	cloud, err := testkit.StartS3(filepath.Join(dir, "s3"))
	check(err)
	t.Cleanup(cloud.Kill)
	return pg, cloud, dir
}
