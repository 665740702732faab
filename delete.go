package motion

import (
	"context"
	"errors"
	"slices"

	"github.com/bodymotion/motion/storage"
)

// Delete removes a record for ever, and with it everything that is made from it, directly
// or not: the keypoint records of a movie or image, the comparisons, analyses and drawings
// of a keypoint record, the drawings of a comparison. Their files go too. Work on them that
// is under way in this process is cancelled; what another process works on is dropped when
// it is done.
//
// What depends on a record goes before it: a Delete that fails half-way has removed nothing
// that is still needed, and may be tried again.
func (s *Service) Delete(ctx context.Context, owner string, kind storage.Kind, id int64) error {
	key := storage.Key{Owner: owner, Kind: kind, ID: id}
	if _, err := s.cfg.Store.Get(ctx, key); err != nil {
		return err
	}
	if err := s.deleteDependents(ctx, key); err != nil {
		return err
	}
	if err := s.deleteOne(ctx, key); err != nil {
		return err
	}
	// Those that were made in the meantime.
	return s.deleteDependents(ctx, key)
}

func (s *Service) deleteDependents(ctx context.Context, key storage.Key) error {
	keys, err := s.dependents(ctx, key)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := s.deleteOne(ctx, k); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}

// deleteOne removes a record and its files, and cancels the work on it.
func (s *Service) deleteOne(ctx context.Context, key storage.Key) error {
	// Files go first, so that a Delete that breaks off can be tried again, and once more
	// in case that one was put between the two.
	if err := s.deleteFiles(ctx, key); err != nil {
		return err
	}
	if err := s.cfg.Store.Delete(ctx, key); err != nil {
		return err
	}
	s.running.cancel(key)
	return s.deleteFiles(ctx, key)
}

// deleteFiles removes what Blobs may hold of a record.
func (s *Service) deleteFiles(ctx context.Context, key storage.Key) error {
	var names []string
	switch key.Kind {
	case storage.Movies, storage.Images:
		names = []string{mediaKey(key)}
	case storage.Drawings:
		for _, extension := range []string{".jpg", ".mp4"} {
			names = append(names, drawingKey(drawingData{Extension: extension}.file(key.ID)))
		}
	}
	for _, name := range names {
		if err := s.cfg.Blobs.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// madeFrom returns the kinds of record that may be made from one of a kind, directly or not,
// each after those that it is made from.
func madeFrom(kind storage.Kind) []storage.Kind {
	switch kind {
	case storage.Analyses, storage.Drawings:
		return nil
	case storage.Comparisons:
		return []storage.Kind{storage.Drawings}
	}
	return []storage.Kind{storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings}
}

// dependents returns the records that are made from one, directly or not, each before those
// that it is made from. It looks at all records of the owner that may be.
func (s *Service) dependents(ctx context.Context, root storage.Key) ([]storage.Key, error) {
	doomed := map[storage.Key]bool{root: true}
	var order []storage.Key
	for _, kind := range madeFrom(root.Kind) {
		if kind == storage.Comparisons && len(order) == 0 && root.Kind != storage.Keypoints {
			break // what is made of media is made of their keypoints
		}
		records, err := s.origins(ctx, root.Owner, kind)
		if err != nil {
			return nil, err
		}
		// Oldest first: a keypoint record may be made from an older one.
		for _, r := range slices.Backward(records) {
			if slices.ContainsFunc(r.from, func(k storage.Key) bool { return doomed[k] }) && !doomed[r.key] {
				doomed[r.key] = true
				order = append(order, r.key)
			}
		}
	}
	slices.Reverse(order)
	return order, nil
}

// origin is a record and what it is made from.
type origin struct {
	key  storage.Key
	from []storage.Key
}

// origins returns where all records of a kind come from, newest first.
func (s *Service) origins(ctx context.Context, owner string, kind storage.Kind) ([]origin, error) {
	var all []origin
	for f := (storage.Filter{Limit: 1000}); ; f.Offset += f.Limit {
		records, _, err := s.cfg.Store.List(ctx, owner, kind, f)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			o, err := originOf(r)
			if err != nil {
				return nil, err
			}
			all = append(all, o)
		}
		if len(records) < f.Limit {
			return all, nil
		}
	}
}

func originOf(r storage.Record) (origin, error) {
	var refs struct {
		references
		Movie int64 `json:"movie"`
		Image int64 `json:"image"`
	}
	o := origin{key: r.Key}
	if err := decodeData(r, &refs); err != nil {
		return o, err
	}
	for _, x := range append(refs.list(), reference{kind: storage.Movies, id: refs.Movie}, reference{kind: storage.Images, id: refs.Image}) {
		if x.id != 0 {
			o.from = append(o.from, storage.Key{Owner: r.Owner, Kind: x.kind, ID: x.id})
		}
	}
	return o, nil
}
