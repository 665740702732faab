package panics_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/panics"
)

func crash() error { panic("out of range") }

func TestCall(t *testing.T) {
	if err := panics.Call(func() error { return io.EOF }); err != io.EOF {
		t.Errorf("an error becomes %v", err)
	}
	err := fmt.Errorf("frame 3: %w", panics.Call(crash))
	var p *panics.Error
	if !errors.As(err, &p) || err.Error() != "frame 3: panic: out of range" || !strings.Contains(p.Stack, "panics_test.crash") {
		t.Errorf("a panic becomes %v: %+v", err, p)
	}
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	logger.Error("wrong", panics.Stack(err))
	logger.Error("wrong", panics.Stack(io.EOF))
	if got := log.String(); strings.Count(got, "stack=") != 1 || !strings.Contains(got, "panics_test.crash") {
		t.Errorf("logged:\n%s", got)
	}
}
