package postgres_test

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/postgres"
)

// One of many processes that share records and jobs. MOTION_DB names the server, such as
// postgres://motion@db/motion.
func Example() {
	ctx := context.Background()
	store, err := postgres.Open(ctx, os.Getenv("MOTION_DB"), postgres.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	queue, err := postgres.NewQueue(ctx, store, postgres.QueueOptions{Lease: time.Minute})
	if err != nil {
		log.Fatal(err)
	}
	blobs, err := file.Open("/mnt/shared/blobs", file.Options{}) // or storage/s3
	if err != nil {
		log.Fatal(err)
	}
	defer blobs.Close()

	service, err := motion.New(motion.Config{Store: store, Queue: queue, Blobs: blobs, Role: motion.ServeOnly})
	if err != nil {
		log.Fatal(err)
	}
	_ = service // for httpapi.New
}

// Jobs that failed again and again are dead. Once the reason is mended, they are pushed
// anew.
func ExampleQueue_Dead() {
	revive := func(ctx context.Context, queue *postgres.Queue) error {
		dead, err := queue.Dead(ctx, 100)
		if err != nil {
			return err
		}
		for _, job := range dead {
			log.Printf("%s %d: %d attempts, %s", job.Kind, job.ID, job.Attempts, job.Error)
			if err := queue.Push(ctx, storage.Job{Key: job.Key, Slow: job.Slow}); err != nil {
				return err
			}
		}
		return nil
	}
	_ = revive
}
