//go:build linux || darwin || freebsd

package file_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
)

// uploadTo is the environment variable that tells the test's own program to upload into a folder until it is killed.
const uploadTo = "MOTION_TEST_UPLOAD_TO"

func TestMain(m *testing.M) {
	dir := os.Getenv(uploadTo)
	if dir == "" {
		os.Exit(m.Run())
	}
	b, err := file.Open(dir, file.Options{})
	if err == nil {
		_, err = b.Put(context.Background(), "a", &half{told: os.Stdout}, storage.PutOptions{})
	}
	panic(err)
}

// half is an upload that stops half-way: it tells so, and waits for more.
type half struct {
	told io.Writer
	more chan []byte // nil: there never is
	sent int
}

func (h *half) Read(p []byte) (int, error) {
	if h.sent == 0 {
		h.sent = copy(p, bytes.Repeat([]byte("Kenji"), 1000))
		return h.sent, nil
	}
	io.WriteString(h.told, "half\n")
	rest, ok := <-h.more
	if !ok {
		return 0, io.EOF
	}
	return copy(p, rest), nil
}

// TestKilledUpload: what an upload has written whose process was killed is gone when the folder is opened again, and with the
// next Sweep of another process; what a running upload has written stays, also before it has written much.
func TestKilledUpload(t *testing.T) {
	dir := t.TempDir()
	other := open(t, dir)
	said, told := io.Pipe()
	running := &half{told: told, more: make(chan []byte)}
	put := make(chan error)
	go func() {
		_, err := other.Put(t.Context(), "b", running, storage.PutOptions{})
		put <- err
	}()
	if _, err := bufio.NewReader(said).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, said)
	for _, again := range []func() error{
		func() error { open(t, dir); return nil },
		func() error { return other.Sweep(t.Context()) },
	} {
		kill(t, dir)
		if n := halves(t, dir); n != 2 {
			t.Errorf("%d uploads are half done, want 2", n)
		}
		if err := again(); err != nil {
			t.Fatal(err)
		}
		if n := halves(t, dir); n != 1 {
			t.Errorf("%d uploads are half done after one was killed, want 1", n)
		}
	}
	running.more <- []byte("the rest")
	close(running.more)
	if err := <-put; err != nil {
		t.Errorf("the running upload: %v", err)
	}
	if b, err := other.Open(t.Context(), "b"); err != nil || b.Info().Size != int64(running.sent+len("the rest")) {
		t.Errorf("its content: %v", err)
	}
	if n := halves(t, dir); n != 0 {
		t.Errorf("%d uploads are half done in the end", n)
	}
}

// kill starts a process that uploads, and kills it when it has sent half of the content.
func kill(t *testing.T, dir string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), uploadTo+"="+dir)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = bufio.NewReader(out).ReadString('\n')
	c.Process.Kill()
	c.Wait()
	if err != nil {
		t.Fatal(err)
	}
}

func halves(t *testing.T, dir string) int {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, ".tmp", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
