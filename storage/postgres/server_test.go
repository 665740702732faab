package postgres_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/postgres"
	"github.com/bodymotion/motion/storage/storagetest"
)

// server is a PostgreSQL of the tests' own, which listens on a socket in its folder.
type server struct{ dir, bin string }

var (
	shared      server
	sharedError error
	sharedStart sync.Once
)

func TestMain(m *testing.M) {
	if place, ok := os.LookupEnv(workerPlace); ok {
		if err := workUntilEOF(place); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	if shared.dir != "" {
		if err := shared.remove(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// common returns the address of a server that all tests share.
func common(tb testing.TB) string {
	tb.Helper()
	bin := programs(tb)
	sharedStart.Do(func() { shared, sharedError = launch(bin) })
	if sharedError != nil {
		tb.Fatal(sharedError)
	}
	return shared.dsn()
}

// programs returns the folder of PostgreSQL's programs.
func programs(tb testing.TB) string {
	tb.Helper()
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		testkit.Skip(tb, "PostgreSQL (initdb, pg_ctl)")
	}
	return filepath.Dir(found[len(found)-1])
}

func launch(bin string) (server, error) {
	dir, err := os.MkdirTemp("", "motion-pg-")
	if err != nil {
		return server{}, err
	}
	s := server{dir, bin}
	if os.Getuid() == 0 { // as which PostgreSQL refuses to run
		account, err := user.Lookup("postgres")
		if err != nil {
			return s, err
		}
		uid, err := strconv.Atoi(account.Uid)
		if err == nil {
			err = os.Chown(dir, uid, -1)
		}
		if err != nil {
			return s, err
		}
	}
	if err := s.run("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"); err != nil {
		return s, err
	}
	return s, s.start()
}

func (s server) data() string { return filepath.Join(s.dir, "data") }

// dsn allows each Store two connections a handler and some more.
func (s server) dsn() string {
	return "host=" + s.dir + " user=postgres dbname=postgres pool_max_conns=6"
}

func (s server) start() error {
	return s.run("pg_ctl", "-D", s.data(), "-w", "-l", filepath.Join(s.dir, "log"),
		"-o", "-k "+s.dir+" -c listen_addresses='' -c max_connections=200", "start")
}

// stop ends the server: "fast" ends its connections, "immediate" is a crash.
func (s server) stop(mode string) error {
	return s.run("pg_ctl", "-D", s.data(), "-w", "-m", mode, "stop")
}

func (s server) remove() error {
	err := s.stop("immediate")
	if e := os.RemoveAll(s.dir); err == nil {
		err = e
	}
	return err
}

func (s server) run(program string, args ...string) error {
	name, args := filepath.Join(s.bin, program), args
	if os.Getuid() == 0 {
		name, args = "runuser", append([]string{"-u", "postgres", "--", name}, args...)
	}
	cmd := exec.Command(name, args...)
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

var schemas atomic.Int64

// newSchema returns the name of a schema that no test has used.
func newSchema() string { return fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1)) }

// openPlace opens the store at a place: a schema and the address of its server.
func openPlace(place string) (*postgres.Store, error) {
	schema, dsn, _ := strings.Cut(place, "@")
	return postgres.Open(background, dsn, postgres.Options{Schema: schema})
}

func newPlace(tb testing.TB) string { tb.Helper(); return newSchema() + "@" + common(tb) }

func open(tb testing.TB, place string) *postgres.Store {
	tb.Helper()
	s, err := openPlace(place)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

var driver = storagetest.StoreDriver{
	Open:  func(place string) (storage.Store, error) { return openPlace(place) },
	Place: newPlace,
}
