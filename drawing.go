package motion

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// Drawing is a picture or movie with a skeleton or the differences drawn onto it.
type Drawing struct {
	State
	KeypointID, ComparisonID int64            // one of them; the other is 0
	Rules                    []draw.Rule      // nil for the default drawing
	Background               *draw.Background // nil if not given

	Person int // track in the keypoint record; 0 for the chosen one, and in drawings of a comparison

	// AnalysisID is the analysis whose values labels write, 0 for none.
	AnalysisID int64

	Outdated bool // keypoints were corrected since; false in drawings from a list

	// File is the name of the drawn file, "7.jpg" for an image or "7.mp4" for a movie; ""
	// before SUCCESS.
	File string
}

func drawingOf(r storage.Record) (Drawing, error) {
	var data catalog.Drawing
	if err := catalog.Decode(r, &data); err != nil {
		return Drawing{}, err
	}
	d := Drawing{
		State: stateOf(r), KeypointID: data.Keypoint, ComparisonID: data.Comparison, Person: data.Person, AnalysisID: data.AnalysisID, File: data.File(r.ID),
	}
	var err error
	if data.Rule != nil {
		if d.Rules, err = draw.ParseRules(data.Rule); err != nil {
			return d, fmt.Errorf("stored rule: %w", err)
		}
	}
	if data.Background != nil {
		b, err := draw.ParseBackground(data.Background)
		if err != nil {
			return d, fmt.Errorf("stored background rule: %w", err)
		}
		d.Background = &b
	}
	return d, nil
}

// DrawRequest asks for a drawing.
type DrawRequest struct {
	KeypointID   int64 // exactly one of KeypointID and ComparisonID
	ComparisonID int64
	Person       int              // track of one of Extraction.People; 0 for the chosen one, and with ComparisonID
	Rules        []draw.Rule      // at least one, or nil for the default drawing
	Background   *draw.Background // nil for the picture or movie itself

	// AnalysisID is an analysis of the same keypoints (in a comparison, of the source's) whose
	// values labels write: draw.Rule.Analysis is the index of its rule. It is required if a
	// rule has an Analysis; it may be unfinished. 0 means none.
	AnalysisID int64
}

// Draw creates a drawing record and queues its job. The job starts when the records that the
// drawing is made from have succeeded, and fails if one of them fails. Wrong rules are a
// *RequestError that wraps keypoint.FieldErrors.
func (s *Service) Draw(ctx context.Context, owner string, req DrawRequest) (Drawing, error) {
	if (req.KeypointID == 0) == (req.ComparisonID == 0) {
		return Drawing{}, badRequest("keypointId", "exactly one of keypointId and comparisonId is required")
	}
	if req.ComparisonID != 0 && req.Person != 0 {
		return Drawing{}, badRequest("person", "is not for comparisons, which say who is compared")
	}
	if req.Rules != nil && len(req.Rules) == 0 {
		return Drawing{}, badRequest("rule", "is empty: want at least one rule, or no list for the default drawing")
	}
	d := catalog.Drawing{Keypoint: req.KeypointID, Comparison: req.ComparisonID, Person: req.Person, AnalysisID: req.AnalysisID}
	style, err := draw.Compile(req.Rules, draw.Background{}, req.ComparisonID != 0)
	if err == nil && req.Rules != nil {
		d.Rule, err = draw.MarshalRules(req.Rules)
	}
	if err != nil {
		return Drawing{}, &RequestError{"rule", err}
	}
	if req.Background != nil {
		if _, err = draw.Compile(nil, *req.Background, false); err == nil {
			d.Background, err = json.Marshal(req.Background)
		}
		if err != nil {
			return Drawing{}, &RequestError{"backgroundRule", err}
		}
	}
	keypointID, person := req.KeypointID, req.Person
	if req.KeypointID != 0 {
		var e Extraction
		e, err = s.reference(ctx, owner, "keypointId", req.KeypointID)
		if d.Still = e.ImageID != 0; err == nil {
			err = e.checkPerson("person", req.Person)
		}
	} else {
		var c Comparison
		c, err = s.Comparison(ctx, owner, req.ComparisonID)
		err = referenceError("comparisonId", storage.Key{Kind: storage.Comparisons, ID: req.ComparisonID}, err)
		keypointID, person = c.SourceID, c.Person
	}
	if err != nil {
		return Drawing{}, err
	}
	if req.AnalysisID != 0 {
		d.Analysis, err = s.labelled(ctx, owner, req.AnalysisID, keypointID, person, req.Rules)
	} else if style.Needs().Value {
		err = badRequest("analysisId", "is required: a label writes the value of an analysis")
	}
	if err != nil {
		return Drawing{}, err
	}
	return create(ctx, s, owner, storage.Drawings, d, drawingOf)
}

// labelled returns the rules of the analysis whose values labels write. It must be of these
// keypoints and have what the labels ask for.
func (s *Service) labelled(ctx context.Context, owner string, id, keypointID int64, person int, labels []draw.Rule) (json.RawMessage, error) {
	a, err := s.Analysis(ctx, owner, id)
	if err != nil {
		return nil, referenceError("analysisId", storage.Key{Owner: owner, Kind: storage.Analyses, ID: id}, err)
	}
	if a.KeypointID != keypointID {
		return nil, badRequest("analysisId", "the analysis %d is of the keypoint record %d, the drawing of %d", id, a.KeypointID, keypointID)
	}
	if a.Person != person {
		return nil, badRequest("analysisId", "the analysis %d and the drawing are of different people", id)
	}
	if err := checkLabels(labels, len(a.Rules)); err != nil {
		return nil, &RequestError{"rule", err}
	}
	return analyze.MarshalRules(a.Rules)
}

// Drawing returns a drawing record.
func (s *Service) Drawing(ctx context.Context, owner string, id int64) (Drawing, error) {
	r, err := s.cfg.Store.Get(ctx, storage.Key{Owner: owner, Kind: storage.Drawings, ID: id})
	if err != nil {
		return Drawing{}, err
	}
	d, err := drawingOf(r)
	if err == nil && d.Status == storage.Success {
		d.Outdated, err = s.outdatedDrawing(ctx, r)
	}
	return d, err
}

// outdatedDrawing reports whether a drawing, or the comparison that it shows, is outdated.
func (s *Service) outdatedDrawing(ctx context.Context, r storage.Record) (bool, error) {
	var d catalog.Drawing
	if err := catalog.Decode(r, &d); err != nil {
		return false, err
	}
	if d.Comparison != 0 {
		var c catalog.Comparison
		err := s.peek(ctx, storage.Key{Owner: r.Owner, Kind: storage.Comparisons, ID: d.Comparison}, &c)
		if err != nil {
			return false, ignoreConflict(err)
		}
		source := catalog.Corrected{Keypoint: c.Source, Person: c.Person}
		if old, err := s.outdated(ctx, r.Owner, c.Corrected, source, catalog.Corrected{Keypoint: c.Target, Person: c.TargetPerson}); old || err != nil {
			return old, err
		}
		d.Keypoint, d.Person = c.Source, c.Person
	}
	return s.outdated(ctx, r.Owner, d.Corrected, catalog.Corrected{Keypoint: d.Keypoint, Person: d.Person})
}

// Drawings returns a page of the owner's drawings, newest first, and the number of all that
// match.
func (s *Service) Drawings(ctx context.Context, owner string, page Page) ([]Drawing, int, error) {
	return list(ctx, s, owner, storage.Drawings, page, drawingOf)
}

// OpenDrawing opens the drawn file, JPEG or MP4 as Drawing.File says, or returns
// ErrNotReady. A file that is missing or has another size than the drawn one is an error that
// names it and is of no kind. The caller closes the file.
func (s *Service) OpenDrawing(ctx context.Context, owner string, id int64) (storage.Blob, error) {
	r, err := s.cfg.Store.Get(ctx, storage.Key{Owner: owner, Kind: storage.Drawings, ID: id})
	if err != nil {
		return nil, err
	}
	if d, err := drawingOf(r); err != nil || d.File == "" {
		return nil, cmp.Or(err, ErrNotReady)
	}
	return s.keeper.OpenFile(ctx, r)
}

// workDraw draws onto the media of a drawing and stores the file.
func (s *Service) workDraw(ctx context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
	var d catalog.Drawing
	if err := catalog.Decode(r, &d); err != nil {
		return worker.Output{}, err
	}
	a, key, seq, err := s.annotator(ctx, r, &d)
	if err != nil {
		return worker.Output{}, err
	}
	dir, remove, err := s.workFolder()
	if err != nil {
		return worker.Output{}, err
	}
	defer remove()
	m := media{
		image: key.Kind == storage.Images,
		open:  func() (io.ReadSeekCloser, error) { return s.openMedia(ctx, key) },
	}
	if d.Extension = ".mp4"; m.image {
		d.Extension = ".jpg"
	}
	a.Progress = progress
	path := filepath.Join(dir, d.File(r.ID))
	if err := a.annotate(ctx, m, path, seq); err != nil {
		return worker.Output{}, s.mediaFailure(ctx, key, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return worker.Output{}, err
	}
	defer f.Close()
	info, err := s.cfg.Blobs.Put(ctx, catalog.FileName(r.Kind, r.ID, d.Extension), f, storage.PutOptions{})
	if err != nil {
		return worker.Output{}, err
	}
	d.Bytes, d.MD5 = info.Size, hex.EncodeToString(info.MD5[:])
	data, err := json.Marshal(d)
	return worker.Output{Data: data}, err
}

// annotator returns an Annotator for a drawing, the media that it draws onto, and their
// keypoints. It notes their corrections in the data.
func (s *Service) annotator(ctx context.Context, r storage.Record, data *catalog.Drawing) (a Annotator, m storage.Key, seq keypoint.Sequence, err error) {
	a = Annotator{Decoder: s.cfg.Decoder, Encoder: s.cfg.Encoder, Limits: s.cfg.Limits, turn: s.turn}
	d, err := drawingOf(r)
	if err != nil {
		return a, m, seq, err
	}
	a.Rules = d.Rules
	if d.Background != nil {
		a.Background = *d.Background
	}
	if data.Analysis != nil {
		if a.Analyses, err = analyze.ParseRules(data.Analysis); err != nil {
			return a, m, seq, fmt.Errorf("stored rule of the analysis: %w", err)
		}
	}
	id, person := d.KeypointID, d.Person
	var used []Extraction
	if d.ComparisonID != 0 {
		c, err := s.Comparison(ctx, r.Owner, d.ComparisonID)
		if err != nil {
			return a, m, seq, err
		}
		res, err := c.Result()
		if err != nil {
			return a, m, seq, err
		}
		a.differences, a.Compare, id, person = res.Frames, c.Options, c.SourceID, c.Person
		if style, err := draw.Compile(a.Rules, a.Background, true); err == nil && style.Needs().Target {
			to, target, err := s.keypoints(ctx, r.Owner, c.TargetID, c.TargetPerson)
			if err != nil {
				return a, m, seq, err
			}
			a.Target, used = &target, append(used, to)
		}
	}
	e, seq, err := s.keypoints(ctx, r.Owner, id, person)
	data.Corrected = correctionsOf(append(used, e)...)
	if err == nil && e.CaptureRate != 0 {
		var found keypoint.Sequence
		found, err = e.found()
		a.times = found.Times
	}
	return a, mediaOfExtraction(r.Owner, e.MovieID, e.ImageID), seq, err
}
