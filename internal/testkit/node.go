package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// NodeModules returns a folder of the user's cache whose node_modules has packages of npm, such as "axe-core@4.14.1". They are
// installed the first time, without their scripts. The test is skipped where node or npm is missing, or the packages cannot be had.
func NodeModules(t testing.TB, packages ...string) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			Skip(t, program)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		Skip(t, "a user cache folder: "+err.Error())
	}
	name := "test-node-" + regexp.MustCompile(`[^\w.]+`).ReplaceAllString(strings.Join(packages, "-"), "-")
	dir := filepath.Join(cache, "motion", name)
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	install := append([]string{"install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund"}, packages...)
	if out, err := exec.CommandContext(t.Context(), "npm", install...).CombinedOutput(); err != nil {
		Skip(t, strings.Join(packages, " and ")+": npm install: "+err.Error()+"\n"+string(out))
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
