package onnxruntime_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/carrier"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
)

// emptyCache makes an empty user cache and returns the library's folder in it, which
// does not exist yet.
func emptyCache(t *testing.T) string {
	t.Helper()
	testkit.NeedLinux(t)
	// Go's own settings below the home folder stay in effect.
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("ONNXRUNTIME_LIB", "")
	dir, err := ort.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// install installs the library, and skips the test if its module cannot be downloaded.
func install(t *testing.T) (path string, said int) {
	t.Helper()
	path, err := onnxruntime.Install(t.Context(), func(string) { said++ })
	if err != nil {
		testkit.Skip(t, "onnxruntime: "+err.Error())
	}
	return path, said
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestInstall(t *testing.T) {
	dir := emptyCache(t)
	path, said := install(t)
	if said != 1 || filepath.Dir(path) != dir {
		t.Errorf("installed %s, told %d times", path, said)
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %v, want the library alone", got)
	}
	if _, _, err := ort.Check(path); err != nil && !errors.Is(err, ort.ErrNoCgo) {
		t.Errorf("what was installed cannot be loaded: %v", err)
	}

	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	again, said := install(t)
	after, err := os.Stat(again)
	if err != nil || again != path || said != 0 || !os.SameFile(before, after) {
		t.Errorf("the second call did something: %s, told %d times, %v", again, said, err)
	}

	// A damaged library is replaced. The leftovers of a killed process are removed, the files
	// of a running one stay.
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	old, fresh := filepath.Join(dir, ".unfinished-1"), filepath.Join(dir, ".unfinished-2")
	for _, f := range []string{old, fresh} {
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	day := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(old, day, day); err != nil {
		t.Fatal(err)
	}
	repaired, said := install(t)
	if info, err := os.Stat(repaired); err != nil || info.Size() != before.Size() || said != 1 {
		t.Errorf("a damaged library was not replaced (%v)", err)
	}
	if got := files(t, dir); len(got) != 2 || got[0] != filepath.Base(fresh) {
		t.Errorf("the folder holds %v", got)
	}
}

func TestInstallAtOnce(t *testing.T) {
	dir := emptyCache(t)
	install(t)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := onnxruntime.Install(t.Context(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %v, want the library alone", got)
	}
}

// fakeGo puts a go command that runs a shell script first in PATH.
func fakeGo(t *testing.T, script string) {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestInstallFails: the error gives the reason, and nothing is left behind.
func TestInstallFails(t *testing.T) {
	module := t.TempDir() // a carrier with another file than the right one
	for _, triplet := range []string{"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"} {
		dir := filepath.Join(module, "lib", triplet)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "libonnxruntime.so"), []byte("not the library"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		setup   func(t *testing.T)
		want    string
		offline bool // the error says how to do without the download
	}{
		{"no go", t.Context(), func(t *testing.T) { t.Setenv("PATH", t.TempDir()) }, "the go command is needed", true},
		{"no network", t.Context(), func(t *testing.T) {
			fakeGo(t, `echo '{"Error": "dial tcp: no route to host"}'; exit 1`)
		}, "no route to host", true},
		{"strange answer", t.Context(), func(t *testing.T) { fakeGo(t, "echo flag provided but not defined >&2; exit 2") }, "flag provided but not defined", true},
		{"another file", t.Context(), func(t *testing.T) { fakeGo(t, `echo '{"Dir": "`+module+`"}'`) }, "SHA-256", false},
		{"file missing", t.Context(), func(t *testing.T) { fakeGo(t, `echo '{"Dir": "`+t.TempDir()+`"}'`) }, "no such file", false},
		{"cancelled", cancelled, func(*testing.T) {}, context.Canceled.Error(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := emptyCache(t)
			c.setup(t)
			path, err := onnxruntime.Install(c.ctx, nil)
			if errors.Is(err, onnxruntime.ErrPlatform) {
				testkit.Skip(t, "a carrier of onnxruntime for this platform")
			}
			if err == nil || path != "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, error %v; want one about %q", path, err, c.want)
			}
			if c.offline != strings.Contains(err.Error(), "$ONNXRUNTIME_LIB") {
				t.Errorf("the error says what to do without a download: %v, want %v", !c.offline, c.offline)
			}
			if got := files(t, dir); len(got) > 0 {
				t.Errorf("left behind: %v", got)
			}
		})
	}
}

// TestOrigin: the documents name the modules that the library comes from, and SECURITY.md its checksums.
func TestOrigin(t *testing.T) {
	for _, doc := range []string{"NOTICE", "SECURITY.md", "README.md"} {
		b, err := os.ReadFile(filepath.Join(testkit.Root(t), doc))
		if err != nil {
			t.Fatal(err)
		}
		for platform, c := range carrier.Runtimes {
			module, _, _ := strings.Cut(c.Module, "@")
			row := "| " + platform + " | `" + c.Module + "` | `" + c.Path + "` | `" + c.SHA256 + "` |"
			if want := map[bool]string{true: row, false: module}[doc == "SECURITY.md"]; !strings.Contains(string(b), want) {
				t.Errorf("%s lacks %s", doc, want)
			}
		}
	}
}
