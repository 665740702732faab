package program_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// TestMemory: a program is limited soon after its start, and so are those that it starts.
func TestMemory(t *testing.T) {
	for memory, want := range map[int64]string{100 << 20: "104857600", 0: "unlimited"} {
		var out bytes.Buffer
		c := program.Command{Program: "ffprobe", Stdout: &out, Memory: memory}
		if err := script(t, "sleep 0.3; grep 'Max data size' /proc/self/limits").Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if got := strings.Fields(out.String()); len(got) < 4 || got[3] != want {
			t.Errorf("with %d bytes: %q, want %s", memory, out.String(), want)
		}
	}
}
