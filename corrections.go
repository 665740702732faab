package motion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/storage"
)

const correcting = "records are being corrected"

// CorrectKeypoints corrects the keypoints of a record by hand, all edits or none, and returns the record. Raw keypoints stay; what
// is made afterwards uses the corrected ones, and records made before say that they are Outdated. Corrections stay when keypoints
// are processed again with Again. Wrong edits are a *RequestError that wraps keypoint.FieldErrors; a record without SUCCESS, or one
// that is Joined, is ErrConflict. If too many other corrections are waiting, the error is ErrUnavailable: try again.
func (s *Service) CorrectKeypoints(ctx context.Context, owner string, id int64, edits []correct.Edit) (Extraction, error) {
	key := storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}
	c := &correction{edits: edits}
	all := &s.corrections
	all.mu.Lock()
	all.waiting[key] = append(all.waiting[key], c)
	all.mu.Unlock()
	leave, err := all.records.Enter(ctx, fmt.Sprint(id, " ", owner), correcting)
	if err == nil {
		defer leave()
		if !c.taken {
			if leave, err = all.work.Enter(ctx, owner, correcting); err == nil {
				defer leave()
				s.correct(context.WithoutCancel(ctx), key)
			}
		}
	}
	if err == nil {
		return typedOf(extractionOf)(c.done, c.err)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.waiting[key] = slices.DeleteFunc(all.waiting[key], func(other *correction) bool { return other == c })
	if len(all.waiting[key]) == 0 {
		delete(all.waiting, key)
	}
	return Extraction{}, err
}

// correct makes the corrections of a record that wait. Its turn and a place are taken.
func (s *Service) correct(ctx context.Context, key storage.Key) {
	all := &s.corrections
	all.mu.Lock()
	list := all.waiting[key]
	delete(all.waiting, key)
	all.mu.Unlock()
	var edits [][]correct.Edit
	for _, c := range list {
		c.taken = true
		edits = append(edits, c.edits)
	}
	var refused []error
	var done storage.Record
	err := panics.Call(func() error {
		r, err := s.cfg.Store.Get(ctx, key)
		if err == nil {
			r, err = s.change(ctx, r, s.cfg.Store.Get, func(r storage.Record) (storage.Record, error) {
				var err error
				r, refused, err = corrected(r, edits)
				return r, err
			})
		}
		done = r
		return err
	})
	for i, c := range list {
		if c.done, c.err = done, err; err == nil {
			c.err = refused[i]
		}
	}
}

// corrected returns a keypoint record after edits by its owner, and which of them were refused.
func corrected(r storage.Record, edits [][]correct.Edit) (storage.Record, []error, error) {
	e, err := extractionOf(r)
	if err != nil {
		return r, nil, err
	}
	if e.Status == storage.Failure {
		return r, nil, fmt.Errorf("%w: there is no result: %s", ErrConflict, e.Failure)
	}
	if e.KeypointIDs != nil {
		return r, nil, joinedConflict(e, "correct those, and join them again")
	}
	if e.Space.Seen() {
		return r, nil, fmt.Errorf("%w: the keypoints of the record %d are places of a laboratory: correct them there", ErrConflict, e.ID)
	}
	documents, err := e.everybody()
	if err != nil {
		return r, nil, err
	}
	edits, refused := slices.Clone(edits), make([]error, len(edits))
	for i := range edits {
		edits[i], refused[i] = e.ofPeople(edits[i])
	}
	parts := keypoint.Body
	if e.Feet {
		parts = keypoint.All
	}
	documents, result, err := documents.Edit(edits, refused, parts, time.Now(), r.Owner, e.Calibration)
	if err != nil {
		return r, nil, err
	}
	made := slices.Contains(refused, nil)
	for i := range refused {
		refused[i] = inField("edits", refused[i])
	}
	if !made {
		return r, refused, nil
	}
	d := extractionForm{Work: e.work, Request: storedExtraction{e.Origin, e.FindOptions}, Outcome: e.Outcome}
	d.Outcome.World, d.Outcome.Verdict, d.Outcome.Summary = result.Sequence.World, result.Quality.Verdict, &result.Summary
	d.Corrections = extraction.Digests(documents.AllCorrections(), e.People, result.Moved)
	if r.Data, err = json.Marshal(d); err == nil {
		r.Result, err = json.Marshal(documents)
	}
	return r, refused, err
}

// ofPeople returns edits with person 0 for the chosen person. Edits of a person that is not in the record are keypoint.FieldErrors.
func (e Extraction) ofPeople(edits []correct.Edit) ([]correct.Edit, error) {
	edits = slices.Clone(edits)
	var wrong keypoint.FieldErrors
	for i, edit := range edits {
		if edit.Person == 0 {
			continue
		}
		at, err := e.indexOf("person", edit.Person)
		var bad *RequestError
		switch {
		case errors.As(err, &bad):
			wrong = append(wrong, &keypoint.FieldError{Pointer: fmt.Sprintf("/%d/person", i), Detail: bad.Err.Error()})
		case e.People[at].Chosen:
			edits[i].Person = 0
		}
	}
	if wrong != nil {
		return nil, wrong
	}
	return edits, nil
}
