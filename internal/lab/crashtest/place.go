package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/ncruces/go-sqlite3/driver"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/s3"
	"github.com/bodymotion/motion/storage/sqlite"
)

// place is where records and files are stored: a SQLite file and a folder, or a PostgreSQL schema
// and a bucket; else the memory of this process.
type place struct {
	File, Folder     string
	URL, Schema      string
	Endpoint, Bucket string

	memory *kept
}

// audited reports whether a database notes all changes.
func (p place) audited() bool { return p.memory == nil }

// kept is an open place.
type kept struct {
	store storage.Store
	blobs storage.Blobs
	jobs  storage.JobCreator // nil with SQLite
	close func() error
}

// queue returns the queue of the place, or one in memory.
func (k *kept) queue() storage.Queue {
	if k.jobs == nil {
		return memory.NewQueue(memory.QueueOptions{})
	}
	return k.jobs
}

// unfinished tells what is still to be done.
func (k *kept) unfinished(ctx context.Context) (left []string, err error) {
	err = k.store.Unfinished(ctx, func(r storage.Record) error {
		left = append(left, fmt.Sprintf("%s/%d stays %s", r.Kind, r.ID, r.Status))
		return nil
	})
	if err != nil {
		return nil, err
	}
	deletions, err := k.store.Scan(ctx, storage.Deletions, 0, 1)
	for _, d := range deletions {
		left = append(left, fmt.Sprintf("deletion %d stays: %s", d.ID, d.Data))
	}
	return left, err
}

func (p place) open(ctx context.Context, log *slog.Logger) (*kept, error) {
	if p.memory != nil {
		return p.memory, nil
	}
	if p.URL == "" {
		files, err := file.Open(p.Folder, file.Options{})
		if err != nil {
			return nil, err
		}
		records, err := sqlite.Open(p.File, sqlite.Options{})
		if err != nil {
			files.Close()
			return nil, err
		}
		return &kept{records, files, nil, func() error { return errors.Join(records.Close(), files.Close()) }}, nil
	}
	files, err := s3.Open(ctx, s3.Config{Endpoint: p.Endpoint, Bucket: p.Bucket, AccessKey: testkit.AccessKey, SecretKey: testkit.SecretKey})
	if err != nil {
		return nil, err
	}
	cfg, err := pgxpool.ParseConfig(p.URL)
	if err != nil {
		return nil, err
	}
	cfg.MaxConns = 8
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	k := &kept{blobs: files, close: func() error { pool.Close(); return nil }}
	records, err := postgres.New(ctx, pool, postgres.Options{Schema: p.Schema})
	if err == nil {
		k.store = records
		k.jobs, err = postgres.NewQueue(ctx, records, postgres.QueueOptions{Lease: lease, Logger: log})
	}
	if err != nil {
		pool.Close()
		return nil, err
	}
	return k, nil
}

// A trigger records every change of a record, even by processes that die.
const (
	sqliteAudit = `CREATE TABLE crash_audit (kind TEXT, id INTEGER, was TEXT, now TEXT, attempts INTEGER);
		CREATE TRIGGER crash_audit AFTER UPDATE ON records BEGIN
			INSERT INTO crash_audit VALUES (old.kind, old.id, old.status, new.status, new.attempts);
		END`
	postgresAudit = `CREATE TABLE %[1]s.crash_audit (kind text, id bigint, was text, now text, attempts bigint);
		CREATE FUNCTION %[1]s.crash_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			INSERT INTO %[1]s.crash_audit VALUES (old.kind, old.id, old.status, new.status, new.attempts);
			RETURN NULL;
		END $$;
		CREATE TRIGGER crash_audit AFTER UPDATE ON %[1]s.records FOR EACH ROW EXECUTE FUNCTION %[1]s.crash_audit()`
)

func (p place) database() (*sql.DB, error) {
	if p.URL == "" {
		return driver.Open("file:" + filepath.ToSlash(p.File))
	}
	cfg, err := pgx.ParseConfig(p.URL)
	if err != nil {
		return nil, err
	}
	cfg.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // several statements at once
	return stdlib.OpenDB(*cfg), nil
}

// prepare creates the tables and the audit.
func (p place) prepare(ctx context.Context) error {
	k, err := p.open(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	if err := k.close(); err != nil {
		return err
	}
	db, err := p.database()
	if err != nil {
		return err
	}
	defer db.Close()
	script := sqliteAudit
	if p.URL != "" {
		script = fmt.Sprintf(postgresAudit, p.Schema)
	}
	_, err = db.ExecContext(ctx, script)
	return err
}

// ran is the set of engines of a place.
type ran struct {
	kind string
	pg   *testkit.Postgres
	s3   *testkit.S3
}

// startEngines starts the engines that a kind of store needs, in a folder.
func startEngines(kind, dir string) (*ran, error) {
	r := &ran{kind: kind}
	if kind != "postgres" {
		return r, nil
	}
	for _, name := range []string{"pg", "s3"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return r, err
		}
	}
	var err error
	if r.pg, err = testkit.StartPostgres(filepath.Join(dir, "pg"), testkit.NoSync); err == nil {
		r.s3, err = testkit.StartS3(filepath.Join(dir, "s3"))
	}
	return r, err
}

func (r *ran) stop() {
	if r.s3 != nil {
		r.s3.Kill()
	}
	if r.pg != nil {
		if err := r.pg.Stop(true); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

// newPlace makes a place with a name.
func (r *ran) newPlace(ctx context.Context, dir, name string) (place, error) {
	if r.kind == "memory" {
		return place{memory: &kept{memory.NewStore(memory.StoreOptions{}), memory.NewBlobs(memory.BlobsOptions{}), nil, func() error { return nil }}}, nil
	}
	if r.pg == nil {
		dir = filepath.Join(dir, name)
		p := place{File: filepath.Join(dir, "motion.db"), Folder: filepath.Join(dir, "blobs")}
		return p, p.prepare(ctx)
	}
	p := place{URL: r.pg.URL(), Schema: name, Endpoint: r.s3.Endpoint(), Bucket: name}
	if err := r.s3.MakeBucket(name); err != nil {
		return p, err
	}
	return p, p.prepare(ctx)
}
