package motion

import (
	"bytes"
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

// Outdated reports whether keypoints that a record of the owner was made from were corrected since:
// a comparison, an analysis or a drawing. It reads their records. Before SUCCESS it is false.
func (s *Service) Outdated(ctx context.Context, owner string, made State) (bool, error) {
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

	// KeypointID selects the records that are made directly from that keypoint record; 0 for all. All
	// records of the owner and kind are read then, page by page, as Delete does.
	KeypointID int64
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
	if page.Limit == 0 {
		page.Limit = 20
	}
	f := storage.Filter{Status: page.Status, Offset: page.Offset, Limit: page.Limit, From: page.RecordedFrom, To: page.RecordedTo}
	if page.SubjectID != 0 {
		f.Labels = append(f.Labels, catalog.LabelOf(max(page.SubjectID, 0)))
	}
	if page.Tag != "" {
		f.Labels = append(f.Labels, catalog.TagLabel(page.Tag))
	}
	f.Begins = catalog.Search(page.Text)
	var records []storage.Record
	var total int
	var err error
	if origin := (storage.Key{Owner: owner, Kind: storage.Keypoints, ID: page.KeypointID}); origin.ID != 0 {
		records, total, err = s.keeper.MadeFrom(ctx, origin, kind, f)
	} else {
		records, total, err = s.cfg.Store.List(ctx, owner, kind, f)
	}
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

// madeFrom returns the records of a kind with the given ids that a record is made from; 0 is none.
func madeFrom(kind storage.Kind, ids ...int64) (list []catalog.Origin) {
	for _, id := range ids {
		if id != 0 {
			list = append(list, catalog.Origin{Kind: kind, ID: id})
		}
	}
	return list
}

// create stores a new record with a catalog.Form, queues it if there is work on it, and returns it in
// its typed form.
func create[T any](ctx context.Context, s *Service, owner string, kind storage.Kind, form any, typed func(storage.Record) (T, error)) (T, error) {
	return typedOf(typed)(s.create(ctx, owner, kind, form))
}

func (s *Service) create(ctx context.Context, owner string, kind storage.Kind, form any) (storage.Record, error) {
	b, err := json.Marshal(form)
	if err != nil {
		return storage.Record{}, err
	}
	r := storage.Record{Key: storage.Key{Owner: owner, Kind: kind}, Data: b}
	if catalog.Of(kind).Worked() {
		r.Status = storage.Unprocessed
	}
	return s.keep(ctx, r)
}

// keep stores a new record, once for the Key of the context, and queues its job, if it has one.
func (s *Service) keep(ctx context.Context, r storage.Record) (storage.Record, error) {
	if s.cfg.Role == WorkOnly {
		return storage.Record{}, errWorkOnly
	}
	if r.Owner == "" {
		return storage.Record{}, badRequest("owner", "is empty: every record belongs to a client")
	}
	r, err := s.labelled(ctx, r)
	if err != nil {
		return r, err
	}
	if key, ok := ctx.Value(keyInContext{}).(*Key); ok {
		return s.createOnce(ctx, r, key)
	}
	return s.insert(ctx, r)
}

// insert stores a new record and queues its job, if it has one.
func (s *Service) insert(ctx context.Context, r storage.Record) (storage.Record, error) {
	work := r.Status == storage.Unprocessed
	if s.jobs != nil && work {
		r, err := s.jobs.CreateWithJob(ctx, r, catalog.Slow(r))
		if err == nil {
			err = s.rooted(ctx, r)
		}
		return r, err
	}
	r, err := s.cfg.Store.Create(ctx, r)
	if err == nil {
		err = s.rooted(ctx, r)
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

// rooted removes a new record again, and returns ErrNotFound, if one that it is made from, or its subject, was deleted after the
// request was checked: the deletion may have looked for the record before it was there.
func (s *Service) rooted(ctx context.Context, r storage.Record) error {
	roots, err := catalog.Roots(r)
	for _, root := range roots {
		if _, err := s.cfg.Store.Head(ctx, root); errors.Is(err, ErrNotFound) {
			return errors.Join(err, s.cfg.Store.Delete(context.WithoutCancel(ctx), r.Key))
		}
	}
	return err
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
		if changed, err = s.cfg.Store.Update(ctx, changed, r.Status); !errors.Is(err, ErrConflict) {
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
