package memory_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// A record is changed only from the status that the caller knows it in.
func ExampleNewStore() {
	ctx := context.Background()
	store := memory.NewStore(memory.StoreOptions{})
	r, err := store.Create(ctx, storage.Record{
		Key: storage.Key{Owner: "alice", Kind: storage.Keypoints}, Status: storage.Unprocessed,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Status = storage.Processing
	r, err = store.Update(ctx, r, storage.Unprocessed)
	fmt.Println(r.Status, err)
	_, err = store.Update(ctx, r, storage.Unprocessed)
	fmt.Println(err, errors.Is(err, storage.ErrConflict))
	// Output:
	// PROCESSING <nil>
	// keypoints/1 is PROCESSING, not UNPROCESSED: conflict true
}

func ExampleNewBlobs() {
	ctx := context.Background()
	blobs := memory.NewBlobs(memory.BlobsOptions{})
	info, err := blobs.Put(ctx, "media/movies/7", strings.NewReader("a movie"), storage.PutOptions{MaxSize: 1 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	blob, err := blobs.Open(ctx, info.Key)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer blob.Close()
	content, err := io.ReadAll(blob)
	fmt.Printf("%s: %d bytes, %q %v\n", info.Key, info.Size, content, err)
	// Output: media/movies/7: 7 bytes, "a movie" <nil>
}

func ExampleNewQueue() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	queue := memory.NewQueue(memory.QueueOptions{})
	for id := range int64(3) {
		if err := queue.Push(ctx, storage.Job{Key: storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: id + 1}}); err != nil {
			fmt.Println(err)
			return
		}
	}
	err := queue.Work(ctx, 1, func(_ context.Context, job storage.Job) error {
		fmt.Println("work on", job.Kind, job.ID)
		if job.ID == 3 {
			stop()
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// work on keypoints 1
	// work on keypoints 2
	// work on keypoints 3
	// <nil>
}
