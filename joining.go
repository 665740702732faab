package motion

import (
	"context"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/document"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// checkJoined checks a request with KeypointIDs; fixed: it says something that is theirs.
func (req ExtractRequest) checkJoined(fixed bool) error {
	c := req.Calibration
	switch {
	case fixed || req.KeypointID != 0 || req.Clean != nil || req.CaptureRate != 0:
		return badRequest("keypointIds", "excludes all but scale: who is followed and how keypoints are cleaned is that of the records")
	case len(req.KeypointIDs) < 2 || len(req.KeypointIDs) > 4:
		return badRequest("keypointIds", "are %d records, want two to four", len(req.KeypointIDs))
	case c.Floor != nil:
		return badRequest("floor", "is found in space: leave it out")
	case c.Origin != nil:
		return badRequest("origin", "is found in space: leave it out")
	case c.Scale != nil && c.Scale.BodyHeight == 0:
		return badRequest("scale", "is not a bodyHeight, which alone makes metres in space")
	}
	for i, id := range req.KeypointIDs {
		if slices.Contains(req.KeypointIDs[:i], id) {
			return badRequest("keypointIds", "has %d twice, want records of different cameras", id)
		}
	}
	return req.checkCalibration()
}

// joining returns a request with KeypointIDs with what is the first one's.
func (s *Service) joining(ctx context.Context, owner string, req ExtractRequest) (_ ExtractRequest, told *catalog.About, err error) {
	for i, id := range req.KeypointIDs {
		e, err := s.reference(ctx, owner, "keypointIds", id)
		switch {
		case err != nil:
			return req, nil, err
		case e.still():
			return req, nil, fmt.Errorf("%w: the keypoint record %d is of an image: join those of movies", ErrConflict, id)
		case e.KeypointIDs != nil:
			return req, nil, joinedConflict(e, "join those")
		}
		if i == 0 {
			told, req.Keypoints, req.Mirrored = e.work.About, e.Keypoints, e.Mirrored
			req.MovieID, req.Rate, req.Clean, req.Feet, req.Depth, req.CaptureRate = e.MovieID, e.Rate, e.Clean, e.Feet, e.Depth, e.CaptureRate
		}
	}
	return req, told, nil
}

// joinedConflict is the error of what only the records can do that a record is joined from.
func joinedConflict(e Extraction, do string) error {
	return fmt.Errorf("%w: the keypoint record %d is joined from %v: %s", ErrConflict, e.ID, e.KeypointIDs, do)
}

// workJoin does the work on a keypoint record with KeypointIDs.
func (s *Service) workJoin(ctx context.Context, owner string, d extractionForm) (worker.Output, error) {
	var records []Extraction
	var views []keypoint.Sequence
	for _, id := range d.Request.KeypointIDs {
		e, seq, err := s.keypoints(ctx, owner, id, 0)
		if err != nil {
			return worker.Output{}, err
		}
		seq.World = keypoint.World{}
		records, views = append(records, e), append(views, seq)
	}
	var opt space.Options
	if scale := d.Request.Calibration.Scale; scale != nil {
		opt.BodyHeight = scale.BodyHeight
	}
	seq, err := space.Join(views, opt)
	if d.Request.pixels(d.About, err) {
		seq, err = space.Join(views, space.Options{})
	}
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	documents, err := ask(records[0], func(first document.Documents) (document.Documents, error) {
		made, judged, err := first.Joined(seq)
		d.Outcome.Verdict, d.Outcome.Summary = judged.Quality.Verdict, &judged.Summary
		return made, err
	})
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	d.Outcome.Cleaned, d.Outcome.Space, d.Corrected = records[0].Cleaned, seq.Space, correctionsOf(records...)
	return output(d, documents)
}
