package ffmpreg

import (
	"syscall"
	"testing"
)

// TestSmallMachine: a machine with less memory than a program may have gives what it has.
func TestSmallMachine(t *testing.T) {
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &was); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: 1 << 30, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_DATA, &was)
	m := &memory{}
	defer m.release()
	run := m.Allocate(1<<16, 4<<30)
	b := run.Reallocate(1 << 16)
	if len(b) != 1<<16 {
		t.Fatalf("%d bytes", len(b))
	}
	b[0], b[1<<16-1] = 1, 2
	if b = run.Reallocate(1 << 20); len(b) != 1<<20 || b[0] != 1 || b[1<<16-1] != 2 || b[1<<20-1] != 0 {
		t.Errorf("memory that has grown is other: %d bytes", len(b))
	}
	if b := run.Reallocate(2 << 30); b != nil {
		t.Errorf("%d bytes, more than there are", len(b))
	}
}
