package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
)

// crowd is several clients that do at random what clients do, with records that they share.
type crowd struct {
	recordings []recording
	done       atomic.Int64 // operations

	mu     sync.Mutex
	shared map[string][]record // by kind, those of which a client was told
}

func (w *crowd) add(r record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shared == nil {
		w.shared = map[string][]record{}
	}
	w.shared[r.kind] = append(w.shared[r.kind], r)
}

// take returns one of the records of the kinds, and takes it from the others if it is to be deleted.
func (w *crowd) take(random *rand.Rand, away bool, kinds ...string) (record, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	kind := kinds[random.IntN(len(kinds))]
	list := w.shared[kind]
	if len(list) == 0 {
		return record{}, false
	}
	i := random.IntN(len(list))
	r := list[i]
	if away {
		w.shared[kind] = slices.Delete(list, i, i+1)
	}
	return r, true
}

// step does one thing.
func (w *crowd) step(ctx context.Context, c *client, random *rand.Rand) (err error) {
	defer w.done.Add(1)
	var made record
	one := func(kinds ...string) (record, bool) { return w.take(random, false, kinds...) }
	switch n := random.IntN(20); n {
	case 0, 1, 2:
		recording := w.recordings[random.IntN(len(w.recordings))]
		var of []record
		if who, ok := one("subjects"); ok && n > 0 {
			of = []record{who}
		}
		var link string
		if made, link, err = c.register(ctx, recording, of...); err == nil {
			err = c.put(ctx, made, link, recording)
		}
	case 3, 4, 5:
		if media, ok := one("images", "movies", "images"); ok {
			made, err = c.extract(ctx, media)
		}
	case 6, 7:
		if keypoints, ok := one("keypoints"); ok {
			made, err = c.derive(ctx, "analyses", keypoints)
		}
	case 8, 9:
		if from, ok := one("keypoints", "comparisons"); ok {
			made, err = c.derive(ctx, "drawings", from)
		}
	case 10, 11:
		a, ok := one("keypoints")
		if b, also := one("keypoints"); ok && also && a != b {
			made, err = c.compare(ctx, a, b)
		}
	case 12:
		if media, ok := one("images", "movies"); ok {
			err = c.rename(ctx, media)
		}
	case 13:
		if keypoints, ok := one("keypoints"); ok {
			if err = c.wait(ctx, keypoints); err == nil {
				err = c.correct(ctx, keypoints, []string{"leftWrist", "nose", "rightKnee"}[random.IntN(3)], float64(random.IntN(64_000))/1000)
			}
		}
	case 14:
		if r, ok := w.take(random, true, "subjects", "images", "movies", "keypoints", "keypoints", "comparisons", "drawings", "analyses"); ok {
			err = c.delete(ctx, r)
		}
	case 15, 16:
		if r, ok := one("keypoints", "comparisons", "drawings", "analyses"); ok {
			err = c.wait(ctx, r)
		}
	case 17:
		made, err = c.subject(ctx)
	case 18:
		recording, ok := one("images", "movies", "keypoints")
		if who, also := one("subjects"); ok && also {
			err = c.give(ctx, recording, who)
		}
	default:
		if r, ok := one("subjects", "images", "movies", "keypoints", "comparisons", "drawings", "analyses"); ok {
			_, err = c.get(ctx, r)
		}
	}
	if err == nil && made.id != 0 {
		w.add(made)
	}
	var refused errRefused
	if errors.As(err, &refused) {
		return nil // the model judges it
	}
	return err
}

// everything makes each thing once that a crowd makes, to know what it becomes without trouble.
func everything(ctx context.Context, c *client, recordings []recording) error {
	var keypoints, made []record
	if _, err := c.subject(ctx); err != nil {
		return err
	}
	for _, r := range recordings {
		media, link, err := c.register(ctx, r)
		if err == nil {
			err = c.put(ctx, media, link, r)
		}
		var k record
		if err == nil {
			k, err = c.extract(ctx, media)
		}
		if err != nil {
			return err
		}
		keypoints = append(keypoints, k)
	}
	if err := c.wait(ctx, keypoints...); err != nil {
		return err
	}
	add := func(r record, err error) error { made = append(made, r); return err }
	var errs []error
	for _, a := range keypoints {
		errs = append(errs, add(c.derive(ctx, "analyses", a)), add(c.derive(ctx, "drawings", a)))
		for _, b := range keypoints {
			compared, err := c.compare(ctx, a, b)
			errs = append(errs, add(compared, err), add(c.derive(ctx, "drawings", compared)))
		}
	}
	return errors.Join(append(errs, c.wait(ctx, made...))...)
}
