package storage

import "context"

// JobCreator is an optional interface of queues that share a database with a Store: it
// creates a record and pushes its job in one transaction.
//
// Such a Queue outlives the process and knows what runs in other processes. It hands out
// again, by itself, what a crash has left unfinished.
//
// Promises, tested by storagetest.JobCreator:
//   - CreatesIn tells the Store apart from all others, decorated or not.
//   - CreateWithJob creates both or neither, also when its ctx ends on the way.
type JobCreator interface {
	Queue

	// CreatesIn reports whether s, or a Store that s wraps (see As), is the Store in which
	// CreateWithJob creates.
	CreatesIn(s Store) bool

	// CreateWithJob creates a record as Store.Create does and pushes its job as Push
	// does. When it returns an error, neither exists. It does not call a Store that
	// decorates the one in which it creates. Slow means the same as in Job.
	CreateWithJob(ctx context.Context, r Record, slow bool) (Record, error)
}
