package ffmpreg

import "github.com/tetratelabs/wazero/experimental"

// memory is the memory of one run. It is reserved at once, and taken from the system as the
// program touches it: memory that grows by copying would take twice as much.
type memory struct {
	limit    int64 // bytes; 0: what the module allows
	reserved []byte
}

var _ experimental.MemoryAllocator = (*memory)(nil)

// Allocate implements experimental.MemoryAllocator.
func (m *memory) Allocate(least, most uint64) experimental.LinearMemory {
	if m.limit > 0 {
		most = max(min(most, uint64(m.limit)), least) // an instance cannot begin with less
	}
	m.reserved = reserve(int(most))
	return m
}

// Reallocate implements experimental.LinearMemory. nil tells the program that it gets no more.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.reserved)) || commit(m.reserved[:size]) != nil {
		return nil
	}
	return m.reserved[:size]
}

// Free implements experimental.LinearMemory. The memory stays until the run has ended.
func (m *memory) Free() {}

// release gives the memory back to the system.
func (m *memory) release() {
	free(m.reserved)
	m.reserved = nil
}
