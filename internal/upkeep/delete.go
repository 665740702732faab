package upkeep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// A deletion is a note of records that are being deleted. It is stored, as a record of the kind storage.Deletions,
// before anything is removed, and removed last: if the process dies, or storage fails, FinishDeletions does the rest.
// Records go first and their files after them, so that no record lacks its file at any time.
type deletion struct {
	Records map[storage.Kind][]int64 `json:"records"` // IDs, the largest first

	Made bool `json:"made,omitempty"` // means that what is made from the records is deleted too
	// Erase means that recordings of the subjects are deleted too, and what answers to requests say of the records.
	Erase bool `json:"erase,omitempty"`
	// Release means that recordings of the subjects stay, without a subject.
	Release bool `json:"release,omitempty"`
}

// Delete removes a record, all records that are made from it, directly or not, and their
// files. If it fails half-way, FinishDeletions does the rest.
func (k *Keeper) Delete(ctx context.Context, key storage.Key) error {
	if err := k.there(ctx, key); err != nil {
		return err
	}
	made, err := k.dependents(ctx, key)
	if err != nil {
		return err
	}
	_, err = k.delete(ctx, deletion{Made: true}, append(made, key)...)
	return err
}

// there returns ErrNotFound for a record that is gone, with what was made from it: an interrupted deletion is finished before.
func (k *Keeper) there(ctx context.Context, key storage.Key) error {
	_, gone := k.Store.Head(ctx, key)
	if !errors.Is(gone, storage.ErrNotFound) {
		return gone
	}
	return cmp.Or(k.scan(ctx, storage.Deletions, 0, func(note storage.Record) (err error) {
		var d deletion
		if err = catalog.Decode(note, &d); err == nil && note.Owner == key.Owner && slices.Contains(d.Records[key.Kind], key.ID) {
			_, err = k.finish(ctx, note)
		}
		return err
	}), gone)
}

// FinishDeletions finishes the deletions that crashes and faults of storage have interrupted. It
// may also do the work of one that is running, in any process.
func (k *Keeper) FinishDeletions(ctx context.Context) error {
	var errs []error
	err := k.scan(ctx, storage.Deletions, 0, func(note storage.Record) error {
		if _, err := k.finish(ctx, note); err != nil {
			errs = append(errs, fmt.Errorf("deletion %d: %w", note.ID, err))
		}
		return ctx.Err()
	})
	return errors.Join(append(errs, err)...)
}

// DeleteFiles removes all files that Blobs may hold of a record.
func (k *Keeper) DeleteFiles(ctx context.Context, key storage.Key) error {
	for _, name := range catalog.FileNames(key) {
		if err := k.Blobs.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// delete removes records of one owner and their files, in the way that a deletion without records says. It returns
// false if another process was faster.
func (k *Keeper) delete(ctx context.Context, d deletion, keys ...storage.Key) (removed bool, err error) {
	d.Records = map[storage.Kind][]int64{}
	for _, key := range keys {
		d.Records[key.Kind] = append(d.Records[key.Kind], key.ID)
	}
	for _, ids := range d.Records {
		slices.SortFunc(ids, func(a, b int64) int { return cmp.Compare(b, a) })
	}
	data, err := json.Marshal(d)
	if err != nil {
		return false, err
	}
	note, err := k.Store.Create(ctx, storage.Record{Key: storage.Key{Owner: keys[0].Owner, Kind: storage.Deletions}, Data: data})
	if err != nil {
		return false, err
	}
	return k.finish(ctx, note)
}

func (k *Keeper) finish(ctx context.Context, note storage.Record) (removed bool, err error) {
	var d deletion
	if err := catalog.Decode(note, &d); err != nil {
		return false, err
	}
	var keys []storage.Key
	for _, kind := range kinds() { // each record before those that it is made from
		for _, id := range d.Records[kind] {
			keys = append(keys, storage.Key{Owner: note.Owner, Kind: kind, ID: id})
		}
	}
	if d.Release {
		return k.release(ctx, note, keys)
	}
	if removed, err = k.deleteBatches(ctx, keys); err != nil {
		return removed, err
	}
	for _, key := range keys {
		k.Cancel(key)
	}
	err = k.deleteLate(ctx, d, keys)
	if err == nil && d.Erase {
		err = k.Forget(ctx, note.Owner)
	}
	for i := 0; err == nil && i < len(keys); i++ {
		err = k.DeleteFiles(ctx, keys[i])
	}
	if err == nil {
		_, err = k.deleteRecords(ctx, note.Key)
	}
	return removed, err
}

// deleteLate removes what was made from deleted records meanwhile.
func (k *Keeper) deleteLate(ctx context.Context, d deletion, keys []storage.Key) error {
	var late []storage.Key
	var err error
	if d.Erase {
		late, err = k.Recordings(ctx, slices.DeleteFunc(slices.Clone(keys), func(key storage.Key) bool { return key.Kind != storage.Subjects })...)
	}
	if err == nil && d.Made {
		var made []storage.Key
		made, err = k.dependents(ctx, append(keys, late...)...)
		late = append(late, made...)
	}
	if err == nil && len(late) > 0 {
		_, err = k.delete(ctx, deletion{Made: true, Erase: d.Erase}, late...)
	}
	return err
}

// noAnswer is how long a call may fail and still have been answered: a full disk says so at once.
const noAnswer = 5 * time.Second

// deleteBatches removes records: all or none, unless they are more than 1,000, which may take longer than a call of the store, or
// the store has no room for a transaction with all. Then it removes fewer at a time, in order; if it fails, FinishDeletions goes on.
func (k *Keeper) deleteBatches(ctx context.Context, keys []storage.Key) (gone bool, err error) {
	for n := min(len(keys), 1000); len(keys) > 0; n = min(n, len(keys)) {
		began := time.Now()
		some, err := k.deleteRecords(ctx, keys[:n]...)
		gone = gone || some
		switch {
		case err == nil:
			keys = keys[n:]
		case n > 1 && errors.Is(err, storage.ErrUnavailable) && time.Since(began) < noAnswer && ctx.Err() == nil:
			n = (n + 7) / 8
		default:
			return gone, err
		}
	}
	return gone, nil
}

// deleteRecords removes records, all or none, and reports whether there was one.
func (k *Keeper) deleteRecords(ctx context.Context, keys ...storage.Key) (gone bool, err error) {
	err = k.Store.Delete(ctx, keys...)
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// dependents returns the records that are made from roots of one owner, directly or not.
func (k *Keeper) dependents(ctx context.Context, roots ...storage.Key) (made []storage.Key, err error) {
	doomed := map[storage.Key]bool{}
	for _, root := range roots {
		doomed[root] = true
	}
	for queue := slices.Clone(roots); len(queue) > 0; queue = queue[1:] {
		for _, kind := range catalog.Kinds() {
			if !kind.MadeFrom(queue[0].Kind) {
				continue
			}
			from, err := k.Labelled(ctx, queue[0].Owner, kind.Kind, catalog.FromLabel(queue[0]))
			if err != nil {
				return nil, err
			}
			for _, key := range from {
				if !doomed[key] {
					doomed[key] = true
					made, queue = append(made, key), append(queue, key)
				}
			}
		}
	}
	return made, nil
}

// Labelled returns the records of an owner and kind that have a label.
func (k *Keeper) Labelled(ctx context.Context, owner string, kind storage.Kind, label string) (keys []storage.Key, err error) {
	for f := (storage.Filter{Labels: []string{label}, Limit: 2 * pageSize}); ; f.Offset += f.Limit {
		page, _, err := k.Store.List(ctx, owner, kind, f)
		if err != nil {
			return nil, err
		}
		for _, r := range page {
			keys = append(keys, r.Key)
		}
		if len(page) < f.Limit {
			return keys, nil
		}
	}
}

// Erased is what was removed.
type Erased struct {
	Records map[storage.Kind]int
	Files   int
	Bytes   int64 // of the files
}

// Erase removes a subject, all recordings of it, everything that is made from them, directly or not, and the files. If it
// fails half-way, FinishDeletions does the rest. What is removed was counted before.
func (k *Keeper) Erase(ctx context.Context, subject storage.Key) (Erased, error) {
	erased := Erased{Records: map[storage.Kind]int{}}
	if err := k.there(ctx, subject); err != nil {
		return erased, err
	}
	keys, err := k.Recordings(ctx, subject)
	if err == nil && len(keys) > 0 {
		var made []storage.Key
		made, err = k.dependents(ctx, keys...)
		keys = append(keys, made...)
	}
	if err != nil {
		return erased, err
	}
	keys = append(keys, subject)
	for _, key := range keys {
		erased.Records[key.Kind]++
		for _, name := range catalog.FileNames(key) {
			blob, err := k.Blobs.Open(ctx, name)
			switch {
			case errors.Is(err, storage.ErrNotFound):
				continue
			case err != nil:
				return erased, err
			}
			erased.Files++
			erased.Bytes += blob.Info().Size
			if err := blob.Close(); err != nil {
				return erased, err
			}
		}
	}
	_, err = k.delete(ctx, deletion{Made: true, Erase: true}, keys...)
	return erased, err
}

func (k *Keeper) Recordings(ctx context.Context, subjects ...storage.Key) (keys []storage.Key, err error) {
	for _, subject := range subjects {
		for _, kind := range catalog.Kinds() {
			if !kind.Recorded() {
				continue
			}
			of, err := k.Labelled(ctx, subject.Owner, kind.Kind, catalog.LabelOf(subject.ID))
			if err != nil {
				return nil, err
			}
			keys = append(keys, of...)
		}
	}
	return keys, nil
}
