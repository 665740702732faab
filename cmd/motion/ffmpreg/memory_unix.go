//go:build linux || darwin

package ffmpreg

import "syscall"

// reserve returns addresses, which take no memory before commit. Systems refuse more memory than they have, which four
// gigabytes are on small machines.
func reserve(size int) []byte {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]byte, size)
	}
	return b
}

// commit makes them zeroed memory, if the system has as much.
func commit(b []byte) error { return syscall.Mprotect(b, syscall.PROT_READ|syscall.PROT_WRITE) }

// free gives it back; memory that is not from Mmap is left to the garbage collector.
func free(b []byte) { _ = syscall.Munmap(b) }
