// Package stores opens the storage that the flags of a program name: records in a SQLite file, PostgreSQL or
// memory, and files in a folder or an S3 bucket.
package stores

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/s3"
	"github.com/bodymotion/motion/storage/sqlite"
)

// Memory is the value of Places.DB for records in memory.
const Memory = "memory"

// Places says where records and files are. Its fields are the flags of the same names.
type Places struct {
	Data    string        // folder of the process, with its lock and its work files
	DB      string        // a SQLite file, a postgres:// address, or Memory; default: motion.db in Data
	Blobs   string        // a folder, or s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION]; default: blobs in Data
	MinFree int64         // see file.Options
	Poll    time.Duration // see postgres.QueueOptions
}

// FromEnvironment reads the places that may hold secrets, unless flags give them.
func (p *Places) FromEnvironment() {
	if p.DB == "" {
		p.DB = os.Getenv("MOTION_DB")
	}
	if p.Blobs == "" && p.DB != Memory {
		p.Blobs = os.Getenv("MOTION_BLOBS")
	}
}

// Check reports places that do not go together.
func (p *Places) Check() error {
	switch {
	case p.Shared() && p.Blobs == "":
		return errors.New("--db postgres://… needs --blobs, a place that all processes reach: a folder or s3://…")
	case p.DB == Memory && p.Blobs != "":
		return errors.New("--db memory keeps no records, so that --blobs cannot keep their files")
	case !p.Shared() && strings.Contains(p.DB, "://"): // may have a password: it is not shown
		return errors.New("--db is the address of something else than PostgreSQL, want a SQLite file, postgres://… or memory")
	case !p.Bucket() && strings.Contains(p.Blobs, "://"):
		return errors.New("--blobs is the address of something else than a bucket, want a folder or s3://…")
	}
	return nil
}

// Shared reports whether other processes can share the records.
func (p *Places) Shared() bool {
	return strings.HasPrefix(p.DB, "postgres://") || strings.HasPrefix(p.DB, "postgresql://")
}

// Bucket reports whether the files are in an S3 bucket.
func (p *Places) Bucket() bool { return strings.HasPrefix(p.Blobs, "s3://") }

// Work is the folder for the temporary files of jobs and requests.
func (p *Places) Work() string { return filepath.Join(p.Data, "work") }

// file is the SQLite file.
func (p *Places) file() string {
	if p.DB == "" {
		return filepath.Join(p.Data, "motion.db")
	}
	return p.DB
}

// folder is the folder of the files. With records in memory they have one of their own.
func (p *Places) folder() string {
	switch {
	case p.DB == Memory:
		return filepath.Join(p.Data, "memory-blobs")
	case p.Blobs == "":
		return filepath.Join(p.Data, "blobs")
	}
	return p.Blobs
}

// Stores is open storage.
type Stores struct {
	Records storage.Store
	Blobs   storage.Blobs
	Queue   storage.Queue
	closers []func() error
}

// Close closes everything in reverse order.
func (s *Stores) Close() error {
	var errs []error
	for i := len(s.closers); i > 0; i-- {
		errs = append(errs, s.closers[i-1]())
	}
	return errors.Join(errs...)
}

// also adds a function that Close calls.
func (s *Stores) also(close func() error) { s.closers = append(s.closers, close) }

// Open opens the storage and locks the folder Data and a SQLite file for this process.
func Open(ctx context.Context, p Places, log *slog.Logger) (*Stores, error) {
	return open(func(s *Stores) error {
		if err := os.MkdirAll(p.Work(), 0o700); err != nil {
			return err
		}
		unlock, err := setup.Lock(filepath.Join(p.Data, "lock"), "server")
		if err != nil {
			return fmt.Errorf("--data: %w", err)
		}
		s.also(unlock)
		if p.DB == Memory { // the records of a former process are lost
			err = os.RemoveAll(p.folder())
		}
		if err == nil {
			err = s.openBlobs(ctx, p)
		}
		if err != nil {
			return fmt.Errorf("--blobs: %w", err)
		}
		if !p.Shared() && p.DB != Memory {
			// The queue is in memory: a second process would start the same jobs again.
			err := os.MkdirAll(filepath.Dir(p.file()), 0o700)
			if err == nil {
				unlock, err = setup.Lock(p.file()+".lock", "server")
			}
			if err != nil {
				return fmt.Errorf("--db: %w", err)
			}
			s.also(unlock)
		}
		return s.openRecords(ctx, p, log)
	})
}

// Look opens storage that exists, beside the processes that work with it. Nothing may be written.
func Look(ctx context.Context, p Places, log *slog.Logger) (*Stores, error) {
	return open(func(s *Stores) error {
		if p.DB == Memory {
			return errors.New("--db: records in memory are seen by their process alone")
		}
		if p.Blobs == "" || p.DB == "" {
			if _, err := os.Stat(p.Data); err != nil {
				return fmt.Errorf("--data: %w", err)
			}
		}
		if !p.Bucket() {
			if _, err := os.Stat(p.folder()); err != nil {
				return fmt.Errorf("--blobs: %w", err)
			}
		}
		if !p.Shared() {
			if _, err := os.Stat(p.file()); err != nil {
				return fmt.Errorf("--db: %w", err)
			}
		} else if err := hasTables(ctx, p.DB); err != nil {
			return fmt.Errorf("--db: %w", err)
		}
		if err := s.openBlobs(ctx, p); err != nil {
			return fmt.Errorf("--blobs: %w", err)
		}
		return s.openRecords(ctx, p, log)
	})
}

// hasTables returns an error unless a database has the tables of records.
func hasTables(ctx context.Context, address string) error {
	db, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer db.Close(ctx)
	var there bool
	if err := db.QueryRow(ctx, "SELECT to_regclass('motion.records') IS NOT NULL", pgx.QueryExecModeSimpleProtocol).Scan(&there); err != nil {
		return err
	}
	if !there {
		return errors.New("the database has no records, not even a table for them: is it the right one?")
	}
	return nil
}

// open closes what was opened if something cannot be.
func open(all func(*Stores) error) (*Stores, error) {
	s := &Stores{}
	if err := all(s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stores) openBlobs(ctx context.Context, p Places) error {
	if p.Bucket() {
		c, err := s3Config(p.Blobs, os.Getenv)
		if err != nil {
			return err
		}
		s.Blobs, err = s3.Open(ctx, c)
		return err
	}
	blobs, err := file.Open(p.folder(), file.Options{MinFree: p.MinFree})
	if err != nil {
		return err
	}
	s.Blobs = blobs
	s.also(blobs.Close)
	return nil
}

func (s *Stores) openRecords(ctx context.Context, p Places, log *slog.Logger) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("--db: %w", err)
		}
	}()
	if p.Shared() {
		records, err := postgres.Open(ctx, p.DB, postgres.Options{})
		if err != nil {
			return err
		}
		s.Records = records
		s.also(records.Close)
		s.Queue, err = postgres.NewQueue(ctx, records, postgres.QueueOptions{Logger: log, Poll: p.Poll})
		return err
	}
	s.Queue = memory.NewQueue(memory.QueueOptions{})
	if p.DB == Memory {
		s.Records = memory.NewStore(memory.StoreOptions{})
		return nil
	}
	records, err := sqlite.Open(p.file(), sqlite.Options{})
	if err != nil {
		return err
	}
	s.Records = records
	s.also(records.Close)
	return nil
}

// s3Config parses an address such as s3://bucket/prefix?endpoint=http://host:7070 and reads the credentials from the environment.
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
