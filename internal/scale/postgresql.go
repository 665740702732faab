package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/storage/postgres"
)

// postgreSQL is a server of this program's own, with the settings that a new one has: it
// syncs at each commit. It listens on a socket in its folder.
type postgreSQL struct {
	dir, bin, version string
	schemas           int
}

func startPostgreSQL(ctx context.Context) (*postgreSQL, error) {
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
		if len(found) == 0 {
			return nil, errors.New("PostgreSQL is missing (initdb, pg_ctl)")
		}
		initdb = found[len(found)-1]
	}
	s := &postgreSQL{bin: filepath.Dir(initdb)}
	if s.dir, err = os.MkdirTemp("", "motion-pg-"); err != nil {
		return nil, err
	}
	start := func() error {
		if os.Getuid() == 0 { // as which PostgreSQL refuses to run
			account, err := user.Lookup("postgres")
			if err != nil {
				return err
			}
			uid, err := strconv.Atoi(account.Uid)
			if err == nil {
				err = os.Chown(s.dir, uid, -1)
			}
			if err != nil {
				return err
			}
		}
		if err := s.run(ctx, "initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"); err != nil {
			return err
		}
		return s.run(ctx, "pg_ctl", "-D", s.data(), "-w", "-l", filepath.Join(s.dir, "log"),
			"-o", "-k "+s.dir+" -c listen_addresses='' -c max_connections=200", "start")
	}
	if err := start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	version, err := exec.CommandContext(ctx, filepath.Join(s.bin, "postgres"), "--version").Output()
	s.version = strings.TrimSpace(string(version))
	return s, err
}

func (s *postgreSQL) data() string { return filepath.Join(s.dir, "data") }

// dsn is the server's address for a pool of so many connections.
func (s *postgreSQL) dsn(conns int) string {
	return fmt.Sprintf("host=%s user=postgres dbname=postgres pool_max_conns=%d", s.dir, conns)
}

// schema returns the name of a schema that is not used yet.
func (s *postgreSQL) schema() string {
	s.schemas++
	return fmt.Sprintf("scale_%d", s.schemas)
}

func (s *postgreSQL) remove() error {
	err := s.run(context.Background(), "pg_ctl", "-D", s.data(), "-w", "-m", "immediate", "stop")
	return errors.Join(err, os.RemoveAll(s.dir))
}

func (s *postgreSQL) run(ctx context.Context, program string, args ...string) error {
	name := filepath.Join(s.bin, program)
	if os.Getuid() == 0 {
		name, args = "runuser", append([]string{"-u", "postgres", "--", name}, args...)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.dir
	out, err := os.CreateTemp("", "motion-pg-out-") // a pipe would be kept open by the server
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%s: %w\n%s", program, err, text)
	}
	return nil
}

// open opens a store in a schema.
func (s *postgreSQL) open(ctx context.Context, schema string, conns int) (*postgres.Store, error) {
	return postgres.Open(ctx, s.dsn(conns), postgres.Options{Schema: schema})
}
