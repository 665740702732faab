package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"image"
	"image/png"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/lab/internal/child"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/postgres"
)

// owner is the owner of what one client makes.
const owner = "owner-0"

// sleeper finds nobody, after a delay.
type sleeper time.Duration

func (s sleeper) Estimate(ctx context.Context, _ image.Image, _ inference.Hint) (keypoint.Frame, error) {
	return keypoint.Frame{}, pause(ctx, time.Duration(s))
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	if d > 0 {
		select {
		case <-ctx.Done():
		case <-time.After(d):
		}
	}
	return ctx.Err()
}

// timed records when the handlers of jobs start.
type timed struct {
	storage.JobCreator
	begun *times
}

func (q timed) Work(ctx context.Context, n int, handle func(context.Context, storage.Job) error) error {
	return q.JobCreator.Work(ctx, n, func(ctx context.Context, j storage.Job) error {
		q.begun.note(j.Key)
		return handle(ctx, j)
	})
}

var quiet = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))

// newService returns a Service on PostgreSQL, as in a process of a cluster.
func newService(ctx context.Context, a childArgs, begun, ended *times) (*motion.Service, *postgres.Store, error) {
	s, err := postgres.Open(ctx, a.DSN, postgres.Options{Schema: a.Schema})
	if err != nil {
		return nil, nil, err
	}
	q, err := postgres.NewQueue(ctx, s, postgres.QueueOptions{Logger: quiet})
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	m, err := stub(s, timed{q, begun}, a, ended)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return m, s, nil
}

// stub returns a Service whose Estimator is a stub.
func stub(s storage.Store, q storage.Queue, a childArgs, ended *times) (*motion.Service, error) {
	blobs, err := file.Open(a.Blobs, file.Options{})
	if err != nil {
		return nil, err
	}
	return motion.New(motion.Config{
		Store: s, Queue: q, Blobs: blobs, Estimator: sleeper(a.Sleep), Workers: a.Handlers, Logger: quiet,
		Finished: func(f motion.Finished) { ended.note(f.Record) },
	})
}

// childArgs are the orders of a worker.
type childArgs struct {
	DSN, Schema, Blobs string
	Sleep              time.Duration // of its Estimator
	Handlers           int
}

// obey works until its input ends.
func (a childArgs) obey(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // ends with the process
		defer cancel()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	return work(ctx, a)
}

// times records the times of events of records, in microseconds.
type times struct {
	mu sync.Mutex
	at map[int64]int64
}

func newTimes() *times { return &times{at: map[int64]int64{}} }

// note records the first time.
func (t *times) note(key storage.Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.at[key.ID]; !ok {
		t.at[key.ID] = time.Now().UnixMicro()
	}
}

// worked is the final report of a worker.
type worked struct {
	Begun, Ended map[int64]int64 // microseconds, by the id of the record
}

// work is a worker process.
func work(ctx context.Context, a childArgs) error {
	begun, ended := newTimes(), newTimes()
	m, s, err := newService(context.WithoutCancel(ctx), a, begun, ended)
	if err != nil {
		return err
	}
	defer s.Close()
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx) }()
	if err := child.Tell("ready"); err != nil {
		return err
	}
	if err := <-done; err != nil {
		return err
	}
	return child.Tell(worked{begun.at, ended.at})
}

// upload stores a small picture for an owner and returns its id.
func upload(ctx context.Context, m *motion.Service, owner string) (int64, error) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 20, 20))); err != nil {
		return 0, err
	}
	sum := md5.Sum(picture.Bytes())
	media, err := m.RegisterMedia(ctx, owner, storage.Images, motion.NewMedia{Name: new("a picture"), ContentMD5: hex.EncodeToString(sum[:])})
	if err != nil {
		return 0, err
	}
	_, err = m.UploadMedia(ctx, owner, storage.Images, media.ID, &picture)
	return media.ID, err
}

// memoryQueue is the queue for SQLite.
func memoryQueue() storage.Queue { return memory.NewQueue(memory.QueueOptions{}) }
