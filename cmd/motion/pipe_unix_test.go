//go:build unix

package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestPipes: a named pipe, which nobody may ever write into, is a file that fails, also as --movie and among the movies of one
// person, and the others are worked on.
func TestPipes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the tool four times, not run with -short")
	}
	dir := work(t)
	put(t, dir, "clips/body.jpg", sample.JPEG())
	if err := syscall.Mkfifo(filepath.Join(dir, "clips", "a.mp4"), 0o600); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("clips", "a.mp4")
	for args, want := range map[string]string{
		"extract --setting fast clips":              " done\n",
		"course clips/a.mp4":                        "",
		"draw --movie clips/a.mp4 k.json":           "",
		"extract --together clips/a.mp4 squats.mp4": "",
	} {
		ctx, end := context.WithTimeout(t.Context(), time.Minute)
		defer end()
		called := command(t, dir, strings.Fields(args)...)
		cmd := exec.CommandContext(ctx, called.Path, called.Args[1:]...)
		cmd.Dir, cmd.Env = called.Dir, called.Env
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); ctx.Err() != nil || cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("%s: %v\n%s", args, err, &stderr)
		}
		if !strings.Contains(stderr.String(), name+": this is a named pipe, not a file\n") || !strings.Contains(stdout.String(), want) {
			t.Errorf("%s: %s\n%s", args, &stderr, &stdout)
		}
	}
}
