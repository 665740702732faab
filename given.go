package motion

import (
	"context"
	"errors"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

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
