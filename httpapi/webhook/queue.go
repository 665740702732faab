package webhook

import (
	"slices"
	"sort"
	"sync"
	"time"
)

// task is an event to send.
type task struct {
	id     string // the same in every attempt
	client string
	body   []byte
	split  bool   // it is for one endpoint; at first, for all of the client's
	url    string // of that endpoint
	tries  int    // failed attempts
	due    time.Time
}

// perClient bounds the concurrent tasks of one client.
const perClient = 2

// queue holds the tasks, in bounded memory.
type queue struct {
	max int

	mu     sync.Mutex
	due    []*task            // the one that is due first in front
	parked map[string][]*task // that wait for others of their client
	active map[string]int     // under way, by client
	count  map[string]int     // all, by client
	total  int
	wake   chan struct{} // has a token when something may have become due
}

func newQueue(max int) *queue {
	return &queue{max: max, parked: map[string][]*task{}, active: map[string]int{}, count: map[string]int{}, wake: make(chan struct{}, 1)}
}

// push adds a new task. It reports false if there is no room for it.
func (q *queue) push(t *task) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.total >= q.max || q.count[t.client] >= max(q.max/10, 1) {
		return false
	}
	q.total++
	q.count[t.client]++
	q.add(t)
	return true
}

// add makes a task available to take. The mutex is held.
func (q *queue) add(t *task) {
	i := sort.Search(len(q.due), func(i int) bool { return q.due[i].due.After(t.due) })
	q.due = slices.Insert(q.due, i, t)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns a task that is due, or how long it takes until one is, at most an hour.
func (q *queue) take(now time.Time) (t *task, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.due) > 0 {
		t := q.due[0]
		if wait := t.due.Sub(now); wait > 0 {
			return nil, min(wait, time.Hour)
		}
		q.due = slices.Delete(q.due, 0, 1)
		if q.active[t.client] < perClient {
			q.active[t.client]++
			return t, 0
		}
		q.parked[t.client] = append(q.parked[t.client], t)
	}
	return nil, time.Hour
}

// done ends the work on a task; again are those that follow from it: itself, later, or one for each endpoint.
func (q *queue) done(t *task, again ...*task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.total += len(again) - 1
	q.count[t.client] += len(again) - 1
	if q.active[t.client]--; q.active[t.client] == 0 {
		delete(q.active, t.client)
	}
	for _, x := range again {
		q.add(x)
	}
	if parked := q.parked[t.client]; len(parked) > 0 {
		q.add(parked[0])
		if q.parked[t.client] = parked[1:]; len(parked) == 1 {
			delete(q.parked, t.client)
		}
	}
	if q.count[t.client] == 0 {
		delete(q.count, t.client)
	}
}

// left returns how many tasks there are.
func (q *queue) left() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.total
}
