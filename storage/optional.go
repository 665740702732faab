package storage

import (
	"context"
	"os"
	"time"
)

// Backlog is the number of jobs in a Queue.
type Backlog struct {
	Waiting int // for a handler, or for the time at which they are handed out again
	Running int // in a handler
}

// Counter is an optional interface of queues that count their jobs, for operators and for scaling the number of processes.
type Counter interface {
	Queue

	// Backlog counts the jobs that are not done, in all processes: those for which Holds
	// reports true. Call it at most once a second: its time may grow with the number of jobs.
	Backlog(ctx context.Context) (Backlog, error)

	// Ahead counts, in all processes and of all owners, the slow jobs that run and those that are likely to start before a
	// slow job that waits. waits is false for any other job. Call it at most once a second for each.
	Ahead(ctx context.Context, key Key) (n int, waits bool, err error)
}

// JobCreator is an optional interface of queues that share a database with a Store: it creates a record and pushes its job in one
// transaction. Such a Queue knows what runs in other processes, and hands out again, by itself, what a crash has left unfinished.
//
// Promises, tested by storagetest.JobCreator:
//   - CreatesIn tells the Store apart from all others, decorated or not.
//   - CreateWithJob creates both or neither, even if its ctx ends during the call.
type JobCreator interface {
	Queue

	// CreatesIn reports whether s, or a Store that s wraps (see As), is the Store in which CreateWithJob creates.
	CreatesIn(s Store) bool

	// CreateWithJob creates a record as Store.Create does and pushes its job as Push does. When it returns an error, neither
	// exists. It does not call a Store that decorates the one in which it creates. Slow means the same as in Job.
	CreateWithJob(ctx context.Context, r Record, slow bool) (Record, error)
}

// Relabeler is an optional interface of stores that change the labels of many records at once, as when a person gets another
// name. Promises, tested by storagetest.Relabeler.
type Relabeler interface {
	Store

	// Relabel replaces At and Labels of records as Update does, of all of them in one step, and leaves the rest as it is. Records
	// that do not exist, or have changed since their UpdatedAt, stay as they are: it returns their keys.
	Relabel(ctx context.Context, records ...Record) (left []Key, err error)
}

// LinkOptions are the options of a link to a blob.
type LinkOptions struct {
	TTL                time.Duration // how long the link is valid; 0: an hour
	ContentType        string        // the Content-Type of the response; "": the driver's
	ContentDisposition string        // the Content-Disposition of the response; "": none
}

// Linker is an optional interface of a Blob that clients can read without this process.
type Linker interface {
	// Link returns a URL from which anybody who has it can GET the blob, with ranges, until the TTL has passed.
	Link(ctx context.Context, o LinkOptions) (string, error)
}

// Local is an optional interface of a Blob that is a local file, which programs such as
// FFmpeg then read by its name instead of from a copy.
type Local interface {
	// File returns the open file. It belongs to the Blob: do not close it.
	File() *os.File
}

// Sweeper is an optional interface of Blobs in which crashes may leave garbage, such as half an upload.
type Sweeper interface {
	// Sweep removes garbage that is so old, as the driver documents, that no running call
	// needs it. Other calls may run at the same time, in any process.
	Sweep(ctx context.Context) error
}

// As returns x as a T, or else the first of what x wraps that is a T. It finds the optional interfaces
// of a Store, Queue, Blobs or Blob that is decorated, for metrics or logs: each decorator has Unwrap.
//
//	type metered struct{ storage.Store }
//
//	func (m metered) Unwrap() storage.Store { return m.Store }
//
// What is called on the T passes the decorators outside it: a decorated Store or Queue does
// not see the records that a JobCreator creates. To see them, implement JobCreator.
func As[T any](x any) (found T, ok bool) {
	for x != nil {
		if found, ok = x.(T); ok {
			return found, true
		}
		switch w := x.(type) {
		case interface{ Unwrap() Store }:
			x = w.Unwrap()
		case interface{ Unwrap() Queue }:
			x = w.Unwrap()
		case interface{ Unwrap() Blobs }:
			x = w.Unwrap()
		case interface{ Unwrap() Blob }:
			x = w.Unwrap()
		default:
			return found, false
		}
	}
	return found, false
}
