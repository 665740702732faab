package program

import (
	"os/exec"
	"syscall"
	"unsafe"
)

// limitMemory limits what a program that has just started may allocate: its heap, its private
// mappings and the stacks of its threads. Errors are ignored: the program has ended already, or
// the system has a lower limit. The program is never killed for its memory.
func limitMemory(cmd *exec.Cmd, bytes int64) (exceeded func() bool) {
	limit := syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(cmd.Process.Pid), syscall.RLIMIT_DATA, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	return func() bool { return false }
}
