package server

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/internal/testkit"
)

// Limits of a server that gets 12 bombs at once.
const (
	maxServer   = 600 << 20        // bytes, of the process
	maxChildren = 1500 << 20       // bytes, of the programs that it runs, together
	maxAnswer   = 30 * time.Second // for each upload
)

// TestBombs uploads 12 small movies at once whose headers cost gigabytes, and a good one beside them.
func TestBombs(t *testing.T) {
	for _, runner := range []string{setup.Installed, setup.WASM} {
		t.Run(runner, func(t *testing.T) {
			if runner == setup.WASM {
				testkit.Thorough(t, "runs FFmpeg as WebAssembly")
			}
			if runner == setup.Installed {
				for _, program := range []string{"ffmpeg", "ffprobe"} {
					if _, err := exec.LookPath(program); err != nil {
						testkit.Skip(t, program)
					}
				}
			}
			server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--client", "someone:very-secret", "--ffmpeg", runner)
			defer server.drain(t)
			c := login(t, server.url)
			good, err := os.ReadFile(filepath.Join(testkit.Root(t), "httpapi", "viewer", "squats.mp4"))
			if err != nil {
				t.Fatal(err)
			}
			children := watch(t, server.cmd.Process.Pid)
			var all sync.WaitGroup
			for range 4 {
				for name, file := range testkit.Bombs() {
					address := c.register(file)
					all.Go(func() {
						begin := time.Now()
						if status, _ := put(t, address, file); status != http.StatusOK && status != http.StatusServiceUnavailable {
							t.Errorf("%s: %d", name, status)
						}
						if took := time.Since(begin); took > maxAnswer {
							t.Errorf("%s: answered after %v", name, took)
						}
					})
				}
			}
			address := c.register(good)
			all.Go(func() {
				status, answer := put(t, address, good)
				for status == http.StatusServiceUnavailable { // as a client does who is told when to come back
					time.Sleep(time.Second)
					status, answer = put(t, address, good)
				}
				if status != http.StatusOK || !strings.Contains(answer, `"frame":120,`) {
					t.Errorf("a good movie: %d %s", status, answer)
				}
			})
			all.Wait()
			self, together := peak(t, server.cmd.Process.Pid), children()
			if t.Logf("%d MB in the server, %d MB in programs", self>>20, together>>20); self > maxServer || together > maxChildren {
				t.Error("that is too much")
			}
		})
	}
}

// register registers a movie and returns the address to upload it to.
func (c *caller) register(file []byte) string {
	c.t.Helper()
	return c.registered("movies", file)["uploadUrl"].(string)
}

// registered registers a file of a kind and returns its record.
func (c *caller) registered(kind string, file []byte) map[string]any {
	c.t.Helper()
	return c.call("POST", "/anymotion/v1/"+kind+"/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(file)))
}

// put uploads a movie.
func put(t *testing.T, address string, file []byte) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "PUT", address, bytes.NewReader(file))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	b.ReadFrom(resp.Body)
	return resp.StatusCode, b.String()
}

// number returns a number of /proc/PID/status, which are in KiB, as bytes; 0 if the process has ended.
func number(pid int, name string) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, _ := strings.Cut(string(text), name+":")
	n, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	kib, _ := strconv.ParseInt(n, 10, 64)
	return kib << 10
}

// peak returns the most memory that a process has had, bytes.
func peak(t *testing.T, pid int) int64 {
	n := number(pid, "VmHWM")
	if n == 0 {
		t.Error("the server's memory is unknown")
	}
	return n
}

// watch looks at the programs that a process runs, until the function is called that returns the
// most memory they had together, bytes.
func watch(t *testing.T, pid int) (most func() int64) {
	stop, done := make(chan struct{}), make(chan int64)
	go func() {
		var found int64
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				done <- found
				return
			case <-tick.C:
			}
			var now int64
			lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
			for _, list := range lists {
				text, _ := os.ReadFile(list)
				for _, word := range strings.Fields(string(text)) {
					child, _ := strconv.Atoi(word)
					now += number(child, "VmRSS")
				}
			}
			found = max(found, now)
		}
	}()
	return func() int64 {
		close(stop)
		return <-done
	}
}
