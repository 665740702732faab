// Package storage says what the service keeps and how: records in a Store, files
// in Blobs, work in a Queue. The drivers are packages of their own below this one;
// storage/storagetest holds the suites that test every promise made here.
package storage

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/bodymotion/motion/keypoint"
)

// The kinds of error; test with errors.Is. Errors of the outside world (disk full,
// connection lost) wrap ErrUnavailable where trying again may help.
var (
	ErrInvalid     = keypoint.ErrInvalid                   // the input is wrong
	ErrNotFound    = errors.New("not found")               // there is no such thing, or it is somebody else's
	ErrConflict    = errors.New("conflict")                // the state does not allow it
	ErrUnavailable = errors.New("temporarily unavailable") // trying again may help
)

// Kind is a kind of record.
type Kind string

// The kinds of record, spelled as the API's paths.
const (
	Movies      Kind = "movies"
	Images      Kind = "images"
	Keypoints   Kind = "keypoints"
	Comparisons Kind = "comparisons"
	Analyses    Kind = "analyses"
	Drawings    Kind = "drawings"
)

// Status is the state of a record that is worked on; media have none ("").
type Status string

// The states. Success and Failure are final.
const (
	Unprocessed Status = "UNPROCESSED"
	Processing  Status = "PROCESSING"
	Success     Status = "SUCCESS"
	Failure     Status = "FAILURE"
)

// Final reports whether the status is Success or Failure.
func (s Status) Final() bool { return s == Success || s == Failure }

// Key names a record.
type Key struct {
	Owner string // the client it belongs to
	Kind  Kind
	ID    int64
}

// Record is one record. Data and Result are JSON that the store keeps as it is.
type Record struct {
	Key
	CreatedAt time.Time // UTC, microseconds; set by Create
	UpdatedAt time.Time // UTC, microseconds; set by Create and Update

	Status   Status
	Failure  string // why, when Status is Failure
	Attempts int    // how often work on it was started

	Data   []byte // what the client gave and the service found out, small
	Result []byte // what the work brought, up to some megabytes; not part of lists
}

// Filter narrows a list. An Offset below 0 or a Limit below 1 is ErrInvalid.
type Filter struct {
	Status Status // "" for all
	Offset int    // records to skip, newest first; 0 or more
	Limit  int    // records to return at most; 1 or more
}

// Store keeps records.
//
// Promises, tested by storagetest.Store:
//   - Methods may be called from many goroutines and, where the driver is shared,
//     from many processes at once.
//   - What a method has returned without error survives a crash, unless the driver
//     says that it keeps its records in memory.
//   - Every record belongs to an owner. A record of another owner does not exist:
//     ErrNotFound.
//   - Byte slices that go in or come out are not shared with the store.
//   - A failing call changes nothing. A call whose ctx has ended returns its error.
type Store interface {
	// Create keeps a new record and returns it with its ID, which is larger than
	// every ID given before for that kind, and its times. The ID of r is ignored.
	Create(ctx context.Context, r Record) (Record, error)

	// Get returns a record with its Result.
	Get(ctx context.Context, key Key) (Record, error)

	// List returns the owner's records of a kind without their Result, newest (the
	// largest ID) first, and how many match the filter in all.
	List(ctx context.Context, owner string, kind Kind, f Filter) (records []Record, total int, err error)

	// Scan returns the records of a kind of every owner whose IDs are above after, at
	// most limit (1 or more), the smallest IDs first, without their Result. No record
	// comes up later below an ID that Scan or Create has returned.
	Scan(ctx context.Context, kind Kind, after int64, limit int) ([]Record, error)

	// Update replaces Status, Failure, Attempts, Data and Result of the record if
	// its status is still from and it has not been changed since r.UpdatedAt, sets
	// UpdatedAt to a time after the former one, and returns the record. It returns
	// ErrConflict, changing nothing, when the status is another or somebody else has
	// changed the record. Where r.UpdatedAt is zero the status alone counts.
	Update(ctx context.Context, r Record, from Status) (Record, error)

	// Delete removes a record for ever; its ID is never given again.
	Delete(ctx context.Context, key Key) error

	// Changed returns the owner's records of every kind whose UpdatedAt is not before since,
	// without their Result, the latest change first, at most limit (1 or more). Deleted
	// records are not among them. While several processes write, a change may show up
	// after another one that has a later UpdatedAt: look back some seconds.
	Changed(ctx context.Context, owner string, since time.Time, limit int) ([]Record, error)

	// Unfinished calls fn for every record of every owner whose status is
	// Unprocessed or Processing, oldest first, without Result. It stops at fn's
	// first error and returns it. fn may call the store.
	Unfinished(ctx context.Context, fn func(Record) error) error
}

// BlobInfo describes a blob.
type BlobInfo struct {
	Key      string
	Size     int64     // bytes
	MD5      [16]byte  // of the content
	Modified time.Time // when it was put
}

// PutOptions say what a blob must be.
type PutOptions struct {
	MD5     []byte // the 16 bytes its content must have; nil: any
	MaxSize int64  // bytes at most; 0: no limit
}

// ErrTooLarge is the kind of the error of a Put that exceeds PutOptions.MaxSize.
var ErrTooLarge = errors.New("too large")

// Blob is an open blob. It can be read from any position and must be closed. A
// driver whose blobs are local files also has the method File() *os.File.
type Blob interface {
	io.ReadSeekCloser
	Info() BlobInfo
}

// Blobs keeps files under keys: names of a-z, 0-9, '.', '-' and '_', in folders
// parted by '/', at most 200 bytes; others are ErrInvalid.
//
// Promises, tested by storagetest.Blobs:
//   - Methods may be called from many goroutines at once.
//   - A blob is there whole or not at all, also after a crash. Put replaces an
//     existing blob at once; who has it open reads the former content to its end.
//   - Memory does not grow with the size of a blob, unless the driver says that it
//     keeps its blobs in memory.
type Blobs interface {
	// Put reads r to its end and keeps the content. It returns ErrInvalid when the
	// MD5 is another than wanted, ErrTooLarge past the limit, and r's error as it
	// is; nothing is kept then.
	Put(ctx context.Context, key string, r io.Reader, opt PutOptions) (BlobInfo, error)

	// Open opens a blob, or returns ErrNotFound.
	Open(ctx context.Context, key string) (Blob, error)

	// Delete removes a blob. One that is not there is no error.
	Delete(ctx context.Context, key string) error

	// List calls fn for every blob whose key begins with prefix, in the order of
	// their keys. It stops at fn's first error and returns it. fn may call the blobs,
	// also to delete the one that it is called for; blobs that are put or deleted in
	// the meantime may be left out or not, all others are not.
	List(ctx context.Context, prefix string, fn func(BlobInfo) error) error
}

// Job asks for work on a record.
type Job struct {
	Key
	Slow bool // may be handed out after those that are not, such as work on a movie; Key alone names the job
}

// Snooze is an error of a job's handler: the job is not done and not failed, and
// shall be handed out again after the time.
type Snooze struct{ After time.Duration }

func (s Snooze) Error() string { return "again in " + s.After.String() }

// Queue hands out work.
//
// Promises, tested by storagetest.Queue:
//   - Methods may be called from many goroutines at once.
//   - A pushed job is handed out at least once, and to one handler at a time. The jobs
//     of one owner that wait, and are slow or not alike, are handed out in the order in
//     which they came, as far as the number of handlers allows.
//   - Owners take turns, in order or by lot: the jobs of one, however many wait, do not
//     keep those of another one waiting for longer than a few of its own.
//   - Pushing a job that is waiting already does nothing.
type Queue interface {
	// Push adds a job.
	Push(ctx context.Context, job Job) error

	// Holds reports whether there is a job on that record which is not done: it waits,
	// runs, or will be handed out again. A Queue that lies in the memory of a process
	// knows its own jobs only.
	Holds(ctx context.Context, key Key) (bool, error)

	// Work hands jobs to at most n handlers at a time until ctx ends, waits for the
	// handlers that are running, and returns nil. A job whose handler returns nil is
	// done; Snooze hands it out again after that time; any other error hands it out
	// again after a time that grows. The handler's context is not ctx: it does not
	// end with it. Work may be called several times at once.
	Work(ctx context.Context, n int, handle func(context.Context, Job) error) error
}
