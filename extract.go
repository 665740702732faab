package motion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// ExtractKeypoints creates a keypoint record and queues its job. The media must have been uploaded, and Again and Joined name no record
// that is Joined itself: ErrConflict otherwise. Options that are out of range are a *RequestError.
func (s *Service) ExtractKeypoints(ctx context.Context, owner string, req ExtractRequest) (Extraction, error) {
	err := cmp.Or(req.Source.check(req.FindOptions, s.cfg.Limits.Frames), req.FindOptions.check(req.Source.origin().still()), req.About.check())
	if err != nil {
		return Extraction{}, err
	}
	d := extractionForm{Request: storedExtraction{req.Source.origin(), req.cleaned(s.cfg.Clean)}}
	if err := s.resolve(ctx, owner, req.Source, &d); err != nil {
		return Extraction{}, err
	}
	if err := s.tell(ctx, owner, req.About, &d); err != nil {
		return Extraction{}, err
	}
	q := d.Request
	d.From = slices.Concat(madeFrom(storage.Movies, q.MovieID), madeFrom(storage.Images, q.ImageID),
		madeFrom(storage.Keypoints, q.KeypointID), madeFrom(storage.Keypoints, q.KeypointIDs...))
	if d.Slow = req.Source.kind == fromMovie; req.Source.kind == fromGiven {
		return s.given(ctx, owner, req, d)
	}
	return create(ctx, s, owner, storage.Keypoints, req.Key, d, extractionOf)
}

// resolve adds to what is stored of a request what the records say that its source names, which must be fit for it: of Again and
// Joined, how their keypoints were found.
func (s *Service) resolve(ctx context.Context, owner string, from Source, d *extractionForm) error {
	switch from.kind {
	case fromJoined:
		return s.resolveJoined(ctx, owner, d)
	case fromAgain:
		return s.resolveAgain(ctx, owner, d)
	}
	if !d.Request.pictured() {
		return nil
	}
	m, err := s.uploaded(ctx, owner, d.Request.Origin)
	if err == nil && from.kind == fromGiven {
		err = m.fits(from.given)
	}
	d.About = About{Recording: m.Recording}.stored(&catalog.About{Filmed: m.Recorded})
	return err
}

// resolveAgain takes over how the keypoints of the other record were found.
func (s *Service) resolveAgain(ctx context.Context, owner string, d *extractionForm) error {
	q, asked := &d.Request, d.Request.FindOptions
	e, err := s.reference(ctx, owner, "keypointId", q.KeypointID)
	if err == nil && e.KeypointIDs != nil {
		err = joinedConflict(e, "clean those again, and join what comes of it")
	} else if err == nil && e.Space.Seen() && asked.Calibration != none.Calibration {
		err = errPlaced
	}
	if err != nil {
		return err
	}
	q.FindOptions, d.About = e.looked(), e.work.About
	q.Clean, q.Uncleaned, q.CaptureRate, q.Calibration = asked.Clean, asked.Uncleaned, asked.CaptureRate, asked.Calibration
	q.MovieID, q.ImageID, q.Given = e.MovieID, e.ImageID, e.Given
	if q.still() {
		return q.checkStill()
	}
	return nil
}

// uploaded returns the media of an extraction, which must have been uploaded.
func (s *Service) uploaded(ctx context.Context, owner string, o Origin) (Media, error) {
	field, key := "movieId", o.media(owner)
	if o.ImageID != 0 {
		field = "imageId"
	}
	m, err := typedOf(mediaOf)(s.cfg.Store.Head(ctx, key))
	switch {
	case err != nil:
		return m, referenceError(field, key, err)
	case !m.Uploaded:
		return m, notUploaded(key)
	}
	return m, nil
}

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

// given makes a keypoint record of the given keypoints of a request, which was checked: their work is done at once.
func (s *Service) given(ctx context.Context, owner string, req ExtractRequest, d extractionForm) (e Extraction, err error) {
	q := &d.Request
	seq := req.Source.given.Clone()
	switch {
	case q.ImageID != 0:
		seq.Times = nil
	case q.MovieID != 0 && seq.Times == nil:
		seq.Times = []float64{0}
	}
	if q.Given.Recording, seq.Unseen = nil, true; seq.Times != nil {
		q.Given.Recording = new([0]float64)
	}
	if q.Mirrored {
		seq = seq.Unmirrored()
	}
	for i := range seq.Frames {
		if f := &seq.Frames[i]; !q.Feet {
			*f = f.Only(keypoint.Body)
		}
	}
	documents, made, err := extraction.Make(inference.People{Chosen: inference.Person{Sequence: seq}}, processing(d), nil)
	if errors.Is(err, ErrInvalid) {
		field := "keypoints"
		if q.Calibration != none.Calibration {
			field = "scale"
		}
		return e, inField(field, err)
	}
	if err != nil {
		return e, err
	}
	conclude(&d, made)
	d.Key = req.Key.Name
	out, err := output(d, documents)
	if err != nil {
		return e, err
	}
	r := storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Keypoints}, Status: storage.Success, Data: out.Data, Result: out.Result}
	return typedOf(extractionOf)(s.keep(ctx, r, req.Key))
}

// fits checks that given keypoints can be those of a movie or image.
func (m Media) fits(seq keypoint.Sequence) error {
	kind := catalog.Of(m.Kind).Singular
	switch {
	case m.Size != (image.Point{}) && seq.Size != m.Size:
		return badRequest("size", "is %v, and that of the %s is %v", seq.Size, kind, m.Size)
	case m.Kind == storage.Movies && m.Frames != 0 && seq.Len() != m.Frames:
		return badRequest("keypoints", "have %d frames, and the movie has %d: want one for each", seq.Len(), m.Frames)
	}
	return nil
}
