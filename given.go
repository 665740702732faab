package motion

import (
	"context"
	"errors"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/document"
	"github.com/bodymotion/motion/internal/process"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// still reports whether the keypoints are those of a picture rather than of a recording.
func (req ExtractRequest) still() bool {
	return req.ImageID != 0 || req.Keypoints != nil && req.Keypoints.Times == nil
}

// pictured reports whether there is a movie or an image to draw on.
func (req ExtractRequest) pictured() bool {
	return req.MovieID != 0 || req.ImageID != 0 || req.Keypoints == nil
}

// checkGiven checks a request with Keypoints; found: it says how they are found.
func (req ExtractRequest) checkGiven(found bool, limit int) error {
	seq := *req.Keypoints
	n := seq.Len()
	if found || req.KeypointID != 0 || req.KeypointIDs != nil {
		return badRequest("keypoints", "exclude keypointId, keypointIds, rate, choose, everybody, depth and candidates")
	}
	if err := seq.Validate(); err != nil {
		return inField("keypoints", err)
	}
	switch {
	case n == 0:
		return badRequest("keypoints", "have no frame")
	case limit > 0 && n >= limit:
		return badRequest("keypoints", "have %d frames, want fewer than %d", n, limit)
	case seq.Size.X == 0 || seq.Size.Y == 0:
		return badRequest("size", "is missing: want width and height of the picture in pixels, [1280, 720]")
	case req.ImageID != 0 && n > 1:
		return badRequest("imageId", "is one picture, and there are keypoints of %d frames", n)
	case n > 1 && seq.Times == nil:
		return badRequest("frameRate", "is missing: there are %d frames, want frames per second, or timestamps", n)
	}
	bad, ok := errors.AsType[*formats.Error](formats.Check(seq))
	switch {
	case !ok:
		return nil
	case bad.Member == "":
		return badRequest("keypoints", "%s", bad.Detail)
	}
	return badRequest(map[string]string{"Size": "size", "Times": "timestamps"}[bad.Member], "%s", bad.Detail)
}

// given makes a keypoint record of the Keypoints of a request, which was checked: their work is done at once.
func (s *Service) given(ctx context.Context, owner string, req ExtractRequest, about *catalog.About) (e Extraction, err error) {
	seq := req.Keypoints.Clone()
	switch {
	case req.ImageID != 0:
		seq.Times = nil
	case req.MovieID != 0 && seq.Times == nil:
		seq.Times = []float64{0}
	}
	seq.Unseen = true
	if req.Mirrored {
		seq = seq.Unmirrored()
	}
	for i := range seq.Frames {
		if f := &seq.Frames[i]; !req.Feet {
			*f = f.Only(keypoint.Body)
		}
	}
	head := keypoint.Sequence{Size: seq.Size}
	if req.Keypoints = &head; seq.Times != nil {
		head.Times = []float64{}
	}
	opt := process.Options{CaptureRate: req.CaptureRate, Calibration: req.Calibration}
	if req.Clean != nil {
		opt.Clean = *req.Clean
	}
	people := inference.People{Chosen: inference.Person{Sequence: seq}}
	documents, made, err := document.Make(people, opt, nil)
	if req.pixels(about, err) {
		opt.Calibration.Scale = nil
		documents, made, err = document.Make(people, opt, nil)
	}
	if errors.Is(err, ErrInvalid) {
		field := "keypoints"
		if req.Calibration != (keypoint.Calibration{}) {
			field = "scale"
		}
		return e, inField(field, err)
	}
	if err != nil {
		return e, err
	}
	form := extractionForm{
		Work:    catalog.Work{From: append(madeFrom(storage.Movies, req.MovieID), madeFrom(storage.Images, req.ImageID)...), About: about},
		Request: req, Outcome: Extracted{World: made.Sequence.World, Cleaned: made.Cleaning.Counts(), Verdict: made.Quality.Verdict, Summary: &made.Summary},
	}
	out, err := output(form, documents)
	if err != nil {
		return e, err
	}
	r := storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Keypoints}, Status: storage.Success, Data: out.Data, Result: out.Result}
	return typedOf(extractionOf)(s.keep(ctx, r))
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
