package worker

import (
	"context"
	"errors"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// The time between two updates of a record's stored progress: at first, and when it has doubled often enough.
const (
	progressSoon  = 200 * time.Millisecond
	progressEvery = time.Second
)

// meter reports the progress of a job: to Config.Progress after each step, and from time to
// time in the record, where all processes can read it.
type meter struct {
	*Worker
	record storage.Record // as it is worked on
	stored time.Time      // when progress was stored last; at first, when the work began
	every  time.Duration  // until it is stored again
}

func (m *meter) tell(ctx context.Context, done, total int) {
	if ctx.Err() != nil {
		return // the work is interrupted, or abandoned
	}
	if m.Progress != nil {
		m.Progress(m.record.Key, done, total)
	}
	if done >= total || time.Since(m.stored) < m.every { // the result follows the last step
		return
	}
	r, err := catalog.WithProgress(m.record, float64(done)/float64(total))
	if err == nil {
		if r, err = m.Store.Update(ctx, r, storage.Processing); err == nil {
			m.record.UpdatedAt = r.UpdatedAt
		}
	}
	if errors.Is(err, storage.ErrConflict) { // its owner has changed what is known of it
		if now, e := m.Store.Get(ctx, m.record.Key); e == nil && now.Status == storage.Processing && now.Attempts == m.record.Attempts {
			m.record = now
		}
	}
	// Progress is only shown: the work goes on without.
	if err != nil && ctx.Err() == nil && !errors.Is(err, storage.ErrNotFound) && !errors.Is(err, storage.ErrConflict) {
		m.Logger.Warn("progress not stored", "kind", m.record.Kind, "id", m.record.ID, "owner", m.record.Owner, "error", err)
	}
	m.stored, m.every = time.Now(), min(2*m.every, progressEvery)
}
