package sqlite

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
)

// room is space on the disk that is kept back for deletions, in a file beside the records: where the disk is full,
// nothing could be deleted without it, because SQLite writes to delete.
type room struct {
	path string
	full atomic.Bool // a write has failed for want of space

	mu sync.Mutex
}

// reserved is the size of the room, bytes: what some deletions write, the largest of a few hundred records.
const reserved = 4 << 20

// keep takes the room if it is not there.
func (r *room) keep() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if info, err := os.Stat(r.path); err == nil && info.Size() == reserved {
		return nil
	}
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, reserved)) // a hole would take no space
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(r.path)
	}
	return err
}

// release gives the room to others, if there is any.
func (r *room) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	os.Remove(r.path)
}
