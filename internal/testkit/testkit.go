// Package testkit finds what tests need from outside the module, and skips by name
// the tests for which it is missing.
package testkit

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Skip skips the test because what it names is missing. With MOTION_REQUIRE=all in
// the environment the test fails instead.
func Skip(t testing.TB, missing string) {
	t.Helper()
	if os.Getenv("MOTION_REQUIRE") == "all" {
		t.Fatalf("missing: %s (MOTION_REQUIRE=all)", missing)
	}
	t.Skipf("missing: %s", missing)
}

// LeaveOutExamples leaves out the examples of a package, which cannot skip themselves,
// because what it names is missing. It is for TestMain, after flag.Parse. With
// MOTION_REQUIRE=all in the environment the examples are run, and fail.
func LeaveOutExamples(missing string) {
	if skip := flag.Lookup("test.skip"); skip.Value.String() == "" && os.Getenv("MOTION_REQUIRE") != "all" {
		fmt.Printf("missing: %s: the examples are left out\n", missing)
		flag.Set("test.skip", "^Example")
	}
}

// ExamplesNeed leaves out the examples where a program is not installed; see
// LeaveOutExamples.
func ExamplesNeed(programs ...string) {
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			LeaveOutExamples(name)
		}
	}
}

// Close closes c at the end of the test, which fails where that gives an error.
func Close(t testing.TB, c io.Closer) {
	t.Helper()
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// begun is the folder of the package whose tests are run.
var begun, _ = os.Getwd()

// Root returns the folder of the module. Compiled paths would not tell: go test -trimpath leaves
// them out.
func Root(t testing.TB) string {
	t.Helper()
	for dir := begun; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "internal", "testkit", "testkit.go")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("%s is not in the module", begun)
		}
	}
}

// Shared returns the path of a file or folder of the shared folder beside the
// module, such as "data/videos". The test is skipped where there is none: nothing can
// install that folder, so that MOTION_REQUIRE asks only for what is missing inside it.
func Shared(t testing.TB, path string) string {
	t.Helper()
	folder := filepath.Join(Root(t), "..", "shared")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("missing: ../shared, of which %s", path)
	}
	full := filepath.Join(folder, filepath.FromSlash(path))
	if _, err := os.Stat(full); err != nil {
		Skip(t, "../shared/"+path)
	}
	return full
}

// Data returns the path of a file or folder of the shared measuring data, such as
// "videos/golf_swing/video.mp4". The test is skipped where there is none.
func Data(t testing.TB, path string) string {
	t.Helper()
	return Shared(t, "data/"+path)
}
