package wire

import "sync"

// Waiters counts the requests of each client that wait, upload or the like.
type Waiters struct {
	Most int

	mu    sync.Mutex
	count map[string]int
}

// NewWaiters returns a counter for at most that many requests of a client.
func NewWaiters(most int) *Waiters {
	return &Waiters{Most: most, count: map[string]int{}}
}

// Enter reports whether another request of a client may begin. If so, call leave when it ends.
func (w *Waiters) Enter(client string) (leave func(), ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count[client] >= w.Most {
		return nil, false
	}
	w.count[client]++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.count[client]--; w.count[client] == 0 {
			delete(w.count, client)
		}
	}, true
}
