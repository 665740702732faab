package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
)

// place opens the blobs of a child.
func (a childArgs) place(ctx context.Context) (storage.Blobs, error) {
	if a.Endpoint != "" {
		return openS3(ctx, a.Endpoint)
	}
	return file.Open(a.Blobs, file.Options{})
}

// put puts a file and reports how long that took.
func put(ctx context.Context, a childArgs) error {
	blobs, err := a.place(ctx)
	if err != nil {
		return err
	}
	f, err := os.Open(a.Source)
	if err != nil {
		return err
	}
	defer f.Close()
	begin := time.Now()
	key := fmt.Sprintf("scale/%d", begin.UnixNano())
	if _, err := blobs.Put(ctx, key, f, storage.PutOptions{}); err != nil {
		return err
	}
	took := time.Since(begin)
	if err := answer(done{took.Seconds(), peakRSS()}); err != nil {
		return err
	}
	return blobs.Delete(context.WithoutCancel(ctx), key)
}

// serve serves the API with the blobs, and records in memory, and reports its address. For each byte
// of asked it then reports its peak memory.
func serve(ctx context.Context, a childArgs, asked <-chan struct{}) error {
	blobs, err := a.place(ctx)
	if err != nil {
		return err
	}
	m, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Queue: memoryQueue(), Blobs: blobs,
		Estimator: sleeper(0), Logger: quiet, Limits: motion.Limits{UploadBytes: -1},
	})
	if err != nil {
		return err
	}
	h, err := api(m)
	if err != nil {
		return err
	}
	url, stop, err := listen(h)
	if err != nil {
		return err
	}
	err = answer(url)
	for err == nil {
		select {
		case <-ctx.Done():
			return stop()
		case <-asked:
			err = answer(done{Peak: peakRSS()})
		}
	}
	return errors.Join(err, stop())
}
