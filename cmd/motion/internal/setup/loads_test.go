package setup_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestLoads: the download of FFmpeg, which has another licence, is told even to programs that say nothing else.
func TestLoads(t *testing.T) {
	testkit.NeedLinux(t)
	bin := t.TempDir()
	if err := os.WriteFile(bin+"/go", []byte("#!/bin/sh\necho '{\"Error\": \"no network\"}'; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, loud := range []bool{false, true} {
		var said []string
		opt := setup.Options{Setting: "fast", FFmpeg: setup.Auto, Blind: true, Say: func(string, ...any) {}}
		if opt.Loads = func(line string) { said = append(said, line) }; loud {
			opt.Say, opt.Loads = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }, nil
		}
		_, err := setup.New(t.Context(), opt)
		if err == nil || !strings.Contains(err.Error(), "no network") || !strings.Contains(strings.Join(said, "\n"), "a separate program under the GPL-3") {
			t.Errorf("said %q, %v", said, err)
		}
	}
}
