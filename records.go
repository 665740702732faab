package motion

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// IsOutdated reports whether keypoints that a record of the owner was made from were corrected since:
// a comparison, an analysis or a drawing. It reads their records. Before SUCCESS it is false.
func (s *Service) IsOutdated(ctx context.Context, owner string, made State) (bool, error) {
	for _, was := range made.work.Corrected {
		r, err := s.cfg.Store.Head(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: was.Keypoint})
		if errors.Is(err, ErrNotFound) {
			continue // the record is being deleted, too
		}
		var now catalog.Work
		if err == nil {
			err = catalog.Decode(r, &now)
		}
		if err != nil || now.Corrections[was.Person] != was.Digest {
			return err == nil, err
		}
	}
	return false, nil
}

// Page selects a part of a list.
type Page struct {
	Status storage.Status // only records of that status; "" for all; ignored for media
	Offset int            // records to skip, newest first; less than 0 is ErrInvalid
	Limit  int            // records at most; 0 means 20, less is ErrInvalid

	SubjectID                int64     // only records of that subject, -1 of nobody; 0 for all
	Tag                      string    // only records with that tag; "" for all
	Text                     string    // only records with words, in names, texts, tags and notes, that begin like all words of Text
	RecordedFrom, RecordedTo time.Time // only recordings that were filmed, or else made, from then on and before; zero for any

	KeypointID int64 // only records that are made directly from that keypoint record; 0 for all
}

// typedOf returns typed for what a Store returns.
func typedOf[T any](typed func(storage.Record) (T, error)) func(storage.Record, error) (T, error) {
	return func(r storage.Record, err error) (T, error) {
		if err != nil {
			var none T
			return none, err
		}
		return typed(r)
	}
}

// list returns a page of records in their typed form.
func list[T any](ctx context.Context, s *Service, owner string, kind storage.Kind, page Page, typed func(storage.Record) (T, error)) ([]T, int, error) {
	f := storage.Filter{Status: page.Status, Offset: page.Offset, Limit: cmp.Or(page.Limit, 20), From: page.RecordedFrom, To: page.RecordedTo}
	if page.SubjectID != 0 {
		f.Labels = append(f.Labels, catalog.LabelOf(max(page.SubjectID, 0)))
	}
	if page.Tag != "" {
		f.Labels = append(f.Labels, catalog.TagLabel(page.Tag))
	}
	if page.KeypointID != 0 {
		f.Labels = append(f.Labels, catalog.FromLabel(storage.Key{Kind: storage.Keypoints, ID: page.KeypointID}))
	}
	f.Begins = catalog.Search(page.Text)
	records, total, err := s.cfg.Store.List(ctx, owner, kind, f)
	if err != nil {
		return nil, 0, err
	}
	items := make([]T, len(records))
	for i, r := range records {
		if items[i], err = typed(r); err != nil {
			return nil, 0, err
		}
	}
	return items, total, nil
}

// create stores a new record, queues it if there is work on it, and returns it in its typed form.
func create[Q, O, T any](
	ctx context.Context, s *Service, owner string, kind storage.Kind, key Key, form catalog.Form[Q, O], typed func(storage.Record) (T, error),
) (T, error) {
	form.Key = key.Name
	out, err := output(form, nil)
	r := storage.Record{Key: storage.Key{Owner: owner, Kind: kind}, Data: out.Data}
	if catalog.Of(kind).Worked() {
		r.Status = storage.Unprocessed
	}
	if err == nil {
		r, err = s.keep(ctx, r, key)
	}
	return typedOf(typed)(r, err)
}

// keep stores a new record, once for the key with which it was asked for, and queues its job, if it has one.
func (s *Service) keep(ctx context.Context, r storage.Record, key Key) (storage.Record, error) {
	if s.cfg.Role == WorkOnly {
		return storage.Record{}, errWorkOnly
	}
	if r.Owner == "" {
		return storage.Record{}, badRequest("owner", "is empty: every record belongs to a client")
	}
	r, err := s.labelled(ctx, r)
	switch {
	case err != nil:
		return r, err
	case key.Name != "":
		return s.createOnce(ctx, r, key)
	}
	return s.insert(ctx, r)
}

// labelled returns a record with the labels by which lists find it.
func (s *Service) labelled(ctx context.Context, r storage.Record) (storage.Record, error) {
	keys, err := catalog.Sources(r)
	if err != nil {
		return r, err
	}
	var texts []string
	for _, key := range keys {
		source, err := s.cfg.Store.Head(ctx, key)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		says, e := catalog.Texts(source)
		if err = cmp.Or(err, e); err != nil {
			return r, err
		}
		texts = append(texts, says...)
	}
	return catalog.Labelled(r, texts...)
}

// insert stores a new record and queues its job, if it has one.
func (s *Service) insert(ctx context.Context, r storage.Record) (storage.Record, error) {
	work := r.Status == storage.Unprocessed
	if s.jobs != nil && work {
		r, err := s.jobs.CreateWithJob(ctx, r, catalog.Slow(r))
		if err == nil {
			err = s.rooted(ctx, r, true)
		}
		return r, err
	}
	r, err := s.cfg.Store.Create(ctx, r)
	if err == nil {
		err = s.rooted(ctx, r, true)
	}
	if err == nil && r.Status.Final() && s.cfg.Finished != nil {
		s.cfg.Finished(Finished{r.Key, r.Status, r.Failure, r.UpdatedAt})
	}
	if err != nil || !work {
		return r, err
	}
	if err := s.push(ctx, r); err != nil {
		// A record without a job must not stay.
		return storage.Record{}, errors.Join(err, s.cfg.Store.Delete(context.WithoutCancel(ctx), r.Key))
	}
	s.worker.Await(r.Key)
	return r, nil
}

// rooted removes a record again, and returns ErrNotFound, if one that it is made from, or its subject, was deleted after the
// request was checked: the deletion may have looked for the record before it was there. If that cannot be read, a new one goes, too.
func (s *Service) rooted(ctx context.Context, r storage.Record, fresh bool) error {
	roots, err := catalog.Roots(r)
	ctx = context.WithoutCancel(ctx)
	for _, root := range roots {
		_, err := s.cfg.Store.Head(ctx, root)
		if err == nil {
			continue
		}
		if fresh || errors.Is(err, ErrNotFound) {
			if left := s.cfg.Store.Delete(ctx, r.Key); !errors.Is(left, ErrNotFound) {
				err = errors.Join(err, left)
			}
		}
		return err
	}
	return err
}

// theirs undoes a change that has given a recording to a subject, and returns ErrNotFound, if the subject was deleted after the
// request was checked: the deletion may have looked for its recordings before. If the recording has changed again, or was
// that of a subject that is gone too, it is treated as the other recordings of its subject.
func (s *Service) theirs(ctx context.Context, was, now storage.Record) error {
	to := catalog.SubjectOf(now)
	if to == 0 || to == catalog.SubjectOf(was) {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	gone := s.checkSubject(ctx, now.Owner, to)
	if !errors.Is(gone, ErrNotFound) {
		return gone
	}
	was.UpdatedAt = now.UpdatedAt
	was, err := s.cfg.Store.Update(ctx, was, now.Status)
	if errors.Is(err, ErrConflict) {
		was, err = s.cfg.Store.Head(ctx, now.Key)
	}
	if err == nil {
		err = s.keeper.FinishSubject(ctx, was)
	}
	if errors.Is(err, ErrNotFound) {
		err = nil // the recording is gone with the subject
	}
	return errors.Join(gone, err)
}

// change changes a record and writes it back. If another change came between, perhaps of another process, it
// reads the record and starts over: no change is lost.
func (s *Service) change(
	ctx context.Context, r storage.Record, read func(context.Context, storage.Key) (storage.Record, error),
	change func(storage.Record) (storage.Record, error),
) (storage.Record, error) {
	for {
		changed, err := change(r)
		if err == nil {
			changed, err = s.labelled(ctx, changed)
		}
		if err != nil || bytes.Equal(changed.Data, r.Data) && bytes.Equal(changed.Result, r.Result) && slices.Equal(changed.Labels, r.Labels) {
			return changed, err
		}
		// Each conflict means that another change has succeeded.
		if changed, err = s.cfg.Store.Update(ctx, changed, r.Status); err == nil {
			err = s.theirs(ctx, r, changed)
		}
		if !errors.Is(err, ErrConflict) {
			return changed, err
		}
		if r, err = read(ctx, r.Key); err != nil {
			return r, err
		}
	}
}

// output returns what work has made of a record: its catalog.Form, and its result if it has one.
func output(form, result any) (out worker.Output, err error) {
	if out.Data, err = json.Marshal(form); err == nil && result != nil {
		out.Result, err = json.Marshal(result)
	}
	if err != nil {
		err = fmt.Errorf("what is to be stored: %w", err)
	}
	return out, err
}

// keyAge is how long a record is looked for, and keyTime how long that may take when its creation has failed.
const (
	keyAge  = 24 * time.Hour
	keyTime = 5 * time.Second
)

// createOnce stores a new record with a key like insert, if there is none.
func (s *Service) createOnce(ctx context.Context, r storage.Record, key Key) (storage.Record, error) {
	if key.Again {
		made, ok, err := s.made(ctx, r, key)
		if err != nil {
			return made, fmt.Errorf("%w: %w", ErrDoubt, err)
		}
		if ok {
			return made, nil
		}
	}
	created, err := s.insert(ctx, r)
	if err == nil {
		return created, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keyTime)
	defer cancel()
	made, ok, doubt := s.made(ctx, r, key)
	switch {
	case ok:
		return made, nil
	case doubt != nil:
		err = fmt.Errorf("%w: %w", ErrDoubt, err)
	}
	return created, err
}

// made returns the record with a key, whose other fields are like r, and queues its job.
func (s *Service) made(ctx context.Context, r storage.Record, key Key) (made storage.Record, ok bool, err error) {
	oldest := time.Now().Add(-keyAge)
	for f := (storage.Filter{Labels: []string{catalog.KeyLabel(key.Name)}, Limit: 100}); ; f.Offset += f.Limit {
		page, _, err := s.cfg.Store.List(ctx, r.Owner, r.Kind, f)
		if err != nil {
			return r, false, err
		}
		for _, made := range page {
			if made.CreatedAt.After(oldest) {
				err := s.rooted(ctx, made, false)
				if errors.Is(err, ErrNotFound) { // and removed again
					return r, false, nil
				}
				if err == nil {
					err = s.push(ctx, made)
				}
				return made, err == nil, err
			}
		}
		if len(page) < f.Limit {
			return r, false, nil
		}
	}
}

// push queues the job of a record, if it has one that a JobCreator has not queued.
func (s *Service) push(ctx context.Context, r storage.Record) error {
	if s.jobs != nil || r.Status == "" || r.Status.Final() {
		return nil
	}
	return s.cfg.Queue.Push(ctx, storage.Job{Key: r.Key, Slow: catalog.Slow(r)})
}

func subjectKey(owner string, id int64) storage.Key {
	return storage.Key{Owner: owner, Kind: storage.Subjects, ID: id}
}

// checkSubject checks that a request names a subject that exists, or none.
func (s *Service) checkSubject(ctx context.Context, owner string, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := s.cfg.Store.Head(ctx, subjectKey(owner, id))
	return referenceError("subjectId", subjectKey(owner, id), err)
}

// State is what extractions, comparisons, analyses and drawings have in common.
type State struct {
	ID                   int64
	Status               storage.Status
	Failure              string // the reason, when Status is storage.Failure
	CreatedAt, UpdatedAt time.Time

	work catalog.Work
}

func stateOf(r storage.Record, w catalog.Work) State {
	return State{r.ID, r.Status, r.Failure, r.CreatedAt, r.UpdatedAt, w}
}

// Progress returns the part of the work that is done: 0 before it has begun, 1 after SUCCESS, and while the record is PROCESSING
// the part of the frames that were done up to about a second ago, in whichever process. ok is false if it is unknown: in the first
// 0.2 s, for a movie of unknown length, and after FAILURE. A job that is tried again starts at 0.
func (s State) Progress() (part float64, ok bool) {
	switch s.Status {
	case storage.Unprocessed:
		return 0, true
	case storage.Processing:
		return s.work.Progress, s.work.Progress > 0
	case storage.Success:
		return 1, true
	}
	return 0, false
}
