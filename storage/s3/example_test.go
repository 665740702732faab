package s3_test

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/s3"
)

func ExampleOpen() {
	ctx := context.Background()
	blobs, err := s3.Open(ctx, s3.Config{
		Endpoint:  "https://s3.example.com",
		Bucket:    "movies",
		AccessKey: os.Getenv("AWS_ACCESS_KEY_ID"),
		SecretKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
	})
	if err != nil {
		log.Fatal(err)
	}
	go func() { // in one of the processes
		for {
			if err := blobs.Sweep(ctx); err != nil {
				log.Print(err)
			}
			time.Sleep(24 * time.Hour)
		}
	}()
	var _ storage.Blobs = blobs // for motion.Config
}
