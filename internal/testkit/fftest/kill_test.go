//go:build unix

package fftest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// TestKill ends the context of a movie that is being decoded, by a program that has
// started another one and heeds no signal: after Close both are gone, and no zombie is
// left.
func TestKill(t *testing.T) {
	path := clip(t, "1280x720", "300", "ultrafast")
	real, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "ffmpeg")
	text := "#!/bin/sh\ntrap '' TERM INT HUP\nsleep 600 >&2 &\necho $! > " + dir + "/other\necho $$ > " + dir + "/self\n" + real + " \"$@\"\nsleep 600\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m, err := ffmpeg.Decoder{Runner: program.Installed{FFmpeg: script}, Buffers: 2}.Open(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Next()
	if err != nil {
		t.Fatal(err)
	}
	p.Release()
	start := time.Now()
	cancel()
	for err == nil {
		_, err = m.Next()
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	t.Logf("gone after %v", time.Since(start))
	for _, name := range []string{"self", "other"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
		if err != nil {
			t.Fatal(err)
		}
		// A process whose parent is gone is a zombie until the system has taken note. A busy machine
		// takes its time to end one.
		for range 500 {
			if err = syscall.Kill(pid, 0); err != nil || name == "other" && zombie(pid) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if name == "self" && !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is left (%v)", pid, err)
		}
		if name == "other" && err == nil && !zombie(pid) {
			t.Errorf("process %d, which it started, is left", pid)
		}
	}
}

// zombie reports whether a process has ended, where the system tells: the init process
// of a container may never take note of those that were left to it.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(b), ") Z ")
}
