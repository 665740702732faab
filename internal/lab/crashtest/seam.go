package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/bodymotion/motion/storage"
)

// seams are the points before and after each change of the storage: a process that dies there
// leaves something half done. At the parent's request, the process kills itself at one of the
// next seams.
type seams struct{ left atomic.Int64 }

// listen reads the parent's requests, lines of "die N", and dies when the parent is gone.
func (s *seams) listen(r io.Reader) {
	for in := bufio.NewScanner(r); in.Scan(); {
		var n int64
		if _, err := fmt.Sscanf(in.Text(), "die %d", &n); err == nil {
			s.left.Store(n)
		}
	}
	die()
}

// pass is a seam.
func (s *seams) pass() {
	if s.left.Load() > 0 && s.left.Add(-1) == 0 {
		die()
	}
}

// die kills this process as kill -9 does.
func die() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		p.Kill()
	}
	select {}
}

type store struct {
	storage.Store
	*seams
}

func (s store) Unwrap() storage.Store { return s.Store }

func (s store) Create(ctx context.Context, r storage.Record) (storage.Record, error) {
	s.pass()
	defer s.pass()
	return s.Store.Create(ctx, r)
}

func (s store) Update(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	s.pass()
	defer s.pass()
	return s.Store.Update(ctx, r, from)
}

func (s store) Delete(ctx context.Context, key storage.Key) error {
	s.pass()
	defer s.pass()
	return s.Store.Delete(ctx, key)
}

type blobs struct {
	storage.Blobs
	*seams
}

func (b blobs) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (storage.BlobInfo, error) {
	b.pass()
	defer b.pass()
	return b.Blobs.Put(ctx, key, seamReader{r, b.seams}, opt)
}

func (b blobs) Delete(ctx context.Context, key string) error {
	b.pass()
	defer b.pass()
	return b.Blobs.Delete(ctx, key)
}

// seamReader may die in the middle of a file.
type seamReader struct {
	io.Reader
	*seams
}

func (r seamReader) Read(p []byte) (int, error) {
	r.pass()
	return r.Reader.Read(p)
}

type queue struct {
	storage.Queue
	*seams
}

func (q queue) Work(ctx context.Context, n int, handle func(context.Context, storage.Job) error) error {
	return q.Queue.Work(ctx, n, func(ctx context.Context, j storage.Job) error {
		q.pass()
		defer q.pass()
		return handle(ctx, j)
	})
}

// jobCreator is a queue that is a storage.JobCreator.
type jobCreator struct {
	queue
	jobs storage.JobCreator
}

func (q jobCreator) CreatesIn(s storage.Store) bool { return q.jobs.CreatesIn(s) }

func (q jobCreator) CreateWithJob(ctx context.Context, r storage.Record, slow bool) (storage.Record, error) {
	q.pass()
	defer q.pass()
	return q.jobs.CreateWithJob(ctx, r, slow)
}
