package testkit

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The credentials of an S3.
const (
	AccessKey = "motion"
	SecretKey = "secret"
)

// S3 is a versitygw with a port and a folder of its own.
type S3 struct {
	program, dir, addr string
	cmd                *exec.Cmd
}

// StartS3 starts a server in an empty folder.
func StartS3(dir string) (*S3, error) {
	program, err := exec.LookPath("versitygw")
	if err != nil {
		out, _ := exec.Command("go", "env", "GOPATH").Output()
		program = filepath.Join(strings.TrimSpace(string(out)), "bin", "versitygw")
		if _, err := os.Stat(program); err != nil {
			return nil, fmt.Errorf("%w: versitygw (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0)", ErrMissing)
		}
	}
	addr, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	s := &S3{program: program, dir: dir, addr: addr}
	return s, s.Start()
}

// FreeAddress returns a free loopback address.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// Endpoint is the address of the server.
func (s *S3) Endpoint() string { return "http://" + s.addr }

// Start starts the server and waits until it accepts connections.
func (s *S3) Start() error {
	objects, meta := filepath.Join(s.dir, "objects"), filepath.Join(s.dir, "meta")
	for _, dir := range []string{objects, meta} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	s.cmd = exec.Command(s.program, "--port", s.addr, "--access", AccessKey, "--secret", SecretKey,
		"--keep-alive", "--quiet", "posix", "--sidecar", meta, objects)
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", s.addr)
		if err == nil {
			return c.Close()
		}
		if time.Now().After(deadline) {
			s.Kill()
			return fmt.Errorf("versitygw does not answer: %w", err)
		}
	}
}

// Kill ends the server at once.
func (s *S3) Kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait() // returns that it was killed
}

// MakeBucket makes a bucket, which is a folder of the server.
func (s *S3) MakeBucket(name string) error {
	return os.Mkdir(filepath.Join(s.dir, "objects", name), 0o700)
}
