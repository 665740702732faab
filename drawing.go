package motion

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// Drawing is a picture or movie with a skeleton or the differences drawn onto it.
type Drawing struct {
	State
	KeypointID, ComparisonID int64            // one of them; the other is 0
	Rules                    []draw.Rule      // nil for the default drawing
	RuleAlone                bool             // as in DrawRequest
	Background               *draw.Background // nil if not given

	Person int // track in the keypoint record; 0 for the chosen one, and in drawings of a comparison
	DrawOptions

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
		State: stateOf(r), KeypointID: data.Keypoint, ComparisonID: data.Comparison, Person: data.Person, RuleAlone: data.RuleAlone, AnalysisID: data.AnalysisID, File: data.File(r.ID),
	}
	err := decodeOptional(data.Options, &d.DrawOptions)
	if err != nil {
		return d, err
	}
	if data.Rule != nil {
		if err = json.Unmarshal(data.Rule, &d.Rules); err != nil {
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
	RuleAlone    bool             // as in AnalyzeRequest
	Background   *draw.Background // nil for the picture or movie itself
	DrawOptions

	// AnalysisID is an analysis of the same keypoints (in a comparison, of the source's) whose
	// values labels write: draw.Rule.Analysis is the index of its rule. It is required if a
	// rule has an Analysis; it may be unfinished. 0 means none.
	AnalysisID int64
}

// DrawOptions are what a drawing can have besides rules. The zero value has none of it.
type DrawOptions struct {
	Preset    string         `json:"preset,omitempty"`    // of draw.Preset, instead of rules
	Layout    draw.Layout    `json:"layout,omitempty"`    // of a comparison
	BlurFaces bool           `json:"blurFaces,omitempty"` // of those whose keypoints are known, see draw.Faces
	Values    []analyze.Rule `json:"values,omitempty"`    // written beside the joints, without statistics

	// From and To trim a movie to the frames from one time to another, in seconds of the keypoints;
	// To 0 means to the end. Repetition trims it to a repetition instead. Movies that are trimmed have
	// no sound.
	From       float64         `json:"from,omitempty"`
	To         float64         `json:"to,omitempty"`
	Repetition *DrawRepetition `json:"repetition,omitempty"`
}

// DrawRepetition is a repetition in the values of a rule, as analyze.FindRepetitions finds them.
// The work fails if the recording has fewer.
type DrawRepetition struct {
	Of     analyze.Rule `json:"of"`     // gives numbers
	Number int          `json:"number"` // from 1
}

// check reports what is wrong with the options of a drawing with or without rules, of a comparison or not.
func (o DrawOptions) check(rules, comparison bool) error {
	_, known := draw.Preset(o.Preset, false)
	switch {
	case o.Preset != "" && !known:
		return badRequest("preset", "is %q, want %s", o.Preset, strings.Join(draw.Presets(), " or "))
	case o.Preset != "" && rules:
		return badRequest("preset", "is given together with rule: want one of the two")
	case o.Layout != "" && o.Layout != draw.LayoutGhost && o.Layout != draw.LayoutSideBySide:
		return badRequest("layout", "is %q, want ghost or sideBySide", o.Layout)
	case o.Layout != "" && !comparison:
		return badRequest("layout", "is for drawing a comparison only")
	case o.Repetition != nil && (o.From != 0 || o.To != 0):
		return badRequest("repetition", "is given together with from or to: want one or the other")
	}
	return checkPart(o.From, o.To)
}

// checkPart checks the fields from and to of a request for a part of a movie; to 0 means to the end.
func checkPart(from, to float64) error {
	switch {
	case !(from >= 0 && from <= math.MaxFloat64):
		return badRequest("from", "is %v, want 0 or more seconds", from)
	case to != 0 && !(to > from && to <= math.MaxFloat64):
		return badRequest("to", "is %v, want more seconds than from", to)
	}
	return nil
}

const forMovies = "is for movies only, and this is an image"

// marshal checks the options for a movie or not and returns their stored form, nil without any.
func (o DrawOptions) marshal(movie bool) (json.RawMessage, error) {
	if err := checkValues(o.Values, movie); err != nil {
		return nil, &RequestError{"values", err}
	}
	switch {
	case reflect.ValueOf(o).IsZero():
		return nil, nil
	case movie:
	case o.From != 0:
		return nil, badRequest("from", forMovies)
	case o.To != 0:
		return nil, badRequest("to", forMovies)
	case o.Repetition != nil:
		return nil, badRequest("repetition", forMovies)
	}
	if r := o.Repetition; r != nil {
		if errs := r.check(); errs != nil {
			return nil, &RequestError{"repetition", errs}
		}
	}
	return json.Marshal(o)
}

// checkValues returns mistakes in rules whose values are written beside the joints.
func checkValues(rules []analyze.Rule, movie bool) error {
	if rules != nil && len(rules) == 0 {
		return keypoint.FieldErrors{{Detail: "is empty: want at least one rule"}}
	}
	errs := rulejson.Check(rules, func(r *analyze.Rule, note rulejson.Note) {
		const detail = "has no place here: every frame shows its own value"
		note(r.Movie != nil, "/movieOption", detail)
		note(r.Repetitions != nil, "/repetitions", detail)
		note(r.Symmetry, "/symmetry", detail)
	})
	if errs != nil {
		return errs[:1]
	}
	return analyze.Check(rules, movie)
}

// check returns what span cannot find.
func (r *DrawRepetition) check() keypoint.FieldErrors {
	switch {
	case r.Number < 1:
		return keypoint.FieldErrors{{Pointer: "/number", Detail: fmt.Sprintf("is %d, want 1 or more", r.Number)}}
	case r.Of.Type.Pair() || r.Of.Movie != nil || r.Of.Symmetry:
		return keypoint.FieldErrors{{Pointer: "/of", Detail: "has points, a statistic or two sides: want a rule whose values are one number a frame"}}
	}
	return rulejson.Under("/of", r.Of.Mistakes(true))
}

// span returns the frames of the repetition. A recording with fewer is a keypoint.ErrInvalid.
func (r *DrawRepetition) span(s keypoint.Sequence) (keypoint.Span, error) {
	found, err := analyze.RunRepetitions(s, r.Of)
	if n := len(found.List); err == nil && r.Number > n {
		err = fmt.Errorf("%w repetition: number %d of a recording with %d", keypoint.ErrInvalid, r.Number, n)
	}
	if err != nil {
		return keypoint.Span{}, err
	}
	one := found.List[r.Number-1]
	return keypoint.Span{First: one.Start, Last: one.End}, nil
}

// rules returns the rules, or those of the preset, with what the layout adds.
func (o DrawOptions) rules(rules []draw.Rule, comparison bool) []draw.Rule {
	if o.Preset != "" {
		rules, _ = draw.Preset(o.Preset, comparison)
	}
	if o.Layout == draw.LayoutGhost {
		if rules == nil {
			rules = draw.Defaults(comparison)
		}
		rules = draw.Ghosts(rules, draw.SkyBlue)
	}
	return rules
}

// span returns the frames of a recording that are drawn, zero for all.
func (o DrawOptions) span(s keypoint.Sequence) (span keypoint.Span, err error) {
	switch r := o.Repetition; {
	case r != nil:
		span, err = r.span(s)
	case o.From != 0 || o.To != 0:
		span, err = s.Between(o.From, o.To)
	}
	return span, lasting(err)
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
	if err := req.check(req.Rules != nil, req.ComparisonID != 0); err != nil {
		return Drawing{}, err
	}
	d := catalog.Drawing{Keypoint: req.KeypointID, Comparison: req.ComparisonID, Person: req.Person, AnalysisID: req.AnalysisID}
	style, err := draw.Compile(req.Rules, draw.Background{}, req.ComparisonID != 0)
	if err == nil && req.Rules != nil {
		d.RuleAlone = req.RuleAlone && len(req.Rules) == 1
		d.Rule, err = json.Marshal(req.Rules)
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
	keypointID, person, field := req.KeypointID, req.Person, "keypointId"
	if req.ComparisonID != 0 {
		c, err := s.Comparison(ctx, owner, req.ComparisonID)
		if err != nil {
			return Drawing{}, referenceError("comparisonId", storage.Key{Kind: storage.Comparisons, ID: req.ComparisonID}, err)
		}
		keypointID, person, field = c.SourceID, c.Person, "comparisonId"
	}
	e, err := s.reference(ctx, owner, field, keypointID)
	if err == nil {
		err = e.checkPerson("person", req.Person)
	}
	if err == nil {
		d.Still = e.ImageID != 0
		d.Options, err = req.DrawOptions.marshal(!d.Still)
	}
	if err != nil {
		return Drawing{}, err
	}
	if req.AnalysisID != 0 {
		err = s.labelled(ctx, owner, &d, keypointID, person, req.Rules)
	} else if style.Needs().Value {
		err = badRequest("analysisId", "is required: a label writes the value of an analysis")
	}
	if err != nil {
		return Drawing{}, err
	}
	return create(ctx, s, owner, storage.Drawings, d, drawingOf)
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
		open:  func() (io.ReadSeekCloser, error) { return s.OpenMedia(ctx, key.Owner, key.Kind, key.ID) },
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
