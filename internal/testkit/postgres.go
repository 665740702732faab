package testkit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
)

// ErrMissing is the kind of error for a program that is not installed.
var ErrMissing = errors.New("missing")

// NoSync is a setting of PostgreSQL for tests: commits do not wait for the disk. They outlive the server,
// whatever ends it, but not the machine.
const NoSync = "fsync=off"

// Postgres is a PostgreSQL server that listens on a socket in its folder.
type Postgres struct {
	dir, bin string
	settings []string
	poolers  int // number of PgBouncers started
}

// StartPostgres starts a server with an empty database in an empty folder. If this process runs as
// root, the account "postgres" must be able to reach the folder. Settings are such as NoSync.
func StartPostgres(dir string, settings ...string) (*Postgres, error) {
	bin := "/usr/lib/postgresql"
	if path, err := exec.LookPath("initdb"); err == nil {
		bin = filepath.Dir(path)
	} else {
		found, err := filepath.Glob(bin + "/*/bin/initdb")
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("%w: PostgreSQL (initdb, pg_ctl)", ErrMissing)
		}
		bin = filepath.Dir(found[len(found)-1])
	}
	s := &Postgres{dir: dir, bin: bin, settings: settings}
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		account, err := user.Lookup("postgres")
		if err != nil {
			return nil, err
		}
		uid, err := strconv.Atoi(account.Uid)
		if err == nil {
			err = os.Chown(dir, uid, -1)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := s.run("initdb", "--no-sync", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"); err != nil {
		return nil, err
	}
	return s, s.Start()
}

// Database starts a server of the test's own, with NoSync, and ends it with the test.
func Database(t testing.TB) *Postgres {
	t.Helper()
	dir, err := os.MkdirTemp("", "motion-pg-") // a short path, as sockets need it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s, err := StartPostgres(dir, NoSync)
	if errors.Is(err, ErrMissing) {
		Skip(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(true); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *Postgres) data() string { return filepath.Join(s.dir, "data") }

// URL is the address of the database.
func (s *Postgres) URL() string { return "postgres://postgres@/postgres?host=" + s.dir }

// Start starts the server and waits until it accepts connections.
func (s *Postgres) Start() error {
	options := "-k " + s.dir + " -c listen_addresses='' -c max_connections=200"
	for _, setting := range s.settings {
		options += " -c " + setting
	}
	return s.run("pg_ctl", "-D", s.data(), "-w", "-l", filepath.Join(s.dir, "log"), "-o", options, "start")
}

// Stop ends the server, if crash is true without a clean shutdown.
func (s *Postgres) Stop(crash bool) error {
	mode := "fast"
	if crash {
		mode = "immediate"
	}
	return s.run("pg_ctl", "-D", s.data(), "-w", "-m", mode, "stop")
}

func (s *Postgres) run(program string, args ...string) error {
	name := filepath.Join(s.bin, program)
	if os.Getuid() == 0 {
		name, args = "runuser", append([]string{"-u", "postgres", "--", name}, args...)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	out, err := os.CreateTemp("", "motion-pg-out-") // not a pipe, which the server would keep open
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
