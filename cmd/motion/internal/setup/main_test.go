package setup_test

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/internal/testkit"
)

// hangs names the variable that makes the test's own program one that ignores its context.
const hangs = "MOTION_TEST_HANGS"

func TestMain(m *testing.M) {
	if os.Getenv(hangs) == "" {
		os.Exit(m.Run())
	}
	setup.Main("hangs", func(ctx context.Context, _ []string) error {
		setup.ExitAfter(ctx, time.Second)
		os.Stdout.WriteString("ready\n")
		select {}
	})
}

// TestExitAfter: a program that ignores its context ends two seconds after its grace at the latest.
func TestExitAfter(t *testing.T) {
	testkit.NeedSignals(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), hangs+"=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1))
	}
	if err == nil {
		err = cmd.Process.Signal(syscall.SIGTERM)
	}
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	hanging := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer hanging.Stop()
	err = cmd.Wait()
	if took := time.Since(begin); took < time.Second || took > 3*time.Second || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "longer than 1s") {
		t.Errorf("ended after %v: %v, %s", took, err, &stderr)
	}
}

// TestOldFFmpeg: a program says at its start that the installed FFmpeg is too old.
func TestOldFFmpeg(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, name := range []string{"ffmpeg", "ffprobe"} {
		if err := os.WriteFile(dir+"/"+name, []byte("#!/bin/sh\necho "+name+" version 4.4.2-0ubuntu0.22.04.1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	_, err := setup.New(t.Context(), setup.Options{Setting: "fast", FFmpeg: setup.Installed, Blind: true})
	if err == nil || !strings.Contains(err.Error(), "ffmpeg is version 4.4.2-0ubuntu0.22.04.1; install FFmpeg 5.1 or newer") {
		t.Errorf("%v", err)
	}
}

// TestVisible: the name of a file cannot control the terminal.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"歩行 1.mp4": "歩行 1.mp4", "\x1b]0;title\a.mp4": `\x1b]0;title\a.mp4`, "a\nb\r\tc": `a\nb\r\tc`, "\u009b2J": `\u009b2J`, "a\u202e4pm": `a\u202e4pm`,
		"\xff": "\ufffd", `it's "so"`: `it's "so"`,
	} {
		if got := setup.Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestLock: a process that was killed may hold its files for a moment longer, which the next one waits for.
func TestLock(t *testing.T) {
	path := t.TempDir() + "/lock"
	release, err := setup.Lock(path, "server")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := setup.Lock(path, "server"); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), "belongs to another server that runs")) {
		t.Errorf("a file that is held: %v", err)
	}
	time.AfterFunc(200*time.Millisecond, func() { release() })
	again, err := setup.Lock(path, "server")
	if err != nil {
		t.Fatalf("a file that is held for 200 ms: %v", err)
	}
	again()
}
