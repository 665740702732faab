package motion

import (
	"errors"
	"fmt"

	"github.com/bodymotion/motion/storage"
)

// Role is what a process does with records: take them in, work on them, or both.
type Role string

// The roles. Where serving and working are parted, processes meet in Store, Blobs and
// Queue, which all of them must reach; the Queue must be a storage.JobCreator for the
// Store, such as that of storage/postgres.
const (
	ServeAndWork Role = ""      // the default
	ServeOnly    Role = "serve" // takes in and queues; Run returns an error
	WorkOnly     Role = "work"  // Run works; what takes a record or file in returns an error
)

// errWorkOnly is what the methods that take something in return with WorkOnly.
var errWorkOnly = errors.New("motion: this Service only works: its Config.Role is WorkOnly")

// check reports a role that cannot be.
func (r Role) check(store storage.Store, queue storage.Queue) error {
	switch r {
	case ServeAndWork:
		return nil
	case ServeOnly, WorkOnly:
	default:
		return fmt.Errorf("motion: Config.Role is %q, want %q, %q or nothing for both", string(r), string(ServeOnly), string(WorkOnly))
	}
	jobs, err := jobCreator(store, queue)
	if err == nil && jobs == nil {
		return fmt.Errorf("motion: Config.Role is %q, but Config.Queue is not shared with other processes, so that nobody would meet its jobs: use storage/postgres", string(r))
	}
	return err
}

// jobCreator returns the JobCreator that a queue is or wraps, nil where there is none. One
// that creates in another Store is an error: nothing would keep processes apart.
func jobCreator(store storage.Store, queue storage.Queue) (storage.JobCreator, error) {
	jobs, ok := storage.As[storage.JobCreator](queue)
	if ok && !jobs.CreatesIn(store) {
		return nil, errors.New("motion: Config.Queue creates jobs in another Store than Config.Store: use the Store that the Queue was made for; a Store that decorates it needs a method Unwrap() storage.Store")
	}
	return jobs, nil
}
