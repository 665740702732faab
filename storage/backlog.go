package storage

import "context"

// Backlog is the number of jobs in a Queue.
type Backlog struct {
	Waiting int // for a handler, or for the time at which they are handed out again
	Running int // in a handler
}

// Counter is an optional interface of queues that count their jobs, for operators and for
// scaling the number of processes.
type Counter interface {
	Queue

	// Backlog counts the jobs that are not done, in all processes: those for which Holds
	// reports true. If a database counts, the time grows with the number of jobs: call
	// Backlog at most once a second.
	Backlog(ctx context.Context) (Backlog, error)
}
