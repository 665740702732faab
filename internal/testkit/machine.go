package testkit

import (
	"runtime"
	"testing"
)

// Machine is what a machine may lack although nobody can install it there: hardware, a right, or a part of
// another system. MOTION_REQUIRE does not ask for it.
type Machine string

// All that tests need and machines may lack.
const (
	FileLocks Machine = "locks of files"
	Linux     Machine = "Linux"
	Network   Machine = "the right to a network namespace"
	Provider  Machine = "a provider of ONNX Runtime"
	Shell     Machine = "a shell"
	Signals   Machine = "signals such as SIGTERM"
	SmallDisk Machine = "the right to mount a small disk"
	Tunnel    Machine = "the right to a network tunnel"
)

// SkipMachine skips the test because the machine lacks something; details say more.
func SkipMachine(t testing.TB, missing Machine, details ...error) {
	t.Helper()
	text := string(missing)
	for _, err := range details {
		text += ": " + err.Error()
	}
	skip(t, text, false)
}

// NeedSignals skips the test where programs cannot be sent SIGTERM or SIGINT.
func NeedSignals(t testing.TB) { needUnix(t, Signals) }

// NeedFileLocks skips the test where a file is not locked as on Unix.
func NeedFileLocks(t testing.TB) { needUnix(t, FileLocks) }

// NeedShell skips the test where no script runs as a program.
func NeedShell(t testing.TB) { needUnix(t, Shell) }

func needUnix(t testing.TB, missing Machine) {
	t.Helper()
	if runtime.GOOS == "windows" {
		SkipMachine(t, missing)
	}
}

// NeedLinux skips the test on other systems.
func NeedLinux(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" {
		SkipMachine(t, Linux)
	}
}
