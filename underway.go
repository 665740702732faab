package motion

// What is known of an extraction that is still under way.

import (
	"context"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/process"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// Found returns the keypoints found so far, from a frame on, of a record that is PROCESSING: those that Raw
// returns in the end, with the times of the movie and without PersonChanges and Looks. A job that is tried
// again starts from its first frame. ok is false if this process does not work on the record, all people
// are followed, or ExtractRequest.Choose still watches.
func (s *Service) Found(owner string, id int64, from int) (seq keypoint.Sequence, ok bool) {
	return s.running.From(storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}, from)
}

// Preliminary returns what the frames of Found tell, which are n: how good they are, and what they show. Both change with
// the frames that come. ok is false where that of Found is, in the first half of a second, before anybody is there, and
// with a Rate or a calibration that these frames do not show.
func (s *Service) Preliminary(owner string, e Extraction) (judged quality.Report, shown study.Study, n int, ok bool) {
	seq, ok := s.Found(owner, e.ID, 0)
	if !ok || e.Status != storage.Processing || e.Rate != 0 || seq.Duration() < 0.5 {
		return judged, shown, 0, false
	}
	r, err := process.Run(seq, e.processing())
	if err == nil {
		shown, err = study.Run(r.Sequence, r.Quality)
	}
	return r.Quality, shown, seq.Len(), err == nil && shown.Verdict != quality.Nobody
}

// Ahead returns how many records of any owner that take long are worked on, or are likely to be, before the work on one
// begins. ok is false unless that waits, and where the Queue does not count (storage.Counter).
func (s *Service) Ahead(ctx context.Context, owner string, e Extraction) (n int, ok bool, err error) {
	q, counts := storage.As[storage.Counter](s.cfg.Queue)
	if !counts || e.Status != storage.Unprocessed {
		return 0, false, nil
	}
	return q.Ahead(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID})
}
