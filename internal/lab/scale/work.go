package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"image"
	"image/png"
	"log/slog"
	"os"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/postgres"
)

// sleeper finds nobody, after a delay.
type sleeper time.Duration

func (s sleeper) Estimate(ctx context.Context, _ image.Image, _ inference.Hint) (keypoint.Frame, error) {
	if s == 0 {
		return keypoint.Frame{}, ctx.Err()
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(s)):
	}
	return keypoint.Frame{}, ctx.Err()
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
	if err := answer("ready"); err != nil {
		return err
	}
	if err := <-done; err != nil {
		return err
	}
	return answer(worked{begun.at, ended.at})
}

// upload stores a small picture for an owner and returns its id.
func upload(ctx context.Context, m *motion.Service, owner string) (int64, error) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 20, 20))); err != nil {
		return 0, err
	}
	sum := md5.Sum(picture.Bytes())
	media, err := m.Register(ctx, owner, storage.Images, motion.NewMedia{Name: new("a picture"), ContentMD5: hex.EncodeToString(sum[:])})
	if err != nil {
		return 0, err
	}
	_, err = m.Upload(ctx, owner, storage.Images, media.ID, &picture)
	return media.ID, err
}

// memoryQueue is the queue for SQLite.
func memoryQueue() storage.Queue { return memory.NewQueue(memory.QueueOptions{}) }
