package motion

import (
	"context"
	"sync"

	"github.com/bodymotion/motion/storage"
)

// running are the jobs that this process works on, so that they can be cancelled. The queue
// hands a job to one handler at a time.
type running struct {
	mu   sync.Mutex
	jobs map[storage.Key]context.CancelFunc
}

// begin notes a job. Call end when it is done.
func (r *running) begin(key storage.Key, cancel context.CancelFunc) (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.jobs == nil {
		r.jobs = map[storage.Key]context.CancelFunc{}
	}
	r.jobs[key] = cancel
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.jobs, key)
	}
}

// cancel interrupts the job of a record, if it is worked on here.
func (r *running) cancel(key storage.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.jobs[key]; cancel != nil {
		cancel()
	}
}
