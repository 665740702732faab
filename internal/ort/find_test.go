package ort_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
)

// touch makes empty files and the folders they lie in.
func touch(t *testing.T, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// cache makes an empty user cache and returns where the library would lie in it.
func cache(t *testing.T) string {
	t.Helper()
	testkit.NeedLinux(t)
	t.Setenv("ONNXRUNTIME_LIB", "")
	t.Setenv("LD_LIBRARY_PATH", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := ort.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, ort.FileName())
}

func TestFindOrder(t *testing.T) {
	cached := cache(t)
	system, named, inEnv := t.TempDir(), filepath.Join(t.TempDir(), "a.so"), filepath.Join(t.TempDir(), "b.so")
	old, newer := filepath.Join(system, "libonnxruntime.so.1.24.1"), filepath.Join(system, "libonnxruntime.so.1.25.0")
	touch(t, cached, named, inEnv, old, newer, filepath.Join(system, "libonnxruntime_providers_shared.so"))
	t.Setenv("LD_LIBRARY_PATH", system)

	got, err := ort.Find("")
	if err != nil {
		t.Fatal(err)
	}
	// What the machine itself has lies between the two.
	if d := cmp.Diff([]string{newer, old}, got[:2]); d != "" {
		t.Errorf("the system's library path (-want +got):\n%s", d)
	}
	if got[len(got)-1] != cached {
		t.Errorf("last is %s, want the user cache", got[len(got)-1])
	}
	t.Setenv("ONNXRUNTIME_LIB", inEnv)
	if got, err := ort.Find(""); err != nil || !cmp.Equal(got, []string{inEnv}) {
		t.Errorf("with $ONNXRUNTIME_LIB: %v, %v", got, err)
	}
	if got, err := ort.Find(named); err != nil || !cmp.Equal(got, []string{named}) {
		t.Errorf("with a path: %v, %v", got, err)
	}
}

func TestFindNothing(t *testing.T) {
	cached := cache(t)
	missing := filepath.Join(t.TempDir(), "missing.so")
	for name, find := range map[string]func() error{
		"Options.Library": func() error { _, err := ort.Find(missing); return err },
		"$ONNXRUNTIME_LIB": func() error {
			t.Setenv("ONNXRUNTIME_LIB", missing)
			_, err := ort.Find("")
			return err
		},
	} {
		err := find()
		if !errors.Is(err, ort.ErrLibrary) || !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("ONNXRUNTIME_LIB", "")
	if got, err := ort.Find(""); err == nil {
		t.Logf("this machine has %v", got)
	} else if !errors.Is(err, ort.ErrLibrary) || !strings.Contains(err.Error(), filepath.Dir(cached)) ||
		!strings.Contains(err.Error(), ort.InstallCommand+"; or name its path in $ONNXRUNTIME_LIB") {
		t.Errorf("the error does not tell where was looked and what to do: %v", err)
	}
}
