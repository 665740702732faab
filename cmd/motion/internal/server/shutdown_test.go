package server

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/cmd/motion/internal/stores"
	"github.com/bodymotion/motion/internal/testkit"
)

// stuck starts a server with a job that ignores the end of its context: a descendant of the
// program that stands for ffmpeg keeps its output open. It returns what ffmpeg found in its
// environment.
func stuck(t *testing.T, grace time.Duration, args ...string) (server *process, c *caller, environment string) {
	t.Helper()
	testkit.NeedSignals(t)
	for _, name := range []string{"ffmpeg", "ffprobe", "setsid"} {
		if _, err := exec.LookPath(name); err != nil {
			testkit.Skip(t, name)
		}
	}
	_, movie, _ := media(t)
	bin := t.TempDir()
	decoder, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Fatal(err)
	}
	probe, err := exec.LookPath("ffprobe")
	if err == nil {
		err = os.Symlink(probe, filepath.Join(bin, "ffprobe"))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, "ffmpeg"), fmt.Appendf(nil, `#!/bin/sh
[ "$1" = -version ] && exec %[2]s -version
env > %[1]s/env.tmp
setsid sh -c 'echo $$ > %[1]s/sleeper; exec sleep 120' &
mv %[1]s/env.tmp %[1]s/env
trap "" TERM
wait
`, bin, decoder), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		text, err := os.ReadFile(filepath.Join(bin, "sleeper"))
		if pid, e := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && e == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	server = start(t, append([]string{"--grace", grace.String(), "--client", "someone:very-secret", "--ffmpeg", "installed"}, args...)...)
	c = login(t, server.url)
	content, err := os.ReadFile(movie)
	if err != nil {
		t.Fatal(err)
	}
	m := c.call("POST", "/anymotion/v1/movies/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(content)))
	c.call("PUT", m["uploadUrl"].(string), string(content))
	c.call("POST", "/anymotion/v1/keypoints/", fmt.Sprintf(`{"movieId":%v}`, m["id"]))
	for until := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // the program starts
		if text, err := os.ReadFile(filepath.Join(bin, "env")); err == nil {
			return server, c, string(text)
		}
		if time.Now().After(until) {
			t.Fatalf("ffmpeg is not started: %v\n%s", c.statuses(), server.said())
		}
	}
}

// end sends a signal to a server and returns how it ended, and after how long.
func (p *process) end(t *testing.T, signal syscall.Signal) (took time.Duration, err error) {
	t.Helper()
	begin := time.Now()
	if err := p.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	hanging := time.AfterFunc(time.Minute, func() { p.cmd.Process.Kill() })
	defer hanging.Stop()
	err = p.cmd.Wait()
	return time.Since(begin), err
}

// TestStubbornJob: a job that ignores the end of its context does not keep the server longer than
// its grace and two seconds, and is back in the queue then.
func TestStubbornJob(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	const grace = 4 * time.Second
	server, c, _ := stuck(t, grace, "--data", data)
	if n := c.statuses(); n["PROCESSING"] != 1 {
		t.Fatalf("%v", n)
	}
	took, err := server.end(t, syscall.SIGTERM)
	t.Logf("the server ended after %v: %v", took, err)
	if took > grace+2*time.Second {
		t.Errorf("the server ended %v after the signal, want at most %v\n%s", took, grace+2*time.Second, server.said())
	}
	records, err := stores.Open(t.Context(), stores.Places{Data: data}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer records.Close()
	found, err := records.Records.Scan(t.Context(), "keypoints", 0, 10)
	if err != nil || len(found) != 1 || found[0].Status != "UNPROCESSED" || found[0].Attempts != 0 {
		t.Errorf("the job was not handed back: %+v (%v)\n%s", found, err, server.said())
	}
}

// TestSecondSignal: a second signal ends the server at once.
func TestSecondSignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			server, _, _ := stuck(t, time.Hour, "--data", filepath.Join(t.TempDir(), "data"))
			if err := server.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			for until := time.Now().Add(time.Minute); !strings.Contains(server.said(), "draining"); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(until) {
					t.Fatalf("the server does not drain:\n%s", server.said())
				}
			}
			took, err := server.end(t, signal)
			var exit *exec.ExitError
			if took > 10*time.Second || !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != signal {
				t.Errorf("the server ended after %v with %v", took, err)
			}
		})
	}
}

// TestProgramsGetNoSecrets: programs that the server starts do not find its secrets in their
// environment.
func TestProgramsGetNoSecrets(t *testing.T) {
	const value = "nobody-else-shall-see-this"
	for _, name := range secrets {
		t.Setenv(name, value)
	}
	t.Setenv("MOTION_CLIENT", "a:"+value)
	t.Setenv("MOTION_BLOBS", filepath.Join(t.TempDir(), value))
	t.Setenv("MOTION_DB", filepath.Join(t.TempDir(), value))
	server, _, environment := stuck(t, 0, "--data", filepath.Join(t.TempDir(), "data"))
	if strings.Contains(environment, value) {
		t.Errorf("ffmpeg's environment:\n%s", environment)
	}
	server.end(t, syscall.SIGTERM)

	var seen bytes.Buffer
	forgetSecrets()
	cmd := exec.Command("env")
	cmd.Stdout = &seen
	if err := cmd.Run(); err != nil || strings.Contains(seen.String(), value) {
		t.Errorf("a program finds\n%s (%v)", &seen, err)
	}
}
