package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestPage: the page sends who is not logged in to the host's form, and works with the cookie of the host.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("uses a browser, not run with -short")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		testkit.Skip(t, "chromium")
	}
	modules := testkit.NodeModules(t, "playwright-core@1.62.0", "axe-core@4.14.1")
	image := filepath.Join(t.TempDir(), "sample.jpg")
	if err := os.WriteFile(image, sample.JPEG(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "node", "testdata/page.mjs", modules, browser, host(t), image).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
