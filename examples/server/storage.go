package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/bodymotion/motion/examples/internal/setup"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/s3"
	"github.com/bodymotion/motion/storage/sqlite"
)

// inMemory is the value of -db for records in memory.
const inMemory = "memory"

// kept is the storage of the server.
type kept struct {
	records storage.Store
	blobs   storage.Blobs
	queue   storage.Queue
	closers []func() error
}

// Close closes everything in reverse order.
func (k *kept) Close() error {
	var errs []error
	for i := len(k.closers); i > 0; i-- {
		errs = append(errs, k.closers[i-1]())
	}
	return errors.Join(errs...)
}

// also adds a function that Close calls.
func (k *kept) also(close func() error) { k.closers = append(k.closers, close) }

// openStorage opens the storage that the settings name, and locks the folder and a SQLite file
// for this process.
func openStorage(ctx context.Context, s *settings, log *slog.Logger) (_ *kept, err error) {
	k := &kept{}
	defer func() {
		if err != nil {
			err = errors.Join(err, k.Close())
		}
	}()
	if err := os.MkdirAll(s.work(), 0o700); err != nil {
		return nil, err
	}
	unlock, err := setup.Lock(filepath.Join(s.data, "lock"), "server")
	if err != nil {
		return nil, fmt.Errorf("-data: %w", err)
	}
	k.also(unlock)
	if err := k.openBlobs(ctx, s); err != nil {
		return nil, fmt.Errorf("-blobs: %w", err)
	}
	if err := k.openRecords(ctx, s, log); err != nil {
		return nil, fmt.Errorf("-db: %w", err)
	}
	return k, nil
}

// openBlobs opens the blobs. With records in memory they have a folder of their own, which is
// emptied first: the records of a former process are lost.
func (k *kept) openBlobs(ctx context.Context, s *settings) error {
	if strings.HasPrefix(s.blobs, "s3://") {
		c, err := s3Config(s.blobs, os.Getenv)
		if err != nil {
			return err
		}
		k.blobs, err = s3.Open(ctx, c)
		return err
	}
	folder := s.blobs
	if folder == "" {
		folder = filepath.Join(s.data, "blobs")
	}
	if s.db == inMemory {
		folder = filepath.Join(s.data, "memory-blobs")
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	blobs, err := file.Open(folder, file.Options{MinFree: int64(s.minFree)})
	if err != nil {
		return err
	}
	k.blobs = blobs
	k.also(blobs.Close)
	return nil
}

// s3Config parses an address such as s3://bucket/prefix?endpoint=http://host:7070 and reads the
// credentials from the environment.
func s3Config(address string, env func(string) string) (s3.Config, error) {
	u, err := url.Parse(address)
	if err != nil {
		return s3.Config{}, err
	}
	q := u.Query()
	c := s3.Config{
		Bucket: u.Host, Endpoint: q.Get("endpoint"), Region: q.Get("region"),
		AccessKey: env("AWS_ACCESS_KEY_ID"), SecretKey: env("AWS_SECRET_ACCESS_KEY"),
	}
	if p := strings.Trim(u.Path, "/"); p != "" {
		c.Prefix = p + "/"
	}
	if c.Region == "" {
		c.Region = env("AWS_REGION")
	}
	for name := range q {
		if name != "endpoint" && name != "region" {
			return c, fmt.Errorf("%s: %q is not known, want endpoint or region", address, name)
		}
	}
	switch {
	case c.Bucket == "":
		return c, fmt.Errorf("%s has no bucket, want s3://BUCKET", address)
	case c.AccessKey == "" || c.SecretKey == "":
		return c, errors.New("AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing in the environment")
	case env("AWS_SESSION_TOKEN") != "":
		return c, errors.New("AWS_SESSION_TOKEN is set: temporary credentials are not supported")
	}
	return c, nil
}

// queueOptions returns the options of a shared queue.
func (s *settings) queueOptions(log *slog.Logger) postgres.QueueOptions {
	return postgres.QueueOptions{Logger: log, Poll: s.poll}
}

func (k *kept) openRecords(ctx context.Context, s *settings, log *slog.Logger) error {
	if s.shared() {
		records, err := postgres.Open(ctx, s.db, postgres.Options{})
		if err != nil {
			return err
		}
		k.records = records
		k.also(records.Close)
		k.queue, err = postgres.NewQueue(ctx, records, s.queueOptions(log))
		return err
	}
	k.queue = memory.NewQueue(memory.QueueOptions{})
	if s.db == inMemory {
		k.records = memory.NewStore(memory.StoreOptions{})
		return nil
	}
	path := s.db
	if path == "" {
		path = filepath.Join(s.data, "motion.db")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// The queue is in memory: a second process would start the same jobs again.
	unlock, err := setup.Lock(path+".lock", "server")
	if err != nil {
		return err
	}
	k.also(unlock)
	records, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		return err
	}
	k.records = records
	k.also(records.Close)
	return nil
}
