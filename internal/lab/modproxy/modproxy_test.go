package modproxy_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"

	"github.com/bodymotion/motion/internal/lab/modproxy"
)

// tree makes a git checkout with the files.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	return dir
}

// TestLay fetches a module from the folder and checks it.
func TestLay(t *testing.T) {
	m := module.Version{Path: "example.com/Upper/laid", Version: modproxy.Version}
	dir := tree(t, map[string]string{
		"go.mod":           "module example.com/Upper/laid\n\ngo 1.26.0\n",
		"laid.go":          "package laid\n",
		"nested/go.mod":    "module example.com/nested\n",
		"nested/nested.go": "package nested\n",
		".gitignore":       "built\n",
		"built":            "not for the proxy\n",
	})
	proxy, err := modproxy.Lay(filepath.Join(t.TempDir(), "a folder"), dir, m)
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	get := exec.Command("go", "mod", "download", m.String())
	get.Dir = t.TempDir()
	get.Env = append(os.Environ(), "GOPROXY="+proxy, "GONOSUMDB=example.com", "GOFLAGS=-modcacherw", "GOMODCACHE="+cache)
	if out, err := get.CombinedOutput(); err != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	root := filepath.Join(cache, "example.com", "!upper", "laid@"+m.Version)
	var got []string
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, strings.TrimPrefix(path, root+string(filepath.Separator)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := ".gitignore go.mod laid.go"; strings.Join(got, " ") != want {
		t.Errorf("the module has %v, want %s", got, want)
	}
}

// TestRefused checks what WriteZip and Lay refuse.
func TestRefused(t *testing.T) {
	good := module.Version{Path: "example.com/laid", Version: modproxy.Version}
	if err := modproxy.WriteZip(&bytes.Buffer{}, t.TempDir(), good); err == nil {
		t.Error("a folder that is no checkout: no error")
	}
	dir := tree(t, map[string]string{"go.mod": "module example.com/laid\n", "laid.go": "package laid\n", "LAID.go": "package laid\n"})
	if err := modproxy.WriteZip(&bytes.Buffer{}, dir, good); err == nil {
		t.Error("two names that differ in case only: no error")
	}
	if _, err := modproxy.Lay(t.TempDir(), dir, module.Version{Path: "example.com/laid", Version: "1"}); err == nil {
		t.Error("a version that is none: no error")
	}
}
