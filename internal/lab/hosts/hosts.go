// Package hosts lets tests build programs that use this module as other modules do, from a module
// proxy.
package hosts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/lab/modproxy"
	"github.com/bodymotion/motion/internal/testkit"
)

// Module is the path of this module.
const Module = modproxy.Module

// Proxy writes the modules that users fetch to a module proxy and returns a value for GOPROXY: that
// folder, the module cache of this machine, and its own GOPROXY. zip is the size of this module in
// bytes. The test is skipped outside of a git checkout.
func Proxy(t testing.TB) (list string, zip int64) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		testkit.Skip(t, "git")
	}
	if _, err := os.Stat(filepath.Join(testkit.Root(t), ".git")); err != nil {
		testkit.Skip(t, "the git checkout")
	}
	folder := t.TempDir()
	own, err := modproxy.LayAll(folder, testkit.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(Module), "@v", modproxy.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	zip = info.Size()
	env, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache, normal, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	return own + ",file://" + filepath.ToSlash(filepath.Join(cache, "cache", "download")) + "," + normal, zip
}

// Environment returns the environment for building a host: GOPROXY as Proxy returns it, and an empty
// module cache. Checksums of other modules are not looked up: this module's go.sum has them.
func Environment(proxy, modules string) []string {
	return append(os.Environ(), "GOPROXY="+proxy, "GOMODCACHE="+modules, "GOFLAGS=-trimpath -modcacherw", "GOSUMDB=off", "GOWORK=off")
}
