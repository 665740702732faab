package motion

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/storage"
)

// Drawing is a picture or movie with a skeleton or the differences drawn onto it.
type Drawing struct {
	State
	KeypointID, ComparisonID int64           // one of them; the other is 0
	Rule                     json.RawMessage // as submitted, bare part names expanded; nil for the default drawing
	Background               json.RawMessage // as submitted; nil when not given

	// AnalysisID is the analysis whose values labels write, 0 for none.
	AnalysisID int64

	// File is the name of the drawn file, "7.jpg" for an image or "7.mp4" for a
	// movie; "" before SUCCESS.
	File string
}

func drawingOf(r storage.Record) (Drawing, error) {
	var d catalog.Drawing
	err := catalog.Decode(r, &d)
	return Drawing{
		State: stateOf(r), KeypointID: d.Keypoint, ComparisonID: d.Comparison,
		Rule: d.Rule, Background: d.Background, AnalysisID: d.AnalysisID, File: d.File(r.ID),
	}, err
}

// DrawRequest asks for a drawing.
type DrawRequest struct {
	KeypointID   int64           // exactly one of the two
	ComparisonID int64           //
	Rule         json.RawMessage // in the form draw.ParseRules reads; nil for the default drawing
	Background   json.RawMessage // in the form draw.ParseBackground reads; nil for none

	// AnalysisID is an analysis of the same keypoints (in a comparison, of the source's),
	// whose values the rules with "analysis" write: its first rule has the number 0. It
	// is required with such rules, and may be unfinished. 0 means none.
	AnalysisID int64
}

// Draw makes a drawing record and queues the work, which begins when the records that it is
// made from are finished, and fails where one of them has failed. The rules are checked
// here: a *RequestError that wraps draw.Errors says what is wrong with them.
func (s *Service) Draw(ctx context.Context, owner string, req DrawRequest) (Drawing, error) {
	if (req.KeypointID == 0) == (req.ComparisonID == 0) {
		return Drawing{}, badRequest("keypointId", "exactly one of keypointId and comparisonId is required")
	}
	d := catalog.Drawing{Keypoint: req.KeypointID, Comparison: req.ComparisonID, Background: req.Background, AnalysisID: req.AnalysisID}
	var rules []draw.Rule
	if req.Rule != nil {
		var err error
		if rules, err = draw.ParseRules(req.Rule); err == nil {
			err = draw.Check(rules, req.ComparisonID != 0)
		}
		if err == nil {
			d.Rule, err = rulejson.Expand(req.Rule)
		}
		if err != nil {
			return Drawing{}, &RequestError{"rule", err}
		}
	}
	if req.Background != nil {
		if _, err := draw.ParseBackground(req.Background); err != nil {
			return Drawing{}, &RequestError{"backgroundRule", err}
		}
	}
	keypointID := req.KeypointID
	var err error
	if req.KeypointID != 0 {
		var e Extraction
		e, err = s.reference(ctx, owner, "keypointId", req.KeypointID)
		d.Still = e.ImageID != 0
	} else {
		var c Comparison
		c, err = s.Comparison(ctx, owner, req.ComparisonID)
		err = referenceError("comparisonId", storage.Key{Kind: storage.Comparisons, ID: req.ComparisonID}, err)
		keypointID = c.SourceID
	}
	if err != nil {
		return Drawing{}, err
	}
	if d.Analysis, err = s.labelled(ctx, owner, req.AnalysisID, keypointID, rules); err != nil {
		return Drawing{}, err
	}
	r, err := s.create(ctx, owner, storage.Drawings, storage.Unprocessed, d)
	if err != nil {
		return Drawing{}, err
	}
	return drawingOf(r)
}

// Drawing returns a drawing record.
func (s *Service) Drawing(ctx context.Context, owner string, id int64) (Drawing, error) {
	return find(ctx, s, storage.Key{Owner: owner, Kind: storage.Drawings, ID: id}, drawingOf)
}

// Drawings lists the owner's drawings, newest first, and says how many match.
func (s *Service) Drawings(ctx context.Context, owner string, page Page) ([]Drawing, int, error) {
	return list(ctx, s, owner, storage.Drawings, page, drawingOf)
}

// OpenDrawing opens the drawn file, JPEG or MP4 as Drawing.File says, or returns
// ErrNotReady. The caller closes it.
func (s *Service) OpenDrawing(ctx context.Context, owner string, id int64) (storage.Blob, error) {
	d, err := s.Drawing(ctx, owner, id)
	if err != nil {
		return nil, err
	}
	if d.File == "" {
		return nil, ErrNotReady
	}
	return s.cfg.Blobs.Open(ctx, catalog.FileName(storage.Drawings, d.ID, filepath.Ext(d.File)))
}
