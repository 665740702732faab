package upkeep

import (
	"context"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// Requeue pushes the jobs that the queue lacks: of a record whose creation has failed half-way, and those that have ended in
// errors too often. Pushing one that runs does no harm. Records that were changed later than age ago are left alone.
func (k *Keeper) Requeue(ctx context.Context, age time.Duration) error {
	before := time.Now().Add(-age)
	return k.Store.Unfinished(ctx, func(r storage.Record) error {
		if age > 0 && r.UpdatedAt.After(before) {
			return nil
		}
		held, err := k.Queue.Holds(ctx, r.Key)
		if err != nil || held {
			return err
		}
		k.Logger.Warn("job missing; it is queued again", "kind", r.Kind, "id", r.ID, "owner", r.Owner)
		return k.Queue.Push(ctx, storage.Job{Key: r.Key, Slow: catalog.Slow(r)})
	})
}
