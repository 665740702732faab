package setup_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/examples/internal/setup"
	"github.com/bodymotion/motion/internal/testkit"
)

// hangs names the variable that makes the test's own program one that ignores its context.
const hangs = "MOTION_TEST_HANGS"

func TestMain(m *testing.M) {
	if os.Getenv(hangs) == "" {
		os.Exit(m.Run())
	}
	setup.Main("hangs", func(ctx context.Context, _ []string) error {
		setup.ExitAfter(ctx, time.Second)
		os.Stdout.WriteString("ready\n")
		select {}
	})
}

// TestExitAfter: a program that ignores its context ends two seconds after its grace at the latest.
func TestExitAfter(t *testing.T) {
	testkit.NeedSignals(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), hangs+"=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1))
	}
	if err == nil {
		err = cmd.Process.Signal(syscall.SIGTERM)
	}
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	hanging := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer hanging.Stop()
	err = cmd.Wait()
	if took := time.Since(begin); took < time.Second || took > 3*time.Second || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "longer than 1s") {
		t.Errorf("ended after %v: %v, %s", took, err, &stderr)
	}
}
