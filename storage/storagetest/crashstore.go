package storagetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// The steps of each record of a crashing child. A record whose ID is a multiple of 3 is then deleted.
const (
	stepCreated = iota
	stepStarted
	stepFinished
	stepDeleted
)

// crashResult is the result that the child writes for an ID.
func crashResult(id int64) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d;", id), 10_000) }

// writeSteps creates a record and takes it through its steps.
func writeSteps(s storage.Store, _ int) error {
	ctx := context.Background()
	r := record("alice", storage.Keypoints, storage.Unprocessed)
	r.Labels = []string{"step:created"}
	r, err := s.Create(ctx, r)
	if err != nil {
		return err
	}
	if err := tell(r.ID, stepCreated); err != nil {
		return err
	}
	r.Status, r.Attempts = storage.Processing, 1
	if r, err = s.Update(ctx, r, storage.Unprocessed); err != nil {
		return err
	}
	if err := tell(r.ID, stepStarted); err != nil {
		return err
	}
	r.Status, r.Result, r.Labels = storage.Success, crashResult(r.ID), []string{"step:finished"}
	if _, err = s.Update(ctx, r, storage.Processing); err != nil {
		return err
	}
	if err := tell(r.ID, stepFinished); err != nil {
		return err
	}
	if r.ID%3 != 0 {
		return nil
	}
	if err := s.Delete(ctx, r.Key); err != nil {
		return err
	}
	return tell(r.ID, stepDeleted)
}

// crash: what killed processes had written exists. Two processes write at a time unless the driver is exclusive.
func crash(t *testing.T, d StoreDriver) {
	place := d.Place(t)
	told := map[int64]int{} // the last step, by ID
	for round := range 3 {
		steps := make([]map[int64]int, 2)
		if d.Exclusive {
			steps = steps[:1]
		}
		var wg sync.WaitGroup
		for i := range steps {
			wg.Go(func() { steps[i] = killedAfter(t, place, 150+round*37) })
		}
		wg.Wait()
		for _, s := range steps {
			maps.Copy(told, s)
		}
		if t.Failed() {
			return
		}
		afterCrash(t, d, place, told)
	}
}

// afterCrash compares the store with the reports of the dead process. The step after the last reported one may be done or not.
func afterCrash(t *testing.T, d StoreDriver, place string, told map[int64]int) {
	s, err := d.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, s)
	for id, step := range told {
		r, err := s.Get(t.Context(), storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: id})
		var is int
		switch {
		case errors.Is(err, storage.ErrNotFound) && id%3 == 0 && step >= stepFinished:
			is = stepDeleted
		case err != nil:
			t.Errorf("record %d, written up to step %d: %v", id, step, err)
			continue
		case r.Status == storage.Processing:
			is = stepStarted
		case r.Status == storage.Success:
			is = stepFinished
			if !bytes.Equal(r.Result, crashResult(id)) {
				t.Errorf("record %d has a wrong result of %d bytes", id, len(r.Result))
			}
		}
		if is != step && is != step+1 {
			t.Errorf("record %d was written up to step %d and is at step %d", id, step, is)
		}
	}
	open := 0
	list := all(t, s, "alice", storage.Keypoints)
	for _, r := range list {
		if !r.Status.Final() {
			open++
		}
		if _, ok := told[r.ID]; !ok {
			told[r.ID] = stepCreated // written, but killed before the report
		}
	}
	for label, want := range map[string]int{"step:created": open, "step:finished": len(list) - open} {
		_, got, err := s.List(t.Context(), "alice", storage.Keypoints, storage.Filter{Labels: []string{label}, Limit: 1})
		if err != nil || got != want {
			t.Errorf("%d records with the label %s (%v), want %d", got, label, err, want)
		}
	}
	err = s.Unfinished(t.Context(), func(storage.Record) error { open--; return nil })
	if err != nil || open != 0 {
		t.Errorf("%d more unfinished records in the list than in Unfinished (%v)", open, err)
	}
	next := create(t, s, record("alice", storage.Keypoints, ""))
	for id := range told {
		if id >= next.ID {
			t.Errorf("the id %d was given after %d", next.ID, id)
		}
	}
	if err := s.Delete(t.Context(), next.Key); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Error("nothing was written")
	}
}
