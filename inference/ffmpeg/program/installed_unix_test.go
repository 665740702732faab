//go:build unix

package program_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
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
