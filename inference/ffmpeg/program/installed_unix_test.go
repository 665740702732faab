//go:build unix

package program_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

// program writes a shell script that stands for ffprobe.
func script(t *testing.T, body string) program.Installed {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ffprobe")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return program.Installed{FFprobe: path}
}

// slow takes its time for the first bytes, as on a busy machine.
type slow struct {
	bytes.Buffer
	waited bool
}

func (s *slow) Write(p []byte) (int, error) {
	if !s.waited {
		s.waited = true
		<-time.After(300 * time.Millisecond)
	}
	return s.Buffer.Write(p)
}

// TestOutput: what a program has written before its end arrives, however late.
func TestOutput(t *testing.T) {
	var out slow
	if err := script(t, "echo all of it").Run(t.Context(), program.Command{Program: "ffprobe", Stdout: &out}); err != nil || out.String() != "all of it\n" {
		t.Errorf("%q (%v)", out.String(), err)
	}
}

// TestInput: input is handed on, and one that blocks keeps nothing waiting.
func TestInput(t *testing.T) {
	var out bytes.Buffer
	if err := script(t, "cat").Run(t.Context(), program.Command{Program: "ffprobe", Stdin: strings.NewReader("handed on"), Stdout: &out}); err != nil || out.String() != "handed on" {
		t.Errorf("%q (%v)", out.String(), err)
	}
	r, w := io.Pipe()
	defer w.Close()
	if err := script(t, "exit 3").Run(t.Context(), program.Command{Program: "ffprobe", Stdin: r}); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("the program's end: %v", err)
	}
}

// TestCPU: a program that takes too much processor time is ended, and one that only waits is not, however long.
func TestCPU(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := program.Command{Program: "ffprobe", CPU: time.Second}
	if err := script(t, "exec sleep 4").Run(ctx, c); err != nil {
		t.Errorf("one that waits: %v", err)
	}
	if err := script(t, "while :; do :; done").Run(ctx, c); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("one that works: %v", err)
	}
	if runtime.GOOS == "linux" && ctx.Err() != nil {
		t.Error("it was ended by the clock")
	}
	late, cancel := context.WithTimeout(t.Context(), time.Second/2)
	defer cancel()
	if err := script(t, "exec sleep 60").Run(late, c); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's deadline: %v", err)
	}
}

// endless is input without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// TestWatchMemory: where there is no limit, a program that takes too much memory is killed, and
// another one is left alone.
func TestWatchMemory(t *testing.T) {
	if _, err := exec.LookPath("ps"); err != nil {
		testkit.Skip(t, "ps")
	}
	for memory, want := range map[int64]bool{60 << 20: true, 1 << 40: false} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, "tail", "-c", "400000000") // keeps 400 MB
		if want {
			cmd.Stdin = endless{}
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		exceeded := program.WatchMemory(cmd, memory)
		cmd.Wait()
		if got := exceeded(); got != want || ctx.Err() != nil {
			t.Errorf("with %d MB: killed %v, want %v (%v)", memory>>20, got, want, ctx.Err())
		}
	}
}

// TestEnvironment: a program gets what it needs to start, and no secrets.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{"AWS_SECRET_ACCESS_KEY", "MOTION_KEY", "MOTION_CLIENT", "MOTION_DB", "FFREPORT", "HTTP_PROXY", "SOMETHING"} {
		t.Setenv(name, "very-secret")
	}
	t.Setenv("LC_ALL", "C")
	t.Setenv("TMPDIR", t.TempDir())
	var out bytes.Buffer
	if err := script(t, "env").Run(t.Context(), program.Command{Program: "ffprobe", Stdout: &out}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "very-secret") {
		t.Errorf("the environment holds secrets:\n%s", out.String())
	}
	for _, want := range []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TMPDIR=" + os.Getenv("TMPDIR"), "AV_LOG_FORCE_NOCOLOR=1"} {
		if !strings.Contains("\n"+out.String(), "\n"+want+"\n") {
			t.Errorf("the environment has no %s:\n%s", want, out.String())
		}
	}
}

// TestVersion: a program before 5.1 is not what the movie is blamed for, and Check says so before the first movie.
func TestVersion(t *testing.T) {
	for version, old := range map[string]bool{
		"4.4.2-0ubuntu0.22.04.1": true, "n4.4": true, "5.0.1": true, "5.1.9-0+deb12u1": false, "n6.1": false, "7.1.1": false,
		"N-12345-g0123456789": false, "2024-01-01-git-e1c1dc8347-full_build": false, "git-2019-11-25-ff03418": false,
	} {
		p := script(t, `case "$1" in -version) echo "ffprobe version `+version+` Copyright"; exit;; esac; echo "Unrecognized option" >&2; exit 1`)
		p.FFmpeg = p.FFprobe
		run := p.Run(t.Context(), program.Command{Program: "ffprobe"})
		for what, err := range map[string]error{"Run": run, "Check": p.Check(t.Context())} {
			if got := errors.Is(err, program.ErrNotFound); got != old || old && !strings.Contains(err.Error(), "version "+version+"; install FFmpeg 5.1 or newer") {
				t.Errorf("%s with %s: %v", what, version, err)
			}
		}
		if run == nil || !old && !strings.Contains(run.Error(), "exit status 1") {
			t.Errorf("Run with %s: %v", version, run)
		}
	}
	path := script(t, "").FFprobe
	if err := os.WriteFile(path, []byte("#!/nowhere/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := (program.Installed{FFprobe: path}).Run(t.Context(), program.Command{Program: "ffprobe"}); !errors.Is(err, program.ErrNotFound) {
		t.Errorf("Run of one that does not start: %v", err)
	}
	if err := (program.Installed{FFmpeg: "/nowhere/ffmpeg"}).Check(t.Context()); !errors.Is(err, program.ErrNotFound) {
		t.Errorf("Check without a program: %v", err)
	}
}
