package motion

import (
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// State is what extractions, comparisons, analyses and drawings have in common.
type State struct {
	ID                   int64
	Status               storage.Status
	Failure              string // the reason, when Status is storage.Failure
	CreatedAt, UpdatedAt time.Time

	work catalog.Work
}

func stateOf(r storage.Record, w catalog.Work) State {
	return State{r.ID, r.Status, r.Failure, r.CreatedAt, r.UpdatedAt, w}
}

// Progress returns the part of the work that is done: 0 before it has begun, 1 after SUCCESS, and while the record is PROCESSING
// the part of the frames that were done up to about a second ago, in whichever process. ok is false if it is unknown: in the first
// 0.2 s, for a movie of unknown length, and after FAILURE. A job that is tried again starts at 0.
func (s State) Progress() (part float64, ok bool) {
	switch s.Status {
	case storage.Unprocessed:
		return 0, true
	case storage.Processing:
		return s.work.Progress, s.work.Progress > 0
	case storage.Success:
		return 1, true
	}
	return 0, false
}
