package motion

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bodymotion/motion/storage"
)

// The states of a record: Unprocessed → Processing → Success or Failure. A job that
// was interrupted goes back to Unprocessed and is started again, MaxAttempts times; where
// the process is about to end, or storage is unavailable, that is no attempt.
//
// A handler says that a job is done only when its record is final or gone: whatever
// another process does meanwhile, no record is left that nobody works on.

// inputPause is how long a job waits before it looks at an unfinished input again.
const inputPause = 50 * time.Millisecond

// outagePause is how long a job waits when storage was unavailable.
const outagePause = time.Second

// handle works on one job. The queue hands a job to one handler at a time.
func (s *Service) handle(ctx context.Context, job storage.Job) error {
	r, err := s.cfg.Store.Get(ctx, job.Key)
	if errors.Is(err, ErrNotFound) {
		return nil // deleted in the meantime
	}
	if err != nil {
		return err
	}
	if r.Status == storage.Failure {
		return s.deleteFailed(ctx, r.Key) // a crash may have come in between
	}
	if r.Status.Final() {
		return nil
	}
	log := s.cfg.Logger.With("kind", r.Kind, "id", r.ID, "owner", r.Owner)

	switch waiting, failed, err := s.inputs(ctx, r); {
	case err != nil:
		return err
	case failed != "":
		return s.finish(ctx, r, storage.Failure, failed, nil, nil)
	case waiting:
		return storage.Snooze{After: inputPause}
	}
	if r.Attempts >= s.cfg.MaxAttempts {
		log.Error("job given up", "attempts", r.Attempts)
		return s.finish(ctx, r, storage.Failure, failService, nil, nil)
	}

	from := r.Status
	r.Status = storage.Processing
	r.Attempts++
	if progressIn(r.Data) > 0 { // of an attempt that a crash has ended
		if r.Data, err = withProgress(r.Data, 0); err != nil {
			return err
		}
	}
	started, err := s.cfg.Store.Update(ctx, r, from)
	if err != nil {
		return s.settle(ctx, r.Key, err)
	}
	r = started
	out, err := s.work(ctx, r)
	if err == nil {
		err = s.finish(ctx, r, storage.Success, "", out.data, out.result)
	}
	var fail *failure
	var again storage.Snooze
	switch {
	case err == nil || errors.As(err, &again):
		return err
	case ctx.Err() != nil:
		// The context has ended, so the record is written without it.
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return s.handBack(back, r, 0)
	case errors.Is(err, ErrUnavailable):
		log.Warn("job waits for storage", "error", err)
		return s.handBack(ctx, r, outagePause)
	case errors.As(err, &fail):
		log.Info("job failed", "error", err)
		return s.finish(ctx, r, storage.Failure, fail.detail, nil, nil)
	case r.Attempts >= s.cfg.MaxAttempts:
		log.Error("job given up", "attempts", r.Attempts, "error", err)
		return s.finish(ctx, r, storage.Failure, failService, nil, nil)
	}
	log.Warn("job will be tried again", "attempts", r.Attempts, "error", err)
	r.Status = storage.Unprocessed
	if _, e := s.keep(ctx, r, storage.Processing); e != nil {
		return s.settle(ctx, r.Key, e)
	}
	return err
}

// handBack gives a job back to the queue as if this attempt had not been, for any process
// to take it after a while.
func (s *Service) handBack(ctx context.Context, r storage.Record, after time.Duration) error {
	now, err := s.cfg.Store.Get(ctx, r.Key)
	if err == nil && now.Attempts == r.Attempts { // else another process has started it meanwhile
		r.Status, r.UpdatedAt = storage.Unprocessed, now.UpdatedAt // progress has been stored since
		r.Attempts--
		_, err = s.cfg.Store.Update(ctx, r, storage.Processing)
	}
	if err != nil {
		return s.settle(ctx, r.Key, err)
	}
	return storage.Snooze{After: after}
}

// finish moves a record to its final state. Data and result are left as they are
// where they are nil. Of a drawing that has failed no file stays.
func (s *Service) finish(ctx context.Context, r storage.Record, status storage.Status, detail string, data, result []byte) error {
	key, from := r.Key, r.Status
	r.Status, r.Failure = status, detail
	if data != nil {
		r.Data = data
	}
	if result != nil {
		r.Result = result
	}
	r, err := s.keep(ctx, r, from)
	if err != nil {
		return s.settle(ctx, key, err)
	}
	if s.cfg.Finished != nil {
		s.cfg.Finished(Finished{r.Key, status, detail, r.UpdatedAt})
	}
	if status == storage.Failure {
		return s.deleteFailed(ctx, key)
	}
	return nil
}

// keepPatience is how long the end of a job waits for a store that is unavailable; it looks
// again after firstPause, and then less and less often.
const (
	keepPatience = time.Minute
	firstPause   = 50 * time.Millisecond
)

// keep updates a record that this process works on, whose progress may have been stored
// since, and waits a while for a store that is unavailable: the work that would have to be
// done again may have taken longer.
func (s *Service) keep(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	until := time.Now().Add(keepPatience)
	for pause := firstPause; ; pause = min(2*pause, time.Second) {
		kept, err := s.cfg.Store.Update(ctx, r, from)
		if errors.Is(err, ErrConflict) {
			now, e := s.cfg.Store.Get(ctx, r.Key)
			mine := e == nil && now.Attempts == r.Attempts
			// Or was it this very update, of which a broken connection told nothing?
			if mine && now.Status == r.Status && pause > firstPause {
				return now, nil
			}
			if mine && now.Status == from && !now.UpdatedAt.Equal(r.UpdatedAt) {
				r.UpdatedAt = now.UpdatedAt
				continue
			}
		}
		if !errors.Is(err, ErrUnavailable) || time.Now().After(until) {
			return kept, err
		}
		select {
		case <-ctx.Done():
			return kept, err
		case <-time.After(pause):
		}
	}
}

// settle drops the errors that say that a record is done or gone, and removes the files
// that nobody needs then. A record that another process has moved, but not to its end, is
// looked at again: only what is done or gone may leave the queue.
func (s *Service) settle(ctx context.Context, key storage.Key, err error) error {
	switch {
	case errors.Is(err, ErrNotFound):
		return s.deleteFiles(ctx, key)
	case !errors.Is(err, ErrConflict):
		return err
	}
	switch now, e := s.cfg.Store.Get(ctx, key); {
	case errors.Is(e, ErrNotFound):
		return s.deleteFiles(ctx, key)
	case e != nil:
		return e
	case now.Status == storage.Failure:
		return s.deleteFailed(ctx, key)
	case now.Status.Final():
		return nil
	}
	return storage.Snooze{After: inputPause}
}

// deleteFailed removes the file that an attempt may have left of a drawing which has failed.
func (s *Service) deleteFailed(ctx context.Context, key storage.Key) error {
	if key.Kind != storage.Drawings {
		return nil
	}
	return s.deleteFiles(ctx, key)
}

// ignoreConflict drops the errors that say that somebody else has moved or deleted
// the record.
func ignoreConflict(err error) error {
	if errors.Is(err, ErrConflict) || errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// output is what work on a record brought.
type output struct {
	data   []byte // the record's data, nil where it stays
	result []byte
}

// work does the job of a record. Errors are *failure where trying again cannot
// help.
func (s *Service) work(ctx context.Context, r storage.Record) (out output, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	switch r.Kind {
	case storage.Keypoints:
		return s.workExtract(ctx, r)
	case storage.Comparisons:
		return s.workCompare(ctx, r)
	case storage.Analyses:
		return s.workAnalyze(ctx, r)
	case storage.Drawings:
		return s.workDraw(ctx, r)
	}
	return output{}, fmt.Errorf("no work is known for %s", r.Kind)
}

// inputs looks at the records that r is made from: whether one of them is still
// worked on, and the message for r when one has failed or is gone.
func (s *Service) inputs(ctx context.Context, r storage.Record) (waiting bool, failed string, err error) {
	var refs references
	if err := decodeData(r, &refs); err != nil {
		return false, "", err
	}
	for _, in := range refs.list() {
		key := storage.Key{Owner: r.Owner, Kind: in.kind, ID: in.id}
		status, err := s.status(ctx, key)
		switch {
		case errors.Is(err, ErrNotFound):
			return false, fmt.Sprintf("The %s %d no longer exists.", singular(in.kind), in.id), nil
		case err != nil:
			return false, "", err
		case status == storage.Failure:
			return false, fmt.Sprintf("The %s %d has failed.", singular(in.kind), in.id), nil
		case !status.Final():
			waiting = true
		}
	}
	return waiting, "", nil
}

func (s *Service) status(ctx context.Context, key storage.Key) (storage.Status, error) {
	r, err := s.cfg.Store.Get(ctx, key)
	return r.Status, err
}

// reference is a record that another one is made from.
type reference struct {
	field string // in the request
	kind  storage.Kind
	id    int64
}

// references are the ids in the data of a record, of which media are left out: they
// are ready when the record is made.
type references struct {
	Keypoint   int64 `json:"keypoint"`
	Comparison int64 `json:"comparison"`
	Source     int64 `json:"source"`
	Target     int64 `json:"target"`
}

func (r references) list() []reference {
	var refs []reference
	for _, x := range []reference{
		{"keypointId", storage.Keypoints, r.Keypoint},
		{"comparisonId", storage.Comparisons, r.Comparison},
		{"sourceId", storage.Keypoints, r.Source},
		{"targetId", storage.Keypoints, r.Target},
	} {
		if x.id != 0 {
			refs = append(refs, x)
		}
	}
	return refs
}

func singular(k storage.Kind) string {
	switch k {
	case storage.Movies:
		return "movie"
	case storage.Images:
		return "image"
	case storage.Keypoints:
		return "keypoint extraction"
	case storage.Comparisons:
		return "comparison"
	case storage.Analyses:
		return "analysis"
	}
	return "drawing"
}
