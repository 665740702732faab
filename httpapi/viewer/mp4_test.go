package viewer_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestDamagedMP4: what the page cuts of MP4s whose headers are damaged or lie.
func TestDamagedMP4(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		testkit.Skip(t, "node")
	}
	if _, err := os.ReadFile("testdata/mp4.mjs"); err != nil { // so that go test runs again when it has changed
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "node", "testdata/mp4.mjs", "page/library/mp4.js", "squats.mp4").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
