package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/storage"
)

const (
	inputPause  = 50 * time.Millisecond // the shortest before an unfinished input is looked at again
	outagePause = time.Second           // before a job is tried again after a storage outage

	// The longest before an input is looked at again that somebody works on, and one that waits.
	startedPause = time.Second
	waitingPause = 10 * time.Second
)

// pauseFor returns how long a job waits before its inputs are looked at again: an eighth of the time for which it has waited,
// within bounds. A thousand jobs whose inputs wait in the same queue would otherwise take more work than what they wait for.
func pauseFor(waited time.Duration, started bool) time.Duration {
	most := waitingPause
	if started {
		most = startedPause
	}
	return min(max(waited/8, inputPause), most)
}

// handle works on one job. The queue hands a job to one handler at a time.
func (w *shift) handle(ctx context.Context, job storage.Job) error {
	w.sleep(job, nil)
	r, err := w.Store.Get(ctx, job.Key)
	if errors.Is(err, storage.ErrNotFound) {
		return w.Discard(ctx, job.Key) // deleted in the meantime, perhaps before an attempt stored a file
	}
	if err != nil {
		return err
	}
	if r.Status == storage.Failure {
		return w.Discard(ctx, r.Key) // a crash may have prevented it
	}
	if r.Status.Final() {
		return nil
	}
	fresh, err := catalog.WithProgress(r, 0) // a crash may have left some
	if err != nil {
		return w.giveUp(ctx, r, "error", err)
	}
	r = fresh
	switch in, failed, err := w.inputs(ctx, job, r, false); {
	case errors.Is(err, errGone):
		return w.remove(ctx, job, err)
	case err != nil:
		return err
	case in != ready:
		return storage.Snooze{After: pauseFor(time.Since(r.CreatedAt), in == started)}
	case failed != "":
		w.sleep(job, nil)
		return w.finish(ctx, r, storage.Failure, failed, Output{})
	}
	w.sleep(job, nil)
	if r.Attempts >= w.MaxAttempts {
		return w.giveUp(ctx, r, "attempts", r.Attempts)
	}

	from := r.Status
	r.Status = storage.Processing
	r.Attempts++
	begun, err := w.Store.Update(ctx, r, from)
	if err != nil {
		return w.settle(ctx, r.Key, err)
	}
	r = begun
	out, err := w.do(ctx, r)
	if err == nil {
		err = w.finish(ctx, r, storage.Success, "", out)
	}
	if errors.Is(err, storage.ErrNotFound) {
		if _, _, e := w.inputs(ctx, job, r, true); errors.Is(e, errGone) {
			return w.remove(ctx, job, e)
		}
	}
	return w.conclude(ctx, r, err)
}

// conclude does what follows from the outcome of an attempt: the record succeeds, fails, or is tried again.
func (w *shift) conclude(ctx context.Context, r storage.Record, err error) error {
	var fail *Failure
	switch {
	case err == nil || errors.As(err, new(storage.Snooze)):
		return err
	case ctx.Err() != nil:
		// The context has ended, so the record is written without it.
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return w.handBack(back, r, 0)
	case errors.Is(err, storage.ErrUnavailable):
		w.log(r).Warn("job waits for storage", "error", err)
		return w.handBack(ctx, r, outagePause)
	case errors.As(err, &fail):
		w.log(r).Info("job failed", "error", err)
		return w.finish(ctx, r, storage.Failure, fail.Detail, Output{})
	case r.Attempts >= w.MaxAttempts:
		return w.giveUp(ctx, r, "attempts", r.Attempts, "error", err, panics.Stack(err))
	}
	w.log(r).Warn("job will be tried again", "attempts", r.Attempts, "error", err, panics.Stack(err))
	r.Status = storage.Unprocessed
	if _, e := w.keep(ctx, r, storage.Processing); e != nil {
		return w.settle(ctx, r.Key, e)
	}
	return err
}

// giveUp makes a record fail whose work cannot be done, for a reason that is logged.
func (w *shift) giveUp(ctx context.Context, r storage.Record, why ...any) error {
	w.log(r).Error("job given up", why...)
	return w.finish(ctx, r, storage.Failure, faultDetail, Output{})
}

func (w *shift) log(r storage.Record) *slog.Logger {
	return w.Logger.With("kind", r.Kind, "id", r.ID, "owner", r.Owner)
}

// crashed ends an attempt at a job outside of its work with a panic, of the Store, say: it counts as one, unless the
// attempt was counted when the work began.
func (w *shift) crashed(ctx context.Context, key storage.Key, crash error) error {
	w.Logger.Error("job has crashed", "kind", key.Kind, "id", key.ID, "owner", key.Owner, "error", crash, panics.Stack(crash))
	err := panics.Call(func() error {
		r, err := w.Store.Head(ctx, key)
		if err != nil || r.Status.Final() {
			return err
		}
		from := r.Status
		if from == storage.Unprocessed {
			r.Attempts++
		}
		if r.Attempts >= w.MaxAttempts {
			return w.finish(ctx, r, storage.Failure, faultDetail, Output{})
		}
		r.Status = storage.Unprocessed
		_, err = w.Store.Update(ctx, r, from)
		return cmp.Or(err, crash) // the queue pauses
	})
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	return err
}

// inputState is how far the records are that another one is made from.
type inputState int

const (
	ready   inputState = iota // all are finished
	started                   // there is work on all that are not finished
	waiting                   // one waits
)

// errGone is that a record that another one is made from was deleted while the other one was created.
var errGone = errors.New("what it is made from is gone")

// inputs looks at the records that r is made from: how far they are, and the failure of r when
// one has failed. Media are ready when r is created, and are looked at only if asked for. The job sleeps before they are
// looked at, so that it is woken if one is finished at this moment.
func (w *Worker) inputs(ctx context.Context, job storage.Job, r storage.Record, media bool) (state inputState, failed string, err error) {
	origins, err := catalog.Origins(r)
	if err != nil {
		return 0, "", err
	}
	w.sleep(job, origins)
	for _, key := range origins {
		kind := catalog.Of(key.Kind)
		if kind.Media() && !media {
			continue
		}
		in, err := w.Store.Head(ctx, key)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return 0, "", fmt.Errorf("%w: %s %d", errGone, kind.Singular, key.ID)
		case err != nil:
			return 0, "", err
		case kind.Media():
		case in.Status == storage.Failure:
			return 0, becauseOf(kind, in), nil
		case in.Status == storage.Processing:
			state = max(state, started)
		case !in.Status.Final():
			state = waiting
		}
	}
	return state, "", nil
}

// remove deletes the record of a job because what it is made from is gone.
func (w *Worker) remove(ctx context.Context, job storage.Job, why error) error {
	w.sleep(job, nil)
	w.Logger.Info("record removed", "kind", job.Kind, "id", job.ID, "owner", job.Owner, "error", why)
	if err := w.Remove(ctx, job.Key); !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	return nil
}

// sleep notes that a job waits for its inputs; without any, that it does not.
func (w *Worker) sleep(job storage.Job, inputs []storage.Key) {
	if !w.Local {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.asleep, job)
	if len(inputs) > 0 {
		w.asleep[job] = inputs
	}
}

// wake pushes the jobs that wait for a record which is finished now. They would look at it anyway, but later: errors are logged only.
func (w *Worker) wake(ctx context.Context, key storage.Key) {
	w.mu.Lock()
	var jobs []storage.Job
	for job, inputs := range w.asleep {
		if slices.Contains(inputs, key) {
			jobs = append(jobs, job)
		}
	}
	w.mu.Unlock()
	slices.SortFunc(jobs, func(a, b storage.Job) int { return cmp.Compare(a.ID, b.ID) }) // the older first
	for _, job := range jobs {
		if err := w.Queue.Push(ctx, job); err != nil {
			w.Logger.Warn("job not woken", "kind", job.Kind, "id", job.ID, "owner", job.Owner, "error", err)
		}
	}
}

// becauseOf returns the failure of a record whose input has failed. It names the input and, at the end, the
// first cause. Of a longer chain it names only the input and the first record, so that the text stays short.
func becauseOf(kind catalog.Kind, in storage.Record) string {
	const because = " has failed: "
	links := strings.Split(in.Failure, because)
	cause := strings.Join(links[max(len(links)-2, 0):], because)
	return fmt.Sprintf("The %s %d has failed: %s", kind.Singular, in.ID, cause)
}

// handBack returns a job to the queue as if this attempt had not been made. Any process may take it after a while.
func (w *Worker) handBack(ctx context.Context, r storage.Record, after time.Duration) error {
	now, err := w.Store.Head(ctx, r.Key)
	if err == nil && now.Attempts == r.Attempts { // else another process has started it meanwhile
		r.Status, r.UpdatedAt = storage.Unprocessed, now.UpdatedAt // progress was stored since
		r.Attempts--
		if r, err = catalog.Follow(r, now); err == nil {
			_, err = w.Store.Update(ctx, r, storage.Processing)
		}
	}
	if err != nil {
		return w.settle(ctx, r.Key, err)
	}
	return storage.Snooze{After: after}
}

// finish moves a record to its final state, and tells Finished.
func (w *Worker) finish(ctx context.Context, r storage.Record, status storage.Status, detail string, out Output) error {
	key, from := r.Key, r.Status
	r.Status, r.Failure = status, detail
	if out.Data != nil {
		r.Data = out.Data
	}
	if out.Result != nil {
		r.Result = out.Result
	}
	r, err := w.keep(ctx, r, from)
	if err != nil {
		return w.settle(ctx, key, err)
	}
	if w.Finished != nil {
		if err := panics.Call(func() error { w.Finished(r); return nil }); err != nil {
			w.Logger.Error("Finished", "kind", r.Kind, "id", r.ID, "owner", r.Owner, "error", err, panics.Stack(err))
		}
	}
	w.wake(ctx, key)
	if status == storage.Failure {
		return w.Discard(ctx, key)
	}
	return nil
}

// The end of a job waits up to keepPatience for a store that is unavailable. It tries again after firstPause, then less and less often.
const (
	keepPatience = time.Minute
	firstPause   = 50 * time.Millisecond
)

// keep updates a record that this process works on, whose progress may have been stored since.
// It waits for a store that is unavailable: repeating the work may take longer.
func (w *Worker) keep(ctx context.Context, r storage.Record, from storage.Status) (storage.Record, error) {
	until := time.Now().Add(keepPatience)
	for pause := firstPause; ; pause = min(2*pause, time.Second) {
		kept, err := w.Store.Update(ctx, r, from)
		if errors.Is(err, storage.ErrConflict) {
			now, e := w.Store.Head(ctx, r.Key)
			mine := e == nil && now.Attempts == r.Attempts
			// Or was it this very update, whose answer was lost with the connection?
			if mine && now.Status == r.Status && pause > firstPause {
				return now, nil
			}
			if mine && now.Status == from && !now.UpdatedAt.Equal(r.UpdatedAt) {
				if r, e = catalog.Follow(r, now); e != nil {
					return r, e
				}
				r.UpdatedAt = now.UpdatedAt
				continue
			}
		}
		if !errors.Is(err, storage.ErrUnavailable) || time.Now().After(until) {
			return kept, err
		}
		if !sleep(ctx, pause) {
			return kept, err
		}
	}
}

// settle drops errors that mean that a record is final or gone, and discards the files that nobody needs then.
// If another process has moved the record, but not to its end, the job stays in the queue.
func (w *Worker) settle(ctx context.Context, key storage.Key, err error) error {
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return w.Discard(ctx, key)
	case !errors.Is(err, storage.ErrConflict):
		return err
	}
	switch now, e := w.Store.Head(ctx, key); {
	case errors.Is(e, storage.ErrNotFound):
		return w.Discard(ctx, key)
	case e != nil:
		return e
	case now.Status == storage.Failure:
		return w.Discard(ctx, key)
	case now.Status.Final():
		return nil
	}
	return storage.Snooze{After: inputPause}
}

// The time between two updates of a record's stored progress: at first, and when it has doubled often enough.
const (
	progressSoon  = 200 * time.Millisecond
	progressEvery = time.Second
)

// meter reports the progress of a job: to Config.Progress after each step, and from time to
// time in the record, where all processes can read it.
type meter struct {
	*Worker
	record storage.Record // as it is worked on
	stored time.Time      // when progress was stored last; at first, when the work began
	every  time.Duration  // until it is stored again
}

func (m *meter) tell(ctx context.Context, done, total int) {
	if ctx.Err() != nil {
		return // the work is interrupted, or abandoned
	}
	if m.Progress != nil {
		m.Progress(m.record.Key, done, total)
	}
	if done >= total || time.Since(m.stored) < m.every { // the result follows the last step
		return
	}
	r, err := catalog.WithProgress(m.record, float64(done)/float64(total))
	if err == nil {
		if r, err = m.Store.Update(ctx, r, storage.Processing); err == nil {
			m.record.UpdatedAt = r.UpdatedAt
		}
	}
	if errors.Is(err, storage.ErrConflict) { // its owner has changed what is known of it
		if now, e := m.Store.Get(ctx, m.record.Key); e == nil && now.Status == storage.Processing && now.Attempts == m.record.Attempts {
			m.record = now
		}
	}
	// Progress is only shown: the work goes on without.
	if err != nil && ctx.Err() == nil && !errors.Is(err, storage.ErrNotFound) && !errors.Is(err, storage.ErrConflict) {
		m.Logger.Warn("progress not stored", "kind", m.record.Kind, "id", m.record.ID, "owner", m.record.Owner, "error", err)
	}
	m.stored, m.every = time.Now(), min(2*m.every, progressEvery)
}
