package program

import (
	"os/exec"
	"syscall"
	"time"
	"unsafe"
)

// limit limits what a program that has just started may allocate (its heap, its private mappings and the stacks of its threads), and its
// processor time, after which it is killed: a quarter more and in whole seconds, because the system counts the ticks of its clock. Errors
// are ignored: the program has ended already, or the system has a lower limit. The program is never killed for its memory.
func limit(cmd *exec.Cmd, c Command) (exceeded func() bool) {
	seconds := (c.CPU + c.CPU/4 + time.Second - 1) / time.Second
	for resource, most := range map[uintptr]int64{syscall.RLIMIT_DATA: c.Memory, syscall.RLIMIT_CPU: int64(seconds)} {
		if most > 0 {
			limit := syscall.Rlimit{Cur: uint64(most), Max: uint64(most)}
			_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(cmd.Process.Pid), resource, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
		}
	}
	return func() bool { return false }
}
