package server

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
)

// browserModules returns a folder with the node modules that drive a browser.
func browserModules(t testing.TB) string {
	t.Helper()
	return testkit.NodeModules(t, "playwright-core@1.62.0", "axe-core@4.14.1")
}

// uses reads the files that a test uses by other programs: go test keeps results until a file changes that the
// test itself has read.
func uses(t testing.TB, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files (%v)", pattern, len(files), err)
		}
		for _, name := range files {
			if info, err := os.Stat(name); err != nil || info.IsDir() {
				continue
			}
			if _, err := os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// browsing is what the tests that use the page in a browser need.
type browsing struct{ modules, program, shots string }

// newBrowsing returns it for Chromium. MOTION_VIEWER_SHOTS names a folder to keep the screenshots in.
func newBrowsing(t testing.TB) browsing {
	t.Helper()
	return browsingIn(t, "chromium")
}

// browsingIn returns it for a browser, which has one of these names.
func browsingIn(t testing.TB, names ...string) browsing {
	t.Helper()
	testkit.NeedSignals(t)
	if testing.Short() {
		t.Skip("uses a browser for a while, not run with -short")
	}
	var program string
	for _, name := range names {
		if program == "" {
			program, _ = exec.LookPath(name)
		}
	}
	if program == "" {
		testkit.Skip(t, names[0])
	}
	uses(t, "*.go", "testdata/*.mjs", "../../../../httpapi/viewer/*.go", "../../../../httpapi/viewer/words/*", "../../../../httpapi/viewer/page/*", "../../../../httpapi/viewer/page/*/*")
	shots := os.Getenv("MOTION_VIEWER_SHOTS")
	if shots == "" {
		shots = t.TempDir()
	}
	return browsing{browserModules(t), program, shots}
}

// run runs a script of testdata, returns what it prints, and tells the state of the page in which it fails. The scripts end by
// themselves, and wait for what the page shows; a browser that is stuck is ended.
func (b browsing) run(t testing.TB, script string, args ...string) (said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{filepath.Join("testdata", script), b.modules, b.program, b.shots}, args...)...)
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	state := "before the first"
	for lines := bufio.NewScanner(out); lines.Scan(); {
		t.Log(lines.Text())
		said += lines.Text() + "\n"
		if _, name, ok := strings.Cut(lines.Text(), " s: "); ok {
			state = name
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v in the state %q", script, err, state)
	}
	return said
}

// TestViewer uses the page in Chromium, each script with a server of its own.
func TestViewer(t *testing.T) {
	b := newBrowsing(t)
	still, movie, missing := media(t)
	for script, c := range map[string]struct {
		server, args []string
		measures     bool
	}{
		"player.mjs":    {},
		"early.mjs":     {},
		"recording.mjs": {},
		"sketch.mjs":    {},
		"hostile.mjs":   {args: []string{still}},
		"library.mjs":   {args: []string{still, movie, missing}},
		"compare.mjs":   {},
		"exercises.mjs": {},
		"leaks.mjs":     {measures: true},
		"clicks.mjs":    {measures: true},
		"looks.mjs":     {},
		"share.mjs":     {},
		"network.mjs":   {args: []string{movie}},
		"signin.mjs":    {server: []string{"--login", "--client", "someone:very-secret"}, args: []string{still}},
	} {
		t.Run(script, func(t *testing.T) {
			if c.measures {
				testkit.Thorough(t, "measures what the page takes")
			}
			server := start(t, append([]string{"--data", filepath.Join(t.TempDir(), "data"), "--db", "memory"}, c.server...)...)
			defer server.drain(t)
			b.run(t, script, append([]string{server.page(t)}, c.args...)...)
		})
	}
}

// TestViewerFirefox uses the page in Firefox.
func TestViewerFirefox(t *testing.T) {
	testkit.Thorough(t, "uses the page in a second browser")
	b := browsingIn(t, "firefox-esr", "firefox")
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
	defer server.drain(t)
	b.run(t, "firefox.mjs", server.page(t))
}
