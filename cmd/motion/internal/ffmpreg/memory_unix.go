//go:build unix

package ffmpreg

import "syscall"

// reserve returns zeroed memory that takes no space before it is used.
func reserve(size int) []byte {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]byte, size)
	}
	return b
}

// free gives it back; memory that is not from Mmap is left to the garbage collector.
func free(b []byte) { _ = syscall.Munmap(b) }
