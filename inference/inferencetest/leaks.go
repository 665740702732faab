package inferencetest

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// resources are what a driver may leave behind. What the system does not tell is 0.
type resources struct{ goroutines, processes, descriptors, files int }

// inUse counts the resources of this process; tempDir is the folder for temporary files.
func inUse(tempDir string) (r resources) {
	r.goroutines = runtime.NumGoroutine()
	count := func(dir string) int {
		entries, _ := os.ReadDir(dir)
		return len(entries)
	}
	r.files, r.descriptors = count(tempDir), count("/proc/self/fd")
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		r.processes += len(strings.Fields(string(children)))
	}
	return r
}

// leaks returns a function that fails the test if it leaves more goroutines, child
// processes, open files or temporary files than there are now.
func leaks(t *testing.T) func() {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	before := inUse(dir)
	return func() {
		t.Helper()
		var now resources
		within(t, "resources are left over", func() bool {
			now = inUse(dir)
			return now.goroutines <= before.goroutines && now.processes <= before.processes &&
				now.descriptors <= before.descriptors && now.files <= before.files
		})
		if t.Failed() {
			t.Logf("in use: %+v, before: %+v", now, before)
		}
	}
}
