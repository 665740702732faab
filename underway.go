package motion

// What is known of an extraction that is still under way.

import (
	"context"
	"errors"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// GetFound returns the keypoints found so far, from a frame on, of a record that is PROCESSING: those that Raw returns in the end,
// with the times of the movie and without PersonChanges and Looks. A job that is tried again starts from its first frame. ok is
// false if this process does not work on the record, all people are followed, or FindOptions.Choose still watches.
func (s *Service) GetFound(owner string, id int64, from int) (seq keypoint.Sequence, ok bool) {
	return s.running.From(storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}, from)
}

// Preliminary is what the keypoints tell that have been found so far. It changes with the frames that come.
type Preliminary struct {
	Frames  int
	Quality quality.Report
	Study   study.Study
}

// GetPreliminary returns what the frames of GetFound tell. It is ErrNotReady where GetFound has none, in the first half of a second, before anybody
// is there, and with a Rate or a calibration that these frames do not show.
func (s *Service) GetPreliminary(owner string, e Extraction) (p Preliminary, err error) {
	seq, ok := s.GetFound(owner, e.ID, 0)
	if !ok || e.Status != storage.Processing || e.Rate != 0 || seq.Duration() < 0.5 {
		return p, ErrNotReady
	}
	r, err := extraction.Run(seq, e.processing())
	if err == nil {
		p = Preliminary{Frames: seq.Len(), Quality: r.Quality}
		p.Study, err = study.Run(r.Sequence, r.Quality)
	}
	if errors.Is(err, ErrInvalid) || err == nil && p.Study.Verdict == quality.Nobody {
		return Preliminary{}, ErrNotReady
	}
	return p, err
}

// CountAhead returns how many records of any owner that take long are worked on, or are likely to be, before the work on one
// begins. ok is false unless that waits, and where the Queue does not count (storage.Counter).
func (s *Service) CountAhead(ctx context.Context, owner string, e Extraction) (n int, ok bool, err error) {
	q, counts := storage.As[storage.Counter](s.cfg.Queue)
	if !counts || e.Status != storage.Unprocessed {
		return 0, false, nil
	}
	return q.Ahead(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID})
}
