package motion

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/internal/upkeep"
	"github.com/bodymotion/motion/storage"
)

// DeleteRecord removes a record, everything that was made from it, directly or not, and their files. Running work on
// them is cancelled in this process; other processes drop their results. The deletion is noted in Store before it begins: if Delete fails
// or the process dies after that, Run finishes it when it starts, and Upkeep does. Recordings of a subject stay, see DeleteSubject.
func (s *Service) DeleteRecord(ctx context.Context, owner string, kind storage.Kind, id int64) error {
	if kind == storage.Subjects {
		_, err := s.DeleteSubject(ctx, owner, id, false)
		return err
	}
	return s.keeper.Delete(ctx, storage.Key{Owner: owner, Kind: kind, ID: id})
}

// Expire removes the records of all owners, with their files, that are older than keep says, and returns how
// many. A negative time is ErrInvalid. The records that a record is made from stay as long as it does, however old they
// are. Unfinished records do not expire. A record that is created while one of its inputs is removed is removed by its job.
// Several processes may call Expire at once; if it fails half-way, nothing that is still needed is gone.
func (s *Service) Expire(ctx context.Context, keep Retention) (removed int, err error) {
	if err := keep.check(); err != nil {
		return 0, err
	}
	return s.keeper.Expire(ctx, keep.byKind())
}

// DeleteOrphans removes the files without a record, as a crash may leave them, that were put longer than age ago, and
// returns how many. Files whose names are not the Service's stay. A negative age is ErrInvalid. Give an age when something
// else may have removed the records: files that are younger than a backup of the database have none after it is restored.
func (s *Service) DeleteOrphans(ctx context.Context, age time.Duration) (removed int, err error) {
	if age < 0 {
		return 0, fmt.Errorf("%w age of orphans: %v", ErrInvalid, age)
	}
	return s.keeper.DeleteOrphans(ctx, age)
}

// Problem is the kind of a Finding.
type Problem string

// The problems that Verify finds.
const (
	MissingBlob  Problem = upkeep.MissingBlob  // the record has a file, but it does not exist
	WrongBlob    Problem = upkeep.WrongBlob    // the size or MD5 of the file is not the record's
	OrphanBlob   Problem = upkeep.OrphanBlob   // a file without a record, see DeleteOrphans
	UnknownBlob  Problem = upkeep.UnknownBlob  // a file in the Service's folders whose name is not the Service's
	MissingJob   Problem = upkeep.MissingJob   // the record is unfinished, but the queue has no job for it
	BrokenRecord Problem = upkeep.BrokenRecord // the data of the record cannot be read
	GoneSubject  Problem = upkeep.GoneSubject  // the recording is of a person whose record was deleted
)

// Finding is one problem that Verify has found.
type Finding struct {
	Problem Problem
	Record  storage.Key // zero for an UnknownBlob; without an owner for an OrphanBlob
	Blob    string      // its key; "" if the finding is not about a file
	Detail  string      // more about it, for people
}

// VerifyOptions are the options of Verify. The zero value is ready to use.
type VerifyOptions struct {
	// Content reads the file of every record to its end and checks its MD5. Without it, Verify checks the size and MD5 that Blobs reports.
	Content bool
	// Grace is the time after a change in which a record or file is not checked, so that running calls and
	// jobs are not reported; default a minute, -1 none.
	Grace time.Duration
}

// Verify checks the records of all owners against the files and the queue, and calls report for each problem. It returns report's
// first error, and errors of storage. It changes nothing, its memory does not grow with the number of records and files, and calls
// and jobs may run meanwhile. With a queue in memory, only the process that works on it can tell a missing job.
func (s *Service) Verify(ctx context.Context, opt VerifyOptions, report func(Finding) error) error {
	opt.Grace = orDefault(opt.Grace, time.Minute)
	return s.keeper.Verify(ctx, upkeep.VerifyOptions(opt), func(f upkeep.Finding) error {
		return report(Finding{Problem(f.Problem), f.Record, f.Blob, f.Detail})
	})
}

// Ready reports whether Store and Blobs answer and Decoder finds the programs it needs (see inference.Check): nil, or ErrUnavailable with a
// text that says what is missing and may be shown to anybody; the cause is logged. It asks at most once a second and waits at most 3 s for
// the answers. The programs may take 30 s, as they do on a busy machine: until then, nothing is wrong with them.
func (s *Service) Ready(ctx context.Context) error { return s.ready.Check(ctx) }

// Upkeep removes what is no longer needed: the rest of interrupted deletions (see DeleteRecord, DeleteSubject), what crashes have left in
// Blobs (if it is a storage.Sweeper), answers whose time is over (see Answers), records that are older than Config.Retention (see Expire),
// and files without a record that are older than Config.OrphanAge (see DeleteOrphans). It queues the jobs of unfinished records that Queue
// does not hold. Run calls it when it starts and every Config.UpkeepEvery. If one of them fails, the others are done all the same.
func (s *Service) Upkeep(ctx context.Context) error {
	var errs []error
	note := func(what string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", what, err))
		}
	}
	err := s.keeper.FinishDeletions(ctx)
	if err == nil {
		err = s.keeper.FinishSubjects(ctx)
	}
	note("finish deletions", err)
	unheld := time.Duration(0)
	if s.jobs != nil { // other processes create records, and work on them
		unheld = time.Minute
	}
	note("queue missing jobs", s.keeper.Requeue(ctx, unheld))
	if sweeper, ok := storage.As[storage.Sweeper](s.cfg.Blobs); ok {
		note("sweep the blobs", sweeper.Sweep(ctx))
	}
	note("expire answers", s.answers.ExpireAnswers(ctx))
	n, err := s.Expire(ctx, s.cfg.Retention)
	errs = append(errs, err)
	if n > 0 {
		s.cfg.Logger.Info("expired records removed", "records", n)
	}
	if s.cfg.OrphanAge > 0 {
		_, err := s.DeleteOrphans(ctx, s.cfg.OrphanAge)
		note("delete orphans", err)
	}
	return errors.Join(errs...)
}

// upkeep calls Upkeep again and again until ctx ends. It finishes deletions in any case.
func (s *Service) upkeep(ctx context.Context) {
	do, every := s.Upkeep, s.cfg.UpkeepEvery
	if every < 0 {
		do = s.keeper.FinishDeletions
	}
	for {
		if err := panics.Call(func() error { return do(ctx) }); err != nil && ctx.Err() == nil {
			s.cfg.Logger.Error("upkeep", "error", err, panics.Stack(err))
		}
		if every < 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
	}
}
