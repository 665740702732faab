package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/bodymotion/motion/internal/engines"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/s3"
)

// postgreSQL is a server of this program's own, with the settings that a new one has: it
// syncs at each commit.
type postgreSQL struct {
	*engines.Postgres
	dir     string
	schemas int
}

func startPostgreSQL() (*postgreSQL, error) {
	dir, err := os.MkdirTemp("", "motion-pg-")
	if err != nil {
		return nil, err
	}
	s, err := engines.StartPostgres(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &postgreSQL{Postgres: s, dir: dir}, nil
}

func (s *postgreSQL) remove() error { return errors.Join(s.Stop(true), os.RemoveAll(s.dir)) }

// dsn is the server's address for a pool of so many connections.
func (s *postgreSQL) dsn(conns int) string {
	return fmt.Sprintf("%s&pool_max_conns=%d", s.URL(), conns)
}

// schema returns the name of a schema that is not used yet.
func (s *postgreSQL) schema() string {
	s.schemas++
	return fmt.Sprintf("scale_%d", s.schemas)
}

// open opens a store in a schema.
func (s *postgreSQL) open(ctx context.Context, schema string, conns int) (*postgres.Store, error) {
	return postgres.Open(ctx, s.dsn(conns), postgres.Options{Schema: schema})
}

// s3Bucket is the bucket of the S3 server that this program starts.
const s3Bucket = "scale"

func openS3(ctx context.Context, endpoint string) (*s3.Blobs, error) {
	return s3.Open(ctx, s3.Config{Endpoint: endpoint, Bucket: s3Bucket, AccessKey: engines.AccessKey, SecretKey: engines.SecretKey})
}
