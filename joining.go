package motion

import (
	"context"
	"fmt"
)

// resolveJoined takes over how the keypoints of the first record were found.
func (s *Service) resolveJoined(ctx context.Context, owner string, d *extractionForm) error {
	q := &d.Request
	for i, id := range q.KeypointIDs {
		e, err := s.reference(ctx, owner, "keypointIds", id)
		switch {
		case err != nil:
			return err
		case e.still():
			return fmt.Errorf("%w: the keypoint record %d is of an image: join those of movies", ErrConflict, id)
		case e.KeypointIDs != nil:
			return joinedConflict(e, "join those")
		}
		if i == 0 {
			scale := q.Calibration
			q.FindOptions, d.About = e.looked(), e.work.About
			q.Everybody, q.Calibration, q.MovieID, q.Given = false, scale, e.MovieID, e.Given
		}
	}
	return nil
}

// joinedConflict is the error of what only the records can do that a record is joined from.
func joinedConflict(e Extraction, do string) error {
	return fmt.Errorf("%w: the keypoint record %d is joined from %v: %s", ErrConflict, e.ID, e.KeypointIDs, do)
}
