package testkit

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// PgBouncer is a pooler for a Postgres. It listens on a socket in the same folder.
type PgBouncer struct {
	pg   *Postgres
	port int
	cmd  *exec.Cmd
	said bytes.Buffer
}

// StartPgBouncer starts a PgBouncer with a maximum number of connections to the server and a mode, "session" or "transaction". All
// other settings are the defaults, but for server_login_retry and the number of clients.
func (s *Postgres) StartPgBouncer(mode string, connections int) (*PgBouncer, error) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
		if _, err := os.Stat(program); err != nil {
			return nil, fmt.Errorf("%w: pgbouncer", ErrMissing)
		}
	}
	s.poolers++
	b := &PgBouncer{pg: s, port: 6431 + s.poolers} // not a TCP port: the end of the socket's name
	name := filepath.Join(s.dir, fmt.Sprintf("pgbouncer-%d.ini", b.port))
	err = os.WriteFile(name, fmt.Appendf(nil, `[databases]
* = host=%[1]s user=postgres
[pgbouncer]
listen_addr =
listen_port = %[2]d
unix_socket_dir = %[1]s
auth_type = any
pool_mode = %[3]s
default_pool_size = %[4]d
max_client_conn = 5000
server_login_retry = 0.1
log_connections = 0
log_disconnections = 0
`, s.dir, b.port, mode, connections), 0o644)
	if err != nil {
		return nil, err
	}
	args := []string{"-q", name}
	if os.Getuid() == 0 { // PgBouncer refuses to run as root
		args = append([]string{"-u", "postgres"}, args...)
	}
	b.cmd = exec.Command(program, args...)
	b.cmd.Dir = s.dir
	b.cmd.Stdout, b.cmd.Stderr = &b.said, &b.said
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("unix", filepath.Join(s.dir, ".s.PGSQL."+strconv.Itoa(b.port)))
		if err == nil {
			return b, c.Close()
		}
		if time.Now().After(deadline) {
			b.Kill()
			return nil, fmt.Errorf("pgbouncer does not answer: %w\n%s", err, &b.said)
		}
	}
}

// URL is the address of the database through the pooler.
func (b *PgBouncer) URL() string { return b.pg.URL() + "&port=" + strconv.Itoa(b.port) }

// DSN is URL as a list of settings.
func (b *PgBouncer) DSN() string {
	return fmt.Sprintf("host=%s port=%d user=postgres dbname=postgres", b.pg.dir, b.port)
}

// Kill ends the pooler at once.
func (b *PgBouncer) Kill() {
	_ = b.cmd.Process.Kill()
	_ = b.cmd.Wait() // returns that it was killed
}
