package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/ort"
)

// TestHelp: -h says what the program does, where the library goes and how to call it, and installs
// nothing.
func TestHelp(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, home)
	}
	dir, err := ort.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"-h", "-help", "--help"} {
		var out, status bytes.Buffer
		if err := run(t.Context(), []string{flag}, &out, &status); err != nil || status.Len() > 0 {
			t.Errorf("%s: %v, %q", flag, err, &status)
		}
		for _, want := range []string{
			"go run github.com/bodymotion/motion/inference/onnxruntime/install@latest\n", dir, "downloaded", "ONNXRUNTIME_LIB", ort.MinVersion, "-h\t",
		} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s lacks %q:\n%s", flag, want, &out)
			}
		}
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("the help made %v (%v)", left, err)
	}
}

// TestWrongArguments: nothing is installed for a mistyped flag.
func TestWrongArguments(t *testing.T) {
	for _, arg := range []string{"-hlep", "help"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{arg}, &out, &out); err == nil || !strings.Contains(err.Error(), "-h explains") || out.Len() > 0 {
			t.Errorf("%s: %v, %q", arg, err, &out)
		}
	}
}
