// Package storage defines what a service stores: records in a Store, files in Blobs, jobs in a Queue.
//
//	store, err := sqlite.Open("motion.db", sqlite.Options{})
//	blobs, err := file.Open("blobs", file.Options{})
//	queue := memory.NewQueue(memory.QueueOptions{})
//	service, err := motion.New(motion.Config{Store: store, Blobs: blobs, Queue: queue, …})
//
// The drivers are the packages below this one. Package storagetest tests every promise made here; use it to test a driver of your own.
//
// Some drivers have optional interfaces: a Store may be an AnswerKeeper or a Relabeler, a Queue a JobCreator or a
// Counter, Blobs may be a Sweeper, a Blob may be a Linker or Local. Find them with As.
package storage

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/bodymotion/motion/keypoint"
)

// The kinds of error, to be tested with errors.Is. Errors such as a full disk or a lost
// connection wrap ErrUnavailable if trying again may help.
var (
	ErrInvalid     = keypoint.ErrInvalid                   // the input is wrong
	ErrNotFound    = errors.New("not found")               // it does not exist, or belongs to another owner
	ErrConflict    = errors.New("conflict")                // the state does not allow it
	ErrUnavailable = errors.New("temporarily unavailable") // trying again may help
)

// Kind is the kind of a record.
type Kind string

// The kinds of record, spelled as in the paths of the API.
const (
	Movies      Kind = "movies"
	Images      Kind = "images"
	Keypoints   Kind = "keypoints"
	Comparisons Kind = "comparisons"
	Analyses    Kind = "analyses"
	Drawings    Kind = "drawings"
	Subjects    Kind = "subjects"  // the people who are filmed
	Exercises   Kind = "exercises" // what they do, beside those that are shipped
)

// Deletions is the kind of what a Service notes of deletions until they are finished. These records are not part of
// the API. A store that limits the number of records must not count them: nothing could be deleted from a full one.
const Deletions Kind = "deletions"

// Status is the status of a record that is worked on. Media have none ("").
type Status string

// The statuses. Success and Failure are final.
const (
	Unprocessed Status = "UNPROCESSED"
	Processing  Status = "PROCESSING"
	Success     Status = "SUCCESS"
	Failure     Status = "FAILURE"
)

// Final reports whether the status is Success or Failure.
func (s Status) Final() bool { return s == Success || s == Failure }

// Key identifies a record.
type Key struct {
	Owner string // the client it belongs to, any text but ""; case counts
	Kind  Kind
	ID    int64
}

// Record is a record. The store does not interpret Data and Result: it returns the bytes that it was given.
type Record struct {
	Key
	CreatedAt time.Time // UTC, microseconds; set by Create
	UpdatedAt time.Time // UTC, microseconds; set by Create and Update

	Status   Status
	Failure  string // the reason, if Status is Failure
	Attempts int    // how often work on it was started

	// At and Labels are what lists select records by. A zero At becomes CreatedAt. Labels are UTF-8 of 1 to 200 bytes without
	// a zero byte; others, and more than MaxLabels, are ErrInvalid.
	At     time.Time // UTC, microseconds
	Labels []string  // sorted, none twice

	Data   []byte // the request and facts about it, as JSON; small
	Result []byte // the result of the work, as JSON; up to some megabytes; nil in lists
}

// MaxLabels is the largest number of labels of a record.
const MaxLabels = 500

// Filter selects a part of a list. An Offset below 0, a Limit below 1, and an empty text in Labels or Begins are ErrInvalid.
type Filter struct {
	Status   Status    // "" for all
	Labels   []string  // only records that have all of these
	Begins   []string  // only records that have a label beginning with each of these
	From, To time.Time // only records whose At is From or later, and before To; zero: any

	Offset int // records to skip, newest first; 0 or more
	Limit  int // records to return at most; 1 or more
}

// Store keeps records.
//
// Promises, tested by storagetest.Store:
//   - Methods may be called from many goroutines and, if the driver is not exclusive, from
//     many processes. A record that was created or updated is visible to all of them when
//     the call returns.
//   - What a method has returned without error survives a crash, unless the driver
//     documents that it keeps its records in memory.
//   - Every record belongs to an owner. For other owners, and for an empty Owner, it does not exist: ErrNotFound. Only Scan
//     and Unfinished return records of all owners.
//   - Byte slices that go in or come out are not shared with the store.
//   - A call that fails changes nothing. A call whose ctx ends returns ctx's error, or has
//     done its work and returns nil.
type Store interface {
	// Create keeps a new record and returns it with its ID and times. IDs count from 1 for each kind, over all
	// owners, and are never given again. The ID of r is ignored. An empty Owner or Kind is ErrInvalid.
	Create(ctx context.Context, r Record) (Record, error)

	// Get returns a record with its Result.
	Get(ctx context.Context, key Key) (Record, error)

	// Head returns a record without its Result.
	Head(ctx context.Context, key Key) (Record, error)

	// List returns the owner's records of a kind without their Result, the largest ID first, and the total number that match
	// the filter. With Labels, Begins, From or To, the latest At is first, and of one At the largest ID. An Offset past the
	// end is no error. The time grows with what a part of the filter matches, not with what is kept.
	List(ctx context.Context, owner string, kind Kind, f Filter) (records []Record, total int, err error)

	// Scan returns the records of a kind of all owners with IDs above after, without their Result, the smallest ID first, at
	// most limit; a limit below 1 is ErrInvalid. No record appears later with an ID below one that Scan or Create has returned.
	Scan(ctx context.Context, kind Kind, after int64, limit int) ([]Record, error)

	// Update replaces At, Labels, Status, Failure, Attempts, Data and Result of the record and sets UpdatedAt to a later time. It
	// returns ErrConflict if the status is not from, or if the record has changed since r.UpdatedAt; a zero
	// r.UpdatedAt skips the second check. Of several concurrent calls, one succeeds. A nil Result removes the result.
	Update(ctx context.Context, r Record, from Status) (Record, error)

	// Delete removes records and their results, all or none. Those that do not exist are left out; it returns
	// ErrNotFound if none of them does.
	Delete(ctx context.Context, keys ...Key) error

	// Changed returns the owner's records of all kinds whose UpdatedAt is not before since, without their Result, the latest
	// change first, at most limit; a limit below 1 is ErrInvalid. Deleted records are not included. While several processes
	// write, a change may become visible after another one with a later UpdatedAt, so look back some seconds.
	Changed(ctx context.Context, owner string, since time.Time, limit int) ([]Record, error)

	// Unfinished calls fn for every record of every owner whose status is Unprocessed or Processing, oldest first, without Result.
	// It stops at fn's first error and returns it. fn may read and change the store; records that it creates may be left out.
	Unfinished(ctx context.Context, fn func(Record) error) error
}

// BlobInfo describes a blob.
type BlobInfo struct {
	Key      string
	Size     int64     // bytes
	MD5      [16]byte  // of the content
	Modified time.Time // when it was put
}

// PutOptions restrict the content of a blob.
type PutOptions struct {
	MD5     []byte // 16 bytes, of the content; nil: any
	MaxSize int64  // bytes, inclusive; 0: no limit
}

// ErrTooLarge is the kind of the error of a Put that exceeds PutOptions.MaxSize.
var ErrTooLarge = errors.New("too large")

// Blob is an open blob. It can be read from any position and must be closed.
type Blob interface {
	io.ReadSeekCloser
	Info() BlobInfo
}

// Blobs keeps files under keys: names of a-z, 0-9, '.', '-' and '_', separated by '/', at most 200 bytes. A name is
// not empty and does not begin with a dot. A key may be a folder of another one: "a" and "a/b" are two blobs.
//
// Promises, tested by storagetest.Blobs:
//   - Methods may be called from many goroutines.
//   - A blob exists as a whole or not at all, also after a crash. Put replaces an existing
//     blob in one step. Of concurrent calls for a key, the one that ends last wins. Open
//     blobs keep their content.
//   - What Put has returned without error survives a crash, unless the driver documents
//     that it keeps its blobs in memory.
//
// Memory must not grow with the size of a blob, unless the driver documents that it does; BenchBlobs measures it.
type Blobs interface {
	// Put reads r to its end and keeps the content. A reader that keeps returning neither content nor an error is
	// io.ErrNoProgress. It returns ErrInvalid for a nil reader, an invalid key or if the MD5 differs, ErrTooLarge if the
	// content is longer than allowed, r's error unchanged, or ctx's error. In all these cases it keeps nothing.
	Put(ctx context.Context, key string, r io.Reader, opt PutOptions) (BlobInfo, error)

	// Open opens a blob. It returns ErrNotFound if there is none, also for invalid keys.
	Open(ctx context.Context, key string) (Blob, error)

	// Delete removes a blob. It is no error if the blob does not exist.
	Delete(ctx context.Context, key string) error

	// List calls fn for every blob whose key begins with prefix, which may be any text, in the byte order of the
	// keys. It stops at fn's first error, or when ctx ends, and returns that error. fn may call the blobs, and delete
	// the one that it is called for. Blobs that are put or deleted meanwhile may be left out.
	List(ctx context.Context, prefix string, fn func(BlobInfo) error) error
}

// Job is work on a record. Its Key identifies it.
type Job struct {
	Key
	Slow bool // starts after waiting jobs that are not slow, see Queue: work on a movie, for example
}

// Snooze is an error of a job's handler: the job is neither done nor failed, and is to be handed out again after the time.
type Snooze struct{ After time.Duration }

func (s Snooze) Error() string { return "again in " + s.After.String() }

// Queue hands out jobs.
//
// Promises, tested by storagetest.Queue:
//   - Methods may be called from many goroutines.
//   - A job is handed out at least once, and to one handler at a time.
//   - Waiting jobs of one owner and one speed class start in FIFO order. Jobs that are not
//     slow start before slow ones, until they have taken as long as the last slow one, and at
//     least 5 s: then a slow one is next.
//   - Owners take turns, in order or by lot: however many jobs of one owner wait, another
//     owner's jobs wait for few of them.
//   - Pushing a job that already waits does nothing, or wakes it up if it snoozes. Pushing one
//     that runs hands it out once more, after its handler returns.
type Queue interface {
	// Push adds a job.
	Push(ctx context.Context, job Job) error

	// Holds reports whether there is a job for that record which is not done: it waits, runs, or will be handed out
	// again. A Queue in the memory of a process knows only the jobs of that process.
	Holds(ctx context.Context, key Key) (bool, error)

	// Work hands jobs to at most n handlers at a time until ctx ends, waits for running handlers, and returns nil; an n below 1 is
	// ErrInvalid. While all n work on slow jobs, one more gets a job that is not slow, which would wait for them. If a handler
	// returns nil, the job is done. If it returns Snooze, the job is handed out again after that time, and after any other error
	// after a pause that grows. The handler's context does not end with ctx. Work may be called several times at once.
	Work(ctx context.Context, n int, handle func(context.Context, Job) error) error
}
