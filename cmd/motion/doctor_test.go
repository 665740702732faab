package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestDoctor: on an empty machine all is missing and the commands of its manager install it; with Go, what is needed comes by itself.
func TestDoctor(t *testing.T) {
	testkit.NeedLinux(t)
	bin, lib := t.TempDir(), filepath.Join(t.TempDir(), "none.so")
	t.Setenv("PATH", bin)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("ONNXRUNTIME_LIB", lib)
	ask := func() (states, text string, err error) {
		t.Helper()
		var stdout, plain bytes.Buffer
		for _, run := range []struct {
			to   *bytes.Buffer
			args []string
		}{{&stdout, []string{"doctor", "--json"}}, {&plain, []string{"doctor"}}} {
			root := newRoot(run.to, run.to)
			root.SetArgs(run.args)
			err = root.ExecuteContext(t.Context())
		}
		var list []diagnosis
		if err := json.Unmarshal(stdout.Bytes(), &list); err != nil {
			t.Fatalf("%v: %s", err, &stdout)
		}
		for _, d := range list {
			states += d.Name + "=" + d.State + " "
			if d.Comes != "" {
				states += "comes "
			}
			if !strings.Contains(plain.String(), d.Name) || !strings.Contains(plain.String(), d.Install) {
				t.Errorf("%+v is missing in\n%s", d, &plain)
			}
			if (d.Install == "") != (d.State == there) || strings.Contains(d.Detail, "go run") {
				t.Errorf("%+v", d)
			}
		}
		return states, plain.String(), err
	}
	program := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho "+name+" version 7.1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var exit setup.Exit
	states, text, err := ask()
	if want := "ONNX Runtime=missing FFmpeg=missing Go=missing Chromium=missing "; states != want || !errors.As(err, &exit) || exit.Status != 1 {
		t.Errorf("%s, %v\n%s", states, err, text)
	}
	t.Setenv("ONNXRUNTIME_LIB", "")
	ask()
	t.Setenv("ONNXRUNTIME_LIB", lib)
	program("dnf")
	program("go")
	states, text, err = ask()
	if want := "ONNX Runtime=missing comes FFmpeg=missing comes Go=ok Chromium=missing "; states != want || err != nil {
		t.Errorf("%s, %v\n%s", states, err, text)
	}
	for _, want := range []string{"sudo dnf install ffmpeg-free", "sudo dnf install chromium", "inference/onnxruntime/install@latest", "motion downloads it when it is first needed (90 MB)", lib} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, name := range []string{"ffmpeg", "ffprobe", "chromium"} {
		program(name)
	}
	states, text, err = ask()
	if want := "ONNX Runtime=missing comes FFmpeg=ok Go=ok Chromium=ok "; states != want || err != nil || !strings.Contains(text, "movies: 7.1") {
		t.Errorf("%s, %v\n%s", states, err, text)
	}
}
