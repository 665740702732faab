package upkeep

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// releaseKept is how long the note of a deletion stays that leaves the recordings of a subject: longer than any request
// takes that may still give it one. Without the note, recordings of a subject that is gone are erased.
const releaseKept = 24 * time.Hour

// DeleteSubject removes the record of a subject. Its recordings stay, without a subject. If it fails half-way,
// FinishDeletions does the rest.
func (k *Keeper) DeleteSubject(ctx context.Context, subject storage.Key) error {
	err := k.there(ctx, subject)
	if err == nil {
		_, err = k.delete(ctx, deletion{Release: true}, subject)
	}
	return err
}

// release finishes a deletion of subjects whose recordings stay.
func (k *Keeper) release(ctx context.Context, note storage.Record, subjects []storage.Key) (removed bool, err error) {
	all := func() error {
		for _, subject := range subjects {
			if err := k.Release(ctx, subject); err != nil {
				return err
			}
		}
		return nil
	}
	if err := all(); err != nil {
		return false, err
	}
	if removed, err = k.deleteRecords(ctx, subjects...); err == nil {
		err = all() // what was made meanwhile
	}
	if err == nil && time.Since(note.CreatedAt) > releaseKept {
		_, err = k.deleteRecords(ctx, note.Key)
	}
	return removed, err
}

// FinishSubjects does what FinishSubject does, for the subjects of all recordings.
func (k *Keeper) FinishSubjects(ctx context.Context) error {
	subjects := k.subjects()
	for _, kind := range catalog.Kinds() {
		if !kind.Recorded() {
			continue
		}
		err := k.scan(ctx, kind.Kind, 0, func(r storage.Record) error {
			gone, err := subjects.gone(ctx, r)
			if err == nil && gone {
				err = k.FinishSubject(ctx, r)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// FinishSubject finishes the deletion of the subject of a recording, if that is gone: the deletion did not see the recording, which
// a request gave to the subject meanwhile and did not live to look again. All its recordings are erased, or stay
// without a subject, as the deletion was asked to.
func (k *Keeper) FinishSubject(ctx context.Context, recording storage.Record) error {
	gone, err := k.subjects().gone(ctx, recording)
	if err != nil || !gone {
		return err
	}
	subject := storage.Key{Owner: recording.Owner, Kind: storage.Subjects, ID: catalog.SubjectOf(recording)}
	released := false
	err = k.scan(ctx, storage.Deletions, 0, func(note storage.Record) error {
		var d deletion
		err := catalog.Decode(note, &d)
		released = released || d.Release && note.Owner == subject.Owner && slices.Contains(d.Records[storage.Subjects], subject.ID)
		return err
	})
	if err != nil {
		return err
	}
	if released {
		return k.Release(ctx, subject)
	}
	keys, err := k.Recordings(ctx, subject)
	if err != nil || len(keys) == 0 {
		return err
	}
	made, err := k.dependents(ctx, keys...)
	if err != nil {
		return err
	}
	k.Logger.Warn("recordings of a person who was erased: they are erased too", "subject", subject.ID, "owner", subject.Owner, "records", len(keys)+len(made))
	_, err = k.delete(ctx, deletion{Made: true, Erase: true}, append(keys, made...)...)
	return err
}

// subjects knows which subjects are there.
type subjects struct {
	store storage.Store
	there map[storage.Key]bool
}

// knownSubjects is how many of them are remembered.
const knownSubjects = 10_000

func (k *Keeper) subjects() subjects { return subjects{k.Store, map[storage.Key]bool{}} }

// gone reports whether a recording is of a subject that does not exist.
func (s subjects) gone(ctx context.Context, recording storage.Record) (bool, error) {
	subject := storage.Key{Owner: recording.Owner, Kind: storage.Subjects, ID: catalog.SubjectOf(recording)}
	if subject.ID == 0 || s.there[subject] {
		return false, nil
	}
	_, err := s.store.Head(ctx, subject)
	if errors.Is(err, storage.ErrNotFound) {
		return true, nil
	}
	if len(s.there) >= knownSubjects {
		clear(s.there)
	}
	s.there[subject] = err == nil
	return false, err
}
