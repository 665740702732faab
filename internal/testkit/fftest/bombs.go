package fftest

import (
	"bytes"
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

// maxBomb is the memory that a bomb may cost: of a program, or of this process where it contains
// FFmpeg, bytes.
const maxBomb = 600 << 20

var tooLarge = regexp.MustCompile("needs more than (128|256) MB of memory")

// Bombs tests that small files with large headers are refused as the user's fault, within the limit
// of memory and soon, when they are examined and when they are decoded.
func Bombs(t *testing.T, runner program.Runner) {
	d := ffmpeg.Decoder{Runner: runner, TempDir: t.TempDir(), MaxFrames: -1, ProbeTimeout: -1}
	for name, file := range testkit.Bombs() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, probing := d.Probe(t.Context(), bytes.NewReader(file))
			m, decoding := d.Open(t.Context(), bytes.NewReader(file))
			for decoding == nil {
				_, decoding = m.Next()
			}
			if m != nil {
				m.Close()
			}
			for _, err := range []error{probing, decoding} {
				if !errors.Is(err, inference.ErrFormat) || !tooLarge.MatchString(err.Error()) {
					t.Errorf("the error is %v", err)
				}
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	self, children := peakMemory()
	if t.Logf("memory at most: %d MB here, %d MB in a program", self>>20, children>>20); max(self, children) > maxBomb {
		t.Error("that is too much")
	}
}
