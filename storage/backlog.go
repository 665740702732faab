package storage

import "context"

// Backlog is how many jobs a Queue holds.
type Backlog struct {
	Waiting int // for a handler, or for the time to come at which they are handed out again
	Running int // which a handler works on
}

// Counter is a Queue that can tell how much there is to do, so that an operator sees it and
// the number of processes can follow it.
type Counter interface {
	Queue

	// Backlog counts the jobs that are not done, in whatever process: each is in one of the
	// two numbers as long as Holds reports it. Those that are pushed, taken or done at the
	// same moment are counted as before or as after it. Where a database counts, the time
	// grows with the number: ask once a second at most.
	Backlog(ctx context.Context) (Backlog, error)
}
