// Package testkit finds what tests need from outside the module, and skips by name the tests for which it is missing.
package testkit

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Skip skips the test because a program or the like, which it names, is missing. With MOTION_REQUIRE=all or
// MOTION_REQUIRE=programs in the environment the test fails instead.
func Skip(t testing.TB, missing string) {
	t.Helper()
	skip(t, missing, Required())
}

func skip(t testing.TB, missing string, fail bool) {
	t.Helper()
	if fail {
		t.Fatalf("missing: %s (MOTION_REQUIRE=%s)", missing, require())
	}
	list(t.Name() + ": missing: " + missing)
	t.Skipf("missing: %s", missing)
}

// Required reports whether the environment asks for all tests and all programs that they use.
func Required() bool { return require() != "" }

// require returns what the environment asks for: "all", "programs", which leaves out the shared folder, or nothing.
func require() string {
	switch of := os.Getenv("MOTION_REQUIRE"); of {
	case "", "programs", "all":
		return of
	default:
		panic(fmt.Sprintf("MOTION_REQUIRE is %q, want all or programs", of))
	}
}

// list adds a line to the file that $MOTION_SKIPPED names: go test does not show what tests that pass say.
func list(line string) {
	name := os.Getenv("MOTION_SKIPPED")
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = fmt.Fprintf(f, "%s %s\n", filepath.Base(begun), line)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// Long reports whether tests may take long: MOTION_REQUIRE asks for all of them, as .ci/run does, or -run names some, and
// -short does not forbid it.
func Long() bool {
	return !testing.Short() && (Required() || flag.Lookup("test.run").Value.String() != "")
}

// Thorough skips a test that takes long, such as a measurement or a program that is built from nothing, unless Long. The
// reason says what takes long.
func Thorough(t testing.TB, reason string) {
	t.Helper()
	if !Long() {
		t.Skip(reason + ": run with MOTION_REQUIRE=programs, or by name, and without -short")
	}
}

// LeaveOutExamples leaves out the examples of a package, which cannot skip themselves, because what it
// names is missing. It is for TestMain, after flag.Parse. What the environment asks for is run, and fails.
func LeaveOutExamples(missing string) {
	if skip := flag.Lookup("test.skip"); skip.Value.String() == "" && !Required() {
		list("examples: missing: " + missing)
		flag.Set("test.skip", "^Example")
	}
}

// ExamplesNeed leaves out the examples where a program is not installed; see LeaveOutExamples.
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

// Root returns the folder of the module. Compiled paths would not tell: go test -trimpath leaves them out.
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

// Shared returns the path of a file or folder of the shared folder beside the module, such as
// "data/videos". Where it is missing the test is skipped; with MOTION_REQUIRE=all in the environment it fails.
func Shared(t testing.TB, path string) string {
	t.Helper()
	full := filepath.Join(Root(t), "..", "shared", filepath.FromSlash(path))
	if _, err := os.Stat(full); err != nil {
		skip(t, "../shared/"+path, require() == "all")
	}
	return full
}

// Data returns the path of a file or folder of the shared measuring data, such as "videos/golf_swing/video.mp4"; see Shared.
func Data(t testing.TB, path string) string {
	t.Helper()
	return Shared(t, "data/"+path)
}

// Wait waits until something is so, and ends the test if it is not within a minute.
func Wait(t testing.TB, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for a minute: %s", what)
		}
	}
}
