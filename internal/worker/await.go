package worker

import (
	"context"
	"time"

	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/storage"
)

// awaitTime is how long a record waits before Await asks whether somebody works.
const awaitTime = 5 * time.Second

// Await is told of a new record whose job only this process can work on. If Run was not called
// and the record still waits awaitTime later, a forgotten Run is logged, once.
func (w *Worker) Await(key storage.Key) {
	if w.runs.Load() > 0 || !w.awaited.CompareAndSwap(false, true) {
		return
	}
	time.AfterFunc(awaitTime, func() {
		ctx, cancel := context.WithTimeout(context.Background(), awaitTime)
		defer cancel()
		var r storage.Record
		err := panics.Call(func() (err error) { r, err = w.Store.Head(ctx, key); return err })
		if w.runs.Load() > 0 || err != nil || r.Status != storage.Unprocessed {
			w.awaited.Store(false)
			return
		}
		w.Logger.Warn("a record waits, but nothing works on it: call Run of the motion.Service, in a goroutine of its own",
			"kind", key.Kind, "id", key.ID, "owner", key.Owner, "waiting", awaitTime)
	})
}
