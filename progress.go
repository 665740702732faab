package motion

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/bodymotion/motion/storage"
)

// Progress is how far the work on a record is.
type Progress struct {
	Record storage.Key
	Done   int // frames done
	Total  int // frames in all; 0 where unknown
}

// progressEvery is how long a job works before its progress is stored, and again.
const progressEvery = time.Second

// Progress returns the part of the work that is done, 0 to 1: 0 before it has begun, 1 after
// SUCCESS. While the record is PROCESSING it is the part of the frames that were done up to
// about a second ago, whichever process works on it; ok is false where that is not known,
// such as in the first second and of a movie that does not tell its length, and after
// FAILURE. It may begin anew where a job is tried again.
func (s State) Progress() (part float64, ok bool) {
	switch s.Status {
	case storage.Unprocessed:
		return 0, true
	case storage.Processing:
		return s.progress, s.progress > 0
	case storage.Success:
		return 1, true
	}
	return 0, false
}

// progressMember is the member of a record's data that holds the progress.
const progressMember = "progress"

// progressIn returns the progress in the data of a record, 0 where there is none.
func progressIn(data []byte) float64 {
	var d struct {
		Progress float64 `json:"progress"`
	}
	if json.Unmarshal(data, &d) != nil || d.Progress < 0 || d.Progress > 1 {
		return 0
	}
	return d.Progress
}

// withProgress returns the data with another progress, 0 for none.
func withProgress(data []byte, part float64) ([]byte, error) {
	var d map[string]json.RawMessage
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, err
	}
	delete(d, progressMember)
	if part > 0 {
		b, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		d[progressMember] = b
	}
	return json.Marshal(d)
}

// meter tells how far a job is: Config.Progress of each frame, the record from time to time,
// so that every process can read it. One goroutine at a time may use it.
type meter struct {
	s      *Service
	record storage.Record // as it is worked on
	stored time.Time      // when the progress was stored last; at first, when the work began
}

func (s *Service) newMeter(r storage.Record) *meter { return &meter{s, r, time.Now()} }

// tell is called after each frame.
func (m *meter) tell(ctx context.Context, done, total int) {
	if m.s.cfg.Progress != nil {
		m.s.cfg.Progress(Progress{Record: m.record.Key, Done: done, Total: total})
	}
	if done >= total || time.Since(m.stored) < progressEvery { // at the end the result says more
		return
	}
	r := m.record
	var err error
	if r.Data, err = withProgress(r.Data, float64(done)/float64(total)); err == nil {
		if r, err = m.s.cfg.Store.Update(ctx, r, storage.Processing); err == nil {
			m.record.UpdatedAt = r.UpdatedAt
		}
	}
	// Nothing is lost but what would be shown: the work goes on.
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrConflict) {
		m.s.cfg.Logger.Warn("progress not stored", "kind", m.record.Kind, "id", m.record.ID, "owner", m.record.Owner, "error", err)
	}
	m.stored = time.Now()
}
