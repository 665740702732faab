package motion_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// The short way: a picture in, keypoints out. The estimator here is one that knows where
// the parts are; inference/movenet finds them.
func ExampleExtractor() {
	seq, _, err := motion.Extractor{Estimator: host.Estimator{}}.Read(context.Background(), bytes.NewReader(host.Picture(200, 100)))
	if err != nil {
		fmt.Println(err)
		return
	}
	nose, ok := seq.Frames[0].At(keypoint.Nose)
	fmt.Println(seq.Size, nose, ok)
	// Output: (200,100) [100 10] true
}

// The long way: records of a client, work that is queued, and how far it is.
func ExampleService() {
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: host.Estimator{},
		Progress: func(record storage.Key, done, total int) {
			fmt.Printf("%s %d: %d of %d\n", record.Kind, record.ID, done, total)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx) }()

	file := host.Picture(200, 100)
	sum := md5.Sum(file)
	media, err := service.RegisterMedia(ctx, "a client", storage.Images, motion.NewMedia{ContentMD5: hex.EncodeToString(sum[:])})
	if err == nil {
		media, err = service.UploadMedia(ctx, "a client", storage.Images, media.ID, bytes.NewReader(file))
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	record, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Image(media.ID)})
	if err != nil {
		fmt.Println(err)
		return
	}
	status, err := service.Wait(ctx, "a client", storage.Keypoints, record.ID)
	fmt.Println(status, err)
	record, err = service.GetExtraction(ctx, "a client", record.ID)
	part, known := record.Progress()
	fmt.Println(part, known, err)
	stop()
	fmt.Println(<-done)
	// Output:
	// keypoints 1: 1 of 1
	// SUCCESS <nil>
	// 1 true <nil>
	// <nil>
}

// A file that lies on the host's disk.
func ExampleService_AddFile() {
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: host.Estimator{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	media, err := service.AddFile(ctx, "a client", storage.Images, "draw/testdata/golden/angle-centroid.png", motion.NewMedia{})
	if err != nil {
		fmt.Println(err)
		return
	}
	record, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Image(media.ID)})
	fmt.Println(*media.Name, media.Uploaded, record.Status, err)
	// Output: angle-centroid.png true UNPROCESSED <nil>
}

// Hear what happens to a client's records, whichever process works on them.
func ExampleService_Watch() {
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: host.Estimator{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	changes, err := service.Watch(ctx, "a client")
	if err != nil {
		fmt.Println(err)
		return
	}
	file := host.Picture(200, 100)
	sum := md5.Sum(file)
	media, err := service.RegisterMedia(ctx, "a client", storage.Images, motion.NewMedia{ContentMD5: hex.EncodeToString(sum[:])})
	if err == nil {
		_, err = service.UploadMedia(ctx, "a client", storage.Images, media.ID, bytes.NewReader(file))
	}
	if err == nil {
		_, err = service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Image(media.ID)})
	}
	fmt.Println(err)
	stop()
	for some := range changes {
		for _, c := range some.Records {
			fmt.Println(c.Kind, c.ID, c.Status)
		}
	}
	// Output:
	// <nil>
	// keypoints 1 UNPROCESSED
}

// After a crash or a restored backup: compare the records with the files and the queue.
func ExampleService_Verify() {
	store, blobs := memory.NewStore(memory.StoreOptions{}), memory.NewBlobs(memory.BlobsOptions{})
	service, err := motion.New(motion.Config{
		Store: store, Blobs: blobs, Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: host.Estimator{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	if _, err := blobs.Put(ctx, "media/movies/7", strings.NewReader("left by a crash"), storage.PutOptions{}); err != nil {
		fmt.Println(err)
		return
	}
	err = service.Verify(ctx, motion.VerifyOptions{Grace: -1}, func(f motion.Finding) error {
		fmt.Println(f.Problem, f.Blob)
		return nil
	})
	fmt.Println(err)
	// Output:
	// orphan blob media/movies/7
	// <nil>
}
