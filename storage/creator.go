package storage

import "context"

// JobCreator is what a Queue may be besides, when it lies in the database of a Store: it
// creates a record and pushes its job in one transaction.
//
// Such a Queue outlives the process and knows what is running in others: it hands out
// again, by itself, what a crash has left unfinished.
type JobCreator interface {
	Queue

	// CreatesIn reports whether s is the Store in which CreateWithJob creates.
	CreatesIn(s Store) bool

	// CreateWithJob creates a record as Store.Create does and pushes its job as Push
	// does: both are there when it returns without error, and neither when it returns
	// one. The jobs that are slow, such as those on movies, may be handed out after those
	// that are not.
	CreateWithJob(ctx context.Context, r Record, slow bool) (Record, error)
}
